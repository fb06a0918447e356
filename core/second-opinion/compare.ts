/**
 * What this audit says of another service's recommendation for a volume: one label and one reason, the first of these that holds.
 *
 * 1. Nothing is said of it: `unseen` where the audit has a finding (detached, under 30 hours, stripe, instance limit, credits, its
 *    own limit, or merely nothing said), else both keep it. A volume without an evaluation is not comparable.
 * 2. Undated, or older than 48 h at the end of the window: not comparable. So is what was said of another configuration.
 * 3. A detached volume: both would delete it, or that it is detached is unseen.
 * 4. A window of the audit that has no hour in common with theirs: not comparable.
 * 5. `unsafe`: its first option has more throttled minutes than now by what is certain, averages of minutes and the demand at
 *    least; or it deletes what is used. A window that reaches further back than theirs proves that as well: what it was is what may
 *    come again. Where only the demand at most has more, nobody can say, but where its instance is what throttles it (6).
 *    Fewer GiB than the volume has: whether its data fits nobody can say.
 * 6. `unseen`: what is wrong stays with what it recommends, and it does not look at that.
 * 7. Money, which silence decides: only where the window of the audit covers theirs but for 48 h, as a peak may be in what was not
 *    read. `leaves-money`: this audit's configuration is as safe and costs at least `likeCostUsd` less, by our prices of both.
 */
import type { AuditWindow } from '../diagnosis/thresholds.ts';
import type { Known } from '../known.ts';
import type { OpinionConfiguration, OpinionLabel, OpinionReason } from '../schemas/second-opinion.ts';
import type { VolumeRecommendation } from '../schemas/volume-recommendation.ts';
import { epochSecondsOf, secondsPerDay, secondsPerHour } from '../units.ts';

/** Compute Optimizer refreshes daily: what is older was made by a load, or a configuration, that is over. */
const staleHours = 48;
/** Of EBS volumes. Source: Compute Optimizer user guide, "Metrics analyzed"; where the answer does not say it. */
const usualLookBackDays = 14;
/** What costs less than this more, USD a month, costs alike: both prices are rounded to cents. */
const likeCostUsd = 0.1;
/** So many more throttled minutes of the window are more: less is the rounding of a replay. */
const moreMinutes = 1;

/** What is wrong with a volume, as the audit found it, that such a service does not look at. */
export type Trouble = Extract<
  OpinionReason,
  { code: 'stripe' | 'instance-limit' | 'credits' | 'keeps-throttled' }
>;

/** What the audit recommends for the volume itself. */
export type OwnChoice = 'keep' | 'change' | 'delete';

/** Throttled minutes of the audit's window. */
export interface SimulatedMinutes {
  /** As measured, or as replayed with what it has, whichever is more. */
  now: number;
  /** With its first option: the demand at most, and what is certain of it. */
  option: { atMost: number; atLeast: number };
  /** It recommends a hard disk for I/O that nobody knows to be sequential: minutes by bytes are at least. */
  isOpen: boolean;
  /** With what the audit recommends; what is now where that is to keep it. */
  ours: number;
}

/** What the audit knows of a volume. */
export interface AuditedVolume {
  isDetached: boolean;
  /** As EC2 describes it; null: of a type that is not known here. */
  current: OpinionConfiguration | null;
  isEvaluated: boolean;
  /** Null: no figures. */
  window: AuditWindow | null;
  knownMinutes: number;
  activeMinutes: number;
  trouble: Trouble | null;
  choice: OwnChoice;
  /** The audit reports something of it. */
  hasFinding: boolean;
  /** Null: nothing is changed, or its load was not read. */
  simulated: SimulatedMinutes | null;
  /** USD a month. `theirs` is of their first option, of what it is now where they keep it, 0 where they delete it. */
  usd: Known<{ theirs: number; ours: number }, unknown>;
  /** What the audit recommends; null where it keeps or deletes the volume. */
  ours: OpinionConfiguration | null;
}

export interface Labelled {
  label: OpinionLabel;
  reason: OpinionReason;
}

