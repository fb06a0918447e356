import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { changeFrom, currentOf } from '../../../core/plan/compare.ts';
import type { Layout, Need } from '../../../core/plan/layout.ts';
import { plan } from '../../../core/plan/plan.ts';
import { aNeed, aRequest, rates, someConstraints } from './requests.ts';

const regionCatalog = builtInRegionCatalog('us-east-1');

const layout = (
  members: number,
  volumeType: Layout['volumeType'],
  figures: [number, number, number],
): Layout => ({
  kind: members === 1 ? 'single' : 'stripe',
  members,
  volumeType,
  sizeGiB: figures[0],
  iops: figures[1],
  throughputMiBps: figures[2],
});

const current = (of: Layout, need: Need, constraints = someConstraints()) =>
  currentOf(of, { need, constraints, regionCatalog });

describe('what stands today', () => {
  test('gp2 of 500 GiB: 3 x 500 IOPS all the time, its burst only said', () => {
    expect(current(layout(1, 'gp2', [500, 1_500, 250]), rates(1_500, 100, 500))).toEqual({
      ...{ layout: layout(1, 'gp2', [500, 1_500, 250]), instanceType: null },
      deliveredIops: 1_500,
      deliveredMiBps: 250,
      bursts: true,
      capacityGiB: 500,
      annualFailureRate: 0.002,
      monthlyUsd: 50, // 500 x 0.10
      isEnough: true,
    });
  });

  test.each<[string, Need, boolean]>([
    ['all of it', rates(15_000, 625, 1_000), true], // 5 x 3,000, 5 x 125, 5 x 200
    ['an IOPS more', rates(15_001, 625, 1_000), false],
    ['a MiB/s more', rates(15_000, 626, 1_000), false],
    ['a GiB more', rates(15_000, 625, 1_001), false],
  ])('five gp3 of 200 GiB are enough for %s: %j', (_, need, isEnough) => {
    const found = current(layout(5, 'gp3', [200, 3_000, 125]), need);
    expect(found).toMatchObject({
      deliveredIops: 15_000,
      deliveredMiBps: 625,
      bursts: false,
      capacityGiB: 1_000,
    });
    expect(found.isEnough).toBe(isEnough);
    expect(found.monthlyUsd).toBe(80); // 5 x 200 x 0.08
  });

  test('at 98 % efficiency five give 14,700, and 14,700 is enough for 14,700', () => {
    const at98 = someConstraints({ stripeEfficiency: 0.98 });
    const found = current(layout(5, 'gp3', [200, 3_000, 125]), rates(14_700, 600, 1_000), at98);
    expect(found).toMatchObject({ deliveredIops: 14_700, isEnough: true }); // 5 x 3,000 x 0.98
  });

  test('I/O above the chunk counts as often as it is cut: 15,000 are 3,750 of 256 KiB', () => {
    const need = aNeed({ iops: 3_750, throughputMiBps: 600, ioSizeKiB: 256 });
    expect(current(layout(5, 'gp3', [200, 3_000, 125]), need)).toMatchObject({
      deliveredIops: 3_750, // 15,000 / 4
      isEnough: true,
    });
  });

  test('a Region without prices: the price is null, the figures are there', () => {
    const paris = builtInRegionCatalog('eu-west-3');
    const found = currentOf(layout(1, 'gp3', [500, 3_000, 125]), {
      need: rates(3_000, 125, 500),
      constraints: someConstraints(),
      regionCatalog: paris,
    });
    expect(found).toMatchObject({ monthlyUsd: null, deliveredIops: 3_000, isEnough: true });
  });
});

