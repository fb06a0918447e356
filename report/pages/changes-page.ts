/** The ledger of changes as one file: what they came to, then each change. */
import type { ChangesList } from '../../core/schemas/changes-answers.ts';
import { utcText } from '../../core/units.ts';
import { type LedgerRow, ledgerLines, ledgerRows } from '../wording/changes-ledger.ts';
import { pageText, stillDocument } from './still-page.ts';

/** On a narrow screen a change is a block of lines, each with its label. */
const style = `
body{max-width:90rem}dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:1rem 0}dt{color:#56606c}dd{margin:0}
.ledger th,.ledger td{text-align:left;vertical-align:top;white-space:normal;padding:.4rem .6rem}.ledger .number{text-align:right;white-space:nowrap}
.ledger thead .number{white-space:normal;min-width:4.5rem}.ledger .id{overflow-wrap:anywhere;min-width:6.5rem}.ledger .change{min-width:15.5rem}.ledger thead th{color:#56606c;font-weight:600}.ledger small{display:block;color:#56606c;font-size:1em}
@media(max-width:60rem){.ledger,.ledger tbody,.ledger tr,.ledger th,.ledger td{display:block}.ledger thead{display:none}
.ledger tr{padding:.75rem 0;border-bottom:1px solid #dde2e8}.ledger th,.ledger td,.ledger .number{border:0;padding:.1rem 0;text-align:left;white-space:normal;overflow-wrap:anywhere}
.ledger td::before{content:attr(data-head) ": ";color:#56606c}.ledger small{display:inline}.ledger small::before{content:" "}}`;

interface Column {
  head: string;
  isNumber?: true;
  className?: 'change';
  /** The second line is smaller. Null: not known, or none. */
  of: (row: LedgerRow) => [string | null, string?];
}

const columns: readonly Column[] = [
  { head: 'State', of: ({ state, when }) => [state, `${when} UTC`] },
  { head: 'Volume', of: ({ volume, region, account }) => [volume, `${region}, ${account}`] },
  { head: 'Change', className: 'change', of: ({ from, to }) => [from, `-> ${to}`] },
  {
    head: 'Requested, approved',
    of: ({ requested, approved }) => [
      requested,
      approved === null ? 'not approved' : `approved by ${approved}`,
    ],
  },
  { head: 'Throttled min a day before', isNumber: true, of: ({ minutesBefore }) => [minutesBefore] },
  { head: 'Throttled min a day after', isNumber: true, of: ({ minutesAfter }) => [minutesAfter] },
  {
    head: 'USD claimed, realised',
    isNumber: true,
    of: ({ claimed, isOnlyClaimed, realised }) => [
      isOnlyClaimed && claimed !== null ? `claimed ${claimed}` : claimed,
      `${realised ?? 'not known'} until now`,
    ],
  },
];

function rowElement(row: LedgerRow): string {
  const cells = columns.map(({ head, isNumber, className, of }) => {
    const [first, second] = of(row);
    const more = second === undefined ? '' : `<small>${pageText(second)}</small>`;
    const names = isNumber ? 'number' : className;
    const kind = names === undefined ? '' : ` class="${names}"`;
    return `<td${kind} data-head="${pageText(head)}">${pageText(first ?? '-')}${more}</td>`;
  });
  return `<tr><th scope="row" class="id">${pageText(row.id)}</th>${cells.join('')}</tr>`;
}

export function changesPage(list: ChangesList): string {
  const rows = ledgerRows(list);
  const heads = columns.map(
    ({ head, isNumber }) => `<th scope="col"${isNumber ? ' class="number"' : ''}>${pageText(head)}</th>`,
  );
  const totals = ledgerLines(list).map(
    ({ label, text }) => `<dt>${pageText(label)}</dt><dd>${pageText(text)}</dd>`,
  );
  return stillDocument(
    'Changes of volumes - stripewise',
    [
      `<p>${pageText(`As of ${utcText(list.nowSeconds)} UTC.`)}</p>`,
      `<dl>${totals.join('')}</dl>`,
      ...(rows.length === 0
        ? []
        : [
            '<div class="wide" tabindex="0" role="region" aria-label="Changes">',
            `<table class="ledger"><thead><tr><th scope="col">Id</th>${heads.join('')}</tr></thead><tbody>`,
            ...rows.map(rowElement),
            '</tbody></table></div>',
          ]),
      `<p>${pageText('Claimed is what plans said, of a month. Realised is at on-demand prices of the day of the plan; - is not known, or not compared.')}</p>`,
    ],
    style,
  );
}
