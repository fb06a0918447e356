/** The figures of a load's chart, a row a bin; and the same of one bin, for the tooltip. */
import type { Band, Column, Envelope } from '../../core/report/envelope.ts';
import { isoFromEpochSeconds, utcText } from '../../core/units.ts';
import { binStart, clearlyWanted, countOf } from './bins.ts';
import type { ChartTable } from './chart.ts';
import { causeWords, heldBackBy, measured, minutesText } from './words.ts';

interface Shown {
  name: string;
  unit: string;
  band: Band;
  wanted: Column | null;
}

function shownOf(envelope: Envelope): Shown[] {
  const { balancePercent, ioBalancePercent, byteBalancePercent, queueLength, latencyMs } = envelope;
  const of = (name: string, unit: string, band: Band | null): Shown[] =>
    band === null ? [] : [{ name, unit, band, wanted: null }];
  return [
    { name: 'IOPS', unit: '', band: envelope.iops, wanted: envelope.wantedIops },
    { name: 'MiB/s', unit: '', band: envelope.mibps, wanted: envelope.wantedMiBps },
    ...of('Credits left', '%', balancePercent),
    ...of('Credits of operations left', '%', ioBalancePercent),
    ...of('Credits of bytes left', '%', byteBalancePercent),
    ...of('Queue length', '', queueLength),
    ...of('Latency', 'ms', latencyMs),
  ];
}

const inBrackets = (unit: string): string => (unit === '' ? '' : ` (${unit})`);

export function loadTable(envelope: Envelope): ChartTable {
  const shown = shownOf(envelope);
  const { startEpochSeconds, binSeconds, heldBack } = envelope;
  const columns: [string, Column][] = shown.flatMap(({ name, unit, band, wanted }) => [
    [`${name}, least${inBrackets(unit)}`, band.min] as [string, Column],
    [`${name}, most${inBrackets(unit)}`, band.max] as [string, Column],
    ...(wanted === null ? [] : [[`${name} wanted, at least${inBrackets(unit)}`, wanted] as [string, Column]]),
  ]);
  return {
    head: [
      'Time (UTC)',
      ...columns.map(([name]) => name),
      ...['Throttled (minutes)', 'Unknown (minutes)', 'Throttled by'],
    ],
    rows: Array.from({ length: countOf(envelope) }, (_, bin) => {
      const cause = heldBack.cause[bin] ?? null;
      return [
        isoFromEpochSeconds(startEpochSeconds + bin * binSeconds),
        ...columns.map(([, column]) => column[bin] ?? null),
        ...[heldBack.minutes[bin] ?? null, heldBack.unknownMinutes[bin] ?? null],
        cause === null ? 'nothing' : causeWords[cause],
      ];
    }),
  };
}

function lineOf({ name, unit, band, wanted }: Shown, bin: number): string[] {
  const [min, max] = [band.min[bin] ?? null, band.max[bin] ?? null];
  if (min === null || max === null) return [`${name}: not known`];
  const range = min === max ? measured(max) : `${measured(min)} to ${measured(max)}`;
  const wish = clearlyWanted(wanted, band)?.[bin] ?? null;
  const wished = wish === null ? '' : ` (demand: at least ${measured(wish)})`;
  return [`${name}: ${range}${unit === '' ? '' : ` ${unit}`}${wished}`];
}

/** All that is known of a bin, in lines. */
export function binText(envelope: Envelope, bin: number): string {
  const { binSeconds, periodSeconds, heldBack } = envelope;
  const start = binStart(envelope, bin);
  const [minutes, cause, unknown] = [
    heldBack.minutes[bin] ?? 0,
    heldBack.cause[bin] ?? null,
    heldBack.unknownMinutes[bin] ?? 0,
  ];
  return [
    `${utcText(start)} to ${utcText(binStart(envelope, bin + 1)).slice(11)} UTC`,
    ...shownOf(envelope).flatMap((shown) => lineOf(shown, bin)),
    ...(cause === null
      ? []
      : [
          binSeconds > periodSeconds
            ? `${minutesText(minutes)} throttled, most of it by ${causeWords[cause]}`
            : `${minutesText(minutes)} ${heldBackBy(cause)}`,
        ]),
    ...(unknown > 0 ? [`Not known: ${minutesText(unknown)}`] : []),
  ].join('\n');
}
