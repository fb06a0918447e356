/** More IOPS, or a bigger instance? By hand-computed figures of us-east-1, and by what holds for every answer. */
import fc from 'fast-check';
import { currentFrom } from '../../../cli/layouts.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { chooseVolumeOrInstance } from '../../../core/plan/volume-or-instance.ts';
import { type Chosen, disruptions, type PlanChoice } from '../../../core/schemas/plan-choices.ts';
import { aNeed, someConstraints } from './requests.ts';

const regionCatalog = builtInRegionCatalog('us-east-1');

interface Asked {
  iops?: number;
  throughputMiBps?: number;
  capacityGiB?: number;
}

function chosen(
  layout: string,
  currentInstance: string,
  asked: Asked,
  changes = {},
  catalog = regionCatalog,
): Chosen {
  const { types: _, ...constraints } = someConstraints(changes);
  return chooseVolumeOrInstance(
    {
      ...{ need: aNeed(asked), types: null, constraints, currentInstance },
      current: currentFrom({ text: layout, volumeIds: [], deployment: 'region' }),
      isAsked: {
        iops: asked.iops !== undefined,
        throughputMiBps: asked.throughputMiBps !== undefined,
        capacityGiB: asked.capacityGiB !== undefined,
      },
    },
    catalog,
  );
}

const rowOf = ({ volumeChange, instanceChange, layout, instanceType, ...choice }: PlanChoice) => [
  volumeChange,
  instanceChange,
  `${layout.members}x${layout.volumeType}:${layout.sizeGiB}:${layout.iops}:${layout.throughputMiBps}`,
  instanceType,
  choice.deliveredIops,
  choice.monthlyUsd.total,
  choice.disruption,
];

describe('a gp2 of 500 GiB on r6i.2xlarge, and 20,000 IOPS', () => {
  const { need, current, choices, ruledOut } = chosen('gp2:500', 'r6i.2xlarge', { iops: 20_000 });

  test('nothing else is less than today: its size, and 20,000 x 16 KiB is more than its 250 MiB/s', () => {
    expect(need).toMatchObject({ iops: 20_000, throughputMiBps: 312.5, capacityGiB: 500 });
    // 3 x 500; 500 x 0.10 + 0.504 x 730
    expect(current).toMatchObject({ deliveredIops: 1_500, totalMonthlyUsd: 417.92, isEnough: false });
  });

  // gp3 in place: 500 x 0.08 + 17,000 x 0.005 + 188 x 0.04 = 132.52; r5b.2xlarge 0.596 x 730 = 435.08, r6i.4xlarge 735.84
  test('the table, what is not enough last', () => {
    expect(choices.map(rowOf)).toEqual([
      ['in-place', 'type', '1xgp3:500:20000:313', 'r5b.2xlarge', 20_000, 567.6, 'restart'],
      // 7 x 72 x 0.08 = 40.32
      ['stripe', 'type', '7xgp3:72:3000:125', 'r5b.2xlarge', 21_000, 475.4, 'migration'],
      ['in-place', 'type', '1xgp3:500:20000:313', 'r6i.4xlarge', 20_000, 868.36, 'restart'],
      // The instance has a baseline of 12,000.
      ['in-place', 'unchanged', '1xgp3:500:20000:313', 'r6i.2xlarge', 12_000, 500.44, 'online'],
      ['unchanged', 'type', '1xgp2:500:1500:250', 'r6i.4xlarge', 1_500, 785.84, 'restart'],
    ]);
    expect(choices.map(({ isEnough }) => isEnough)).toEqual([true, true, true, false, false]);
    expect(choices.map(({ monthlyUsdDelta }) => monthlyUsdDelta)).toEqual([
      149.68, 57.48, 450.44, 82.52, 367.92,
    ]);
    expect(ruledOut).toEqual([]);
  });

  test('marks and reasons', () => {
    expect(choices.map(({ marks }) => marks)).toEqual([['simplest', 'safest'], ['cheapest'], [], [], []]);
    expect(choices[0]?.why).toEqual({
      code: 'least-disruptive',
      cheaper: { number: 2, monthlyUsdLess: 92.2, disruption: 'migration', isLessDurable: false },
    });
    expect(choices[1]?.why).toMatchObject({
      code: 'against-first',
      monthlyUsdMore: -92.2,
      isMoreDisruptive: true,
    });
    expect(choices[3]?.why).toEqual({ code: 'not-enough', limits: ['instance-iops'] });
    expect(choices[4]?.why).toEqual({ code: 'not-enough', limits: ['iops'] });
  });
});