const unseen = (reason: OpinionReason): Labelled => ({ label: 'unseen', reason });
const agree = (reason: OpinionReason): Labelled => ({ label: 'agree', reason });
const notComparable = (reason: OpinionReason): Labelled => ({ label: 'not-comparable', reason });

/** Equal where both say it. */
const sameFigure = (a: number | null, b: number | null): boolean => a === null || b === null || a === b;

export const isSameConfiguration = (a: OpinionConfiguration, b: OpinionConfiguration): boolean =>
  a.volumeType === b.volumeType &&
  a.sizeGiB === b.sizeGiB &&
  sameFigure(a.iops, b.iops) &&
  sameFigure(a.throughputMiBps, b.throughputMiBps);

/** It recommends what the volume is: that is to keep it. */
export function actionOn(
  { action, options: [first] }: VolumeRecommendation,
  current: OpinionConfiguration | null,
): VolumeRecommendation['action'] {
  if (action !== 'change') return action;
  if (first?.configuration == null || current === null) return action;
  return isSameConfiguration(first.configuration, current) ? 'keep' : 'change';
}

const hoursAttachedAtLeast = 30;

/** It needs 30 hours of metrics: a volume with fewer, in a window that is longer, cannot have had them. */
function underThirtyHours({ knownMinutes, window }: AuditedVolume): OpinionReason | null {
  const minutes = hoursAttachedAtLeast * 60;
  const windowMinutes = window === null ? 0 : (window.endEpochSeconds - window.startEpochSeconds) / 60;
  if (windowMinutes < minutes || knownMinutes >= minutes) return null;
  return { code: 'under-30-hours', hours: Math.round(knownMinutes / 6) / 10 };
}

/** Nothing is said of it. */
function withoutRecommendation(audited: AuditedVolume): Labelled {
  if (audited.isDetached) return unseen({ code: 'detached' });
  if (!audited.isEvaluated) return notComparable({ code: 'not-evaluated' });
  if (!audited.hasFinding) return agree({ code: 'both-keep' });
  return unseen(underThirtyHours(audited) ?? audited.trouble ?? { code: 'no-recommendation' });
}

function staleness(
  { lastRefreshed }: VolumeRecommendation,
  window: AuditWindow | null,
): OpinionReason | null {
  if (lastRefreshed === null) return { code: 'undated' };
  if (window === null) return null;
  const hours = (window.endEpochSeconds - epochSecondsOf(lastRefreshed)) / secondsPerHour;
  return hours > staleHours ? { code: 'stale', lastRefreshed, hours: Math.round(hours) } : null;
}

interface Overlap {
  /** An hour in common. */
  any: boolean;
  /** Theirs but for 48 h. */
  whole: boolean;
  reason: OpinionReason;
}

function overlapOf({ lastRefreshed, lookBackDays }: VolumeRecommendation, window: AuditWindow): Overlap {
  const days = lookBackDays ?? usualLookBackDays;
  const { startEpochSeconds, endEpochSeconds } = window;
  const end = epochSecondsOf(lastRefreshed ?? '');
  const start = end - days * secondsPerDay;
  const seconds = Math.min(end, endEpochSeconds) - Math.max(start, startEpochSeconds);
  const auditDays = Math.round((10 * (endEpochSeconds - startEpochSeconds)) / secondsPerDay) / 10;
  return {
    any: seconds >= secondsPerHour,
    whole: seconds >= days * secondsPerDay - staleHours * secondsPerHour,
    reason: { code: 'other-window', days, auditDays },
  };
}

/** How harmful its first option is; null: it is not, as far as is known. */
function harmOf({ simulated, trouble }: AuditedVolume): Labelled | null {
  if (simulated === null) return null;
  const { now, option, isOpen } = simulated;
  const isMore = (minutes: number): boolean => minutes >= now + moreMinutes;
  if (isMore(option.atLeast)) {
    const reason = {
      ...{ code: 'throttled-if-followed' as const },
      ...{ throttledMinutesNow: now, throttledMinutes: option.atMost },
    };
    return { label: 'unsafe', reason };
  }
  const isOfInstance = trouble?.code === 'instance-limit';
  return (isMore(option.atMost) || isOpen) && !isOfInstance
    ? notComparable({ code: 'demand-unknown' })
    : null;
}

