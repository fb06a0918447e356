/** What volumes have beyond what their instance can do, and what it costs. */

import type { InstanceType } from '../../../core/catalog/instance-types.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { type Unreachable, unreachablePerformance } from '../../../core/diagnosis/unreachable.ts';
import type { Instance, Volume } from '../../../core/inventory.ts';
import { unknown } from '../../../core/known.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../fixtures/region-catalog.ts';

const prices = aRegionCatalog([]).prices.ebs;

const evaluate = (
  volumes: Partial<Volume>[],
  type: Partial<InstanceType> = {},
  instance: Partial<Instance> = {},
  throttled: string[] = [],
): Unreachable | null =>
  unreachablePerformance(
    anInstance(instance),
    anInstanceType(type),
    volumes.map((volume, i) => aVolume({ volumeId: `vol-${i}`, sizeGiB: 1_000, ...volume })),
    prices,
    new Set(throttled),
    defaultThresholds,
  );

const usdOf = (unreachable: Unreachable | null): unknown =>
  unreachable === null ? null : unreachable.draft.evidence['excessMonthlyUsd'];

describe('an instance of 10,000 IOPS and 500 MiB/s', () => {
  test.each([
    { name: 'as much as it can do', volumes: [{ iops: 7_000 }, { iops: 3_000 }], expected: null },
    // 998 x 0.005 = 4.99 and 1,000 x 0.005 = 5.00
    { name: 'less than 5 USD too many', volumes: [{ iops: 7_998 }, { iops: 3_000 }], expected: null },
    {
      name: '5 USD too many',
      volumes: [{ iops: 8_000 }, { iops: 3_000 }],
      expected: 5,
    },
    // 4,000 x 0.005 = 20
    {
      name: '20 USD too many',
      volumes: [{ iops: 11_000 }, { iops: 3_000 }],
      expected: 20,
    },
    // Four times 3,000 IOPS are 2,000 too many, and free.
    { name: 'gp3 without paid figures', volumes: [{}, {}, {}, {}], expected: null },
    // 600 + 125 = 725 of 500: 225 x 0.04 = 9
    {
      name: 'too many MiB/s',
      volumes: [{ throughputMiBps: 600 }, {}],
      expected: 9,
    },
    // gp2 of 2,000 GiB has 6,000 IOPS and 250 MiB/s all the time: they count, and cannot be lowered.
    // 6,000 + 8,000 = 14,000: 4,000 x 0.065 = 260 off io1
    {
      name: 'gp2 beside io1',
      volumes: [
        { volumeType: 'gp2', sizeGiB: 2_000 },
        { volumeType: 'io1', iops: 8_000 },
      ],
      expected: 260,
    },
    // A gp2 of 100 GiB bursts to 3,000 IOPS; all the time it has 300.
    {
      name: 'a burst is not had all the time',
      volumes: [{ volumeType: 'gp2', sizeGiB: 100 }, { iops: 9_700 }],
      expected: null,
    },
    {
      name: 'an Outpost, which is billed by its rack',
      volumes: [{ iops: 16_000, deployment: 'outposts' as const }],
      expected: null,
    },
  ])('$name', ({ volumes, expected }) => {
    expect(usdOf(evaluate(volumes))).toBe(expected);
  });

  test('it is an information: whether anything can be saved is for the recommendation', () => {
    expect(evaluate([{ iops: 16_000 }])?.draft.severity).toBe('info');
  });

  test('the evidence carries the figures', () => {
    const { draft } = evaluate([{ iops: 16_000, throughputMiBps: 600 }, {}]) as Unreachable;
    // 9,000 x 0.005 = 45 and 225 x 0.04 = 9
    expect(draft.evidence).toMatchObject({
      instanceType: 'm1.large',
      instanceMaximumIops: 10_000,
      instanceMaximumMiBps: 500,
      provisionedIops: 19_000,
      provisionedMiBps: 725,
      excessIops: 9_000,
      excessMiBps: 225,
      excessMonthlyUsd: 54,
      volumes: ['vol-0', 'vol-1'],
      volumesLeftOut: [],
    });
    expect(draft).toMatchObject({
      ...{ status: 'standing', firstSeen: null, confidence: 'high', evidenceWindow: null },
      limit: { what: 'maximum', value: 10_000, unit: 'IOPS', scope: 'instance' },
    });
  });

  test('its maximum counts and not its baseline', () => {
    const bursting = { ebs: ebs(2_000, 100, { maximumIops: 20_000, maximumMiBps: 1_000 }) };
    expect(evaluate([{ iops: 16_000 }], bursting)).toBeNull();
    // 1,000 x 0.005 = 5
    expect(usdOf(evaluate([{ iops: 21_000 }], bursting))).toBe(5);
  });

  test('Multi-Attach volumes and unknown types are left out, and it says so', () => {
    const { draft } = evaluate([
      { iops: 12_000 },
      { volumeType: 'io2', iops: 9_000, multiAttach: true, attachments: on('i-1', 'i-2') },
      { volumeType: 'gp9' },
    ]) as Unreachable;
    expect(draft.evidence).toMatchObject({ provisionedIops: 12_000, volumes: ['vol-0'] });
    expect(draft.evidence.volumesLeftOut).toEqual([
      { code: 'multi-attach', volumeId: 'vol-1' },
      {
        code: 'configuration-unknown',
        volumeId: 'vol-2',
        reason: { code: 'volume-type-unknown', volumeType: 'gp9' },
      },
    ]);
  });

  test('a volume that its own limit throttled counts and is not lowered', () => {
    const volumes = [{ iops: 12_000 }, { iops: 6_000 }];
    // 18,000 of 10,000: the other goes to 3,000 and no further, 3,000 x 0.005 = 15 and not 8,000 x 0.005 = 40
    const found = evaluate(volumes, {}, {}, ['vol-0']);
    expect(usdOf(found)).toBe(15);
    expect(found?.lowerable.map(({ volume }) => volume.volumeId)).toEqual(['vol-1']);
    expect(evaluate(volumes, {}, {}, ['vol-0', 'vol-1'])).toBeNull();
  });

  test('without prices, or without limits of the instance, nothing is reported', () => {
    const volumes = [aVolume({ sizeGiB: 1_000, iops: 16_000 })];
    const none = unknown({ code: 'no-ebs-prices' as const, region: 'mars-east-1' });
    expect(
      unreachablePerformance(anInstance(), anInstanceType(), volumes, none, new Set(), defaultThresholds),
    ).toBeNull();
    expect(evaluate([{ iops: 16_000 }], { ebs: null })).toBeNull();
  });
});

