/** A latency above its target: what its user set, and why io2 is no remedy where it is none. */
import { figure } from '../../core/figures.ts';
import type { Io2NotRecommended } from '../../core/schemas/evidence.ts';
import { nothing, type WordedFinding, type WordsOfKinds } from './facts.ts';
import { minutesText } from './words.ts';

export const io2NotRecommendedWords: Readonly<Record<Io2NotRecommended, string>> = {
  'already-io2': 'it is io2 already',
  'target-below-documented': 'AWS documents no latency of EBS below the target',
  'instance-unknown': 'nothing shows whether its instance is on Nitro',
  'not-nitro': 'its instance is not on Nitro',
  outpost: 'an Outpost has no io2',
  'multi-attach': 'several instances use it',
  'size-or-rate-out-of-reach': 'no io2 of its size has what it does today',
};

type Slow = WordedFinding<'latency-above-target'>;

function problem({ evidence: { slowLatencyMsMedian: ms, targetLatencyMs: target } }: Slow): string {
  return ms === undefined || target === undefined
    ? 'Latency above its target, and no limit throttles it.'
    : `Latency of ${figure(ms)} ms, above its target of ${figure(target)} ms; no limit throttles it.`;
}

function shown({ evidence: { slowMinutesPeak24h: minutes, io2NotRecommendedReason: reason } }: Slow) {
  const slow = minutes === undefined ? null : `Above it for ${minutesText(minutes)} in the peak 24 h.`;
  const why = reason == null ? null : `io2 would not help: ${io2NotRecommendedWords[reason]}.`;
  const parts = [slow, why].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' ');
}

export const latencyWords: WordsOfKinds<'latency-above-target'> = {
  'latency-above-target': { problem, shown, basis: nothing },
};
