/** What the table of volumes shows of each, and what a spreadsheet gets. */
import { type Cause, causes } from '../../../core/diagnosis/causes.ts';
import type { VolumeEvaluation } from '../../../core/schemas/audit-result.ts';
import { causeWords, statusWords } from '../../charts/words.ts';
import { type AccountNames, calledIn } from '../../wording/accounts.ts';
import { volumeReasonText } from '../../wording/reasons.ts';
import type { CsvCell } from '../shared/csv.ts';
import { gib, iops, mibps, minutes, notKnown, percent, share, usd } from '../shared/format.ts';
import type { Column } from '../shared/sortable-table.tsx';
import { Text } from '../shared/text.tsx';
import { sumOfMinutes } from './filters.ts';
import { findingAnchor } from './page-state.ts';

const tones: Record<VolumeEvaluation['status'], string> = {
  ...{ healthy: 'good', finding: 'warning', 'throttled-by-instance': 'info', unknown: '' },
};

function Unknown({ text = notKnown }: { text?: string }) {
  return <span class="unknown">{text}</span>;
}

function Status({ volume: { status, reason, findings, instanceFindings } }: { volume: VolumeEvaluation }) {
  const ids = [...findings, ...instanceFindings];
  return (
    <>
      <span class={`badge ${tones[status]}`}>{statusWords[status]}</span>
      {reason === null ? null : (
        <div class="faint because">
          <Text value={volumeReasonText(reason)} most={160} />
        </div>
      )}
      {ids.length === 0 ? null : (
        <div class="links">
          {ids.map((id, i) => (
            <a key={id} href={`#${findingAnchor(id)}`}>
              finding{ids.length === 1 ? '' : ` ${i + 1}`}
            </a>
          ))}
        </div>
      )}
    </>
  );
}

function Limits({ limits }: Pick<VolumeEvaluation, 'limits'>) {
  if (limits === null) return <Unknown />;
  const { baselineIops, burstIops, baselineMiBps, burstMiBps } = limits;
  const bursts = burstIops > baselineIops || burstMiBps > baselineMiBps;
  return (
    <>
      <div>{iops(baselineIops)}</div>
      <div>{mibps(baselineMiBps)}</div>
      {bursts ? (
        <div class="faint">
          <div>burst {iops(burstIops)}</div>
          <div>burst {mibps(burstMiBps)}</div>
        </div>
      ) : null}
    </>
  );
}

const isCause = (cause: string): cause is Cause => causes.some((one) => one === cause);

function Throttled({ volume }: { volume: VolumeEvaluation }) {
  if (volume.status === 'unknown') return <Unknown />;
  const byCause = Object.entries(volume.throttledMinutesByCause).sort(([, a], [, b]) => b - a);
  if (byCause.length === 0) return <>none</>;
  return (
    <>
      {byCause.map(([cause, held]) => (
        <div key={cause}>
          {minutes(held)} <span class="faint">{isCause(cause) ? causeWords[cause] : cause}</span>
        </div>
      ))}
    </>
  );
}

