/** What the table of a comparison shows of each volume, and what a spreadsheet gets. */
import {
  type OpinionLabel,
  opinionLabels,
  type SecondOpinion,
} from '../../../core/schemas/second-opinion.ts';
import { type AccountNames, calledIn } from '../../wording/accounts.ts';
import {
  configurationText,
  opinionLabelTexts,
  opinionReasonText,
  recommendedText,
  sourceNames,
} from '../../wording/second-opinion.ts';
import type { CsvCell } from '../shared/csv.ts';
import { minutes, notKnown, usdDelta } from '../shared/format.ts';
import type { Column } from '../shared/sortable-table.tsx';
import { Text } from '../shared/text.tsx';

export const labelTones: Readonly<Record<OpinionLabel, string>> = {
  ...{ unsafe: 'critical', 'leaves-money': 'warning', unseen: 'info', agree: 'good', 'not-comparable': '' },
};

function Unknown({ text = notKnown }: { text?: string }) {
  return <span class="unknown">{text}</span>;
}

const sourceColumn: Column<SecondOpinion> = {
  id: 'source',
  head: 'Service',
  by: ({ source }) => sourceNames[source],
  cell: ({ source }) => sourceNames[source],
};

/** @param names empty: there is one account, and nothing is said of it. */
export const opinionColumns = (
  names: AccountNames,
  isOfSeveral: boolean,
): readonly Column<SecondOpinion>[] => [
  {
    id: 'label',
    head: 'Label',
    by: ({ label }) => opinionLabels.indexOf(label),
    cell: ({ label }) => <span class={`badge ${labelTones[label]}`}>{opinionLabelTexts[label]}</span>,
  },
  {
    id: 'volume',
    head: 'Volume',
    isHead: true,
    className: 'wide',
    by: ({ volumeId }) => volumeId,
    cell: ({ volumeId, name, region, account }) => (
      <>
        <Text value={volumeId} most={60} />
        <div class="faint">
          {name === null ? null : (
            <>
              <Text value={name} most={48} />,{' '}
            </>
          )}
          <Text value={region} most={30} />
          {account === null || names.size === 0 ? null : (
            <>
              , <Text value={calledIn(names, account)} most={80} />
            </>
          )}
        </div>
      </>
    ),
  },
  ...(isOfSeveral ? [sourceColumn] : []),
  {
    id: 'recommended',
    head: 'It recommends',
    className: 'medium',
    by: (row) => (row.recommended === null ? null : recommendedText(row)),
    cell: (row) => (
      <>
        {recommendedText(row)}
        {row.current === null ? null : <div class="faint">now {configurationText(row.current, null)}</div>}
      </>
    ),
  },
  {
    id: 'reason',
    head: 'Why the label',
    className: 'because',
    by: ({ reason }) => reason.code,
    cell: (row) => <Text value={opinionReasonText(row)} />,
  },
  {
    id: 'minutes',
    head: 'Throttled if followed, at most',
    isNumber: true,
    firstDescending: true,
    by: ({ throttledMinutesIfFollowed }) => throttledMinutesIfFollowed,
    cell: ({ throttledMinutesIfFollowed }) =>
      throttledMinutesIfFollowed === null ? (
        <Unknown text="not simulated" />
      ) : (
        minutes(throttledMinutesIfFollowed)
      ),
  },
  {
    id: 'usd',
    head: 'USD a month',
    isNumber: true,
    firstDescending: true,
    by: ({ monthlyUsdDifference }) => monthlyUsdDifference,
    cell: ({ monthlyUsdDifference }) =>
      monthlyUsdDifference === null ? <Unknown /> : usdDelta(monthlyUsdDifference),
  },
];

const csvHead = [
  ...['volume', 'name', 'Region', 'account', 'service', 'label', 'reason', 'configured', 'recommended'],
  ...['USD a month if followed', 'throttled minutes if followed'],
];

export const opinionCsv = (rows: readonly SecondOpinion[]): [string[], CsvCell[][]] => [
  csvHead,
  rows.map((row) => [
    ...[row.volumeId, row.name, row.region, row.account, sourceNames[row.source]],
    ...[opinionLabelTexts[row.label], opinionReasonText(row)],
    row.current === null ? null : configurationText(row.current, null),
    row.recommended === null ? null : configurationText(row.recommended, null),
    ...[row.monthlyUsdDifference, row.throttledMinutesIfFollowed],
  ]),
];
