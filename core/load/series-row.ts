/** One period of a recorded series. */
export interface SeriesRow {
  epochSeconds: number;
  readOps: number;
  writeOps: number;
  readBytes: number;
  writeBytes: number;
  /** Seconds of the period with no I/O in flight; absent where nothing tells. */
  idleSeconds?: number;
}
