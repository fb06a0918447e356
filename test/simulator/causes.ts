/** What throttled load in a minute. The order is the code kept in the ledgers' bytes. */
export const causes = [
  'none',
  'volume-iops',
  'volume-throughput',
  'volume-credits',
  'instance-iops',
  'instance-throughput',
  'instance-credits',
  'stalled',
] as const;

export type Cause = (typeof causes)[number];

export const causeCode = (cause: Cause): number => causes.indexOf(cause);

export const causeOf = (code: number | undefined): Cause => causes[code ?? 0] ?? 'none';

/** Several causes as a set: the bit of each code. */
export const causeBit = (code: number): number => (code === 0 ? 0 : 1 << code);

export const causesIn = (bits: number): Cause[] =>
  causes.filter((_, code) => code !== 0 && (bits & causeBit(code)) !== 0);

/** The columns of a ledger that say what throttled. */
export interface CauseColumns {
  /** The code of what bound most of the throttled seconds. */
  cause: Uint8Array;
  /** Seconds of the minute in which load was throttled. */
  heldSeconds: Uint8Array;
  /** The bits of all that bound in any second of the minute. */
  boundBy: Uint8Array;
}

/** Seconds of one minute by cause; the cause that bound most of them names the minute. */
export class CauseTally {
  private readonly seconds = new Uint8Array(causes.length);
  private held = 0;
  private bits = 0;

  /** @param code what throttled in this second, 0 for nothing; @param bits all that was at its limit in it. */
  add(code: number, bits: number): void {
    if (code === 0) return;
    this.seconds[code] = (this.seconds[code] ?? 0) + 1;
    this.held++;
    this.bits |= bits;
  }

  /** Writes the minute down; the tally starts again at zero. */
  close(columns: CauseColumns, minute: number): void {
    if (this.held === 0) return;
    let most = 0;
    for (let code = 1; code < causes.length; code++) {
      if ((this.seconds[code] ?? 0) > (this.seconds[most] ?? 0)) most = code;
    }
    columns.cause[minute] = most;
    columns.heldSeconds[minute] = this.held;
    columns.boundBy[minute] = this.bits;
    this.seconds.fill(0);
    this.held = 0;
    this.bits = 0;
  }
}

/** Wants that exceed a limit by no more than this are not counted, and limits this near to each other bind together. */
const marginFactor = 1.02;

/** A second counts as throttled when more than 2 % and at least one I/O had to wait for the next one. */
export const isThrottled = (demandIo: number, allowedIo: number): boolean =>
  demandIo > allowedIo * marginFactor && demandIo - allowedIo >= 1;

/** Two shares of what is demanded that two limits allow: are both limits reached at once? */
export const bindTogether = (share: number, other: number): boolean =>
  share <= other * marginFactor && other <= share * marginFactor;
