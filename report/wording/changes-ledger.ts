/** The ledger of changes: its totals in lines, and each change as a row. */
import { minutesADay, realisedMonthlyUsd, realisedUsd } from '../../core/changes/ledger.ts';
import { figure, usdText } from '../../core/figures.ts';
import type { ChangesList } from '../../core/schemas/changes-answers.ts';
import type { ChangeEnd, notMadeReasons, Outcome, VolumeChange } from '../../core/schemas/volume-change.ts';
import { utcText } from '../../core/units.ts';
import { personText, settingsText, volumeNamed } from './changes.ts';
import { counted, shortText, usdDeltaText, type WordsByCode, wordsOf } from './words.ts';

const notMadeWords: Readonly<Record<(typeof notMadeReasons)[number], string>> = {
  rejected: 'rejected',
  'approval-expired': 'nobody approved',
  'volume-gone': 'volume is gone',
  'volume-changed': 'volume was changed meanwhile',
  'not-ours': 'has an owner',
  'refused-by-ec2': 'EC2 refused',
  'modification-failed': 'modification failed',
  'outcome-unknown': 'outcome unknown',
  'too-late': 'waited for 7 days',
  'another-change': 'another change has the volume',
  'too-little-history': 'nothing to compare with',
};

const outcomeWords: Readonly<Record<Outcome, string>> = {
  better: 'kept: better',
  same: 'kept: the same',
  worse: 'kept, but worse',
  'not-comparable': 'kept: not comparable',
};

const endWords: WordsByCode<ChangeEnd> = {
  'not-made': ({ reason }) => `not made: ${notMadeWords[reason]}`,
  'modification-failed': () => 'modification failed',
  kept: ({ outcome }) => outcomeWords[outcome],
  undone: () => 'undone',
  'volume-gone': () => 'volume is gone',
  'undo-not-made': ({ reason }) => `undo not made: ${notMadeWords[reason]}`,
};

/** How far it is, in two or three words. */
export function stateText({ end, made, undo, undoAskedBy, approvals }: VolumeChange, needed: number): string {
  if (end !== null) return wordsOf<ChangeEnd>(endWords, end);
  if (undo !== null) return 'being undone';
  if (undoAskedBy !== null) return 'to undo';
  if (made === null) return approvals.length < needed ? 'to approve' : 'approved, not begun';
  return made.completedSeconds === null ? 'being modified' : 'being verified';
}

/** "role dba of 111122223333 (ann)" for an ARN; others as they are called everywhere. */
function personInShort(by: string, session: string | null): string {
  const [, account, role] = /^arn:[^:]+:iam::(\d{12}):role\/(.+)$/.exec(by) ?? [];
  if (account === undefined || role === undefined) return personText(by);
  const who = session === null ? '' : ` (${shortText(session, 40)})`;
  return `role ${shortText(role, 64)} of ${account}${who}`;
}

export interface LedgerRow {
  id: string;
  volume: string;
  account: string;
  region: string;
  from: string;
  to: string;
  requested: string;
  approved: string | null;
  /** The last that happened of it. */
  when: string;
  state: string;
  minutesBefore: string | null;
  minutesAfter: string | null;
  claimed: string | null;
  /** Ended, and the claim is not what the bill differs by. */
  isOnlyClaimed: boolean;
  realised: string | null;
}

const orNull = (value: number | null | undefined, text: (value: number) => string): string | null =>
  value == null ? null : text(value);
const signedUsd = (usd: number): string => `${usd > 0 ? '+' : ''}${usdText(usd)}`;
const wholeMinutes = (minutes: number): string => figure(minutes, 0);

const lastSeconds = ({ endedSeconds, undo, made, approvals, proposedSeconds }: VolumeChange): number =>
  endedSeconds ??
  undo?.askedSeconds ??
  made?.completedSeconds ??
  made?.askedSeconds ??
  approvals.at(-1)?.atSeconds ??
  proposedSeconds;

function rowOf(change: VolumeChange, needed: number, nowSeconds: number): LedgerRow {
  const { id, plan, requestedBy, approvals, comparison } = change;
  const minutes = comparison === null || comparison.minutes === 0 ? null : minutesADay(comparison);
  const approvers = new Set(approvals.map(({ by, session }) => personInShort(by, session)));
  return {
    id: shortText(id, 60),
    ...{ volume: volumeNamed(plan), account: shortText(plan.account, 30) },
    region: shortText(plan.region, 30),
    ...{ from: settingsText(plan.from), to: settingsText(plan.to) },
    requested: personInShort(requestedBy, null),
    approved: approvers.size === 0 ? null : [...approvers].join(' and '),
    when: utcText(lastSeconds(change)),
    state: stateText(change, needed),
    ...{
      minutesBefore: orNull(minutes?.before, wholeMinutes),
      minutesAfter: orNull(minutes?.after, wholeMinutes),
    },
    claimed: orNull(plan.monthlyUsdDelta, usdDeltaText),
    isOnlyClaimed: change.end !== null && realisedMonthlyUsd(change) !== plan.monthlyUsdDelta,
    realised: orNull(realisedUsd(change, nowSeconds), signedUsd),
  };
}

/** What is open first; of each the newest first. */
export const ledgerRows = ({
  changes,
  approvalsNeeded,
  nowSeconds,
}: Pick<ChangesList, 'changes' | 'approvalsNeeded' | 'nowSeconds'>): LedgerRow[] =>
  changes
    .toSorted((a, b) => Number(a.end !== null) - Number(b.end !== null) || lastSeconds(b) - lastSeconds(a))
    .map((change) => rowOf(change, approvalsNeeded, nowSeconds));

const unknownUsd = 'not known: a price is missing';

export interface LedgerLine {
  label: string;
  text: string;
}

/** The counts first. */
export function ledgerLines({ totals, realisedUsd: soFar, killSwitch }: ChangesList): LedgerLine[] {
  const { changes, open, kept, undone, undoNotMade, notMade } = totals;
  const before = totals.throttledMinutesADayBefore;
  const after = totals.throttledMinutesADayAfter;
  const acting = undoNotMade === 0 ? '' : `, ${figure(undoNotMade)} not undone: act now`;
  return [
    {
      label: 'Changes',
      text: `${counted(changes, 'change')}: ${figure(open)} open, ${figure(kept)} kept, ${figure(undone)} undone, ${figure(notMade)} not made${acting}.`,
    },
    {
      label: 'Claimed',
      text: `${orNull(totals.claimedMonthlyUsd, usdDeltaText) ?? unknownUsd}, of all that were made.`,
    },
    {
      label: 'Realised',
      text: `${orNull(totals.realisedMonthlyUsd, usdDeltaText) ?? unknownUsd}, of those that stand. Until now, of all changes, also the undone: ${orNull(soFar, signedUsd) ?? 'not known'}.`,
    },
    {
      label: 'Throttled',
      text:
        before === 0 && after === 0
          ? '0 minutes a day before and after, of what was compared and kept.'
          : `${wholeMinutes(after)} minutes a day instead of ${wholeMinutes(before)}, of what was compared and kept.`,
    },
    ...(killSwitch === 'stop'
      ? [
          {
            label: 'Stopped',
            text: 'Nothing begins and nothing is undone, until somebody lifts it: `stripewise changes go`.',
          },
        ]
      : []),
  ];
}
