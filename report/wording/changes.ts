/** What people read of a change of a volume: what it is, why, who decides until when, what came of it, and what to do. */

import type { Refusal } from '../../core/changes/decisions.ts';
import { approvalSeconds } from '../../core/changes/next-action.ts';
import { isFinal, isReduction, isSame, settingsOfUndo } from '../../core/changes/plan.ts';
import { secondsToVerify } from '../../core/changes/verify.ts';
import { figure } from '../../core/figures.ts';
import { isVolumeId } from '../../core/ids.ts';
import { regionOrPlaceholder } from '../../core/plan/step-commands.ts';
import type { ChangeRefused, proposalRefusals } from '../../core/schemas/changes-answers.ts';
import type { Digest } from '../../core/schemas/digest.ts';
import type {
  ChangeEnd,
  Comparison,
  NotifiedStep,
  notMadeReasons,
  Outcome,
  PlannedChange,
  VolumeChange,
  VolumeSettings,
} from '../../core/schemas/volume-change.ts';
import type { Owner } from '../../core/schemas/volume-owner.ts';
import { isoFromEpochSeconds, secondsPerDay, secondsPerHour } from '../../core/units.ts';
import {
  kindTitle,
  minutesText,
  rateText,
  shortText,
  timeText,
  usdDeltaText,
  type WordsByCode,
  wordsOf,
} from './words.ts';

export interface ChangeLine {
  label: string;
  text: string;
}

/** What a message says beside the change itself. */
interface Said {
  /** Absent: how far it is by now. */
  step?: NotifiedStep | undefined;
  approvalsNeeded?: number | undefined;
}

const at = (epochSeconds: number): string => timeText(isoFromEpochSeconds(epochSeconds));

/** "gp3, 500 GiB, 3,000 IOPS, 250 MiB/s". */
export const settingsText = ({ volumeType, sizeGiB, iops, throughputMiBps }: VolumeSettings): string =>
  [
    volumeType,
    rateText(sizeGiB, 'GiB'),
    ...(iops === null ? [] : [rateText(iops, 'IOPS')]),
    ...(throughputMiBps === null ? [] : [rateText(throughputMiBps, 'MiB/s')]),
  ].join(', ');

/** "orders (vol-0123)", or the id alone. */
export const volumeNamed = ({
  volumeId,
  volumeName,
}: Pick<PlannedChange, 'volumeId' | 'volumeName'>): string =>
  volumeName === undefined
    ? shortText(volumeId, 60)
    : `${shortText(volumeName, 30)} (${shortText(volumeId, 60)})`;

const volumeText = (plan: PlannedChange): string =>
  `${volumeNamed(plan)} in ${shortText(plan.region, 30)}, account ${shortText(plan.account, 30)}`;

/** "Throttled (finding 0123), planned on 2026-11-20." */
function whyText({ findingId, findingKind, plannedOn }: PlannedChange): string {
  const id = shortText(findingId, 40);
  const finding = findingKind === undefined ? `Finding ${id}` : `${kindTitle(findingKind)} (finding ${id})`;
  return `${finding}, planned on ${shortText(plannedOn, 10)}.`;
}

/** "Slack user U0123456789", "rule 1 of changes.automatic", "monitoring", or the role. */
export function personText(person: string): string {
  if (person.startsWith('slack:')) return `Slack user ${shortText(person.slice('slack:'.length), 40)}`;
  return person.startsWith('rule ')
    ? `${shortText(person, 20)} of changes.automatic`
    : shortText(person, 200);
}

const peopleText = (people: readonly string[]): string => people.map(personText).join(' and ');

/** The last step that people hear of it by now. */
export function stepNow({ end, undoAskedBy, made }: VolumeChange): NotifiedStep {
  if (end !== null) return 'ended';
  if (undoAskedBy !== null) return 'undo-asked';
  return made === null ? 'proposed' : 'made';
}

const outcomeTitles: Readonly<Record<Outcome, string>> = {
  better: 'Change kept: better than before',
  same: 'Change kept: the same as before',
  worse: 'Change kept, but worse than before',
  'not-comparable': 'Change kept: not comparable',
};

const endTitles: WordsByCode<ChangeEnd> = {
  'not-made': ({ reason }) => (reason === 'outcome-unknown' ? 'Change: outcome unknown' : 'Change not made'),
  'modification-failed': () => 'Change failed',
  kept: ({ outcome }) => outcomeTitles[outcome],
  undone: () => 'Change undone',
  'volume-gone': () => 'Change ended: volume is gone',
  'undo-not-made': () => 'Undo not made: act now',
};

