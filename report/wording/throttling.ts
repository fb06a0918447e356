/** What is throttled, limited to its baseline or stalled: by the volume itself, or by its instance. */
import { figure } from '../../core/figures.ts';
import { secondsPerMinute } from '../../core/units.ts';
import {
  atLimit,
  instanceText,
  type KindWords,
  nothing,
  numberOf,
  textOf,
  type WordedFinding,
  type WordsOfKinds,
} from './facts.ts';
import { minutesText, rateText, shortText } from './words.ts';

const nothingFaster = 'Faster volumes change nothing.';

/** "Throttled 1,440 min in the peak 24 h (60 min in the peak hour)." */
function inPeak(finding: WordedFinding, word: string): string | null {
  const day = numberOf(finding, 'heldBackMinutesWorst24h');
  const hour = numberOf(finding, 'heldBackMinutesInWorstHour');
  if (day === null) return null;
  const ofHour = hour === null || hour === day ? '' : ` (${minutesText(hour)} in the peak hour)`;
  return `${word} ${minutesText(day)} in the peak 24 h${ofHour}.`;
}

const throttledInPeak = (finding: WordedFinding): string | null => inPeak(finding, 'Throttled');

function balanceText(finding: WordedFinding): string | null {
  const percent = numberOf(finding, 'lowestBalancePercent') ?? numberOf(finding, 'balancePercent');
  if (percent === null) return null;
  return textOf(finding, 'balance')?.startsWith('modelled') === true
    ? 'credits simulated from a full bucket'
    : `BurstBalance ${figure(percent, 1)} %`;
}

function basis(finding: WordedFinding): string | null {
  const { confidence } = finding;
  const balance = balanceText(finding);
  if (balance !== null) return balance;
  if (confidence === 'high') return 'the exceeded check of CloudWatch';
  return confidence === 'medium' ? 'its rate and its queue' : 'its rate alone';
}

function byVolume(finding: WordedFinding): string {
  if (finding.evidence['bindingLimit'] !== 'iops+throughput') return `Throttled at ${atLimit(finding)}.`;
  const [iops, mibps] = [numberOf(finding, 'limitIops'), numberOf(finding, 'limitMiBps')];
  const both =
    iops === null || mibps === null
      ? 'its IOPS and its throughput'
      : `${rateText(iops, 'IOPS')} and ${rateText(mibps, 'MiB/s')}`;
  return `Throttled at ${both} together. Raising one alone changes nothing.`;
}

/** Of a look that has no figure of the balance it is known what it rests on all the same. */
const basisOfCredits = (finding: WordedFinding): string | null =>
  balanceText(finding) ?? (finding.confidence === 'high' ? 'BurstBalance' : basis(finding));

const volume: KindWords = { problem: byVolume, shown: throttledInPeak, basis };

function basisOfInstance({ confidence }: WordedFinding): string {
  return confidence === 'high'
    ? 'the exceeded check of CloudWatch'
    : 'the sum over its volumes, at its limit while they wait';
}

const instance: KindWords = {
  problem: (finding) => `Throttled by ${instanceText(finding)} at ${atLimit(finding)}. ${nothingFaster}`,
  shown: throttledInPeak,
  basis: basisOfInstance,
};

function willExhaust(finding: WordedFinding): string {
  const [seconds, percent] = [numberOf(finding, 'secondsToEmpty'), numberOf(finding, 'balancePercent')];
  const when = seconds === null ? 'soon' : `in ${figure(Math.floor(seconds / secondsPerMinute), 0)} min`;
  const left = percent === null ? '' : ` (${figure(percent, 1)} % left)`;
  return `Burst credits run out ${when}${left}. Then it is limited to ${atLimit(finding)}.`;
}

function microBurst(finding: WordedFinding): string {
  const [seconds, low, high] = ['burstSecondsMedian', 'burstRateMedianLow', 'burstRateMedianHigh'].map(
    (key) => numberOf(finding, key),
  );
  const text = `Micro-bursts reach ${atLimit(finding)}; averages hide them.`;
  if (seconds == null || low == null || high == null) return text;
  const unit = shortText(textOf(finding, 'burstUnit') ?? 'IOPS', 10);
  return `${text} Typically ${figure(seconds, 1)} s at ${figure(low, 0)} to ${rateText(Math.round(high), unit)}.`;
}

export const throttlingWords: WordsOfKinds<
  | 'throttled-volume-iops'
  | 'throttled-volume-throughput'
  | 'credits-exhausted'
  | 'credits-will-exhaust'
  | 'throttled-instance-iops'
  | 'throttled-instance-throughput'
  | 'instance-credits-exhausted'
  | 'micro-burst'
  | 'stalled'
> = {
  'throttled-volume-iops': volume,
  'throttled-volume-throughput': volume,
  'credits-exhausted': {
    problem: (finding) => `Burst credits exhausted: limited to ${atLimit(finding)}.`,
    shown: throttledInPeak,
    basis: basisOfCredits,
  },
  'credits-will-exhaust': { problem: willExhaust, shown: nothing, basis: basisOfCredits },
  'throttled-instance-iops': instance,
  'throttled-instance-throughput': instance,
  'instance-credits-exhausted': {
    problem: (finding) =>
      `EBS burst credits of ${instanceText(finding)} exhausted: limited to ${atLimit(finding)}. ${nothingFaster}`,
    shown: throttledInPeak,
    basis: basisOfInstance,
  },
  'micro-burst': { problem: microBurst, shown: throttledInPeak, basis },
  stalled: {
    problem: () => 'Stalled I/O: operations did not complete.',
    shown: (finding) => inPeak(finding, 'Stalled'),
    basis: () => 'the stalled check of CloudWatch',
  },
};
