/**
 * What applications ask of a volume. Minutes are those of the full 26-hour plan (0 to 1,559): a shorter window keeps
 * its end, so that minute 1,559 is always the last one.
 */
export const planMinutes = 26 * 60;

/** A rate in I/O per second, or an I/O size in KiB, by minute of the plan. */
export type ByMinute = (minute: number) => number;

export interface Burst {
  fromSecond: number;
  seconds: number;
  ioPerSecond: number;
  /** The part of each of these seconds in which the I/O arrives. */
  spread: number;
}

export interface Load {
  ioPerSecond: ByMinute;
  ioKiB: ByMinute;
  readShare: number;
  /** Physically sequential: a hard disk merges it and pays for the bytes alone. */
  sequential: boolean;
  /** `paced` keeps an even distance; `random` arrivals leave gaps even when several are in flight on average. */
  arrivals: 'paced' | 'random';
  /** Half the width of the uniform noise on each second's rate, as a part of it. */
  noise: number;
  /**
   * Workers that wait for their replies: no more I/O than this waits at once, the rest is never issued.
   * Infinity is an open loop, whose backlog grows without bound and drains later.
   */
  maxWaitingIo: number;
  burst?: (minute: number) => Burst | null;
  /** Minutes in which the volume completes nothing. */
  stalled?: (minute: number) => boolean;
}

export const steady =
  (value: number): ByMinute =>
  () =>
    value;

/** `other` everywhere but in the windows given as [first minute, minutes, value]. */
export const windows =
  (other: number, ...spans: (readonly [number, number, number])[]): ByMinute =>
  (minute) =>
    spans.find(([from, minutes]) => minute >= from && minute < from + minutes)?.[2] ?? other;

/** A day's wave from `low` at night to `high` at `peakHour`; minute 0 of the plan is 22:00 UTC. */
export const diurnal =
  (low: number, high: number, peakHour: number): ByMinute =>
  (minute) => {
    const hour = (minute / 60 + 22) % 24;
    const wave = (1 + Math.cos(((hour - peakHour) / 12) * Math.PI)) / 2;
    return low + (high - low) * wave * wave;
  };

/** The first `minutesEach` minutes of every `everyMinutes`, `times` times. */
export const repeated = (
  fromMinute: number,
  everyMinutes: number,
  times: number,
  minutesEach: number,
  value: number,
): (readonly [number, number, number])[] =>
  Array.from({ length: times }, (_, i) => [fromMinute + i * everyMinutes, minutesEach, value] as const);

/** The same burst in each of the minutes. */
export const burstsIn =
  (minutes: readonly number[], burst: Burst): ((minute: number) => Burst | null) =>
  (minute) =>
    minutes.includes(minute) ? burst : null;

const load = (ioKiB: number | ByMinute, ioPerSecond: number | ByMinute, rest: Partial<Load>): Load => ({
  ioPerSecond: typeof ioPerSecond === 'number' ? steady(ioPerSecond) : ioPerSecond,
  ioKiB: typeof ioKiB === 'number' ? steady(ioKiB) : ioKiB,
  readShare: 0.5,
  sequential: false,
  arrivals: 'paced',
  noise: 0.04,
  maxWaitingIo: 128,
  ...rest,
});

/** Small random I/O of many clients. */
export const database = (ioKiB: number, ioPerSecond: number | ByMinute, rest: Partial<Load> = {}): Load =>
  load(ioKiB, ioPerSecond, { readShare: 0.7, arrivals: 'random', ...rest });

/** A few threads that keep an even pace. */
export const workers = (
  ioKiB: number | ByMinute,
  ioPerSecond: number | ByMinute,
  rest: Partial<Load> = {},
): Load => load(ioKiB, ioPerSecond, rest);

/** Large sequential I/O: logs, backups, scans. */
export const stream = (ioKiB: number, ioPerSecond: number | ByMinute, rest: Partial<Load> = {}): Load =>
  load(ioKiB, ioPerSecond, { readShare: 0.2, sequential: true, maxWaitingIo: 32, ...rest });
