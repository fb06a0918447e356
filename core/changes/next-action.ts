/**
 * What is next of a change, from what is written of it and what is seen: pure, so that every order of events can be tried. One
 * rule holds everywhere: that ModifyVolume is asked for is written before it is called, and what is written so is never called
 * again, whatever came of the call. EC2 has no client token for it.
 */

import type {
  ChangeEnd,
  Comparison,
  Modification,
  NotifiedStep,
  Outcome,
  VolumeChange,
  VolumeSettings,
} from '../schemas/volume-change.ts';
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../units.ts';
import { isReduction, isSame, settingsOfUndo } from './plan.ts';
import { secondsToVerify } from './verify.ts';

/** Modifications of a volume in a rolling day. Source: EC2 API, ModifyVolume. */
const slotsPerDay = 4;
/** A change starts with room for itself and its undo. */
const slotsToStart = 2;
export const approvalSeconds = 72 * secondsPerHour;
/** So long a call of unknown outcome is looked for. */
const lookSeconds = 10 * secondsPerMinute;
/** What found no window, slot or room in so long, or could not be read for so long, ends: what it rests on is old. */
const mostSeconds = 7 * secondsPerDay;
/** Minutes that cannot be read so long after all are there will not come. */
const compareSeconds = 2 * secondsPerDay;

const pollSeconds = secondsPerMinute;
const mostPollSeconds = 15 * secondsPerMinute;
/** Of what passed since it began to wait: a state machine has 25,000 events, and a modification may take more than a day. */
const pollShare = 1 / 20;

const pollAfter = (sinceSeconds: number, nowSeconds: number): number =>
  Math.min(mostPollSeconds, Math.max(pollSeconds, Math.floor((nowSeconds - sinceSeconds) * pollShare)));

/** The latest modification of a volume, as DescribeVolumesModifications says it; times by the clock of EC2. */
export interface SeenModification {
  startSeconds: number;
  state: 'modifying' | 'optimizing' | 'completed' | 'failed';
  target: VolumeSettings;
  endSeconds: number | null;
}

/** What was seen just now. Unknown is said: nothing starts on it. */
export interface Seen {
  volume: VolumeSettings | 'gone' | 'unknown';
  /** Null: EC2 knows none. It says the latest alone. */
  latest: SeenModification | null | 'unknown';
  /** Modifications of this change: start times by the clock of EC2. */
  ownStartsSeconds: readonly number[];
  /** Whether somebody else describes the volume, or forbids its change. */
  isOurs: boolean;
  killSwitch: 'off' | 'on' | 'unknown';
  /** By windows, ceilings and how many run: null where it may begin now, else when to look again. */
  waitSeconds: number | null;
  /** What the comparison says by now; null: too early. */
  outcome: Outcome | null;
  /** By which it says so; null: nothing was compared. */
  comparison: Comparison | null;
  /** Whether no other change has the volume. */
  isHolder: boolean;
  /** Of a reduction: whether there are minutes before it to compare with. */
  hasHistory: boolean;
  /** More throttled minutes than in the same hours before, of a reduction, by monitoring. */
  hurts: boolean;
}

export type Action =
  /** Nothing to do by now: look again after so many seconds. */
  | { do: 'wait'; seconds: number }
  | { do: 'write'; change: VolumeChange }
  /** Write the change, and only where that was written first: call ModifyVolume with the settings, once. */
  | { do: 'modify'; change: VolumeChange; settings: VolumeSettings };

const ended = (change: VolumeChange, end: ChangeEnd, nowSeconds: number): Action => ({
  do: 'write',
  change: { ...change, end, endedSeconds: nowSeconds },
});

/** Null where the history is not known: of modifications that others made EC2 shows the latest alone. */
function slotsFree(
  { latest, ownStartsSeconds }: Pick<Seen, 'latest' | 'ownStartsSeconds'>,
  nowSeconds: number,
): number | null {
  if (latest === 'unknown') return null;
  const isRecent = (start: number): boolean => start > nowSeconds - secondsPerDay;
  const own = ownStartsSeconds.filter(isRecent);
  if (latest === null || !isRecent(latest.startSeconds)) return slotsPerDay - own.length;
  // What others began may be the fourth of theirs.
  return own.includes(latest.startSeconds) ? slotsPerDay - own.length : null;
}

const isUnderWay = (latest: Seen['latest']): boolean =>
  latest !== null && latest !== 'unknown' && (latest.state === 'modifying' || latest.state === 'optimizing');

const latestStart = (latest: Seen['latest']): number | null =>
  latest === null || latest === 'unknown' ? null : latest.startSeconds;