function stepTitle({ end, approvals }: VolumeChange, step: NotifiedStep, needed: number): string {
  if (step === 'ended' && end !== null) return wordsOf<ChangeEnd>(endTitles, end);
  if (step === 'undo-asked') return 'Undo asked for';
  if (step === 'made') return 'Change begun';
  return approvals.length >= needed ? 'Change approved' : 'Change to approve';
}

/** "Change to approve: vol-0123 in us-east-1". */
export function changeTitle(change: VolumeChange, { step, approvalsNeeded = 1 }: Said = {}): string {
  const title = stepTitle(change, step ?? stepNow(change), approvalsNeeded);
  return `${title}: ${volumeNamed(change.plan)} in ${shortText(change.plan.region, 30)}`;
}

function effectText({ throttledMinutesBefore: before, throttledMinutesAfter: after }: PlannedChange): string {
  if (before === null || after === null) return 'Not known: metrics do not show the whole demand.';
  return before === 0 && after === 0
    ? 'No throttled minutes expected, as before.'
    : `${figure(after, 0)} throttled minutes expected instead of ${figure(before, 0)}.`;
}

function costText({ monthlyUsdDelta }: PlannedChange): string {
  if (monthlyUsdDelta === null) return 'Not known: the region catalog has no price of it.';
  return monthlyUsdDelta === 0 ? 'No change.' : `${usdDeltaText(monthlyUsdDelta)}, at on-demand prices.`;
}

/** Of what ended only where it stands. */
function costNow(change: VolumeChange, step: NotifiedStep): string | null {
  const { made, undo, plan } = change;
  const stands = made?.completedSeconds != null && undo?.completedSeconds == null;
  return step === 'ended' && !stands ? null : costText(plan);
}

const verifyText = (isLess: boolean): string => {
  const seconds = secondsToVerify(isLess);
  return seconds > secondsPerDay ? `${seconds / secondsPerDay} days` : `${seconds / secondsPerHour} hours`;
};

/** What is to be known of an undo before somebody approves, and while it is verified. */
function undoText(plan: PlannedChange): string {
  const waits = 'An undo waits until EC2 has completed the change: minutes, or more than a day.';
  return isReduction(plan)
    ? `It is undone by itself if it throttles more than in the same hours a week or two before. It is looked at every 15 minutes from when EC2 begins. Without figures of those hours only a person undoes it. ${waits}`
    : `Only a person undoes it, as it lowers nothing. ${waits}`;
}

const finalText = ({ from, to }: PlannedChange): string =>
  `Final: a volume never shrinks. From ${rateText(from.sizeGiB, 'GiB')} to ${rateText(to.sizeGiB, 'GiB')}; an undo leaves that.`;

function approvalText({ approvals, requestedBy, proposedSeconds }: VolumeChange, needed: number): string {
  const requested = `Requested by ${personText(requestedBy)}.`;
  const by = [...new Set(approvals.map((one) => one.by))];
  const has = by.length === 0 ? '' : ` Approved by ${peopleText(by)}.`;
  const missing = needed - approvals.length;
  if (missing <= 0) return `${requested}${has}`;
  const who =
    needed === 1
      ? 'One person of changes.approvers must approve'
      : `${figure(missing, 0)}${by.length === 0 ? '' : ' more'} of changes.approvers must approve; who requested it does not count`;
  const hours = approvalSeconds / secondsPerHour;
  return `${requested}${has} ${who}. Until ${at(proposedSeconds + approvalSeconds)}, ${hours} hours after the request.`;
}

const latencyText = (before: number | null, after: number | null): string =>
  before === null || after === null
    ? ''
    : ` Latency ${rateText(after, 'ms')} instead of ${rateText(before, 'ms')}.`;

/** By which it was kept or undone. */
function comparisonText({
  minutes,
  throttledBefore,
  throttledAfter,
  loadRatio,
  latencyMsBefore,
  latencyMsAfter,
}: Comparison): string {
  if (minutes === 0) return 'No minute after it has figures, and a partner of the same hour before it.';
  const load = loadRatio === null ? 'Load before: none.' : `Load ${figure(loadRatio)} times that before.`;
  return `Throttled ${minutesText(throttledAfter)} instead of ${minutesText(throttledBefore)}, of the same ${figure(minutes, 0)} before. ${load}${latencyText(latencyMsBefore, latencyMsAfter)}`;
}

