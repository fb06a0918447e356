/** What is wrong with one volume beside others: the slow member of a stripe, the full EBS card, what is not initialized. */
import { figure } from '../../core/figures.ts';
import { atLimit, nothing, type WordedFinding, type WordsOfKinds } from './facts.ts';
import { minutesText } from './words.ts';

type Straggler = WordedFinding<'stripe-straggler'>;

function straggler({ evidence }: Straggler): string {
  const { medianLatencyMs: own, siblingsMedianLatencyMs: others, members } = evidence;
  const latency =
    own === undefined || others === undefined
      ? ''
      : `: ${figure(own)} ms an operation, its siblings ${figure(others)} ms`;
  return `Slow member of a stripe${members === undefined ? '' : ` of ${members.length}`}${latency}.`;
}

function slowText({ evidence: { slowMinutesPeak24h: minutes } }: Straggler): string | null {
  return minutes === undefined ? null : `Slow for ${minutesText(minutes)} in the peak 24 h.`;
}

function stripeBasis({ confidence, evidence }: Straggler): string | null {
  if (confidence === 'high') return null;
  return evidence.stripeConfidence === 'high'
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