/** The modification that was asked for: newer by EC2's own clock than what it knew before, and with these settings. */
function ourModification(
  { lastStartSeconds, startSeconds: known }: Modification,
  settings: VolumeSettings,
  latest: Seen['latest'],
): SeenModification | null {
  if (latest === null || latest === 'unknown') return null;
  if (known !== null) return latest.startSeconds === known ? latest : null;
  const isNewer = lastStartSeconds === null || latest.startSeconds > lastStartSeconds;
  return isNewer && isSame(latest.target, settings) ? latest : null;
}

/** What is next of a call that was asked for; null: it is completed. */
function follow(
  modification: Modification,
  settings: VolumeSettings,
  { latest, volume }: Seen,
  nowSeconds: number,
): { write: Modification } | { end: 'failed' | 'refused' | 'not-seen' | 'gone' } | { wait: number } | null {
  if (modification.completedSeconds !== null) return null;
  if (modification.refusal !== null) return { end: 'refused' };
  if (volume === 'gone') return { end: 'gone' };
  const wait = pollAfter(modification.askedSeconds, nowSeconds);
  const ours = ourModification(modification, settings, latest);
  if (ours === null) {
    if (latest === 'unknown')
      return nowSeconds - modification.askedSeconds > mostSeconds ? { end: 'not-seen' } : { wait };
    // Somebody modified it since: then ours was completed before, or it could not have begun.
    if (modification.startSeconds !== null)
      return { write: { ...modification, completedSeconds: nowSeconds } };
    return nowSeconds - modification.askedSeconds >= lookSeconds
      ? { end: 'not-seen' }
      : { wait: pollSeconds };
  }
  if (ours.state === 'failed') return { end: 'failed' };
  if (ours.state === 'completed')
    return {
      write: {
        ...modification,
        startSeconds: ours.startSeconds,
        completedSeconds: ours.endSeconds ?? nowSeconds,
      },
    };
  return modification.startSeconds === null
    ? { write: { ...modification, startSeconds: ours.startSeconds } }
    : { wait };
}

/** @param lastStartSeconds of the modification that EC2 knew before, by its clock */
export const askedAt = (nowSeconds: number, lastStartSeconds: number | null): Modification => ({
  ...{ askedSeconds: nowSeconds, lastStartSeconds },
  ...{ startSeconds: null, completedSeconds: null, refusal: null },
});

/** Of a change that is approved: whether it may begin. */
function toMake(change: VolumeChange, seen: Seen, approvedSeconds: number, nowSeconds: number): Action {
  const { from, to } = change.plan;
  const notMade = (reason: Extract<ChangeEnd, { code: 'not-made' }>['reason']): Action =>
    ended(change, { code: 'not-made', reason }, nowSeconds);
  if (seen.volume === 'gone') return notMade('volume-gone');
  if (seen.volume !== 'unknown' && !isSame(seen.volume, from)) return notMade('volume-changed');
  if (!seen.isHolder) return notMade('another-change');
  if (!seen.isOurs) return notMade('not-ours');
  if (nowSeconds - approvedSeconds > mostSeconds) return notMade('too-late');
  const isKnown = seen.volume !== 'unknown' && seen.killSwitch !== 'unknown';
  const free = slotsFree(seen, nowSeconds);
  if (!isKnown || seen.killSwitch === 'on' || isUnderWay(seen.latest) || free === null || free < slotsToStart)
    return { do: 'wait', seconds: pollAfter(approvedSeconds, nowSeconds) };
  if (seen.waitSeconds !== null)
    return { do: 'wait', seconds: Math.max(seen.waitSeconds, pollAfter(approvedSeconds, nowSeconds)) };
  // Nobody could see that it hurts.
  if (!seen.hasHistory) return notMade('too-little-history');
  return {
    do: 'modify',
    settings: to,
    change: { ...change, made: askedAt(nowSeconds, latestStart(seen.latest)) },
  };
}

/** A reduction that hurts is undone by itself, what a person asks for too; the size stays. */
function toUndo(change: VolumeChange, seen: Seen, nowSeconds: number): Action {
  const settings = settingsOfUndo(change.plan);
  const notMade = (reason: Extract<ChangeEnd, { code: 'undo-not-made' }>['reason']): Action =>
    ended(change, { code: 'undo-not-made', reason }, nowSeconds);
  if (seen.volume === 'gone') return notMade('volume-gone');
  if (seen.volume !== 'unknown' && !isSame(seen.volume, change.plan.to)) return notMade('volume-changed');
  if (nowSeconds - (change.undoAskedSeconds ?? nowSeconds) > mostSeconds) return notMade('too-late');
  const free = slotsFree(seen, nowSeconds);
  if (
    seen.volume === 'unknown' ||
    isUnderWay(seen.latest) ||
    free === null ||
    free < 1 ||
    seen.killSwitch !== 'off'
  )
    return { do: 'wait', seconds: 5 * pollSeconds };
  return {
    do: 'modify',
    settings,
    change: { ...change, undo: askedAt(nowSeconds, latestStart(seen.latest)) },
  };
}

