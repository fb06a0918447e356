/** What costs more than it has to: nobody waits for it. */
import { figure, usdText } from '../../core/figures.ts';
import {
  instanceText,
  type KindWords,
  nothing,
  numberOf,
  overDays,
  type WordedFinding,
  type WordsOfKinds,
} from './facts.ts';
import { limitText, rateText } from './words.ts';

/** The peak that a saving is sized for. */
function peakText(finding: WordedFinding): string {
  const [iops, mibps] = [numberOf(finding, 'peakIops'), numberOf(finding, 'peakMiBps')];
  if (iops === null || mibps === null) return 'Based on its configuration, not on its load.';
  const peak = `${rateText(Math.round(iops), 'IOPS')}, ${rateText(mibps, 'MiB/s')}`;
  return `Peak${overDays(finding)}: ${peak}.`;
}

function basisOfSaving({ confidence }: WordedFinding): string | null {
  if (confidence === 'low') return 'averages over more than a minute hide bursts';
  return confidence === 'medium' ? 'less than a week of metrics' : null;
}

const saving = (problem: string): KindWords => ({
  problem: () => problem,
  shown: peakText,
  basis: basisOfSaving,
});

function costText(finding: WordedFinding): string | null {
  const usd = numberOf(finding, 'monthlyUsd');
  return usd === null ? null : `Costs ${usdText(usd)} a month.`;
}

function unreachable(finding: WordedFinding): string {
  const { limit } = finding;
  const has = numberOf(finding, limit?.unit === 'MiB/s' ? 'provisionedMiBps' : 'provisionedIops');
  if (limit === null || has === null) return 'Its volumes are provisioned above the limit of the instance.';
  return `Its volumes have ${rateText(has, limit.unit)} together; ${instanceText(finding)} is limited to its ${limitText(limit)}.`;
}

function excessText(finding: WordedFinding): string | null {
  const usd = numberOf(finding, 'excessMonthlyUsd');
  return usd === null ? null : `What exceeds it costs ${usdText(usd)} a month.`;
}

function idle(finding: WordedFinding): string {
  const [operations, hours] = [numberOf(finding, 'operations'), numberOf(finding, 'knownHours')];
  return operations === null || hours === null
    ? 'Attached and idle.'
    : `Attached and idle: ${figure(operations, 0)} operations in ${figure(hours, 0)} h.`;
}

export const costWords: WordsOfKinds<
  'over-provisioned' | 'unreachable-performance' | 'cheaper-type' | 'cheaper-stripe' | 'idle' | 'unattached'
> = {
  'over-provisioned': saving('Over-provisioned: it has more than its load uses.'),
  'cheaper-type': saving('Another volume type serves its load for less.'),
  'cheaper-stripe': saving('A stripe serves its load for less.'),
  'unreachable-performance': { problem: unreachable, shown: excessText, basis: nothing },
  idle: { problem: idle, shown: costText, basis: nothing },
  unattached: { problem: () => 'Attached to no instance.', shown: costText, basis: nothing },
};
