/** Which instance type to take instead of one that is the limit, and what that costs. */
import { type InstanceToAdvise, instanceAdvice } from '../../../core/advice/instance-advice.ts';
import { baselineOf, largerInstances } from '../../../core/advice/larger-instance.ts';
import type { InstanceType } from '../../../core/catalogue/instance-type.ts';
import type { Market } from '../../../core/catalogue/market.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { Instance } from '../../../core/inventory.ts';
import type { Rates } from '../../../core/plan/need.ts';
import type { FindingKind } from '../../../core/schemas/finding.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';
import { aMarket, anInstanceType, ebs } from '../../fixtures/market.ts';

const today = anInstanceType({
  instanceType: 'm6i.xlarge',
  ebs: ebs(6_000, 156, { maximumIops: 40_000, maximumMiBps: 1_200 }),
});
const twice = anInstanceType({ instanceType: 'm6i.8xlarge', ebs: ebs(50_000, 1_200) });
const other = anInstanceType({ instanceType: 'r7i.8xlarge', ebs: ebs(50_000, 1_600) });
const usdPerHour = { 'm6i.xlarge': 0.2, 'm6i.8xlarge': 1.5, 'r7i.8xlarge': 2 };

const advise = (
  kind: FindingKind,
  market: Market = aMarket([today, twice, other], usdPerHour),
  instance: Partial<Instance> = {},
  needs: (Rates | null)[] = [null, null, null],
) => {
  const volumes = needs.map((_, i) => aVolume({ volumeId: `vol-${i}` }));
  const rates = new Map(needs.map((need, i) => [`vol-${i}`, need]));
  const to: InstanceToAdvise = {
    instance: anInstance({ instanceId: 'i-0123456789abcdef0', instanceType: 'm6i.xlarge', ...instance }),
    volumes,
    market,
    needOf: (id) => {
      const need = rates.get(id) ?? null;
      return need === null ? null : { rates: need, confidence: null };
    },
    wanted: null,
    thresholds: defaultThresholds,
  };
  const [advice] = instanceAdvice(kind, to, null);
  if (advice === undefined) throw new Error('no advice');
  return advice;
};

test.each([
  // 1.25 x 40,000 = 50,000 IOPS: both have them; (1.5 - 0.2) x 730 = 949
  {
    kind: 'throttled-instance-iops',
    named: 'm6i.8xlarge (+949.00 USD a month; 50,000 IOPS, 1,200 MiB/s);',
    delta: 949,
  },
  // 1.25 x 1,200 = 1,500 MiB/s: only one has them; (2 - 0.2) x 730 = 1,314
  {
    kind: 'throttled-instance-throughput',
    named: 'r7i.8xlarge (+1,314.00 USD a month; 50,000 IOPS, 1,600 MiB/s);',
    delta: 1_314,
  },
  // All the time what it does today on credits: 40,000 IOPS and 1,200 MiB/s
  {
    kind: 'instance-credits-exhausted',
    named: 'm6i.8xlarge (+949.00 USD a month; 50,000 IOPS, 1,200 MiB/s);',
    delta: 949,
  },
] as const)('$kind names the cheapest that is enough', ({ kind, named, delta }) => {
  const { text: action, monthlyUsdDelta, steps: how } = advise(kind);
  expect(action).toContain(named);
  expect(action).toContain('does not show the whole need');
  expect(monthlyUsdDelta).toBe(delta);
  expect(how).toContain(
    `aws ec2 modify-instance-attribute --instance-id i-0123456789abcdef0 --region us-east-1 --instance-type Value=${named.split(' ')[0]}`,
  );
});