/** What must be known for what is next. */
export type Phase = 'approval' | 'start' | 'follow' | 'verify' | 'undo' | 'ended';

export function phaseOf(
  { end, made, undo, undoAskedBy, approvals }: VolumeChange,
  approvalsNeeded: number,
): Phase {
  if (end !== null) return 'ended';
  if (made === null) return approvals.length < approvalsNeeded ? 'approval' : 'start';
  if (made.completedSeconds === null || undo !== null) return 'follow';
  return undoAskedBy === null ? 'verify' : 'undo';
}

/** What people must hear of it and did not yet. */
export function toNotify({ end, made, undoAskedBy, notified }: VolumeChange): NotifiedStep[] {
  const steps: [NotifiedStep, boolean][] = [
    ['proposed', true],
    ['made', made !== null && made.startSeconds !== null],
    ['undo-asked', undoAskedBy !== null],
    ['ended', end !== null],
  ];
  return steps.flatMap(([step, isDue]) => (isDue && !notified.includes(step) ? [step] : []));
}

const reasonOf = {
  gone: 'volume-gone',
  failed: 'modification-failed',
  refused: 'refused-by-ec2',
  'not-seen': 'outcome-unknown',
} as const;

/** What EC2 answered to ModifyVolume, where the client sends it once and never again by itself. */
export type Answer =
  /** It begins: DescribeVolumesModifications says when. */
  | { code: 'begun' }
  /** EC2 says that it does not begin. */
  | { code: 'refused'; error: string }
  /** EC2 says so too, for its rate alone: the same call may be made later. */
  | { code: 'throttled' }
  /** No answer, or one that says neither. */
  | { code: 'unknown' };

/** What is written after the call. Nothing where the answer says nothing: EC2 is asked what it knows. */
export function afterCall(change: VolumeChange, answer: Answer): VolumeChange {
  const key = change.undo === null ? 'made' : 'undo';
  const modification = change[key];
  if (modification === null) return change;
  if (answer.code === 'throttled') return { ...change, [key]: null };
  if (answer.code === 'refused') return { ...change, [key]: { ...modification, refusal: answer.error } };
  return change;
}

/** @param approvalsNeeded by different people. */
export function nextAction(
  change: VolumeChange,
  seen: Seen,
  { nowSeconds, approvalsNeeded }: { nowSeconds: number; approvalsNeeded: number },
): Action | null {
  if (change.end !== null) return null;
  const { plan, approvals, made, undo } = change;
  if (made === null) {
    if (approvals.length >= approvalsNeeded)
      return toMake(change, seen, approvals.at(-1)?.atSeconds ?? change.proposedSeconds, nowSeconds);
    return nowSeconds - change.proposedSeconds > approvalSeconds
      ? ended(change, { code: 'not-made', reason: 'approval-expired' }, nowSeconds)
      : { do: 'wait', seconds: pollSeconds };
  }
  const { comparison } = seen;
  const undoAsked: Action = {
    do: 'write',
    change: { ...change, comparison, undoAskedBy: 'monitoring', undoAskedSeconds: nowSeconds },
  };
  const step = follow(made, plan.to, seen, nowSeconds);
  if (step !== null) {
    // New limits may hold while EC2 still optimizes: it is undone as soon as EC2 has completed.
    if ('wait' in step)
      return seen.hurts && change.undoAskedBy === null ? undoAsked : { do: 'wait', seconds: step.wait };
    if ('write' in step) return { do: 'write', change: { ...change, made: step.write } };
    if (step.end === 'failed') return ended(change, { code: 'modification-failed' }, nowSeconds);
    const reason = reasonOf[step.end];
    return ended(change, { code: 'not-made', reason }, nowSeconds);
  }
  if (undo !== null) {
    const back = follow(undo, settingsOfUndo(plan), seen, nowSeconds);
    if (back === null) return ended(change, { code: 'undone' }, nowSeconds);
    if ('wait' in back) return { do: 'wait', seconds: back.wait };
    if ('write' in back) return { do: 'write', change: { ...change, undo: back.write } };
    return ended(change, { code: 'undo-not-made', reason: reasonOf[back.end] }, nowSeconds);
  }
  if (change.undoAskedBy !== null) return toUndo(change, seen, nowSeconds);
  if (seen.volume === 'gone') return ended(change, { code: 'volume-gone' }, nowSeconds);
  if (seen.hurts) return undoAsked;
  if (seen.outcome !== null)
    return ended({ ...change, comparison }, { code: 'kept', outcome: seen.outcome }, nowSeconds);
  const verifiedSeconds = (made.completedSeconds ?? nowSeconds) + secondsToVerify(isReduction(plan));
  if (nowSeconds > verifiedSeconds + compareSeconds)
    return ended(change, { code: 'kept', outcome: 'not-comparable' }, nowSeconds);
  return { do: 'wait', seconds: mostPollSeconds };
}
