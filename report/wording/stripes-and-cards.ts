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

type Uninitialized = WordedFinding<'uninitialized'>;

/** "Reads took 42 ms, usual 1.2 ms; writes 1.1 ms. Slow for 35 min in the peak 24 h." */
function slowReadsText({ evidence }: Uninitialized): string | null {
  const { readLatencyMs: reads, usualReadLatencyMs: usual, writeLatencyMs: writes } = evidence;
  const { slowMinutesPeak24h: minutes, initializationRateMiBps: rate } = evidence;
  if (reads === undefined || usual === undefined || minutes === undefined) return null;
  const beside = writes == null ? '' : `; writes ${figure(writes, 1)} ms`;
  const at = rate == null ? '' : ` It was made with ${figure(rate, 0)} MiB/s of initialization.`;
  return `Reads took ${figure(reads, 1)} ms, usual ${figure(usual, 1)} ms${beside}. Slow for ${minutesText(minutes)} in the peak 24 h.${at}`;
}

function firstReadsBasis({ confidence, evidence }: Uninitialized): string | null {
  if (confidence === 'high') return null;
  return evidence.writeLatencyMs == null
    ? 'it hardly writes, so nothing compares'
    : 'reads have not become faster yet';
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
    shown: slowReadsText,
    basis: firstReadsBasis,
  },
};
