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

interface EveryLoad {
  ioKiB: ByMinute;
  readShare: number;
  /** Physically sequential: a hard disk merges it and pays for the bytes alone. */
  sequential: boolean;
  /** Half the width of the uniform noise on each second's rate, as a part of it. */
  noise: number;
  /** Minutes in which the volume completes nothing. */
  stalled?: (minute: number) => boolean;
}

/** I/O that comes at its own pace, whether replies come or not. */
export interface OpenLoad extends EveryLoad {
  ioPerSecond: ByMinute;
  /** `paced` keeps an even distance; `random` arrivals leave gaps even when several are in flight on average. */
  arrivals: 'paced' | 'random';
  /**
   * Clients that give up: no more I/O than this waits at once, the rest is never issued.
   * Infinity is a backlog that grows without bound and drains later.
   */
  maxWaitingIo: number;
  burst?: (minute: number) => Burst | null;
  /** I/O of each second (0 to 59) of a minute, where they are known and not drawn from its rate. */
  arrived?: (minute: number, second: number) => number;
}

/** Workers of which each issues one I/O, waits for its reply, thinks, and issues the next. */
export interface ClosedLoop extends EveryLoad {
  workers: ByMinute;
  thinkSeconds: number;
}

export type Load = OpenLoad | ClosedLoop;

export const isClosedLoop = (load: Load): load is ClosedLoop => 'workers' in load;

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

const byMinute = (value: number | ByMinute): ByMinute => (typeof value === 'number' ? steady(value) : value);

const load = (
  ioKiB: number | ByMinute,
  ioPerSecond: number | ByMinute,
  rest: Partial<OpenLoad>,
): OpenLoad => ({
  ioPerSecond: byMinute(ioPerSecond),
  ioKiB: byMinute(ioKiB),
  readShare: 0.5,
  sequential: false,
  arrivals: 'paced',
  noise: 0.04,
  maxWaitingIo: 128,
  ...rest,
});

/** Small random I/O of many clients. */
export const database = (
  ioKiB: number | ByMinute,
  ioPerSecond: number | ByMinute,
  rest: Partial<OpenLoad> = {},
): OpenLoad => load(ioKiB, ioPerSecond, { readShare: 0.7, arrivals: 'random', ...rest });

/** A few threads that keep an even pace. */
export const workers = (
  ioKiB: number | ByMinute,
  ioPerSecond: number | ByMinute,
  rest: Partial<OpenLoad> = {},
): OpenLoad => load(ioKiB, ioPerSecond, rest);

/** Large sequential I/O: logs, backups, scans. */
export const stream = (
  ioKiB: number | ByMinute,
  ioPerSecond: number | ByMinute,
  rest: Partial<OpenLoad> = {},
): OpenLoad => load(ioKiB, ioPerSecond, { readShare: 0.2, sequential: true, maxWaitingIo: 32, ...rest });

export interface ClosedLoopOptions {
  ioKiB: number | ByMinute;
  /** How many there are in each minute: none is 0. */
  workers: number | ByMinute;
  /** What a worker does between a reply and its next I/O; 0 is a benchmark. */
  thinkMs: number;
  readShare?: number;
  sequential?: boolean;
  noise?: number;
  stalled?: (minute: number) => boolean;
}

/**
 * With a service time of s seconds and a think time of z, n workers reach n / (s + z) I/O a second where nothing throttles
 * them. Capped at C, n - C x z of them wait for replies, each for (n - C x z) / C seconds; nothing piles up.
 */
export const closedLoop = ({ ioKiB, workers: count, thinkMs, ...rest }: ClosedLoopOptions): ClosedLoop => ({
  ioKiB: byMinute(ioKiB),
  workers: byMinute(count),
  thinkSeconds: thinkMs / 1_000,
  readShare: 0.5,
  sequential: false,
  noise: 0.03,
  ...rest,
});