type NotMade = (typeof notMadeReasons)[number];

/** Why a change was not made, and what to do. */
const notMadeTexts: Readonly<Record<NotMade, string>> = {
  rejected: 'It was rejected. Nothing was changed.',
  'approval-expired':
    'Nobody approved it in 72 hours. Nothing was changed. Request it again if it is still wanted.',
  'volume-gone': 'The volume is not there any more. There is nothing to do.',
  'volume-changed':
    'The volume is not what was approved: somebody changed it meanwhile. Nothing was changed here. Look at the finding again.',
  'not-ours':
    'Its tags now name an owner, or refuse changes. Nothing was changed. Change it where its owner describes it.',
  'refused-by-ec2': 'EC2 refused it. Nothing was changed. The refusal says why.',
  'modification-failed': 'EC2 began it and it failed. Look at the volume in the EC2 console.',
  'outcome-unknown':
    'ModifyVolume was called, and what came of it is not known: EC2 did not show it, or could not be asked. It is not called again. Look at the volume.',
  'too-late':
    'For 7 days it had no window, slot or room, or was stopped. Nothing was changed. Request it again if it is still wanted.',
  'another-change': 'Another change has the volume. Nothing was changed.',
  'too-little-history':
    'The archive has too few minutes of the last week, so that nobody could see whether it hurts. Nothing was changed. Request it again in a week.',
};

/** The same of an undo: the volume has what hurts it. */
const undoNotMadeTexts: Readonly<Record<NotMade, string>> = {
  rejected: 'The undo was rejected. The change stays.',
  'approval-expired': 'Nobody approved the undo. The change stays.',
  'volume-gone': 'The volume is not there any more. There is nothing to undo.',
  'volume-changed': 'Somebody changed the volume meanwhile. It is not touched again. Check its settings.',
  'not-ours': 'Its tags now name an owner, or refuse changes. Set the former settings there.',
  'refused-by-ec2': 'EC2 refused the undo. The change stays. Set the former settings by hand.',
  'modification-failed': 'EC2 began the undo and it failed. Look at the volume in the EC2 console.',
  'outcome-unknown':
    'ModifyVolume was called for the undo, and what came of it is not known: EC2 did not show it, or could not be asked. It is not called again. Look at the volume.',
  'too-late':
    'For 7 days the undo had no slot, or was stopped. The change stays. Set the former settings by hand.',
  'another-change': 'Another change has the volume. It is not touched again. Check its settings.',
  'too-little-history': 'There are too few minutes to compare with. The change stays.',
};

const outcomeTexts: Readonly<Record<Outcome, string>> = {
  better: 'It is better than before, and stays.',
  same: 'It is the same as before, and stays.',
  worse: 'It is worse than before, and stays until a person changes it back, or another change does.',
  'not-comparable':
    'It stays. The load changed by more than a third, or too few minutes have figures. Look at the volume.',
};

const endTexts: WordsByCode<ChangeEnd> = {
  'not-made': ({ reason }) => notMadeTexts[reason],
  'modification-failed': () => 'EC2 began it and it failed. Look at the volume in the EC2 console.',
  kept: ({ outcome }) => outcomeTexts[outcome],
  undone: () => 'It was undone: type, IOPS and throughput are as before.',
  'volume-gone': () => 'The volume was deleted while it was compared. There is nothing to do.',
  'undo-not-made': ({ reason }) => undoNotMadeTexts[reason],
};

/** How a change ended, and what to do now. */
export const endText = (end: ChangeEnd): string => wordsOf<ChangeEnd>(endTexts, end);

const staysText = ({ plan, end }: VolumeChange): string =>
  end?.code === 'undone' && isFinal(plan) ? ' The larger size stays.' : '';

/** Settings of before as a command, where a person may want them; null: nobody does, or the size alone differs. */
function backText({ plan, end }: VolumeChange): string | null {
  const isWanted =
    (end?.code === 'kept' && (end.outcome === 'worse' || end.outcome === 'not-comparable')) ||
    (end?.code === 'undo-not-made' && end.reason !== 'volume-gone');
  const settings = settingsOfUndo(plan);
  if (!isWanted || isSame(settings, plan.to)) return null;
  const { volumeType, iops, throughputMiBps } = settings;
  const command = [
    `aws ec2 modify-volume --region ${regionOrPlaceholder(plan.region)}`,
    `--volume-id ${isVolumeId(plan.volumeId) ? plan.volumeId : '<volume-id>'} --volume-type ${volumeType}`,
    ...(iops === null ? [] : [`--iops ${iops}`]),
    ...(throughputMiBps === null ? [] : [`--throughput ${throughputMiBps}`]),
  ].join(' ');
  return `\`${command}\`.${isFinal(plan) ? ' The larger size stays.' : ''}`;
}

