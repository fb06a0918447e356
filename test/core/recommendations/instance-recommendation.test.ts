/** Which instance type to take instead of one that is the limit, and what that costs. */

import type { InstanceType } from '../../../core/catalog/instance-types.ts';
import type { RegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { Instance } from '../../../core/inventory.ts';
import type { Rates } from '../../../core/plan/layout.ts';
import type { InstanceToRecommendFor } from '../../../core/recommendations/instance-demand.ts';
import {
  baselineOf,
  instanceRecommendation,
  largerInstances,
} from '../../../core/recommendations/instance-recommendation.ts';
import type { FindingKind, Limit, Recommendation } from '../../../core/schemas/finding.ts';
import { instanceTypeOf } from '../../../core/schemas/finding-kinds.ts';
import { commandsOf } from '../../fixtures/findings.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../fixtures/region-catalog.ts';

const today = anInstanceType({
  instanceType: 'm6i.xlarge',
  ebs: ebs(6_000, 156, { maximumIops: 40_000, maximumMiBps: 1_200 }),
});
const twice = anInstanceType({ instanceType: 'm6i.8xlarge', ebs: ebs(50_000, 1_200) });
const other = anInstanceType({ instanceType: 'r7i.8xlarge', ebs: ebs(50_000, 1_600) });
const usdPerHour = { 'm6i.xlarge': 0.2, 'm6i.8xlarge': 1.5, 'r7i.8xlarge': 2 };

const limit: Limit = { what: 'maximum', value: 40_000, unit: 'IOPS', scope: 'instance' };

const recommendAll = (
  kind: FindingKind,
  regionCatalog: RegionCatalog = aRegionCatalog([today, twice, other], usdPerHour),
  instance: Partial<Instance> = {},
  needs: (Rates | null)[] = [null, null, null],
) => {
  const volumes = needs.map((_, i) => aVolume({ volumeId: `vol-${i}` }));
  const rates = new Map(needs.map((need, i) => [`vol-${i}`, need]));
  const to: InstanceToRecommendFor = {
    instance: anInstance({ instanceId: 'i-0123456789abcdef0', instanceType: 'm6i.xlarge', ...instance }),
    volumes,
    regionCatalog,
    needOf: (id) => {
      const need = rates.get(id) ?? null;
      return need === null ? null : { rates: need, confidence: null };
    },
    demand: null,
    thresholds: defaultThresholds,
  };
  return instanceRecommendation(kind, to, limit);
};

function recommend(...asked: Parameters<typeof recommendAll>): Recommendation {
  const [recommendation] = recommendAll(...asked);
  if (recommendation === undefined) throw new Error('no recommendation');
  return recommendation;
}

test.each([
  // 1.25 x 40,000 = 50,000 IOPS: both have them; (1.5 - 0.2) x 730 = 949
  {
    kind: 'throttled-instance-iops',
    ...{ named: 'm6i.8xlarge', delta: 949, sizedBy: 'limit-headroom', headroomPercent: 25 },
    sizedFor: { iops: 50_000, throughputMiBps: 156 },
  },
  // 1.25 x 1,200 = 1,500 MiB/s: only one has them; (2 - 0.2) x 730 = 1,314
  {
    kind: 'throttled-instance-throughput',
    ...{ named: 'r7i.8xlarge', delta: 1_314, sizedBy: 'limit-headroom', headroomPercent: 25 },
    sizedFor: { iops: 6_000, throughputMiBps: 1_500 },
  },
  // All the time what it does today on credits: 40,000 IOPS and 1,200 MiB/s
  {
    kind: 'instance-credits-exhausted',
    ...{ named: 'm6i.8xlarge', delta: 949, sizedBy: 'current-maximum', headroomPercent: null },
    sizedFor: { iops: 40_000, throughputMiBps: 1_200 },
  },
] as const)('$kind names the cheapest that is enough', ({ kind, named, delta, ...sizing }) => {
  const recommendation = recommend(kind);
  expect(recommendation).toMatchObject({
    ...{ action: 'resize-instance', purpose: 'throttle-nothing', inPlace: false },
    change: { of: 'instance', from: 'm6i.xlarge', to: named },
    ...{ monthlyUsdDelta: delta, priceUnknownReason: null },
    ...sizing,
    // Both have 50,000 IOPS.
    effect: { method: 'estimated', limitBefore: limit, limitAfter: { what: 'baseline', value: 50_000 } },
    risks: expect.arrayContaining([{ code: 'downtime' }, { code: 'not-the-whole-need' }]),
  });
  expect(recommendation.steps[0]).toEqual({ code: 'check-instance-type', instanceType: named });
  expect(commandsOf(recommendation)).toContain(
    `aws ec2 modify-instance-attribute --instance-id i-0123456789abcdef0 --region us-east-1 --instance-type Value=${named}`,
  );
});

describe('instead of credits', () => {
  const half = anInstanceType({ instanceType: 'm6i.4xlarge', ebs: ebs(20_000, 600) });
  const step = anInstanceType({ instanceType: 'm6i.2xlarge', ebs: ebs(12_000, 312) });
  const regionCatalog = aRegionCatalog([today, step, half, twice], {
    ...{ 'm6i.xlarge': 0.2, 'm6i.2xlarge': 0.4, 'm6i.4xlarge': 0.8, 'm6i.8xlarge': 1.5 },
  });
  const all = (...needs: (Rates | null)[]) =>
    recommendAll('instance-credits-exhausted', regionCatalog, {}, needs);
  const of = (...needs: (Rates | null)[]) => all(...needs)[0];

  test('the type that carries what the volumes need together, and the next size with less', () => {
    // 9,000 + 6,000 = 15,000 IOPS and 100 + 150 = 250 MiB/s: 20,000 and 600 carry it, 12,000 and 312 do not.
    const recommendation = all({ iops: 9_000, throughputMiBps: 100 }, { iops: 6_000, throughputMiBps: 150 });
    // (0.8 - 0.2) x 730 = 438, (0.4 - 0.2) x 730 = 146
    expect(recommendation).toMatchObject([
      {
        ...{ change: { to: 'm6i.4xlarge' }, monthlyUsdDelta: 438 },
        ...{ sizedBy: 'headroom', headroomPercent: 25 },
        sizedFor: { iops: 15_000, throughputMiBps: 250 },
        effect: { limitAfter: { what: 'baseline', value: 20_000, unit: 'IOPS' } },
        risks: [{ code: 'downtime' }, { code: 'not-the-whole-need' }],
      },
      {
        ...{ change: { to: 'm6i.2xlarge' }, monthlyUsdDelta: 146, sizedBy: null },
        effect: { limitAfter: { what: 'baseline', value: 12_000, unit: 'IOPS' } },
        risks: [{ code: 'downtime' }, { code: 'not-enough' }],
      },
    ]);
  });

  test('never more than it does today on credits: 50,000 of 40,000 IOPS', () => {
    expect(of({ iops: 50_000, throughputMiBps: 100 })).toMatchObject({
      ...{ change: { to: 'm6i.8xlarge' }, monthlyUsdDelta: 949 },
      sizedFor: { iops: 40_000, throughputMiBps: 156 },
    });
  });

  test.each([
    {
      needs: [{ iops: 9_000, throughputMiBps: 100 }, null],
      why: 'volume-needs-unknown',
    },
    {
      needs: [{ iops: 900, throughputMiBps: 10 }],
      why: 'load-not-explained',
    },
  ])('$why: all that it does today on credits', ({ needs, why }) => {
    expect(of(...needs)).toMatchObject({
      ...{ change: { to: 'm6i.8xlarge' }, sizedBy: 'current-maximum' },
      sizedFor: { iops: 40_000, throughputMiBps: 1_200 },
      risks: [{ code: 'downtime' }, { code: why }, { code: 'not-the-whole-need' }],
    });
  });
});

test('a sibling of its family stands beside a cheaper stranger', () => {
  const cheap = aRegionCatalog([today, twice, other], { ...usdPerHour, 'r7i.8xlarge': 1 });
  // (1 - 0.2) x 730 = 584, (1.5 - 0.2) x 730 = 949
  const recommendation = recommendAll('throttled-instance-iops', cheap);
  expect(recommendation.map((one) => [instanceTypeOf(one), one.monthlyUsdDelta])).toEqual([
    ['r7i.8xlarge', 584],
    ['m6i.8xlarge', 949],
  ]);
  for (const { sizedFor } of recommendation) expect(sizedFor).toEqual({ iops: 50_000, throughputMiBps: 156 });
});

test.each([
  [
    'an unknown type',
    aRegionCatalog([twice], usdPerHour),
    { code: 'unknown-instance-type', instanceType: 'm6i.xlarge', region: 'us-east-1' },
  ],
  [
    'a Region without prices',
    aRegionCatalog([today, twice], null),
    { code: 'no-instance-price', instanceType: 'm6i.8xlarge', region: 'us-east-1' },
  ],
  ['nothing that is enough', aRegionCatalog([today], usdPerHour), { code: 'no-type-is-enough' }],
  [
    'a type without limits',
    aRegionCatalog([{ ...today, ebs: null }, twice], usdPerHour),
    { code: 'no-ebs-limits', instanceType: 'm6i.xlarge' },
  ],
])('%s: no type is named, and it says why', (_, regionCatalog, reason) => {
  expect(recommendAll('throttled-instance-iops', regionCatalog)).toMatchObject([
    {
      ...{ action: 'resize-instance', purpose: 'throttle-nothing', change: null, steps: [] },
      ...{ monthlyUsdDelta: null, priceUnknownReason: reason, sizedBy: null },
    },
  ]);
});

test('where only today’s price is unknown the type is named, and the difference is not', () => {
  expect(
    recommend('throttled-instance-iops', aRegionCatalog([today, twice], { 'm6i.8xlarge': 1.5 })),
  ).toMatchObject({
    change: { to: 'm6i.8xlarge', monthlyUsd: 1_095 }, // 1.5 x 730
    monthlyUsdDelta: null,
    priceUnknownReason: { code: 'no-instance-price', instanceType: 'm6i.xlarge', region: 'us-east-1' },
  });
});

test('vpc-1 takes bandwidth from EBS: to give it back costs nothing', () => {
  const weighted = { bandwidthWeighting: 'vpc-1' };
  const [back, ...others] = recommendAll('throttled-instance-throughput', undefined, weighted);
  expect(back).toMatchObject({ action: 'set-bandwidth-weighting', monthlyUsdDelta: 0 });
  // EC2 changes it of a stopped instance alone.
  expect(commandsOf(back)).toEqual([
    'aws ec2 stop-instances --instance-ids i-0123456789abcdef0 --region us-east-1',
    'aws ec2 wait instance-stopped --instance-ids i-0123456789abcdef0 --region us-east-1',
    'aws ec2 modify-instance-network-performance-options --instance-id i-0123456789abcdef0 --region us-east-1 --bandwidth-weighting default',
    'aws ec2 start-instances --instance-ids i-0123456789abcdef0 --region us-east-1',
  ]);
  expect(back?.risks).toEqual([{ code: 'downtime' }]);
  expect(others[0]?.action).toBe('resize-instance');
  const ofIops = recommendAll('throttled-instance-iops', undefined, weighted);
  expect(ofIops.map(({ action }) => action)).not.toContain('set-bandwidth-weighting');
});

test('an id that is none stays out of the command lines', () => {
  const how = commandsOf(
    recommend('throttled-instance-iops', undefined, { instanceId: 'i-1; rm -rf /', region: '$(x)' }),
  );
  expect(how.join('\n')).not.toMatch(/rm -rf|\$\(x\)/);
  expect(how.join('\n')).toContain('--instance-id <instance-id> --region <region>');
});

describe('no less than today', () => {
  const need = { isCarriedBy: baselineOf(50_000, 1_000), volumes: 3 };
  const cheapest = (candidate: Partial<InstanceType>, from: Partial<InstanceType> = {}): string | null => {
    const type = { ...other, ...candidate };
    const regionCatalog = aRegionCatalog([today, type], { 'm6i.xlarge': 0.2, [type.instanceType]: 1 });
    const found = largerInstances({ ...today, ...from }, need, regionCatalog);
    return found.known ? found.value.cheapest.type.instanceType : null;
  };

  test.each([
    ['fewer vCPUs', { vcpus: 3 }],
    ['less memory', { memoryMiB: 16_383 }],
    ['another architecture', { architectures: ['arm64'] }],
    ['an older generation', { currentGeneration: false }],
    ['too few attachments', { attachments: { most: 2, shared: true } }],
    ['CPU credits', { instanceType: 't8i.8xlarge' }],
    ['Flex', { instanceType: 'c8i-flex.8xlarge' }],
    ['a GPU', { instanceType: 'g6.8xlarge' }],
    ['a cluster type', { instanceType: 'hpc7a.96xlarge' }],
    ['metal', { instanceType: 'r7i.metal-24xl' }],
    ['no limits', { ebs: null }],
    [
      'a burst in place of a baseline',
      { ebs: ebs(6_000, 156, { maximumIops: 60_000, maximumMiBps: 2_000 }) },
    ],
  ])('never %s', (_, candidate) => {
    expect(cheapest(candidate)).toBeNull();
  });

  test('instance store of today must be there; of its own family an older generation will do', () => {
    const stored = { instanceStore: { disks: 1, totalGB: 900, ssd: true } };
    expect(cheapest({}, stored)).toBeNull();
    expect(cheapest(stored, stored)).toBe('r7i.8xlarge');
    expect(cheapest({ instanceType: 'm6i.16xlarge', currentGeneration: false })).toBe('m6i.16xlarge');
  });
});