describe('instead of credits', () => {
  const half = anInstanceType({ instanceType: 'm6i.4xlarge', ebs: ebs(20_000, 600) });
  const step = anInstanceType({ instanceType: 'm6i.2xlarge', ebs: ebs(12_000, 312) });
  const market = aMarket([today, step, half, twice], {
    ...{ 'm6i.xlarge': 0.2, 'm6i.2xlarge': 0.4, 'm6i.4xlarge': 0.8, 'm6i.8xlarge': 1.5 },
  });
  const of = (...needs: (Rates | null)[]) => advise('instance-credits-exhausted', market, {}, needs);

  test('the type that carries what the volumes need together, and the next size with less', () => {
    // 9,000 + 6,000 = 15,000 IOPS and 100 + 150 = 250 MiB/s: 20,000 and 600 carry it, 12,000 and 312 do not.
    const { text: action, monthlyUsdDelta } = of(
      { iops: 9_000, throughputMiBps: 100 },
      { iops: 6_000, throughputMiBps: 150 },
    );
    expect(action).toContain('The cheapest type that carries 15,000 IOPS and 250 MiB/s all the time');
    // (0.8 - 0.2) x 730 = 438, (0.4 - 0.2) x 730 = 146
    expect(action).toContain(': m6i.4xlarge (+438.00 USD a month; 20,000 IOPS, 600 MiB/s); On-Demand');
    expect(action).toContain(
      'The next size of its family, m6i.2xlarge (+146.00 USD a month; 12,000 IOPS, 312 MiB/s),',
    );
    expect(monthlyUsdDelta).toBe(438);
  });

  test('never more than it does today on credits: 50,000 of 40,000 IOPS', () => {
    const { text: action } = of({ iops: 50_000, throughputMiBps: 100 });
    expect(action).toContain('that carries 40,000 IOPS and 156 MiB/s all the time');
    expect(action).toContain(': m6i.8xlarge (+949.00 USD a month');
  });

  test.each([
    {
      needs: [{ iops: 9_000, throughputMiBps: 100 }, null],
      why: 'what some of its volumes need is not known',
    },
    {
      needs: [{ iops: 900, throughputMiBps: 10 }],
      why: 'what was seen of its volumes does not explain the load',
    },
  ])('$why: all that it does today on credits', ({ needs, why }) => {
    const { text: action } = of(...needs);
    expect(action).toContain(`that does all the time what it does today on credits (${why}): m6i.8xlarge`);
  });
});

test('a sibling of its family stands beside a cheaper stranger', () => {
  const cheap = aMarket([today, twice, other], { ...usdPerHour, 'r7i.8xlarge': 1 });
  // (1 - 0.2) x 730 = 584, (1.5 - 0.2) x 730 = 949
  expect(advise('throttled-instance-iops', cheap).monthlyUsdDelta).toBe(584);
  expect(advise('throttled-instance-iops', cheap).text).toContain(
    'r7i.8xlarge (+584.00 USD a month; 50,000 IOPS, 1,600 MiB/s), in its family m6i.8xlarge (+949.00 USD a month; 50,000 IOPS, 1,200 MiB/s);',
  );
});

test.each([
  ['an unknown type', aMarket([twice], usdPerHour), 'm6i.xlarge is not known here'],
  ['a Region without prices', aMarket([today, twice], null), 'no-instance-price'],
  [
    'nothing that is enough',
    aMarket([today], usdPerHour),
    'no instance type that is known here carries that',
  ],
  ['a type without limits', aMarket([{ ...today, ebs: null }, twice], usdPerHour), 'no-ebs-limits'],
])('%s: no type is named, and it says why', (_, market, because) => {
  const { text: action, monthlyUsdDelta, steps: how } = advise('throttled-instance-iops', market);
  expect(action).toMatch(/^A larger instance, or fewer busy volumes on this one/);
  expect(action).toContain(`Which type is the cheapest is not known: ${because}`);
  expect(monthlyUsdDelta).toBeNull();
  expect(how).toEqual([]);
});

test('where only today’s price is unknown the type is named, and the difference is not', () => {
  const { text: action, monthlyUsdDelta } = advise(
    'throttled-instance-iops',
    aMarket([today, twice], { 'm6i.8xlarge': 1.5 }),
  );
  expect(action).toContain(
    'm6i.8xlarge (1,095.00 USD a month; 50,000 IOPS, 1,200 MiB/s); the difference is not known: no-instance-price', // 1.5 x 730
  );
  expect(monthlyUsdDelta).toBeNull();
});

test('vpc-1 takes bandwidth from EBS: to give it back costs nothing', () => {
  const weighted = { bandwidthWeighting: 'vpc-1' };
  expect(advise('throttled-instance-throughput', undefined, weighted).text).toContain(
    'default gives it back',
  );
  expect(advise('throttled-instance-iops', undefined, weighted).text).not.toContain('default gives it back');
});

test('an id that is none stays out of the command lines', () => {
  const { steps: how } = advise('throttled-instance-iops', undefined, {
    instanceId: 'i-1; rm -rf /',
    region: '$(x)',
  });
  expect(how.join('\n')).not.toMatch(/rm -rf|\$\(x\)/);
  expect(how.join('\n')).toContain('--instance-id <instance-id> --region <region>');
});

describe('no less than today', () => {
  const need = { isCarriedBy: baselineOf(50_000, 1_000), volumes: 3 };
  const cheapest = (candidate: Partial<InstanceType>, from: Partial<InstanceType> = {}): string | null => {
    const type = { ...other, ...candidate };
    const market = aMarket([today, type], { 'm6i.xlarge': 0.2, [type.instanceType]: 1 });
    const found = largerInstances({ ...today, ...from }, need, market);
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
