/** Which look comes first where not all are paid for: what may break soon before what is only learned. */
import { lastMinuteEnd } from './held-back-minutes.ts';
import { fastestSecondsToEmpty, nearnessOf } from './next-look.ts';
import { pace } from './pace.ts';
import type { Look } from './queries-of-look.ts';
import type { Watch } from './watch.ts';
import type { Watched } from './watched.ts';

const weights = { heldBack: 64, credits: 32, near: 16, quiet: 2, learning: 1 } as const;

function weightOf(watch: Watch, watched: Watched, { parts }: Look, nowEpochSeconds: number): number {
  const held = lastMinuteEnd(watch.heldBack);
  const isHeld = held !== null && nowEpochSeconds - held < pace.heldBackSeconds;
  if (watch.suspect || (isHeld && parts.includes('checks'))) return weights.heldBack;
  const seconds = fastestSecondsToEmpty(watched, watch);
  if (parts.includes('balance') && seconds !== null && seconds < pace.latelySeconds) return weights.credits;
  if (nearnessOf(watch, nowEpochSeconds).share >= pace.nearShare) return weights.near;
  return parts.includes('queue') || parts.includes('balance') ? weights.quiet : weights.learning;
}

/** More for who has waited long for his own pace: nobody waits for ever. */
export function urgencyOf(watch: Watch, watched: Watched, look: Look, nowEpochSeconds: number): number {
  const waited = Math.max(0, nowEpochSeconds - watch.nextLookEpochSeconds);
  return weightOf(watch, watched, look, nowEpochSeconds) * (1 + waited / pace.nearSeconds);
}
