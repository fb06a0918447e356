/** The fleet by day: what a run says of it, and its weeks. */
import { evaluatedMinutes } from '../../../core/archive/evaluated.ts';
import {
  addEvaluated,
  lastSevenDays,
  lastWeeks,
  type MinuteCounts,
  minutesByDay,
  sumOfMinutes,
  withRun,
} from '../../../core/archive/fleet-days.ts';
import { dayStart } from '../../../core/archive/keys.ts';
import { causes } from '../../../core/diagnosis/causes.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { FleetDay } from '../../../core/schemas/fleet-days.ts';
import { aFinding, anEvaluation, aResult } from '../../fixtures/findings.ts';

const priced = (...prices: (number | null)[]) =>
  prices.map((monthlyUsd, i) => anEvaluation({ volumeId: `vol-${i}`, monthlyUsd }));
const found = (
  prices: (number | null)[],
  incomplete: AuditResult['coverage']['incomplete'] = [],
): AuditResult => {
  const result = aResult([aFinding({ severity: 'critical' })], { volumes: priced(...prices) });
  return { ...result, coverage: { ...result.coverage, incomplete } };
};
const minutes = (day: string, evaluated: number, throttled: number) => ({ day, evaluated, throttled });

test('minutes are counted by their day in UTC; of what is unknown none is evaluated', () => {
  const epochSeconds = Float64Array.from([-120, -60, 0, 60].map((at) => dayStart('2026-11-23') + at));
  const cause = Uint8Array.from(
    (['volume-iops', 'none', 'unknown', 'instance-credits'] as const).map((one) => causes.indexOf(one)),
  );
  const counts: MinuteCounts = new Map();
  addEvaluated(counts, evaluatedMinutes({ load: { epochSeconds }, attribution: { cause } }));
  expect(minutesByDay(counts)).toEqual([minutes('2026-11-22', 2, 1), minutes('2026-11-23', 1, 1)]);
});

test('batches are summed by day', () => {
  expect(
    sumOfMinutes([minutes('2026-11-23', 10, 1), minutes('2026-11-22', 5, 0), minutes('2026-11-23', 20, 4)]),
  ).toEqual([minutes('2026-11-22', 5, 0), minutes('2026-11-23', 30, 5)]);
});

describe('a run', () => {
  const day = '2026-11-23';
  const first = withRun([], {
    day,
    minutes: [minutes('2026-11-22', 1_000, 50)],
    result: found([100, 20, null]),
  });

  test('says USD and findings of its own day, and minutes of those of its window', () => {
    expect(first).toEqual([
      { day: '2026-11-22', fleet: null, throttledMinutes: 50, evaluatedMinutes: 1_000 },
      {
        day,
        fleet: {
          ...{ volumes: 3, unpriced: 1, usdMonth: 120, partial: false },
          findings: { critical: 1, warning: 0, info: 0 },
        },
        throttledMinutes: null,
        evaluatedMinutes: 0,
      },
    ]);
  });

  test('replaces what an earlier one said of a day, unless it saw less of it', () => {
    const again = (evaluated: number, throttled: number) =>
      withRun(first, {
        ...{ day: '2026-11-24', result: found([1]) },
        minutes: [minutes('2026-11-22', evaluated, throttled)],
      })[0]?.throttledMinutes;
    expect([again(1_000, 60), again(999, 40)]).toEqual([60, 50]);
  });

  test('a window that leaves a day hour by hour leaves the day as it was whole', () => {
    let days = withRun([], { day, minutes: [minutes('2026-11-22', 24 * 60, 50)], result: found([1]) });
    for (let hours = 23; hours > 0; hours--)
      days = withRun(days, { day, minutes: [minutes('2026-11-22', hours * 60, 0)], result: found([1]) });
    expect(days[0]).toMatchObject({ throttledMinutes: 50, evaluatedMinutes: 24 * 60 });
  });

  test('without a known price knows no USD; of no volume it is zero, unless not all was read', () => {
    const fleetOf = (...of: Parameters<typeof found>) =>
      withRun([], { day, minutes: [], result: found(...of) })[0]?.fleet;
    const notRead: AuditResult['coverage']['incomplete'] = [
      { code: 'region-not-read', region: 'us-east-1', reason: 'refused' },
    ];
    expect(fleetOf([null])).toMatchObject({ usdMonth: null, unpriced: 1 });
    expect(fleetOf([])).toMatchObject({ usdMonth: 0, partial: false });
    expect(fleetOf([], notRead)).toMatchObject({ usdMonth: null, findings: null, partial: true });
    expect(fleetOf([8], notRead)).toMatchObject({ usdMonth: 8, partial: true });
  });

  test('keeps 400 days', () => {
    const start = dayStart('2025-01-01');
    const all = Array.from({ length: 450 }, (_, i) => {
      const iso = new Date((start + i * 86_400) * 1_000).toISOString();
      return { day: iso.slice(0, 10), fleet: null, throttledMinutes: i, evaluatedMinutes: 1 };
    });
    const kept = withRun(all, { day: all.at(-1)?.day ?? '', minutes: [], result: found([1]) });
    expect([kept.length, kept[0]?.throttledMinutes, kept.at(-1)?.throttledMinutes]).toEqual([400, 50, 449]);
  });
});

/** From Monday on; each day one minute more, 10 USD more. */
const dayAt = (date: number, more: Partial<FleetDay> = {}): FleetDay => ({
  day: `2026-11-${String(date).padStart(2, '0')}`,
  fleet: {
    ...{ volumes: 1, unpriced: 0, usdMonth: date * 10, partial: false },
    findings: { critical: 0, warning: date, info: 0 },
  },
  ...{ throttledMinutes: date, evaluatedMinutes: 1_440 },
  ...more,
});

test('weeks are those of ISO 8601; what no day knows is null', () => {
  const nothing = { fleet: null, throttledMinutes: null };
  const weeks = lastWeeks([dayAt(1), dayAt(9), dayAt(10), dayAt(11, nothing), dayAt(16, nothing)], 2);
  expect(weeks).toEqual([
    {
      ...{ from: '2026-11-09', to: '2026-11-15', daysEvaluated: 2, throttledMinutes: 19 },
      fleet: { day: '2026-11-10', ...dayAt(10).fleet },
    },
    { from: '2026-11-16', to: '2026-11-22', daysEvaluated: 0, throttledMinutes: null, fleet: null },
  ]);
});

describe('the last seven days', () => {
  const days = Array.from({ length: 14 }, (_, i) => dayAt(9 + i));

  test('end before the day of the last run, which is not whole', () => {
    const spans = lastSevenDays([...days, dayAt(23)], dayStart('2026-11-23') + 25_200);
    // 9 + ... + 15 = 84, 16 + ... + 22 = 133.
    expect(
      spans?.map(({ from, to, throttledMinutes, fleet }) => [from, to, throttledMinutes, fleet?.usdMonth]),
    ).toEqual([
      ['2026-11-09', '2026-11-15', 84, 150],
      ['2026-11-16', '2026-11-22', 133, 220],
    ]);
    expect(lastSevenDays(days, dayStart('2026-11-24'))?.map(({ to }) => to)).toEqual([
      '2026-11-14',
      '2026-11-21',
    ]);
  });

  test('are not known without an audit in them', () => {
    expect(lastSevenDays([], dayStart('2026-11-24'))).toBeNull();
    expect(lastSevenDays(days, dayStart('2026-11-29'))).not.toBeNull();
    expect(lastSevenDays(days, dayStart('2026-11-30'))).toBeNull();
  });
});