describe('what comes first', () => {
  test('the volume in place, where the instance carries it: another instance is no question', () => {
    const { choices, ruledOut } = chosen('gp2:100', 't3.large', { iops: 3_000 });
    // 100 x 0.08 + 0.0832 x 730
    expect(choices.map(rowOf)[0]).toEqual([
      ...['in-place', 'unchanged', '1xgp3:100:3000:125', 't3.large', 3_000, 68.74, 'online'],
    ]);
    expect(choices[0]?.marks).toEqual(['cheapest', 'simplest', 'safest']);
    expect(choices.every(({ instanceChange }) => instanceChange === 'unchanged')).toBe(true);
    expect(ruledOut).toEqual([{ code: 'instance-is-not-the-limit', instanceType: 't3.large' }]);
  });

  test('nothing, where today is enough, though a stripe is cheaper', () => {
    const { choices } = chosen('gp3:500:16000:250', 'r6i.2xlarge', { iops: 12_000 });
    expect(choices[0]).toMatchObject({
      disruption: 'none',
      why: { code: 'nothing-to-change' },
      monthlyUsdDelta: 0,
    });
    expect(choices[1]).toMatchObject({ volumeChange: 'stripe', monthlyUsdDelta: -70 }); // 40 - (40 + 13,000 x 0.005 + 125 x 0.04)
  });

  test('a migration, where it saves a fifth and 50 USD of what the least disruptive costs', () => {
    const { choices } = chosen('gp3:16000:80000:2000', 'r6i.16xlarge', { iops: 200_000 });
    expect(choices[0]).toMatchObject({ volumeChange: 'stripe', why: { code: 'saves', number: 2 } });
    const [first, second] = choices.map(({ monthlyUsd }) => monthlyUsd.total ?? 0);
    expect(choices[0]?.why).toMatchObject({
      monthlyUsdLess: Number(((second ?? 0) - (first ?? 0)).toFixed(2)),
    });
    expect(choices[1]).toMatchObject({ volumeChange: 'in-place', marks: ['simplest', 'safest'] });
  });

  test('never volumes less durable than today’s, where others are enough', () => {
    const { choices } = chosen('io2:500:20000', 'r6i.4xlarge', { iops: 40_000 });
    expect(choices[0]).toMatchObject({
      layout: { volumeType: 'io2', iops: 40_000 },
      instanceType: 'r5b.4xlarge',
    });
    expect(choices[1]).toMatchObject({ marks: ['cheapest'], why: { isLessDurable: true } });
  });

  test('a RAID10 stays one: its second copy is given up by nobody', () => {
    const { choices } = chosen('raid10:4xgp3:500', 'r5.4xlarge', { iops: 40_000 });
    // 40,000 x (0.7 + 0.3 x 2) / 4 = 13,000 a member
    expect(choices[0]).toMatchObject({ layout: { kind: 'raid10' } });
    const stripe = choices.find(({ layout: { kind } }) => kind === 'stripe');
    expect(stripe?.why).toMatchObject({ isLessDurable: true });
  });

  test('the bandwidth weighting, which is free: 625 MB/s x 1.25 are 745 MiB/s', () => {
    const { choices } = chosen('gp3:1000:16000:600', 'm8i.4xlarge', { iops: 16_000, throughputMiBps: 700 });
    expect(choices[0]).toMatchObject({
      ...{ instanceChange: 'bandwidth-weighting', volumeChange: 'in-place', monthlyUsdDelta: 4 }, // 100 x 0.04
      deliveredMiBps: 700,
      cautions: [{ code: 'network-bandwidth', instanceType: 'm8i.4xlarge' }],
    });
    const short = choices.find(({ isEnough }) => !isEnough);
    expect(short).toMatchObject({ deliveredMiBps: 596.04, bindingLimits: ['instance-throughput'] });
  });
});

