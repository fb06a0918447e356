/** What held load back in a minute. The order is the code kept in the ledgers' bytes. */
const causes = [
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

/** Seconds of one minute by cause; the cause that bound most of them names the minute. */
export class CauseTally {
  private readonly seconds = new Uint8Array(causes.length);
  private any = false;

  add(code: number): void {
    if (code === 0) return;
    this.seconds[code] = (this.seconds[code] ?? 0) + 1;
    this.any = true;
  }

  /** The minute's code; the tally starts again at zero. */
  close(): number {
    if (!this.any) return 0;
    let most = 0;
    for (let code = 1; code < causes.length; code++) {
      if ((this.seconds[code] ?? 0) > (this.seconds[most] ?? 0)) most = code;
    }
    this.seconds.fill(0);
    this.any = false;
    return most;
  }
}

/** A second counts as held back when more than 2 % and at least one I/O had to wait for the next one. */
export const isHeldBack = (wantedIo: number, allowedIo: number): boolean =>
  wantedIo > allowedIo * 1.02 && wantedIo - allowedIo >= 1;
