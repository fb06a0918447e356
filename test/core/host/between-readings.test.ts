/** Two readings are compared where they are of the same attachment, and else it is said why not. */
import { betweenReadings, keptReadings } from '../../../core/host/between-readings.ts';
import type { HostReading } from '../../../core/host/ebs-statistics.ts';

const volumeId = 'vol-0123456789abcdef0';
const hour = 3_600;
const day = 24 * hour;
const window = { startEpochSeconds: 10 * day, endEpochSeconds: 24 * day };

interface Some {
  seconds?: number;
  boot?: string | null;
  up?: number | null;
  sequence?: string | null;
  /** Besides the time above each limit, the queue and what was read. */
  more?: string[];
}

/** Seconds above the volume's IOPS, at a time. */
function reading(
  at: number,
  { seconds = 0, boot = 'a', up = at, sequence = '7', more = [] }: Some = {},
): HostReading {
  return {
    ...{ epochSeconds: at, uptimeSeconds: up, bootId: boot },
    volumes: [
      {
        ...{ volumeId, epochSeconds: at, diskSequence: sequence },
        counters: [`${seconds * 1_000_000}`, '0', '0', '0', ...more],
      },
    ],
  };
}

test('the time above a limit is that between the readings, also beyond 2^53', () => {
  const [first, last] = [reading(20 * day), reading(20 * day + hour)];
  first.volumes[0]?.counters.splice(0, 1, '9007199254740993');
  last.volumes[0]?.counters.splice(0, 1, '9007199256740993');
  expect(betweenReadings([first, last], volumeId, window)).toEqual({
    known: true,
    value: {
      ...{ startEpochSeconds: 20 * day, endEpochSeconds: 20 * day + hour },
      exceededSeconds: {
        ...{ 'volume-iops': 2, 'volume-throughput': 0 },
        ...{ 'instance-iops': 0, 'instance-throughput': 0 },
      },
    },
  });
});

test.each([
  ['the earliest within the window', [9, 9.5, 12, 20, 24], 12],
  ['the last before it, where there is none', [3, 5, 9, 24], 9],
])('it is compared with %s', (_, days, from) => {
  const between = betweenReadings(
    days.map((one) => reading(one * day)),
    volumeId,
    window,
  );
  expect(between.known && between.value.startEpochSeconds).toBe(from * day);
});

test('one of another attachment is passed over for the next', () => {
  const readings = [reading(11 * day, { boot: 'before' }), reading(13 * day), reading(24 * day)];
  const between = betweenReadings(readings, volumeId, window);
  expect(between.known && between.value.startEpochSeconds).toBe(13 * day);
});

const last = 24 * day;
test.each([
  ['not-read', []],
  ['no-earlier-reading', [reading(last)]],
  ['host-restarted', [reading(20 * day, { boot: 'b' }), reading(last)]],
  ['host-restarted', [reading(20 * day, { boot: null }), reading(last, { boot: null })]],
  ['attached-anew', [reading(20 * day, { sequence: '6' }), reading(last)]],
  // Without a number of the device the counters say it.
  [
    'attached-anew',
    [reading(20 * day, { sequence: null, seconds: 9 }), reading(last, { sequence: null, seconds: 8 })],
  ],
  ['attached-anew', [reading(20 * day, { more: ['1', '100'] }), reading(last, { more: ['1', '99'] })]],
  ['clock-stepped', [reading(20 * day, { up: 20 * day - hour }), reading(last)]],
  ['clock-stepped', [reading(last), reading(last)]],
  ['more-than-elapsed', [reading(last - hour), reading(last, { seconds: 2 * hour })]],
] as const)('%s', (reason, readings) => {
  expect(betweenReadings(readings, volumeId, window)).toEqual({ known: false, reason });
});

test('a queue that is shorter than before is no other attachment', () => {
  const readings = [reading(20 * day, { more: ['5', '1'] }), reading(last, { more: ['0', '2'] })];
  expect(betweenReadings(readings, volumeId, window).known).toBe(true);
});

test('of another volume nothing is known', () => {
  expect(betweenReadings([reading(20 * day), reading(last)], 'vol-00000000', window)).toEqual({
    known: false,
    reason: 'not-read',
  });
});

test('of each day the first reading is kept, 16 days long, and the newest', () => {
  const times = [1, 1.5, 9, 9.1, 9.9, 20, 23, 23.5];
  const kept = keptReadings(times.map((one) => reading(one * day)).reverse(), reading(24 * day + 1));
  expect(kept.map(({ epochSeconds }) => epochSeconds / day)).toEqual([9, 20, 23, 24 + 1 / day]);
});

test('a reading of a time to come, or of the same, is not kept', () => {
  const kept = keptReadings([reading(99 * day), reading(24 * day), reading(23 * day)], reading(24 * day));
  expect(kept.map(({ epochSeconds }) => epochSeconds / day)).toEqual([23, 24]);
});