describe('what is said beside', () => {
  test('a maximum of the instance that would do for a short peak', () => {
    expect(chosen('gp3:500', 'm5.large', { iops: 6_000 }).current.burst).toMatchObject({ iops: 18_750 });
    expect(chosen('gp3:500', 'r6i.4xlarge', { iops: 6_000 }).current.burst).toBeNull();
  });

  test('drivers and instance store', () => {
    const xen = chosen('gp3:500', 'm4.large', { iops: 6_000 }).choices[0];
    expect(xen?.cautions).toContainEqual({ code: 'nitro-drivers', instanceType: xen?.instanceType });
    const disks = chosen('gp3:500', 'm5d.large', { iops: 6_000 }).choices[0];
    expect(disks?.cautions).toContainEqual({ code: 'instance-store-lost', instanceType: 'm5d.large' });
  });

  test('nothing is enough: no choice is marked', () => {
    const { choices, ruledOut } = chosen('gp3:500', 'm5.large', { iops: 9_000_000 });
    expect(choices.filter(({ isEnough, marks }) => isEnough || marks.length > 0)).toEqual([]);
    expect(ruledOut.map(({ code }) => code)).toContain('no-instance-carries');
    expect(ruledOut.map(({ code }) => code)).toContain('volumes-in-place');
  });

  test('without prices of the Region none is made up', () => {
    const { choices, current } = chosen(
      'gp2:500',
      'r6i.2xlarge',
      { iops: 20_000 },
      {},
      builtInRegionCatalog('eu-west-3'),
    );
    expect(current.totalMonthlyUsd).toBeNull();
    expect(choices.flatMap(({ monthlyUsd, monthlyUsdDelta }) => [monthlyUsd.total, monthlyUsdDelta])).toEqual(
      choices.flatMap(() => [null, null]),
    );
    expect(choices[0]?.why).toMatchObject({ code: 'least-disruptive', cheaper: null });
  });

  test('a type that is not there', () => {
    expect(() => chosen('gp3:500', 'm5.huge', { iops: 6_000 })).toThrow(/not in the catalog/);
  });
});

test('whatever is asked: what is enough is enough, the first is the least disruptive or saves', () => {
  const layouts = [
    'gp2:100',
    'gp2:3000',
    'gp3:500',
    'gp3:2000:16000:1000',
    'io2:400:20000',
    '4xgp3:250',
    'raid10:4xgp3:500',
  ];
  const instances = [
    't3.large',
    'm5.large',
    'm5d.2xlarge',
    'r6i.4xlarge',
    'm8g.xlarge',
    'c7i.8xlarge',
    'm4.xlarge',
  ];
  fc.assert(
    fc.property(
      ...([fc.constantFrom(...layouts), fc.constantFrom(...instances)] as const),
      ...([fc.integer({ min: 100, max: 200_000 }), fc.option(fc.integer({ min: 10, max: 4_000 }))] as const),
      (layout, instance, iops, mibps) => {
        const { need, choices } = chosen(layout, instance, {
          iops,
          ...(mibps === null ? {} : { throughputMiBps: mibps }),
        });
        const enough = choices.filter(({ isEnough }) => isEnough);
        for (const {
          deliveredIops,
          deliveredMiBps,
          layout: { sizeGiB },
        } of enough) {
          expect(deliveredIops).toBeGreaterThanOrEqual(need.iops - 0.01);
          expect(deliveredMiBps).toBeGreaterThanOrEqual(need.throughputMiBps - 0.01);
          expect(sizeGiB).toBeGreaterThan(0);
        }
        expect(choices.slice(0, enough.length)).toEqual(enough);
        for (const mark of ['cheapest', 'simplest', 'safest'] as const)
          expect(enough.filter(({ marks }) => marks.includes(mark))).toHaveLength(
            enough.length === 0 ? 0 : 1,
          );
        const least = Math.min(...enough.map(({ monthlyUsd }) => monthlyUsd.total ?? 0));
        expect(enough.find(({ marks }) => marks.includes('cheapest'))?.monthlyUsd.total ?? least).toBe(least);
        const [first] = enough;
        if (first === undefined) return;
        const level = disruptions.indexOf(first.disruption);
        for (const other of enough) {
          const isDurable = other.layout.volumeType === first.layout.volumeType;
          if (!isDurable || disruptions.indexOf(other.disruption) >= level) continue;
          // Less disruptive, and not first: what it costs more is worth the trouble.
          const more = (other.monthlyUsd.total ?? 0) - (first.monthlyUsd.total ?? 0);
          expect(more).toBeGreaterThanOrEqual(50 - 0.01);
          expect(more / (other.monthlyUsd.total ?? 1)).toBeGreaterThan(0.1999);
        }
      },
    ),
    { numRuns: 150 },
  );
});