/** @param names empty: there is one account, and nothing is said of it. */
export const volumeColumns = (names: AccountNames): readonly Column<VolumeEvaluation>[] => [
  {
    id: 'volume',
    head: 'Volume',
    isHead: true,
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
          {account === undefined ? null : (
            <>
              , <Text value={calledIn(names, account)} most={80} />
            </>
          )}
        </div>
      </>
    ),
  },
  {
    id: 'status',
    head: 'Status',
    className: 'medium',
    by: ({ status }) => status,
    cell: (volume) => <Status volume={volume} />,
  },
  {
    id: 'type',
    head: 'Type',
    by: ({ volumeType }) => volumeType,
    cell: ({ volumeType }) => <Text value={volumeType} most={20} />,
  },
  {
    id: 'size',
    head: 'Size',
    isNumber: true,
    firstDescending: true,
    by: ({ sizeGiB }) => sizeGiB,
    cell: ({ sizeGiB }) => gib(sizeGiB),
  },
  {
    id: 'limits',
    head: 'Baseline and burst',
    className: 'together',
    firstDescending: true,
    by: ({ limits }) => limits?.baselineIops ?? null,
    cell: ({ limits }) => <Limits limits={limits} />,
  },
  {
    id: 'share',
    head: 'Peak use of its limit',
    isNumber: true,
    firstDescending: true,
    by: ({ topShareOfLimit }) => topShareOfLimit,
    cell: ({ topShareOfLimit }) =>
      topShareOfLimit === null ? <Unknown text="not read" /> : share(topShareOfLimit),
  },
  {
    id: 'balance',
    head: 'Lowest credits',
    isNumber: true,
    by: ({ lowestBalancePercent }) => lowestBalancePercent,
    cell: ({ lowestBalancePercent, balanceModelled, limits }) => {
      if (lowestBalancePercent !== null)
        return (
          <>
            {percent(lowestBalancePercent)}
            {balanceModelled ? <div class="faint">modelled</div> : null}
          </>
        );
      return <Unknown text={limits?.bucket === null ? 'no burst credits' : notKnown} />;
    },
  },
  {
    id: 'minutes',
    head: 'Throttled by, whole window',
    className: 'medium',
    firstDescending: true,
    by: (volume) => (volume.status === 'unknown' ? null : sumOfMinutes(volume)),
    cell: (volume) => <Throttled volume={volume} />,
  },
  {
    id: 'usd',
    head: 'Costs a month',
    isNumber: true,
    firstDescending: true,
    by: ({ monthlyUsd }) => monthlyUsd,
    cell: ({ monthlyUsd }) => (monthlyUsd === null ? <Unknown /> : usd(monthlyUsd)),
  },
];

const throttlingCauses = causes.filter((cause) => cause !== 'none' && cause !== 'unknown');

const csvHead = [
  ...['volume', 'name', 'Region', 'type', 'size, GiB', 'status', 'unknown because', 'evaluated by'],
  ...[
    'baseline, IOPS',
    'best, IOPS',
    'baseline, MiB/s',
    'best, MiB/s',
    'most of the limit in force used, %',
    'lowest credits, %',
  ],
  ...throttlingCauses.map((cause) => `throttled by ${causeWords[cause]}, minutes`),
  ...['minutes with figures', 'minutes without figures', 'USD a month', 'findings'],
];

const csvRow = (volume: VolumeEvaluation): CsvCell[] => {
  const { limits, topShareOfLimit, throttledMinutesByCause } = volume;
  return [
    ...[volume.volumeId, volume.name, volume.region, volume.volumeType, volume.sizeGiB],
    ...[volume.status, volume.reason && volumeReasonText(volume.reason), volume.evaluatedBy],
    ...[limits?.baselineIops ?? null, limits?.burstIops ?? null],
    ...[limits?.baselineMiBps ?? null, limits?.burstMiBps ?? null],
    topShareOfLimit === null ? null : Number((100 * topShareOfLimit).toFixed(1)),
    volume.lowestBalancePercent,
    ...throttlingCauses.map((cause) =>
      volume.status === 'unknown' ? null : (throttledMinutesByCause[cause] ?? 0),
    ),
    ...[volume.knownMinutes, volume.unknownMinutes, volume.monthlyUsd],
    [...volume.findings, ...volume.instanceFindings].join(' '),
  ];
};

const accountCells = ({ account }: VolumeEvaluation, names: AccountNames): CsvCell[] => [
  account ?? null,
  names.get(account ?? '')?.name ?? null,
];

/** @param names empty: there is one account, which has no column. */
export function volumeCsv(
  volumes: readonly VolumeEvaluation[],
  names: AccountNames,
): [string[], CsvCell[][]] {
  if (names.size === 0) return [csvHead, volumes.map(csvRow)];
  return [
    [...csvHead, 'account', 'account name'],
    volumes.map((volume) => [...csvRow(volume), ...accountCells(volume, names)]),
  ];
}
