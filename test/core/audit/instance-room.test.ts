/** Which instances have room for one more volume, by the inventory alone. */
import { mostRoom, roomsOf, withDestinations } from '../../../core/audit/instance-room.ts';
import type { InstanceType } from '../../../core/catalog/instance-types.ts';
import type { Instance, Volume } from '../../../core/inventory.ts';
import type { InstanceRoom } from '../../../core/schemas/audit-result.ts';
import { aFinding, aRecommendation, onInstance } from '../../fixtures/findings.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../fixtures/region-catalog.ts';

const inZone = { availabilityZone: 'us-east-1a' };

const roomWith = (
  instance: Partial<Instance> = {},
  volumes: Partial<Volume>[] = [{}],
  type: Partial<InstanceType> = {},
): InstanceRoom['room'] | null => {
  const entry = { instance: anInstance({ ...inZone, ...instance }), volumes: volumes.map(aVolume) };
  const known = anInstanceType({ instanceType: 'm6i.large', ebs: ebs(10_000, 500), ...type });
  return roomsOf([entry], () => aRegionCatalog([known]))[0]?.room ?? null;
};

test('its baseline less all that its volumes can do, with their credits', () => {
  expect(roomWith()).toEqual({ iops: 7_000, throughputMiBps: 375 }); // less 3,000 and 125
  // gp2 of 100 GiB bursts to 3,000 IOPS and does 128 MiB/s.
  const gp2 = { volumeType: 'gp2', iops: 300, throughputMiBps: null };
  expect(roomWith({}, [{}, gp2])).toEqual({ iops: 4_000, throughputMiBps: 247 });
});

test('of two EBS cards the lower one: 10,000 of both are 5,000 of one', () => {
  const cards = [ebs(5_000, 250), ebs(5_000, 250)];
  expect(roomWith({}, [{}], { cards })).toEqual({ iops: 2_000, throughputMiBps: 125 });
});

test('ebs-1 counts: 625 less 125', () => {
  const type = { bandwidthWeightings: ['default', 'ebs-1', 'vpc-1'] };
  expect(roomWith({ bandwidthWeighting: 'ebs-1' }, [{}], type)?.throughputMiBps).toBe(500);
  for (const bandwidthWeighting of ['vpc-1', null])
    expect(roomWith({ bandwidthWeighting }, [{}], type)).toBeNull();
});

test.each<[string, Parameters<typeof roomWith>]>([
  ['a stopped instance', [{ state: 'stopped' }]],
  ['a zone that nobody told', [{ availabilityZone: undefined }]],
  ['an account that nobody told', [{ account: null }]],
  ['a type that is not known', [{ instanceType: 'm9.large' }]],
  ['volumes that nobody looks at', [{ excludedVolumes: 1 }]],
  ['a volume of a type that is not known', [{}, [{ volumeType: 'gp9' }]]],
  ['an Outpost', [{}, [{ deployment: 'outposts' }]]],
  ['no baseline left', [{}, [{ iops: 10_000, throughputMiBps: 125 }]]],
  ['no attachment left', [{}, [{}], { attachments: { most: 1, shared: false } }]],
])('%s has none', (_, asked) => {
  expect(roomWith(...asked)).toBeNull();
});

test('what is kept of parts is what would be kept of all at once: three with the most of each', () => {
  const all = Array.from(
    { length: 12 },
    (_, i): InstanceRoom => ({
      ...{ instanceId: `i-${i}`, instanceType: 'm6i.large', account: '111122223333', region: 'us-east-1' },
      ...{ availabilityZone: 'us-east-1a', architecture: 'x86_64' },
      room: { iops: 1_000 + i, throughputMiBps: 500 - i },
    }),
  );
  const kept = mostRoom(all);
  const ids = ['i-0', 'i-1', 'i-10', 'i-11', 'i-2', 'i-9'];
  expect(kept.map(({ instanceId }) => instanceId)).toEqual(ids);
  expect(mostRoom([all.slice(0, 5), all.slice(5)].flatMap(mostRoom))).toEqual(kept);
});

describe('the instance that volumes are moved to', () => {
  const account = '111122223333';
  const place = { availabilityZone: 'us-east-1a', architecture: 'x86_64' };
  const there: InstanceRoom = {
    ...{ instanceId: 'i-there', instanceType: 'm6i.large', account, region: 'us-east-1', ...place },
    room: { iops: 5_000, throughputMiBps: 300 },
  };
  const moving = (from: string, volumeId: string) =>
    aFinding({
      ...{ resource: onInstance(from, { account }), kind: 'throttled-instance-iops' },
      recommendations: [
        aRecommendation({
          ...{ action: 'move-volume', inPlace: false, sizedFor: { iops: 3_000, throughputMiBps: 100 } },
          change: {
            ...{ of: 'volume-move', volumeId, loadShare: 0.5, from, to: null },
            ...{ instanceType: 'm6i.large', ...place, monthlyUsd: 70 },
          },
          risks: [{ code: 'downtime' }],
        }),
      ],
    });
  const risksOf = (findings: ReturnType<typeof withDestinations>) =>
    findings.map(({ recommendations: [first] }) => first?.risks.map(({ code }) => code));
  const a = moving('i-a', 'vol-a');

  test('has room for one: that two could go there is said of both, once, also when parts are merged', () => {
    const whole = withDestinations([a, moving('i-b', 'vol-b')], [there]);
    expect(risksOf(whole)).toEqual([
      ['downtime', 'several-go-there'],
      ['downtime', 'several-go-there'],
    ]);
    const parts = [a, moving('i-b', 'vol-b')].flatMap((one) => withDestinations([one], [there]));
    expect(withDestinations(parts, [there])).toEqual(whole);
    expect(withDestinations(whole, [there])).toEqual(whole);
  });

  test('one volume of two findings goes there once', () => {
    expect(risksOf(withDestinations([a, a], [there]))).toEqual([['downtime'], ['downtime']]);
  });
});
