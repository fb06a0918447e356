/** Changes of volumes, for a terminal. */
import type { ChangesList, ChangesSwitched } from '../../core/schemas/changes-answers.ts';
import type { VolumeChange } from '../../core/schemas/volume-change.ts';
import { type ChangeLine, changeLines, changeTitle } from '../wording/changes.ts';
import { type LedgerRow, ledgerLines, ledgerRows, stateText } from '../wording/changes-ledger.ts';
import { folded, hanging, plural, sanitize, whole, widthOf } from './text.ts';

const labelColumns = 13;
const maxIdCharacters = 60;

const labelled = (lines: readonly ChangeLine[], width: number): string[] =>
  lines.flatMap(({ label, text }) =>
    hanging(`  ${label.padEnd(labelColumns)}${text}`, width, labelColumns + 2),
  );

/** @param columns of the terminal; null: it is none. */
export function changeText(change: VolumeChange, approvalsNeeded: number, columns: number | null): string[] {
  const width = widthOf(columns);
  const isUndecided = change.end === null && change.made === null;
  return [
    `${sanitize(change.id, maxIdCharacters)}  ${changeTitle(change, { approvalsNeeded })}`,
    ...labelled(
      [
        { label: 'State', text: `${stateText(change, approvalsNeeded)}.` },
        ...changeLines(change, { approvalsNeeded }),
      ],
      width,
    ),
    ...(isUndecided ? labelled([{ label: 'Fingerprint', text: sanitize(change.fingerprint) }], width) : []),
  ];
}

/** Three lines: how far it is, what is changed, what came of it and by whom. */
function rowLines(row: LedgerRow, width: number): string[] {
  const { minutesBefore, minutesAfter, claimed, isOnlyClaimed, realised, requested, approved } = row;
  const minutes =
    minutesBefore === null || minutesAfter === null
      ? ''
      : ` Throttled minutes a day: ${minutesBefore} -> ${minutesAfter}.`;
  const usd = `${isOnlyClaimed && claimed !== null ? 'claimed ' : ''}${claimed ?? 'USD a month not known'}, ${realised ?? 'not known'} until now.`;
  const by = `Requested by ${requested}${approved === null ? '' : `, approved by ${approved}`}.`;
  return [
    `${row.id}  ${row.state}, ${row.when} UTC`,
    `    ${row.volume} in ${row.region}, account ${row.account}: ${row.from} -> ${row.to}`,
    `    ${usd}${minutes} ${by}`,
  ].flatMap((line) => folded(line, width));
}

const maxShown = 30;

export function changesText(list: ChangesList, columns: number | null): string[] {
  const rows = ledgerRows(list);
  const shown = rows.slice(0, maxShown);
  const left = rows.length - shown.length;
  const [first, ...lines] = ledgerLines(list);
  return [
    first?.text ?? '',
    ...(rows.length === 0 ? lines.filter(({ label }) => label === 'Stopped').map(({ text }) => text) : []),
    ...(rows.length === 0
      ? ['Ask for one by the id of a finding: `stripewise changes request FINDING-ID`.']
      : [...labelled(lines, widthOf(columns)), ...shown.flatMap((row) => rowLines(row, widthOf(columns)))]),
    ...(left > 0 ? [`... and ${plural(left, 'earlier change')} (--html and --json have them all)`] : []),
  ];
}

const maxIds = 10;

function idsText(ids: readonly string[]): string {
  const named = ids.slice(0, maxIds).map((id) => sanitize(id, maxIdCharacters));
  const more = ids.length > maxIds ? ` and ${whole(ids.length - maxIds)} more` : '';
  return `${named.join(', ')}${more}`;
}

/** What holds now, and what is still under way. */
export function switchedText({ killSwitch, underWay, waiting }: ChangesSwitched): string[] {
  if (underWay === null || waiting === null)
    return [
      killSwitch === 'stop'
        ? 'Stopped: nothing begins and nothing is undone. What is under way is not known: `stripewise changes list` says it.'
        : 'Changes may begin again. What waits is not known: `stripewise changes list` says it.',
    ];
  if (killSwitch === 'go')
    return [
      waiting.length === 0
        ? 'Changes may begin again. None waits.'
        : `Changes may begin again. ${plural(waiting.length, 'change is', 'changes are')} open: ${idsText(waiting)}.`,
    ];
  return [
    'Stopped: nothing begins and nothing is undone, until `stripewise changes go`.',
    underWay.length === 0
      ? 'No modification is under way.'
      : `EC2 finishes what began: ${plural(underWay.length, 'modification')}, of ${idsText(underWay)}. Nobody can stop that.`,
  ];
}
