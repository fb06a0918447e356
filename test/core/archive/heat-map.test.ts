/** A volume's hours: averages and minutes, by the day and by the hour of the week; what is not known is null. */
import { heatMapOf } from '../../../core/archive/heat-map.ts';
import { dayStart } from '../../../core/archive/keys.ts';
import type { ResourceMinutes } from '../../../core/archive/resource-minutes.ts';

/** A Monday. */
const first = dayStart('2026-11-23');
const minutesPerDay = 1_440;

interface Given {
  minutes: number[];
  /** Of the minute, counted from the first Monday. */
  ops?: (minute: number) => number;
  iopsCheck?: (minute: number) => number;
  throughputCheck?: (minute: number) => number;
  status?: (minute: number) => string | null;
}

function volume({ minutes, ops, iopsCheck, throughputCheck, status }: Given): ResourceMinutes {
  const of = (value: ((minute: number) => number) | undefined) =>
    Float64Array.from(minutes, (minute) => value?.(minute) ?? Number.NaN);
  return {
    ...{ resourceType: 'volume', resourceId: 'vol-1', arn: null },
    epochSeconds: Float64Array.from(minutes, (minute) => first + minute * 60),
    metrics: new Map([
      ['VolumeReadOps', of(ops)],
      ['VolumeWriteOps', of(ops && (() => 0))],
      ['VolumeIOPSExceededCheck', of(iopsCheck)],
      ['VolumeThroughputExceededCheck', of(throughputCheck)],
    ]),
    evaluation: status
      ? {
          status: minutes.map(status),
          ...{ cause: minutes.map(() => null), limit_scope: minutes.map(() => null) },
        }
      : null,
  };
}

const range = (from: number, end: number): number[] => Array.from({ length: end - from }, (_, i) => from + i);

test('an hour is the average of its minutes, a day its highest hour, the week the average over weeks', () => {
  // Monday 00:00: 600 operations a minute are 10 IOPS; the Monday after: 1,800 are 30.
  const map = heatMapOf(
    volume({
      minutes: [...range(0, 120), ...range(7 * minutesPerDay, 7 * minutesPerDay + 60)],
      ops: (minute) => (minute < 60 ? 600 : minute < 120 ? 1_200 : 1_800),
    }),
    'iops',
  );
  expect(map.days.map(({ day, value }) => [day, value])).toEqual([
    ['2026-11-23', 20],
    ...['24', '25', '26', '27', '28', '29'].map((day) => [`2026-11-${day}`, null]),
    ['2026-11-30', 30],
  ]);
  // (10 + 30) / 2 = 20; 01:00 is known of one Monday alone.
  expect(map.week[0]?.slice(0, 3)).toEqual([20, 20, null]);
  expect(map.week.slice(1).flat()).toEqual(new Array(6 * 24).fill(null));
});

test('an hour with 29 points is not known, with 30 it is their average', () => {
  const hours = (points: number) =>
    heatMapOf(volume({ minutes: range(0, points), ops: () => 60 }), 'iops').days[0]?.hours[0];
  expect([hours(29), hours(30)]).toEqual([null, 1]);
});

test('throttled minutes are counted where evaluation wrote them, and unknown where it did not', () => {
  const status = (minute: number): string | null =>
    minute < 60 ? (minute < 7 ? 'throttled' : 'normal') : null;
  const [day] = heatMapOf(volume({ minutes: range(0, 120), ops: () => 60, status }), 'throttled').days;
  expect(day?.hours.slice(0, 2)).toEqual([7, null]);
  expect(day?.value).toBe(7);
  expect(heatMapOf(volume({ minutes: range(0, 60), ops: () => 60 }), 'throttled').days[0]?.value).toBeNull();
});

test('a minute is exceeded where one check says so; without the other one it is not known that it is not', () => {
  const of = (given: Omit<Given, 'minutes'>) =>
    heatMapOf(volume({ minutes: range(0, 60), ...given }), 'exceeded').days[0]?.hours[0];
  const early = (minute: number): number => (minute < 5 ? 1 : 0);
  const late = (minute: number): number => (minute >= 3 && minute < 9 ? 1 : 0);
  // Minutes 0 to 8.
  expect(of({ iopsCheck: early, throughputCheck: late })).toBe(9);
  expect(of({ iopsCheck: early })).toBeNull();
});

test('points of five minutes: rates by their period, minutes five a point', () => {
  const minutes = range(0, 12).map((i) => i * 5);
  const ops = () => 3_000;
  expect(heatMapOf(volume({ minutes, ops }), 'iops').days[0]?.hours[0]).toBe(10);
  const status = (minute: number) => (minute < 10 ? 'throttled' : 'normal');
  expect(heatMapOf(volume({ minutes, ops, status }), 'throttled').days[0]?.hours[0]).toBe(10);
});

test('nothing is there', () => {
  expect(heatMapOf(null, 'queue')).toEqual({
    figure: 'queue',
    week: new Array(7).fill(new Array(24).fill(null)),
    days: [],
  });
});
