/**
 * A volume from a snapshot: a read of a block that was never asked for waits for it, a write does not. The share of such reads halves
 * in a time: what is read once is there. AWS states neither figure, so both are the plan's.
 */

export interface FromSnapshot {
  /** When the window begins. */
  hoursOld: number;
  /** That a first read takes longer. */
  firstReadMs: number;
  halfLifeMinutes: number;
}

/** Seconds that a read takes longer on average, in a minute of the window. */
export const firstReadSeconds = (from: FromSnapshot | undefined, minute: number): number =>
  from === undefined
    ? 0
    : (from.firstReadMs / 1_000) * 0.5 ** ((60 * from.hoursOld + minute) / from.halfLifeMinutes);
