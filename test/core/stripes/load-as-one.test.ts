/** A stripe as if it were one volume: its load, its limits. */
import { commonAxis, limitsAsOne, loadAsOne } from '../../../core/stripes/load-as-one.ts';
import { unlikeMembers } from '../../../core/stripes/stripes.ts';
import { ids } from './hosts.ts';
import { loadBy } from './loads.ts';
import { aStripe } from './stripes.ts';

const column = (...values: number[]) => Float64Array.from(values);
const asOne = (...loads: Parameters<typeof loadAsOne>[0]) => {
  const load = loadAsOne(loads);
  if (load === null) throw new Error('they do not add up');
  return load;
};

test('operations, bytes, active-time rates and queue add up; the latency is that of all operations', () => {
  const load = asOne(
    loadBy([600, 1_200], {
      queueLength: column(1, 2),
      latencyMs: column(2, 4),
      activeTimeIops: column(50, 60),
      busyMiBps: column(1, 2),
    }),
    loadBy([600, 3_600], {
      queueLength: column(3, 4),
      latencyMs: column(4, 8),
      activeTimeIops: column(50, 80),
      busyMiBps: column(3, 4),
    }),
  );
  expect(load).toMatchObject({ periodSeconds: 60, epochSeconds: column(0, 60), knownSeconds: 120 });
  expect(load.ops).toEqual(column(1_200, 4_800));
  expect(load.iops).toEqual(column(20, 80));
  // 20 x 16 KiB = 320 KiB/s
  expect(load.mibps[0]).toBeCloseTo(0.3125, 6);
  expect(load.queueLength).toEqual(column(4, 6));
  expect(load.activeTimeIops).toEqual(column(100, 140));
  expect(load.busyMiBps).toEqual(column(4, 6));
  // (600 x 2 + 600 x 4) / 1,200 = 3; (1,200 x 4 + 3,600 x 8) / 4,800 = 7
  expect(load.latencyMs).toEqual(column(3, 7));
});

test('a time at which one member is unknown is unknown, and counts as no known time', () => {
  const late = { ...loadBy([200, 300]), epochSeconds: column(60, 120) };
  const load = asOne(loadBy([100, 100, Number.NaN]), late);
  expect(load.epochSeconds).toEqual(column(0, 60, 120));
  expect(load.ops).toEqual(column(Number.NaN, 300, Number.NaN));
  expect(load.knownSeconds).toBe(60);
});

test('a member that is idle for a period has no latency, and spoils none', () => {
  const load = asOne(loadBy([0], { latencyMs: column(Number.NaN) }), loadBy([100], { latencyMs: column(5) }));
  expect(load.latencyMs).toEqual(column(5));
});

test('a column that one member does not have is not there', () => {
  const load = asOne(loadBy([100], { queueLength: column(1), latencyMs: column(1) }), loadBy([100]));
  expect(load).toMatchObject({ queueLength: null, activeTimeIops: null, latencyMs: null });
});

test('loads of other periods, and none at all, have no time in common', () => {
  const others = [loadBy([1]), loadBy([1], { periodSeconds: 300 })];
  expect(commonAxis(others)).toEqual({
    known: false,
    reason: { code: 'periods-differ', periodSeconds: [60, 300] },
  });
  expect(commonAxis([])).toEqual({ known: false, reason: { code: 'no-load' } });
  expect([loadAsOne(others), loadAsOne([])]).toEqual([null, null]);
});

test('members that are never known at the same time have no load together', () => {
  expect(loadAsOne([loadBy([1]), { ...loadBy([1]), epochSeconds: column(60) }])).toBeNull();
});

test('four gp3 of 3,000 IOPS and 125 MiB/s are 12,000 IOPS and 500 MiB/s', () => {
  expect(limitsAsOne(aStripe(4))).toEqual({
    known: true,
    value: { baselineIops: 12_000, burstIops: 12_000, baselineMiBps: 500, burstMiBps: 500 },
  });
});

test('so many times the slowest: what one has more is never asked for', () => {
  // 2 x 3,000 and 2 x 125
  const limits = limitsAsOne(aStripe([{}, { iops: 9_000, throughputMiBps: 500 }]));
  expect(limits).toMatchObject({ value: { burstIops: 6_000, burstMiBps: 250 } });
  // gp2 of 100 GiB: 300 all the time, 3,000 with credits
  const gp2 = { volumeType: 'gp2', iops: 300, throughputMiBps: null };
  expect(limitsAsOne(aStripe([gp2, gp2]))).toMatchObject({ value: { baselineIops: 600, burstIops: 6_000 } });
});

test('the limits of a type that is not known are not known', () => {
  expect(limitsAsOne(aStripe([{}, { volumeType: 'gp9' }]))).toMatchObject({
    known: false,
    reason: {
      ...{ code: 'of-volume', volumeId: expect.stringMatching(/^vol-0+2$/) },
      reason: { code: 'volume-type-unknown', volumeType: 'gp9' },
    },
  });
});

test('the member that is not as most are is named; where there is no most, all are', () => {
  const usual = { volumeType: 'gp3', sizeGiB: 100, iops: 3_000, throughputMiBps: 125 };
  expect(unlikeMembers(aStripe([{}, {}, { iops: 6_000 }]))).toEqual([
    {
      volumeId: ids(3)[0],
      configuration: { ...usual, iops: 6_000 },
      othersConfiguration: usual,
    },
  ]);
  expect(unlikeMembers(aStripe([{}, { sizeGiB: 200 }]))).toEqual([
    { volumeId: ids(1)[0], configuration: usual, othersConfiguration: null },
    { volumeId: ids(2)[0], configuration: { ...usual, sizeGiB: 200 }, othersConfiguration: null },
  ]);
  expect(unlikeMembers(aStripe(4))).toEqual([]);
});
