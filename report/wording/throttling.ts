/** What is throttled, limited to its baseline or stalled: by the volume itself, or by its instance. */
import { figure } from '../../core/figures.ts';
import type { AnyEvidence } from '../../core/schemas/finding.ts';
import type { FindingKind } from '../../core/schemas/finding-kinds.ts';
import { isoFromEpochSeconds, secondsPerMinute } from '../../core/units.ts';
import {
  atLimit,
  instanceText,
  type KindWords,
  nothing,
  type WordedFinding,
  type WordsOfKinds,
} from './facts.ts';
import { minutesText, rateText, timeText } from './words.ts';

const nothingFaster = 'Faster volumes change nothing.';

type VolumeKind = 'throttled-volume-iops' | 'throttled-volume-throughput';
type InstanceKind =
  | 'throttled-instance-iops'
  | 'throttled-instance-throughput'
  | 'instance-credits-exhausted';
type ThrottlingKind = VolumeKind | InstanceKind | 'credits-exhausted' | 'micro-burst' | 'stalled';
type CreditsKind = 'credits-exhausted' | 'credits-will-exhaust';

/** "Throttled 1,440 min in the peak 24 h (60 min in the peak hour)." */
function inPeak({ evidence }: WordedFinding<ThrottlingKind>, word: string): string | null {
  const { throttledMinutesPeak24h: day, throttledMinutesInPeakHour: hour } = evidence;
  if (day === undefined) return null;
  const ofHour = hour === undefined || hour === day ? '' : ` (${minutesText(hour)} in the peak hour)`;
  return `${word} ${minutesText(day)} in the peak 24 h${ofHour}.`;
}

const throttledInPeak = (finding: WordedFinding<ThrottlingKind>): string | null =>
  inPeak(finding, 'Throttled');

/** Its exceeded check, as it is called in CloudWatch; of what may be either, both. */
const checks: Partial<Record<FindingKind, string>> = {
  'throttled-volume-iops': 'VolumeIOPSExceededCheck',
  'throttled-volume-throughput': 'VolumeThroughputExceededCheck',
  'throttled-instance-iops': 'InstanceEBSIOPSExceededCheck',
  'throttled-instance-throughput': 'InstanceEBSThroughputExceededCheck',
};
const checkOf = (kind: FindingKind): string => checks[kind] ?? 'the exceeded checks of CloudWatch';

function basis({ confidence, kind }: WordedFinding): string {
  if (confidence === 'high') return checkOf(kind);
  return confidence === 'medium' ? 'its rate and its queue length' : 'its rate alone';
}

function byVolume(finding: WordedFinding<VolumeKind>): string {
  const { bindingLimit, limitIops: iops, limitMiBps: mibps } = finding.evidence;
  if (bindingLimit !== 'iops+throughput') return `Throttled at ${atLimit(finding)}.`;
  const both =
    iops == null || mibps == null
      ? 'its IOPS and its throughput'
      : `${rateText(iops, 'IOPS')} and ${rateText(mibps, 'MiB/s')}`;
  return `Throttled at ${both} together. Raising one alone changes nothing.`;
}

/** Of a look that has no figure of the balance it is known what it rests on all the same. */
function basisOfCredits(finding: WordedFinding<CreditsKind>): string {
  const { lowestBalancePercent, balancePercent, balanceBasis = 'metric' }: AnyEvidence = finding.evidence;
  const percent = lowestBalancePercent ?? balancePercent;
  if (percent == null) return finding.confidence === 'high' ? 'BurstBalance' : basis(finding);
  return balanceBasis === 'metric'
    ? `BurstBalance ${figure(percent, 1)} %`
    : 'credits simulated from a full bucket';
}

const volume: KindWords<VolumeKind> = { problem: byVolume, shown: throttledInPeak, basis };

function basisOfInstance({ confidence, kind }: WordedFinding<InstanceKind>): string {
  return confidence === 'high' ? checkOf(kind) : 'its volumes together reached the limit while I/O queued';
}

const instance: KindWords<InstanceKind> = {
  problem: (finding) =>
    `Throttled by ${instanceText(finding.evidence)} at ${atLimit(finding)}. ${nothingFaster}`,
  shown: throttledInPeak,
  basis: basisOfInstance,
};

const inMinutes = (seconds: number): string => `in ${figure(Math.floor(seconds / secondsPerMinute), 0)} min`;

/** By the clock, as metrics end before a message is read. */
const atTime = ({ evidenceWindow }: WordedFinding, seconds: number): string =>
  evidenceWindow === null
    ? ''
    : `, about ${timeText(isoFromEpochSeconds(Date.parse(evidenceWindow.end) / 1_000 + seconds))}`;

function willExhaust(finding: WordedFinding<'credits-will-exhaust'>): string {
  const { secondsToEmpty, secondsToEmptyAtLastMinute, balancePercent: percent } = finding.evidence;
  const when =
    secondsToEmpty === undefined ? 'soon' : `${inMinutes(secondsToEmpty)}${atTime(finding, secondsToEmpty)}`;
  const left = percent === undefined ? '' : ` (${figure(percent, 1)} % left)`;
  const sooner =
    secondsToEmptyAtLastMinute === undefined
      ? ''
      : ` At the rate of the last minute ${inMinutes(secondsToEmptyAtLastMinute)}.`;
  return `Burst credits run out ${when}${left}.${sooner} Then it is limited to ${atLimit(finding)}.`;
}

function microBurst(finding: WordedFinding<'micro-burst'>): string {
  const {
    burstSecondsMedian: seconds,
    burstRateMedianLow: low,
    burstRateMedianHigh: high,
    burstUnit = 'IOPS',
  } = finding.evidence;
  const text = `Micro-bursts reach ${atLimit(finding)}; averages hide them.`;
  if (seconds === undefined || low === undefined || high === undefined) return text;
  return `${text} Typically ${figure(seconds, 1)} s at ${figure(low, 0)} to ${rateText(Math.round(high), burstUnit)}.`;
}

export const throttlingWords: WordsOfKinds<ThrottlingKind | CreditsKind> = {
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
      `EBS burst credits of ${instanceText(finding.evidence)} exhausted: limited to ${atLimit(finding)}. ${nothingFaster}`,
    shown: throttledInPeak,
    basis: basisOfInstance,
  },
  'micro-burst': { problem: microBurst, shown: throttledInPeak, basis },
  stalled: {
    problem: () => 'Stalled I/O: operations did not complete.',
    shown: (finding) => inPeak(finding, 'Stalled'),
    basis: () => 'VolumeStalledIOCheck',
  },
};
