/** Whatever is planned: no rule throws, and what a finding says to do leaves nothing of it. */
import fc from 'fast-check';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { check } from '../../../core/check/check.ts';
import { checkedOf } from '../../../core/check/checked.ts';
import type { Asked, PlannedDevice, PlannedResource } from '../../../core/check/planned.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { known, unknown } from '../../../core/known.ts';
import {
  type CheckAnswer,
  type CheckFigures,
  type CheckFinding,
  type CheckWayOut,
  checkAnswerSchema,
} from '../../../core/schemas/check-answer.ts';
import { checkMarkdown } from '../../../report/check/markdown.ts';
import { checkText } from '../../../report/check/table.ts';
import { aDevice, anInstance, asked, aVolume, plannedOf, type Said } from '../../fixtures/planned.ts';

function checked(resources: readonly PlannedResource[]): CheckAnswer {
  const planned = plannedOf(...resources);
  return check(planned, checkedOf(planned, null), {
    ...{
      regionCatalogs: builtInRegionCatalog,
      thresholds: defaultThresholds,
      loadClass: 'database',
      changedOnly: false,
      measured: null,
    },
  });
}

const number = (most: number) =>
  fc.oneof(fc.integer({ min: 0, max: most }), fc.constantFrom(-1, 0.5, 1e9, 3_000, 125, 500));
const said = fc.record(
  {
    type: fc.constantFrom('gp2', 'gp3', 'io1', 'io2', 'st1', 'sc1', 'standard', 'gp4', ''),
    gib: fc.oneof(number(70_000), fc.integer({ min: 1, max: 2_000 })),
    iops: number(100_000),
    mibps: number(2_500),
    multiAttach: fc.boolean(),
  },
  { requiredKeys: [] },
);
const types = builtInRegionCatalog('us-east-1').instanceTypes.types.map(({ instanceType }) => instanceType);
const instanceType = fc.oneof(fc.constantFrom(...types), fc.constantFrom('', 'm99.large'));
const later = { code: 'known-after-apply' as const, detail: null };

const volume = fc
  .tuple(
    said,
    fc.option(said),
    fc.constantFrom('create', 'update', 'replace', 'delete', 'none', 'declared'),
    fc.boolean(),
  )
  .map(([to, before, action, isSizeKnown]): PlannedResource => {
    const made = aVolume(to as Said, before as Said | null, {
      action: action as 'create',
      replacedFor: ['size'],
    });
    const sizeGiB: Asked<number> = isSizeKnown ? made.asked.sizeGiB : unknown(later);
    return { ...made, asked: { ...made.asked, sizeGiB } };
  });
const devices = fc.array(
  fc.tuple(said, fc.boolean()).map(([to, isRoot]) => aDevice(to as Said, { isRoot })),
  { maxLength: 5 },
);
const instance = fc.tuple(instanceType, devices).map(
  ([type, all]): PlannedResource =>
    anInstance(
      type,
      all.map((one, i) => ({ ...one, device: `/dev/sd${'fghij'[i]}` })),
    ),
);
const plan = fc
  .array(fc.oneof(volume, instance), { maxLength: 4 })
  .map((all) => all.map((one, i) => ({ ...one, address: `${one.address}_${i}` })));

test('no rule throws, and the answer is one by its schema and can be printed', () => {
  fc.assert(
    fc.property(plan, (resources) => {
      const answer = checked(resources);
      checkAnswerSchema.strict().parse(answer);
      expect(checkText(answer, { columns: 80, color: false }).length).toBeGreaterThan(0);
      expect(checkMarkdown(answer, 0).join('\n')).not.toMatch(/undefined|NaN/);
    }),
    { numRuns: 300 },
  );
});

// A way out, applied to what is planned.

const figure = <T>(value: T | null): Asked<T> => known(value);

const askedOf = ({ volumeType, sizeGiB, iops, throughputMiBps }: CheckFigures) => ({
  ...asked({ type: volumeType }),
  sizeGiB: figure(sizeGiB),
  iops: figure(iops),
  throughputMiBps: figure(throughputMiBps),
});

type Change = Extract<CheckWayOut, { code: 'set-volumes' }>['changes'][number];

function changed(resource: PlannedResource, changes: readonly Change[]): PlannedResource {
  const own = changes.filter(({ address }) => address === resource.address);
  if (resource.kind === 'volume') {
    const [change] = own;
    if (change === undefined) return resource;
    const { multiAttach, outpostArn } = resource.asked;
    return { ...resource, asked: { ...askedOf(change.to), multiAttach, outpostArn } };
  }
  if (resource.kind !== 'instance') return resource;
  const deviceOf = (device: PlannedDevice): PlannedDevice => {
    const change = own.find((one) => one.device === device.device);
    const { multiAttach } = device.asked;
    return change === undefined ? device : { ...device, asked: { ...askedOf(change.to), multiAttach } };
  };
  return { ...resource, devices: resource.devices.map(deviceOf) };
}

function applied(resources: readonly PlannedResource[], way: CheckWayOut): PlannedResource[] {
  switch (way.code) {
    case 'set-volumes':
      return resources.map((one) => changed(one, way.changes));
    case 'set-instance-type':
      return resources.map((one) =>
        one.kind === 'instance' && one.address === way.address
          ? { ...one, instanceType: known(way.instanceType) }
          : one,
      );
    case 'snapshot-first':
      return resources.map((one) =>
        one.kind === 'volume' && one.address === way.address
          ? { ...one, asked: { ...one.asked, snapshotId: known('snap-0123456789abcdef0') } }
          : one,
      );
    case 'keep':
      return resources.map((one) =>
        one.address === way.address ? { ...one, action: 'none' as const, replaceReason: null } : one,
      );
    case 'modify-in-place':
      return resources.map((one) =>
        way.changes.some(({ address }) => address === one.address)
          ? { ...one, action: 'update' as const }
          : one,
      );
    case 'stripe': {
      const { volumeType: type, sizeGiB: gib, iops, throughputMiBps: mibps, members } = way.layout;
      const member = (i: number) =>
        aVolume({ type, gib, iops, mibps }, null, { address: `${way.address}[${i}]` });
      const others = resources.filter(({ address }) => address !== way.address);
      return [...others, ...Array.from({ length: members }, (_, i) => member(i))];
    }
  }
}

const fires = (answer: CheckAnswer, { rule, address, device, facts }: CheckFinding): boolean =>
  answer.findings.some(
    (one) =>
      one.rule === rule && one.address === address && one.device === device && one.facts.code === facts.code,
  );

const alone = fc.oneof(
  volume.filter((one) => one.action !== 'delete'),
  instance,
);

test('what a finding says to do, done, leaves nothing of the finding', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(alone, (resource) => {
      for (const finding of checked([resource]).findings) {
        // Of a device the members would be devices: that is no other rule.
        if (finding.rule.startsWith('stripe-') && finding.device !== null) continue;
        for (const way of finding.wayOut) {
          seen.add(`${finding.rule} ${way.code}`);
          expect([finding, way, fires(checked(applied([resource], way)), finding)]).toEqual([
            finding,
            way,
            false,
          ]);
        }
      }
    }),
    { numRuns: 2_000 },
  );
  expect(seen.size).toBeGreaterThanOrEqual(8);
});