/** What is still wrong when its option is followed; null: nothing that this audit would put right. */
function troubleLeft({ trouble, simulated, ours }: AuditedVolume): Trouble | null {
  if (trouble === null || trouble.code === 'stripe' || trouble.code === 'instance-limit') return trouble;
  if (simulated === null) return null;
  const left = simulated.option.atMost;
  const isBetter = ours === null || left >= simulated.ours + moreMinutes;
  return left >= moreMinutes && isBetter ? { ...trouble, minutes: left } : null;
}

/** By what both cost. */
function byMoney(audited: AuditedVolume, action: VolumeRecommendation['action']): Labelled {
  const { usd, simulated, choice } = audited;
  const isKept = action === 'keep';
  if (isKept && choice === 'keep') return agree({ code: 'both-keep' });
  if (!usd.known) return notComparable({ code: 'price-unknown' });
  const difference = usd.value.theirs - usd.value.ours;
  if (Math.abs(difference) < likeCostUsd) return agree({ code: 'like-cost' });
  if (difference < 0) return agree({ code: isKept ? 'both-keep' : 'costs-less-than-ours' });
  const isSafe = simulated === null || simulated.ours < simulated.now + moreMinutes;
  if (!isSafe) return notComparable({ code: 'demand-unknown' });
  return {
    label: 'leaves-money',
    reason: { code: isKept ? 'keeps-what-can-cost-less' : 'more-than-needed' },
  };
}

function deleted({ choice, isEvaluated, activeMinutes }: AuditedVolume): Labelled {
  if (choice === 'delete') return agree({ code: 'both-delete' });
  if (!isEvaluated) return notComparable({ code: 'not-evaluated' });
  return activeMinutes > 0
    ? { label: 'unsafe', reason: { code: 'deletes-what-is-used', activeMinutes } }
    : agree({ code: 'both-delete' });
}

/** @param recommendation null: the source was asked, and says nothing of the volume. */
export function labelOf(audited: AuditedVolume, recommendation: VolumeRecommendation | null): Labelled {
  if (recommendation === null) return withoutRecommendation(audited);
  const { window, current } = audited;
  const old = staleness(recommendation, window);
  if (old !== null) return notComparable(old);
  if (
    recommendation.current !== null &&
    current !== null &&
    !isSameConfiguration(recommendation.current, current)
  )
    return notComparable({ code: 'configuration-changed' });
  const action = actionOn(recommendation, current);
  if (audited.isDetached) return action === 'delete' ? deleted(audited) : unseen({ code: 'detached' });
  if (!audited.isEvaluated || window === null) return notComparable({ code: 'not-evaluated' });
  const overlap = overlapOf(recommendation, window);
  if (!overlap.any) return notComparable(overlap.reason);
  if (action === 'delete') {
    const found = deleted(audited);
    return found.label === 'agree' && !overlap.whole ? notComparable(overlap.reason) : found;
  }
  if (action === 'change') {
    const [first] = recommendation.options;
    if (first?.configuration == null)
      return notComparable({ code: 'option-unknown', volumeType: first?.volumeType ?? '' });
    if (audited.simulated === null) return notComparable({ code: 'not-evaluated' });
    const harm = harmOf(audited);
    if (harm !== null) return harm;
    // What is stored on it no metric shows.
    if (current !== null && first.configuration.sizeGiB < current.sizeGiB)
      return notComparable({ code: 'smaller-size' });
    const left = troubleLeft(audited);
    if (left !== null) return unseen(left);
    if (audited.ours !== null && isSameConfiguration(first.configuration, audited.ours))
      return agree({ code: 'same-configuration' });
  } else if (audited.trouble !== null) return unseen(audited.trouble);
  return overlap.whole ? byMoney(audited, action) : notComparable(overlap.reason);
}