const line = (label: string, text: string | null): ChangeLine[] => (text === null ? [] : [{ label, text }]);

const refusedByEc2 = ({ made, undo }: VolumeChange): string | null => {
  const refusal = undo?.refusal ?? made?.refusal;
  return refusal == null ? null : `${shortText(refusal, 100)}.`;
};

const askedBy = (undoAskedBy: string | null): string =>
  undoAskedBy === null || undoAskedBy === 'monitoring'
    ? 'Monitoring saw more throttled minutes than in the same hours before.'
    : `${personText(undoAskedBy)} asked for it.`;

function nextText(change: VolumeChange, step: NotifiedStep, needed: number): string | null {
  const { plan, made, approvals, id } = change;
  if (step === 'proposed')
    return approvals.length >= needed
      ? 'It begins as soon as its window, its limits and the modifications of the volume allow it.'
      : `Approve or reject it in Slack, or with \`stripewise changes approve ${shortText(id, 60)}\`.`;
  if (step === 'made')
    return made?.completedSeconds == null
      ? `EC2 modifies it: minutes, or more than a day. Then ${verifyText(isReduction(plan))} are compared with before.`
      : `It is compared with the same hours of the same weekday before, for ${verifyText(isReduction(plan))}.`;
  if (step === 'undo-asked')
    return made?.completedSeconds == null
      ? 'The undo waits until EC2 has completed the change: minutes, or more than a day.'
      : 'It is undone as soon as a modification of the volume is free: at most 4 in 24 hours.';
  return null;
}

/**
 * The lines of a change at a step. A label comes once; a line is there only when it has something to say.
 */
export function changeLines(change: VolumeChange, { step, approvalsNeeded = 1 }: Said = {}): ChangeLine[] {
  const { plan, end, comparison, undoAskedBy, endedBy } = change;
  const now = step ?? stepNow(change);
  const isOpen = now === 'proposed' || now === 'made';
  const compared = comparison === null ? null : comparisonText(comparison);
  return [
    ...line('Volume', `${volumeText(plan)}.`),
    ...line('Change', `${settingsText(plan.from)} -> ${settingsText(plan.to)}. Online, no downtime.`),
    ...line('Why', whyText(plan)),
    ...(isOpen ? line('Effect', effectText(plan)) : []),
    ...line('Cost', costNow(change, now)),
    ...line('Size', isFinal(plan) && (isOpen || undoAskedBy !== null) ? finalText(plan) : null),
    ...line('Approval', isOpen ? approvalText(change, approvalsNeeded) : null),
    ...(isOpen ? line('Undo', undoText(plan)) : []),
    ...(now === 'undo-asked'
      ? line('Undo', `To ${settingsText(settingsOfUndo(plan))}. ${askedBy(undoAskedBy)}`)
      : []),
    ...(now === 'proposed' ? [] : line('Compared', compared)),
    ...(now === 'ended' && end !== null
      ? [
          ...line(
            'Result',
            `${endText(end)}${staysText(change)}${endedBy === null ? '' : ` By ${personText(endedBy)}.`}`,
          ),
          ...line('Back', backText(change)),
          ...line('Refusal', refusedByEc2(change)),
        ]
      : []),
    ...line('Next', nextText(change, now, approvalsNeeded)),
  ];
}

const refusalTexts: Readonly<Record<Refusal | 'no-change', string>> = {
  'not-an-approver': 'You may not decide this: changes.approvers in stripewise.yaml names who may.',
  'other-plan': 'This is not the plan as it is now. Look at the change again, then approve that.',
  'approved-already':
    'It is approved already, by you or by as many as it needs. A role counts once, whoever is in it.',
  'is-requester': 'You asked for it, and two others must approve: changes.approvals is 2.',
  expired: 'It was not approved within 72 hours. Request it again if it is still wanted.',
  'begun-already': 'It has begun: undo it instead.',
  'not-begun': 'It has not begun: reject it instead.',
  'undo-asked-already': 'Its undo is asked for already.',
  ended: 'It has ended: nothing can be decided any more. For other settings request another change.',
  'no-change': 'There is no such change. `stripewise changes list` shows all.',
};

