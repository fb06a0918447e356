/** Whether demand grows, and when it meets the limit: on noise, on planted slopes, at ends of months, with holes. */
import { dayOf, dayStart } from '../../../core/archive/keys.ts';
import { type DayDemand, dailyDemand, trendOf } from '../../../core/archive/trend.ts';
import { uniformSource } from '../../simulator/random.ts';

const firstDay = dayStart('2026-08-01') / 86_400;
const seeds = Array.from({ length: 100 }, (_, seed) => seed);

/** Of one bell-shaped number. */
function bell(uniform: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

interface Planted {
  days: number;
  perDay?: number;
  /** 0 is Thursday. */
  ofWeekday?: (weekday: number) => number;
  atMonthEnd?: number;
  /** How much of a day's luck is that of the day before. */
  dependence?: number;
  /** The share of days that are not known. */
  holes?: number;
}

/** 1,000 on the first day, and a spread of 50. */
function planted(seed: number, more: Planted): DayDemand[] {
  const { days, perDay = 0, ofWeekday = () => 0, atMonthEnd = 0, dependence = 0, holes = 0 } = more;
  const uniform = uniformSource(seed, 'trend');
  let luck = 0;
  return Array.from({ length: days }, (_, i) => {
    luck = dependence * luck + Math.sqrt(1 - dependence ** 2) * bell(uniform);
    const at = firstDay + i;
    const isLastOfMonth = dayOf((at + 1) * 86_400).endsWith('-01');
    const value = 1_000 + perDay * i + 50 * luck + ofWeekday(at % 7) + (isLastOfMonth ? atMonthEnd : 0);
    return { day: dayOf(at * 86_400), value: uniform() < holes ? null : value };
  });
}

const office = (weekday: number): number => (weekday === 2 || weekday === 3 ? -600 : 0);

const isSilent = (days: DayDemand[]): boolean => {
  const { state, meetsLimit } = trendOf(days, 1_500);
  return meetsLimit === null && (state === 'none' || state === 'unknown');
};

describe('no trend is told where there is none', () => {
  test.each<[string, Planted]>([
    ['30 days', { days: 30 }],
    ['90 days', { days: 90 }],
    ['a year', { days: 365 }],
    ['days that are like the day before', { days: 90, dependence: 0.5 }],
    ['a week of an office', { days: 90, ofWeekday: office }],
    ['peaks at the end of each month', { days: 90, atMonthEnd: 2_000 }],
    ['31 days that end with a peak of the month', { days: 31, atMonthEnd: 5_000 }],
    ['a third of the days unknown', { days: 120, holes: 0.33 }],
  ])('%s: silent in at least 95 of 100 seeds', (_name, more) => {
    expect(seeds.filter((seed) => isSilent(planted(seed, more))).length).toBeGreaterThanOrEqual(95);
  });

  test('a level that stepped is a new level since a day, and no growth', () => {
    const days = planted(1, { days: 90 }).map(({ day, value }, i) => ({
      day,
      value: (value as number) + (i < 45 ? 0 : 400),
    }));
    const trend = trendOf(days, 3_000);
    // 45 days after 1 August is 15 September.
    expect(trend).toMatchObject({ state: 'none', reason: 'level-changed', newLevelFrom: '2026-09-15' });
    expect(Math.abs((trend.level as number) - 1_400)).toBeLessThan(30);
  });

  test('29 days are too few, and 40 days of which 29 are known', () => {
    expect(trendOf(planted(1, { days: 29, perDay: 10 }), 2_000).reason).toBe('too-few-days');
    const holes = planted(1, { days: 40, perDay: 10 }).map((one, i) =>
      i < 11 ? { ...one, value: null } : one,
    );
    expect(trendOf(holes, 2_000)).toMatchObject({ reason: 'too-few-days', daysKnown: 29 });
  });

  test('no day at all', () => {
    expect(trendOf([], 100)).toMatchObject({ state: 'unknown', reason: 'too-few-days', daysKnown: 0 });
  });
});

/** 4 a day: of 90 days the last has 1,356, so 1,596 is 60 days later. */
describe('a planted slope is found, and its day is within the interval', () => {
  test.each<[string, Planted, number]>([
    ['90 days', { days: 90 }, 1_356],
    ['180 days', { days: 180 }, 1_716],
    ['days that are like the day before', { days: 90, dependence: 0.3 }, 1_356],
    ['a week of an office', { days: 90, ofWeekday: office }, 1_356],
    [
      'one weekday of 800 more meets it first',
      { days: 180, ofWeekday: (day) => (day === 3 ? 800 : 0) },
      2_516,
    ],
    ['peaks at the end of each month', { days: 90, atMonthEnd: 1_500 }, 1_356],
    ['a quarter of the days unknown', { days: 90, holes: 0.25 }, 1_356],
  ])('%s: in at least 90 of 100 seeds', (_name, more, last) => {
    const meets = dayOf((firstDay + more.days - 1 + 60) * 86_400);
    const found = seeds.filter((seed) => {
      const { meetsLimit } = trendOf(planted(seed, { ...more, perDay: 4 }), last + 4 * 60);
      if (meetsLimit === null) return false;
      const { earliest, on, latest } = meetsLimit;
      expect(earliest <= on && (latest === null || on <= latest)).toBe(true);
      return earliest <= meets && (latest === null || meets <= latest);
    });
    expect(found.length).toBeGreaterThanOrEqual(90);
  });

  test('the same days give the same answer', () => {
    const days = planted(7, { days: 90, perDay: 4 });
    expect(trendOf(days, 1_596)).toEqual(trendOf(days, 1_596));
  });
});

describe('why no day is told', () => {
  const growing = planted(1, { days: 90, perDay: 4 });
  test.each([
    ['its limit is not known', null, 'no-limit'],
    ['it is there already', 1_200, 'at-limit'],
    // (9,356 - 1,356) / 4 = 2,000 days; 90 days behind tell 180 ahead.
    ['it is too far off', 9_356, 'beyond-horizon'],
  ])('%s', (_name, limit, reason) => {
    expect(trendOf(growing, limit)).toMatchObject({ state: 'growing', reason, meetsLimit: null });
  });

  test('what is served stays at its limit: it is there, though nothing grows', () => {
    const days = planted(1, { days: 90 }).map(({ day, value }) => ({
      day,
      value: Math.min(900, value as number),
    }));
    expect(trendOf(days, 900)).toMatchObject({ state: 'none', reason: 'at-limit', level: 900 });
  });

  test('a demand that falls', () => {
    expect(trendOf(planted(1, { days: 90, perDay: -4 }), 2_000)).toMatchObject({ state: 'falling' });
  });
});

describe('the demand of a day', () => {
  const times = (minutes: number): Float64Array =>
    Float64Array.from({ length: minutes }, (_, i) => firstDay * 86_400 + i * 60);

  test('72 minutes of 1,440 may be higher than it', () => {
    const values = times(1_440).map((_, i) => (i < 70 ? 9_000 : i < 200 ? 500 : 10));
    expect(dailyDemand(times(1_440), values, 60)).toEqual([{ day: '2026-08-01', value: 500 }]);
  });

  test('with less than half a day of points it is not known, and never zero', () => {
    const values = times(1_440).map((_, i) => (i < 719 ? 10 : Number.NaN));
    expect(dailyDemand(times(1_440), values, 60)).toEqual([{ day: '2026-08-01', value: null }]);
    expect(dailyDemand(times(720), times(720).fill(10), 60)[0]?.value).toBe(10);
  });
});