describe('what an option changes', () => {
  const today = current(layout(1, 'gp2', [500, 1_500, 250]), rates(6_000, 93.75, 500));
  const two = layout(2, 'gp3', [250, 3_000, 125]);
  const need = rates(6_000, 93.75, 500);
  const shape = { ...two, chunkKiB: 64, stripeEfficiency: 1 };
  const option = { layout: two, shape, instanceRates: need, instance: null };

  test('two gp3 instead of one gp2: 10 USD less, 4,500 IOPS more, twice as likely to be lost', () => {
    const change = changeFrom(today, option, need, 40);
    expect(change).toMatchObject({
      monthlyUsdDelta: -10, // 2 x 250 x 0.08 - 500 x 0.10
      iopsDelta: 4_500, // 6,000 - 1,500
      throughputMiBpsDelta: 0, // 250 - 250
    });
    expect(change.annualFailureRateDelta).toBeCloseTo(0.001_996, 9); // 0.003996 - 0.002
  });

  test('an unknown price makes an unknown difference', () => {
    expect(changeFrom(today, option, need, null).monthlyUsdDelta).toBeNull();
    expect(changeFrom({ ...today, monthlyUsd: null }, option, need, 40).monthlyUsdDelta).toBeNull();
  });

  test('a plan says it of each option, without what the instance costs', () => {
    const request = {
      ...aRequest(rates(6_000, 93.75, 500), { instance: { instanceType: 'm7i.2xlarge' } }),
      current: { layout: layout(1, 'gp2', [500, 1_500, 250]), volumeIds: [] },
    };
    const answer = plan(request, regionCatalog);
    expect(answer.current).toMatchObject({ isEnough: false, monthlyUsd: 50 });
    expect(answer.options[0]?.change?.monthlyUsdDelta).toBe(-10);
    expect(answer.options[0]?.steps.inPlace).toBe(false);
    const single = answer.options.find(({ layout: { members } }) => members === 1);
    expect(single?.change?.monthlyUsdDelta).toBe(5); // 40 + 3,000 x 0.005 - 50
    expect(single?.steps.inPlace).toBe(true);
  });

  /** r6i.2xlarge: 12,000 IOPS and 2,500 Mbps, 298.02 MiB/s, all the time. */
  const onR6i = (sizeGiB: number, volumeType: Layout['volumeType'], iops: number, throughputMiBps: number) =>
    plan(
      {
        ...aRequest(rates(6_000, 93.75, 500), { instance: { instanceType: 'r6i.2xlarge' } }),
        current: { layout: layout(1, volumeType, [sizeGiB, iops, throughputMiBps]), volumeIds: [] },
      },
      regionCatalog,
    );

  test('beside an instance, both sides are what passes through it', () => {
    const { current: before, options } = onR6i(500, 'gp2', 1_500, 250);
    expect(before).toMatchObject({ instanceType: 'r6i.2xlarge', deliveredIops: 1_500, deliveredMiBps: 250 });
    const five = options.find(({ layout: { members } }) => members === 5);
    expect(five).toMatchObject({ deliveredIops: 12_000, deliveredMiBps: 298.02 });
    // 12,000 - 1,500 and 298.02 - 250; its volumes alone would be 15,000 and 625.
    expect(five?.change).toMatchObject({ iopsDelta: 10_500, throughputMiBpsDelta: 48.02 });
  });

  test('what stands today has no more all the time than the instance has', () => {
    const { current: before, options } = onR6i(500, 'gp3', 16_000, 250);
    expect(before).toMatchObject({ deliveredIops: 12_000, deliveredMiBps: 250, isEnough: true });
    expect(options.find(({ layout: { members } }) => members === 5)?.change?.iopsDelta).toBe(0);
  });

  test('where nothing stands, nothing changes', () => {
    const { options, current: none } = plan(aRequest(rates(6_000, 93.75, 500)), regionCatalog);
    expect(none).toBeNull();
    expect(options.every(({ change }) => change === null)).toBe(true);
  });
});

describe('what keeps what stands today', () => {
  const kept = (needed: Need, of: Layout, instance: { instanceType: string } | null = null) =>
    plan(
      {
        ...aRequest(needed, { instance }),
        ...{ current: { layout: of, volumeIds: [] }, keepsCurrent: true },
      },
      regionCatalog,
    );

  test('gp2 of 500 GiB has 250 MiB/s: every option has them, and 500 GiB', () => {
    const { need, options } = kept(rates(6_000, 93.75, 100), layout(1, 'gp2', [500, 1_500, 250]));
    expect(need).toMatchObject({ iops: 6_000, throughputMiBps: 250, capacityGiB: 500 });
    expect(options.length).toBeGreaterThan(1);
    for (const { change } of options) expect(change?.throughputMiBpsDelta).toBeGreaterThanOrEqual(0);
  });

  test('of what an instance does not let through nothing is kept', () => {
    const { need } = kept(rates(1_000, 10, 500), layout(1, 'gp3', [500, 16_000, 1_000]), {
      instanceType: 'r6i.2xlarge',
    });
    expect(need).toMatchObject({ iops: 12_000, throughputMiBps: 298.02 });
  });
});