/** Why a decision is not obeyed; with the change also how far it is. */
export function refusalText(refusal: Refusal | 'no-change', change?: VolumeChange): string {
  const now = change?.end ?? null;
  return refusal === 'ended' && now !== null
    ? `${refusalTexts.ended} ${endText(now)}`
    : refusalTexts[refusal];
}

/** Why no change was proposed, as lambdas/propose-change says it. */
export type ProposalRefusal =
  | { refused: (typeof proposalRefusals)[number] }
  | { refused: 'owned'; owner: Owner; plan: PlannedChange }
  | { refused: 'has-a-change'; changeId: string };

/** Who describes the volume, so that it is not changed by hand. */
export function ownerText(owner: Owner): string {
  switch (owner.kind) {
    case 'nobody':
      return 'Nobody describes this volume elsewhere.';
    case 'cloudformation':
      return owner.isOfInstance
        ? 'CloudFormation describes this volume, by the block device mapping of its instance. A changed mapping replaces the instance.'
        : 'CloudFormation describes this volume. Change its template: the next update would undo a change by hand.';
    case 'eks':
      return 'Kubernetes describes this volume. Change it by a VolumeAttributesClass of its claim.';
    case 'launch-template':
      return `The volume is of an instance of ${shortText(owner.group, 100)}. The next instance has the old settings: change the launch template.`;
    case 'terraform':
      return 'Terraform describes this volume, as its tag says. Change its resource: the next apply would undo a change by hand.';
    case 'other':
      return `${shortText(owner.name, 60)} describes this volume, as its tag stripewise:owner says. Change it there.`;
    case 'service':
      return `An AWS service manages this volume${owner.principal === null ? '' : ` (${shortText(owner.principal, 100)})`}. EC2 refuses changes by others.`;
    case 'refused':
      return `The tag ${shortText(owner.tag, 100)} of the volume refuses changes.`;
  }
}

/** Why no change was proposed, and what to do. */
export function proposalRefusalText(refusal: ProposalRefusal): string {
  switch (refusal.refused) {
    case 'no-finding':
      return 'There is no such finding any more.';
    case 'no-online-change':
      return 'Nothing of this finding is an online change of one volume. Follow the steps of its recommendation.';
    case 'never-begins':
      return 'By changes.windows or changes.maxIncreaseUsdPerMonth it would never begin: no window is for the volume, or it costs more than the bound, or its price is not known.';
    case 'volume-gone':
      return 'The volume is not there any more.';
    case 'volume-changed':
      return 'The volume is not what the finding says: somebody changed it since. The next audit looks at it again.';
    case 'owned':
      return ownerText(refusal.owner);
    case 'has-a-change':
      return refusal.changeId === ''
        ? 'Another change of this volume is open. Wait until it has ended.'
        : `Change ${shortText(refusal.changeId, 60)} of this volume is open. Wait until it has ended.`;
  }
}

/** "Changes in the last 30 days: 3 kept, 1 undone." and what they came to. */
export function changesLine(changes: NonNullable<Digest['changes']>): string {
  const { days, kept, undone, notMade, undoNotMade = 0, realisedMonthlyUsd: usd } = changes;
  const { throttledMinutesADayBefore: before, throttledMinutesADayAfter: after } = changes;
  const counts = [
    `${figure(kept, 0)} kept`,
    `${figure(undone, 0)} undone`,
    ...(notMade === 0 ? [] : [`${figure(notMade, 0)} not made or failed`]),
    ...(undoNotMade === 0 ? [] : [`${figure(undoNotMade, 0)} not undone: act now`]),
  ];
  const realised = usd === null ? 'not known, as a price is missing' : usdDeltaText(usd);
  const throttled =
    before === 0 && after === 0
      ? ''
      : ` Throttled minutes a day of volumes that were compared: ${figure(before, 1)} before, ${figure(after, 1)} after.`;
  return `Changes in the last ${days} days: ${counts.join(', ')}. Realised: ${realised}.${throttled}`;
}

/** Why nothing was done of what somebody asked for. */
export function changeRefusedText(refused: ChangeRefused): string {
  switch (refused.refused) {
    case 'owned':
    case 'has-a-change':
      return proposalRefusalText(refused);
    case 'no-finding':
    case 'no-online-change':
    case 'never-begins':
    case 'volume-gone':
    case 'volume-changed':
      return proposalRefusalText({ refused: refused.refused });
    default:
      return refusalText(refused.refused);
  }
}
