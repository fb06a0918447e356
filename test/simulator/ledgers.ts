/** What is remembered of each minute: one number a minute and column, nothing per second. */

export interface VolumeLedger {
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
  cause: Uint8Array;
  iopsExceeded: Uint8Array;
  throughputExceeded: Uint8Array;
  stalled: Uint8Array;
}

export const volumeLedger = (minutes: number): VolumeLedger => ({
  issuedIo: new Float64Array(minutes),
  servedIo: new Float64Array(minutes),
  servedMiB: new Float64Array(minutes),
  servedUnits: new Float64Array(minutes),
  timeSeconds: new Float64Array(minutes),
  idleSeconds: new Float64Array(minutes),
  queueLength: new Float64Array(minutes),
  lowestBalancePercent: new Float64Array(minutes),
  cause: new Uint8Array(minutes),
  iopsExceeded: new Uint8Array(minutes),
  throughputExceeded: new Uint8Array(minutes),
  stalled: new Uint8Array(minutes),
});

export interface InstanceLedger {
  servedIo: Float64Array;
  servedMiB: Float64Array;
  lowestIoBalancePercent: Float64Array;
  lowestByteBalancePercent: Float64Array;
  cause: Uint8Array;
  iopsExceeded: Uint8Array;
  throughputExceeded: Uint8Array;
}

export const instanceLedger = (minutes: number): InstanceLedger => ({
  servedIo: new Float64Array(minutes),
  servedMiB: new Float64Array(minutes),
  lowestIoBalancePercent: new Float64Array(minutes),
  lowestByteBalancePercent: new Float64Array(minutes),
  cause: new Uint8Array(minutes),
  iopsExceeded: new Uint8Array(minutes),
  throughputExceeded: new Uint8Array(minutes),
});

/** Column arithmetic under `noUncheckedIndexedAccess`: a column is as long as the window, so nothing is missed. */
export const at = (column: Float64Array | Uint8Array, index: number): number => column[index] ?? 0;

export function add(column: Float64Array, index: number, value: number): void {
  column[index] = (column[index] ?? 0) + value;
}
