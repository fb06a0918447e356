/** What the loop of the replay finds. */

/** One entry a period. */
export interface ReplayColumns {
  /** I/O a second of the application; NaN where the period is unknown. */
  served: Float64Array;
  /** I/O of the application that wait at the end of the period. */
  backlog: Float64Array;
  /** `causeCode`; `none` where nothing was throttled. */
  cause: Uint8Array;
}

export interface Walked {
  knownPeriods: number;
  /** By `causeCode`: periods that throttled load. */
  periodsByCause: Float64Array;
  throttledPeriods: number;
  /** Periods that fit on average, and not in their busy seconds. */
  burstPeriods: number;
  /** Periods with load, new or waiting. */
  loadedPeriods: number;
  demandedIo: number;
  /** I/O that were not served in their own period, first in, first out. */
  lateIo: number;
  /** I/O that wait at the end. */
  waitingIo: number;
  /** Of periods that end with a backlog: the backlog in periods of the capacity in force. */
  delays: Float64Array;
  /** Of the credits, at the ends of periods: by the volume's I/O and MiB, by the instance's. */
  lowest: { volumeIo: number; volumeMiB: number; instanceIo: number; instanceMiB: number };
}

export interface WalkOptions {
  /** Ends early, after one throttled period more. */
  mostThrottledPeriods: number;
  /** Filled in where they are demanded: `served` is what is asked, until something waits. */
  columns: ReplayColumns | null;
}