describe('bandwidth weighting', () => {
  const volumes = [{ iops: 10_000, throughputMiBps: 800 }];

  test.each([
    // 800 - 500 = 300, x 0.04 = 12
    { weighting: null, usd: 12 },
    { weighting: 'default', usd: 12 },
    // ebs-1: 500 x 1.25 = 625; 800 - 625 = 175, x 0.04 = 7
    { weighting: 'ebs-1', usd: 7 },
  ])('$weighting', ({ weighting, usd }) => {
    expect(usdOf(evaluate(volumes, {}, { bandwidthWeighting: weighting }))).toBe(usd);
  });

  test('ebs-1 raises the baseline; a burst above it stays', () => {
    const bursting = { ebs: ebs(10_000, 400, { maximumMiBps: 500 }) }; // 400 x 1.25 = 500
    expect(usdOf(evaluate(volumes, bursting, { bandwidthWeighting: 'ebs-1' }))).toBe(12);
  });

  test('vpc-1 takes from EBS what EC2 does not tell: IOPS are evaluated, MiB/s are not and stay', () => {
    expect(evaluate(volumes, {}, { bandwidthWeighting: 'vpc-1' })).toBeNull();
    const found = evaluate([{ iops: 12_000, throughputMiBps: 800 }], {}, { bandwidthWeighting: 'vpc-1' });
    expect(usdOf(found)).toBe(10); // 2,000 x 0.005
    expect(found?.reachable).toEqual({ iops: 10_000, throughputMiBps: 800 });
    expect(found?.draft.evidence).toMatchObject({
      excessMiBps: null,
      instanceMaximumMiBps: null,
      throughputNotEvaluatedReason: { code: 'bandwidth-weighting', weighting: 'vpc-1' },
    });
  });
});
