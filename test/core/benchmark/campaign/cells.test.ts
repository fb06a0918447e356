/** Layouts by instance types, and what each can do. */
import {
  abilityOf,
  cellsOf,
  deviceNames,
  memberOf,
  prefillMiBpsOf,
  roomMiBOf,
} from '../../../../core/benchmark/campaign/cells.ts';
import { maxMembers } from '../../../../core/benchmark/campaign/request.ts';
import { anInstanceType, ebs } from '../../../fixtures/region-catalog.ts';
import { aLayout, aRequest } from './requests.ts';

const layoutOf = (layout: object) => {
  const [parsed] = aRequest({ layouts: [aLayout(layout)] }).layouts;
  if (parsed === undefined) throw new Error('no layout');
  return parsed;
};

test('every layout on every type, types side by side', () => {
  const request = aRequest({
    layouts: [aLayout(), aLayout({ name: 'one', kind: 'single', members: 1 })],
    instanceTypes: ['m5.large', 'c6i.4xlarge'],
  });
  expect(cellsOf(request).map(({ id }) => id)).toEqual([
    'stripe-m5-large',
    'stripe-c6i-4xlarge',
    'one-m5-large',
    'one-c6i-4xlarge',
  ]);
});

test.each([
  // gp3 has 3,000 IOPS and 125 MiB/s for nothing.
  ['single', 1, { iops: 3_000, mibps: 125 }],
  ['linear', 4, { iops: 3_000, mibps: 125 }],
  ['stripe', 4, { iops: 12_000, mibps: 500 }],
  ['raid10', 4, { iops: 12_000, mibps: 500 }],
  ['raid5', 3, { iops: 9_000, mibps: 375 }],
])('%s of %d reads at most', (kind, members, ability) => {
  expect(abilityOf(layoutOf({ kind, members }))).toEqual(ability);
});

test('with credits a volume can more: gp2 of 100 GiB has 300 IOPS, and 3,000 while they last', () => {
  expect(abilityOf(layoutOf({ volumeType: 'gp2', members: 2 }))).toEqual({ iops: 6_000, mibps: 256 });
});

test.each([
  ['stripe', 4, 500],
  ['raid10', 4, 250], // each write twice
  ['raid5', 3, 250], // 375 x 2 / 3
  ['linear', 4, 125],
])('%s of %d takes files at %d MiB/s', (kind, members, mibps) => {
  expect(prefillMiBpsOf(layoutOf({ kind, members }), undefined)).toBeCloseTo(mibps, 9);
});

test('copies go through the instance too: of 200 MiB/s half are left for RAID10', () => {
  const type = anInstanceType({ ebs: ebs(10_000, 200) });
  expect(prefillMiBpsOf(layoutOf({}), type)).toBe(200);
  expect(prefillMiBpsOf(layoutOf({ kind: 'raid10' }), type)).toBe(100);
});

test.each([
  ['stripe', 4, 409_600], // 4 x 100 GiB
  ['raid10', 4, 204_800],
  ['raid5', 4, 307_200],
])('%s of %d holds %d MiB', (kind, members, mib) => {
  expect(roomMiBOf(layoutOf({ kind, members }))).toBe(mib);
});

test('a member is a volume in a Region, as the layout has it', () => {
  expect(memberOf(layoutOf({ iops: 4_000, throughputMiBps: 250 }))).toEqual({
    ...{ volumeType: 'gp3', sizeGiB: 100, iops: 4_000, throughputMiBps: 250 },
    deployment: 'region',
  });
});

test('there is a device name for each member, and none twice', () => {
  expect(deviceNames.length).toBeGreaterThanOrEqual(maxMembers);
  expect(new Set(deviceNames).size).toBe(deviceNames.length);
  expect(deviceNames[0]).toBe('/dev/sdf');
  // The root volume's.
  expect(deviceNames).not.toContain('/dev/sda');
});
