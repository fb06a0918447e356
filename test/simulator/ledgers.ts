/** What is remembered of each minute: one number a minute and column, nothing per second. */
import type { CauseColumns } from './causes.ts';

export interface VolumeLedger extends CauseColumns {
  /**
   * The true demand, in I/O of the minute (/ 60 for a rate): of an open load what arrived, also what was given up; of a
   * closed loop what the same workers reach where nothing throttles them.
   */
  demandIo: Float64Array;
  issuedIo: Float64Array;
  servedIo: Float64Array;
  servedMiB: Float64Array;
  /** I/O as the volume's limit counts them: larger ones count several times. */
  servedUnits: Float64Array;
  /** Sum of the latencies of what completed. */
  timeSeconds: Float64Array;
  idleSeconds: Float64Array;
  /** Time-average of what is in flight or waiting. */
  queueLength: Float64Array;
  lowestBalancePercent: Float64Array;
  /** Seconds of the minute in which more was asked for than the limit allows: what checks are made of. */
  iopsExceeded: Uint8Array;
  throughputExceeded: Uint8Array;
  stalled: Uint8Array;
}

const causeColumns = (minutes: number): CauseColumns => ({
  cause: new Uint8Array(minutes),
  heldSeconds: new Uint8Array(minutes),
  boundBy: new Uint8Array(minutes),
});

export const volumeLedger = (minutes: number): VolumeLedger => ({
  ...causeColumns(minutes),
  demandIo: new Float64Array(minutes),
  issuedIo: new Float64Array(minutes),
  servedIo: new Float64Array(minutes),
  servedMiB: new Float64Array(minutes),
  servedUnits: new Float64Array(minutes),
  timeSeconds: new Float64Array(minutes),
  idleSeconds: new Float64Array(minutes),
  queueLength: new Float64Array(minutes),
  lowestBalancePercent: new Float64Array(minutes),
  iopsExceeded: new Uint8Array(minutes),
  throughputExceeded: new Uint8Array(minutes),
  stalled: new Uint8Array(minutes),
});

export interface InstanceLedger extends CauseColumns {
  servedIo: Float64Array;
  servedMiB: Float64Array;
  lowestIoBalancePercent: Float64Array;
  lowestByteBalancePercent: Float64Array;
  /** Seconds, as of a volume. */
  iopsExceeded: Uint8Array;
  throughputExceeded: Uint8Array;
}

export const instanceLedger = (minutes: number): InstanceLedger => ({
  ...causeColumns(minutes),
  servedIo: new Float64Array(minutes),
  servedMiB: new Float64Array(minutes),
  lowestIoBalancePercent: new Float64Array(minutes),
  lowestByteBalancePercent: new Float64Array(minutes),
  iopsExceeded: new Uint8Array(minutes),
  throughputExceeded: new Uint8Array(minutes),
});

/** Column arithmetic under `noUncheckedIndexedAccess`: a column is as long as the window, so nothing is missed. */
export const at = (column: Float64Array | Uint8Array, index: number): number => column[index] ?? 0;

export function add(column: Float64Array, index: number, value: number): void {
  column[index] = (column[index] ?? 0) + value;
}

export function count(column: Uint8Array, index: number): void {
  column[index] = (column[index] ?? 0) + 1;
}
