/** What costs more than it has to: nobody waits for it. */
import { figure, usdText } from '../../core/figures.ts';
import {
  instanceText,
  type KindWords,
  nothing,
  overDays,
  type WordedFinding,
  type WordsOfKinds,
} from './facts.ts';
import { limitText, rateText } from './words.ts';

type SavingKind = 'over-provisioned' | 'cheaper-type' | 'cheaper-stripe' | 'schedule-iops';

/** The peak that a saving is sized for. */
function peakText(finding: WordedFinding<SavingKind>): string {
  const { peakIops: iops, peakMiBps: mibps } = finding.evidence;
  if (iops == null || mibps == null) return 'Based on its configuration, not on its load.';
  const peak = `${rateText(Math.round(iops), 'IOPS')}, ${rateText(mibps, 'MiB/s')}`;
  return `Peak${overDays(finding)}: ${peak}.`;
}

function basisOfSaving({ confidence }: WordedFinding<SavingKind>): string | null {
  if (confidence === 'low') return 'averages over more than a minute hide bursts';
  return confidence === 'medium' ? 'less than a week of metrics' : null;
}

const saving = (problem: string): KindWords<SavingKind> => ({
  problem: () => problem,
  shown: peakText,
  basis: basisOfSaving,
});

function costText({ evidence }: WordedFinding<'idle' | 'unattached'>): string | null {
  const { monthlyUsd, isOnOutpost = false } = evidence;
  if (monthlyUsd == null) return null;
  const region = isOnOutpost ? " at the Region's price; an Outpost is billed by its rack" : '';
  return `Costs ${usdText(monthlyUsd)} a month${region}.`;
}

type Unreachable = WordedFinding<'unreachable-performance'>;

function unreachable({ limit, evidence }: Unreachable): string {
  const has = limit?.unit === 'MiB/s' ? evidence.provisionedMiBps : evidence.provisionedIops;
  if (limit === null || has === undefined)
    return 'Its volumes are provisioned above the limit of the instance.';
  return `Its volumes have ${rateText(has, limit.unit)} together; ${instanceText(evidence)} is limited to its ${limitText(limit)}.`;
}

function excessText({ evidence: { excessMonthlyUsd: usd } }: Unreachable): string | null {
  return usd === undefined ? null : `What exceeds it costs ${usdText(usd)} a month.`;
}

function idle({ evidence: { operations, knownHours } }: WordedFinding<'idle'>): string {
  return operations == null || knownHours === undefined
    ? 'Attached and idle.'
    : `Attached and idle: ${figure(operations, 0)} operations in ${figure(knownHours, 0)} h.`;
}

export const costWords: WordsOfKinds<SavingKind | 'unreachable-performance' | 'idle' | 'unattached'> = {
  'over-provisioned': saving('Over-provisioned: it has more than its load uses.'),
  'cheaper-type': saving('Another volume type serves its load for less.'),
  'cheaper-stripe': saving('A stripe serves its load for less.'),
  'schedule-iops': saving('High IOPS or throughput are needed in a few hours only.'),
  'unreachable-performance': { problem: unreachable, shown: excessText, basis: nothing },
  idle: { problem: idle, shown: costText, basis: nothing },
  unattached: { problem: () => 'Attached to no instance.', shown: costText, basis: nothing },
};
