import fc from 'fast-check';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import type { Deployment, VolumeType } from '../../../core/limits/volume-limits.ts';
import { instancesAllowed } from '../../../core/plan/instance-choice.ts';
import type { Need, PlannedKind } from '../../../core/plan/layout.ts';
import { type Candidate, type Constraints, offersOf, search } from '../../../core/plan/search.ts';
import {
  type Asked,
  carries,
  cheapestOfGrid,
  failureRate,
  isGoodEnough,
  legalVolume,
  usdOf,
  volumesOfGrid,
} from './brute-force.ts';

const regionCatalog = builtInRegionCatalog('us-east-1');
if (!regionCatalog.prices.ebs.known) throw new Error(regionCatalog.prices.ebs.reason.code);
const ebs = regionCatalog.prices.ebs.value;
const ranking = { ebs, instances: regionCatalog.prices };
const grid = { region: volumesOfGrid('region', ebs), outposts: volumesOfGrid('outposts', ebs) };

/** Rates over all magnitudes, and nothing asked for now and then. */
const rate = (most: number) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant(0) },
    {
      weight: 9,
      arbitrary: fc
        .double({ min: 0, max: Math.log10(most), noNaN: true })
        .map((power) => Math.round(10 ** power)),
    },
  );

const need: fc.Arbitrary<Need> = fc.record({
  iops: rate(1_500_000),
  throughputMiBps: rate(40_000),
  capacityGiB: rate(200_000).map((gib) => Math.max(1, gib)),
  ioSizeKiB: fc.constantFrom(4, 8, 16, 64, 128, 256, 512, 1_024),
  access: fc.constantFrom('random', 'sequential'),
  readShare: fc.constantFrom(0, 0.3, 0.7, 1),
});

const types: VolumeType[] = ['gp2', 'gp3', 'io1', 'io2', 'st1', 'sc1'];

interface Case extends Asked {
  deployment: Deployment;
  instance: Constraints['instance'];
}

