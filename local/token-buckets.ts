/** Rates as services keep them: one token bucket a name, full at first, refilled every second up to its size. */
import { msPerSecond } from '../core/units.ts';

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();
  private readonly nowMs: () => number;

  /** @param nowMs Real time that never goes back; a server's settable clock is another. */
  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** Whether `count` tokens were there; they are taken then, and none otherwise. */
  take(name: string, { perSecond, size }: { perSecond: number; size: number }, count = 1): boolean {
    const nowMs = this.nowMs();
    const before = this.buckets.get(name) ?? { tokens: size, filledAtMs: nowMs };
    const refill = ((nowMs - before.filledAtMs) / msPerSecond) * perSecond;
    const tokens = Math.min(size, before.tokens + refill);
    const enough = tokens >= count;
    this.buckets.set(name, { tokens: enough ? tokens - count : tokens, filledAtMs: nowMs });
    return enough;
  }
}
