/** What is wrong with one volume beside others: the slow member of a stripe, the full EBS card, what is not initialized. */
import { figure } from '../../core/figures.ts';
import { atLimit, nothing, numberOf, textOf, type WordedFinding, type WordsOfKinds } from './facts.ts';
import { minutesText } from './words.ts';

export function countOf({ evidence }: WordedFinding, key: 'members' | 'membersConcerned'): number | null {
  const value = evidence[key];
  return Array.isArray(value) ? value.length : null;
}

function straggler(finding: WordedFinding): string {
  const own = numberOf(finding, 'medianLatencyMs');
  const others = numberOf(finding, 'siblingsMedianLatencyMs');
  const count = countOf(finding, 'members');
  const latency =
    own === null || others === null
      ? ''
      : `: ${figure(own)} ms an operation, its siblings ${figure(others)} ms`;
  return `Slow member of a stripe${count === null ? '' : ` of ${count}`}${latency}.`;
}

function slowText(finding: WordedFinding): string | null {
  const minutes = numberOf(finding, 'slowMinutesWorst24h');
  return minutes === null ? null : `Slow for ${minutesText(minutes)} in the peak 24 h.`;
}

function stripeBasis(finding: WordedFinding): string | null {
  if (finding.confidence === 'high') return null;
  return textOf(finding, 'stripeConfidence') === 'high'
    ? 'latency in part from the queue length'
    : 'as sure as it is that they are one stripe';
}

export const stripeAndCardWords: WordsOfKinds<'stripe-straggler' | 'ebs-card-imbalance' | 'uninitialized'> = {
  'stripe-straggler': { problem: straggler, shown: slowText, basis: stripeBasis },
  'ebs-card-imbalance': {
    problem: (finding) =>
      `EBS cards are unbalanced: one has more than ${atLimit(finding)}, another has room.`,
    shown: nothing,
    basis: nothing,
  },
  uninitialized: {
    problem: () => 'Not initialized: the first read of each block is slow.',
    shown: nothing,
    basis: nothing,
  },
};
