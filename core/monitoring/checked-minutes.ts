/**
 * Minutes in which a check of AWS was 1. The check alone does not throttle: where the minute's average is far below the limit it
 * was a micro-burst. So each stays undecided until its rates are there, and is decided once.
 */
import { z } from 'zod';
import { secondsPerDay, secondsPerMinute } from '../units.ts';
import { pace } from './pace.ts';

/** Which checks were 1. */
export const checkBits = { iops: 1, throughput: 2 } as const;
/** Its rates were there. */
const decidedBit = 4;

/** A day, and some for clocks that differ. */
const mostMinutes = secondsPerDay / secondsPerMinute + 60;

export const checkedSchema = z
  .strictObject({
    /** The end of the last minute whose checks are known. */
    untilEpochSeconds: z.number(),
    /** Minutes since 1970 of the first character; a digit a minute, the sum of its bits. */
    fromEpochMinutes: z.int(),
    codes: z.string().max(mostMinutes),
  })
  .nullable()
  .default(null);
export type CheckedMinutes = z.infer<typeof checkedSchema>;

/** Bits by the start of the minute, seconds since 1970. */
export class Checked {
  private readonly bits = new Map<number, number>();
  untilEpochSeconds = 0;

  constructor(before: CheckedMinutes) {
    if (before === null) return;
    this.untilEpochSeconds = before.untilEpochSeconds;
    [...before.codes].forEach((code, i) => {
      if (code !== '0') this.bits.set((before.fromEpochMinutes + i) * secondsPerMinute, Number(code));
    });
  }

  /** A minute that is decided stays so, unless a check was 1 of which nobody knew. */
  add(epochSeconds: number, checks: number): void {
    const before = this.bits.get(epochSeconds) ?? 0;
    const isNew = (before | checks) !== before;
    this.bits.set(epochSeconds, isNew ? (before | checks) & ~decidedBit : before);
  }

  decide(epochSeconds: number): void {
    this.bits.set(epochSeconds, (this.bits.get(epochSeconds) ?? 0) | decidedBit);
  }

  /** Its checks by minute, the oldest first. */
  undecided(): [epochSeconds: number, checks: number][] {
    return [...this.bits].filter(([, bits]) => (bits & decidedBit) === 0).sort(([a], [b]) => a - b);
  }

  decided(): number[] {
    return [...this.bits].flatMap(([time, bits]) => ((bits & decidedBit) > 0 ? [time] : []));
  }

  has(epochSeconds: number): boolean {
    return this.bits.has(epochSeconds);
  }

  /** What is decided is kept as long as a poll may see it again, the rest for as long as it may count. */
  kept(nowEpochSeconds: number): CheckedMinutes {
    const again = nowEpochSeconds - pace.overlapSeconds - secondsPerMinute;
    const kept = [...this.bits].filter(
      ([time, bits]) => time >= ((bits & decidedBit) === 0 ? nowEpochSeconds - secondsPerDay : again),
    );
    if (kept.length === 0) return null;
    const minutes = new Map(kept.map(([time, bits]) => [time / secondsPerMinute, bits]));
    const first = Math.min(...minutes.keys());
    const codes = Array.from(
      { length: Math.max(...minutes.keys()) - first + 1 },
      (_, i) => minutes.get(first + i) ?? 0,
    );
    return { untilEpochSeconds: this.untilEpochSeconds, fromEpochMinutes: first, codes: codes.join('') };
  }
}

/** The start of the last minute that is undecided; null where all are decided. */
export function lastUndecided(checked: CheckedMinutes): number | null {
  return checked === null ? null : (new Checked(checked).undecided().at(-1)?.[0] ?? null);
}