const anyCase: fc.Arbitrary<Case> = fc.record({
  need,
  types: fc.oneof(fc.constant(['gp3', 'io2'] as VolumeType[]), fc.subarray(types, { minLength: 1 })),
  kinds: fc.subarray(['single', 'stripe', 'raid10', 'raid5'] as PlannedKind[], { minLength: 1 }),
  maxMembers: fc.integer({ min: 1, max: 12 }),
  maxAnnualFailureRate: fc.constantFrom(1, 0.02, 0.003, 0.000_02),
  stripeEfficiency: fc.constantFrom(1, 0.98, 0.5),
  chunkKiB: fc.constantFrom(16, 64, 512),
  deployment: fc.constantFrom('region', 'outposts'),
  instance: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({
        vcpus: fc.constantFrom(1, 16, 192),
        memoryGiB: fc.constantFrom(0, 64, 1_000),
        architecture: fc.constantFrom(null, 'x86_64', 'arm64'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('m5.2xlarge', 'r8gb.48xlarge', 'c8gn.48xlarge', 't2.micro')
        .map((instanceType) => ({ instanceType })),
    },
  ),
});

/** Written a second time: what may be taken, with what it costs. */
function allowedInstances(
  instance: Case['instance'],
): { type: (typeof regionCatalog.instanceTypes.types)[number]; usd: number }[] | null {
  if (instance === null) return null;
  return regionCatalog.instanceTypes.types.flatMap((type) => {
    const fits =
      'instanceType' in instance
        ? type.instanceType === instance.instanceType
        : type.vcpus >= instance.vcpus &&
          type.memoryMiB / 1_024 >= instance.memoryGiB &&
          (instance.architecture === null
            ? type.architectures.includes('x86_64') || type.architectures.includes('arm64')
            : type.architectures.includes(instance.architecture));
    const price = regionCatalog.prices.instanceMonthlyUsd(type.instanceType);
    return fits && price.known ? [{ type, usd: price.value }] : [];
  });
}

/** As `expect`, in a fiftieth of its time: it is asked some hundred thousand times. */
function must(is: boolean, claim: string, of: unknown): void {
  if (!is) throw new Error(`${claim}: ${JSON.stringify(of)}`);
}

/** The price of a candidate by the second reckoning; throws where it is not legal or not good enough. */
function checkedUsd(one: Case, { layout, annualFailureRate, instance }: Candidate): number {
  const { kind, members, volumeType, sizeGiB, iops, throughputMiBps } = layout;
  const provisioned = volumeType === 'gp3' || volumeType === 'io1' || volumeType === 'io2';
  const volume = legalVolume(
    volumeType,
    sizeGiB,
    provisioned ? iops : undefined,
    volumeType === 'gp3' ? throughputMiBps : undefined,
    one.deployment,
  );
  if (volume === null) throw new Error(`EBS refuses ${JSON.stringify(layout)}`);
  const { iops: legalIops, throughputMiBps: legalMiBps } = volume;
  must(legalIops === iops && legalMiBps === throughputMiBps, 'not the figures of its type', layout);
  if (kind === 'linear') throw new Error('a kind that is never proposed');
  must(isGoodEnough(one, volume, kind, members), 'not good enough', layout);
  const rate = failureRate(kind, members, volumeType);
  must(Math.abs(annualFailureRate - rate) < 1e-12, `not a failure rate of ${rate}`, annualFailureRate);
  if (one.instance === null) return usdOf(volume, one.deployment, ebs) * members;
  if (instance === null) throw new Error('an instance was asked for');
  must(carries(instance.type, one, volumeType, kind, members), 'too much for its instance', instance.type);
  const price = regionCatalog.prices.instanceMonthlyUsd(instance.type.instanceType);
  return usdOf(volume, one.deployment, ebs) * members + (price.known ? price.value : 0);
}

/** No figure of a member can be lower: one less of any, alone or with others, is not legal or not good enough. */
function expectLeast(one: Case, { layout }: Candidate): void {
  const { kind, members, volumeType } = layout;
  if (kind === 'linear') throw new Error('a kind that is never proposed');
  const canIops = volumeType === 'gp3' || volumeType === 'io1' || volumeType === 'io2';
  for (let which = 1; which < 8; which++) {
    const [less, lessIops, lessMiBps] = [which & 1, (which >> 1) & 1, which >> 2];
    if ((lessIops && !canIops) || (lessMiBps && volumeType !== 'gp3')) continue;
    const volume = legalVolume(
      volumeType,
      layout.sizeGiB - less,
      canIops ? layout.iops - lessIops : undefined,
      volumeType === 'gp3' ? layout.throughputMiBps - lessMiBps : undefined,
      one.deployment,
    );
    if (volume !== null && isGoodEnough(one, volume, kind, members))
      throw new Error(`${JSON.stringify(volume)} would do instead of ${JSON.stringify(layout)}`);
  }
}

/** @returns whether anything was found. */
function expectNeverBeaten(one: Case): boolean {
  const [cheapest] = search(one.need, one, offersOf(regionCatalog, ranking, one)).candidates;
  const brute = cheapestOfGrid(one, grid[one.deployment], allowedInstances(one.instance));
  if (cheapest === undefined) {
    must(brute === Number.POSITIVE_INFINITY, 'the grid has one', brute);
    return false;
  }
  const usd = checkedUsd(one, cheapest);
  must(usd <= brute + 1e-6, `the grid has one for ${brute} USD`, usd);
  expectLeast(one, cheapest);
  return true;
}

/** Both ends must be met often, or the property says little. */
function expectNeverBeatenBy(
  cases: fc.Arbitrary<Case>,
  runs: number,
  least: { found: number; refused: number },
): void {
  const counts = { found: 0, refused: 0 };
  const property = fc.property(cases, (one) => {
    counts[expectNeverBeaten(one) ? 'found' : 'refused']++;
  });
  fc.assert(property, { numRuns: runs, seed: 20_261_121 });
  expect(counts.found).toBeGreaterThan(least.found);
  expect(counts.refused).toBeGreaterThan(least.refused);
}

test('10,000 random needs: never beaten by trying everything on a grid, never illegal', () => {
  expectNeverBeatenBy(anyCase, 10_000, { found: 2_500, refused: 500 });
}, 300_000);

test('instances with two EBS cards, near the limits of a card: the same', () => {
  const onTwoCards = fc
    .tuple(
      anyCase,
      fc.constantFrom(...regionCatalog.instanceTypes.types.filter(({ cards }) => cards.length > 1)),
      fc.double({ min: 0.2, max: 1.1, noNaN: true }),
      fc.integer({ min: 1, max: 7 }),
    )
    .map(([one, type, share, maxMembers]) => ({
      ...one,
      maxMembers,
      types: ['io2'] as VolumeType[],
      kinds: ['single', 'stripe'] as PlannedKind[],
      maxAnnualFailureRate: 1,
      deployment: 'region' as const,
      need: {
        ...one.need,
        iops: Math.round((type.ebs?.baselineIops ?? 0) * share),
        ioSizeKiB: 16,
        throughputMiBps: 1,
      },
      instance: { instanceType: type.instanceType },
    }));
  expectNeverBeatenBy(onTwoCards, 1_000, { found: 300, refused: 200 });
});

test('every candidate is legal, good enough and as small as can be, not only the first', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      for (const candidate of search(one.need, one, offersOf(regionCatalog, ranking, one)).candidates) {
        checkedUsd(one, candidate);
        expectLeast(one, candidate);
      }
    }),
    { numRuns: 500, seed: 7 },
  );
});

test('candidates come cheapest first; ties go to fewer members, then to the lower failure rate', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const { candidates } = search(one.need, one, offersOf(regionCatalog, ranking, one));
      candidates.slice(1).forEach((candidate, i) => {
        const before = candidates[i] as Candidate;
        const dearer = candidate.rank - before.rank;
        const fewest = [before, candidate].map(({ layout }) => layout);
        must(dearer > -1e-6, 'the dearer one comes first', fewest);
        const isMore = candidate.layout.members >= before.layout.members;
        must(dearer > 1e-6 || isMore, 'of the same price the one with more members comes first', fewest);
      });
    }),
    { numRuns: 500, seed: 8 },
  );
});

test('instances are tried cheapest first, those without a price at the end', () => {
  const allowed = instancesAllowed(regionCatalog, regionCatalog.prices, {
    vcpus: 1,
    memoryGiB: 0,
    architecture: null,
  });
  const prices = allowed.map(({ monthlyUsd }) =>
    monthlyUsd.known ? monthlyUsd.value : Number.POSITIVE_INFINITY,
  );
  expect(prices).toEqual(prices.toSorted((a, b) => a - b));
  expect(prices.at(-1)).toBe(Number.POSITIVE_INFINITY);
});
