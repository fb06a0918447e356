/** Which look comes first where not all are paid for: what may break soon before what is only learned. */

import { fastestSecondsToEmpty, nearnessOf } from './next-poll.ts';
import { pace } from './pace.ts';
import type { Poll } from './queries-of-poll.ts';
import { lastMinuteEnd } from './throttled-minutes.ts';
import type { Watch } from './watch.ts';
import type { Watched } from './watched.ts';

const weights = { throttled: 64, credits: 32, near: 16, quiet: 2, learning: 1 } as const;

function weightOf(watch: Watch, watched: Watched, { parts }: Poll, nowEpochSeconds: number): number {
  const held = lastMinuteEnd(watch.throttled);
  const isHeld = held !== null && nowEpochSeconds - held < pace.throttledSeconds;
  if (watch.suspect || (isHeld && parts.includes('checks'))) return weights.throttled;
  const seconds = fastestSecondsToEmpty(watched, watch);
  if (parts.includes('balance') && seconds !== null && seconds < pace.latelySeconds) return weights.credits;
  if (nearnessOf(watch, nowEpochSeconds).share >= pace.nearShare) return weights.near;
  return parts.includes('queue') || parts.includes('balance') ? weights.quiet : weights.learning;
}

/** More for who has waited long for his own pace: nobody waits for ever. */
export function urgencyOf(watch: Watch, watched: Watched, poll: Poll, nowEpochSeconds: number): number {
  const waited = Math.max(0, nowEpochSeconds - watch.nextPollEpochSeconds);
  return weightOf(watch, watched, poll, nowEpochSeconds) * (1 + waited / pace.nearSeconds);
}
