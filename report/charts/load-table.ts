/** The figures of a load's chart, a row a bin; and the same of one bin, for the tooltip. */
import type { Band, Column, Envelope } from '../../core/report/envelope.ts';
import { isoFromEpochSeconds, utcText } from '../../core/units.ts';
import { binStart, clearlyDemanded, countOf } from './bins.ts';
import type { ChartTable } from './chart.ts';
import { causeWords, measured, minutesText, throttledMinutesBy } from './words.ts';

interface Shown {
  name: string;
  unit: string;
  band: Band;
  demand: Column | null;
}

function shownOf(envelope: Envelope): Shown[] {
  const { balancePercent, ioBalancePercent, byteBalancePercent, queueLength, latencyMs } = envelope;
  const of = (name: string, unit: string, band: Band | null): Shown[] =>
    band === null ? [] : [{ name, unit, band, demand: null }];
  return [
    { name: 'IOPS', unit: '', band: envelope.iops, demand: envelope.demandIops },
    { name: 'MiB/s', unit: '', band: envelope.mibps, demand: envelope.demandMiBps },
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
  const { startEpochSeconds, binSeconds, throttled } = envelope;
  const columns: [string, Column][] = shown.flatMap(({ name, unit, band, demand }) => [
    [`${name}, least${inBrackets(unit)}`, band.min] as [string, Column],
    [`${name}, most${inBrackets(unit)}`, band.max] as [string, Column],
    ...(demand === null
      ? []
      : [[`${name} demanded, at least${inBrackets(unit)}`, demand] as [string, Column]]),
  ]);
  return {
    head: [
      'Time (UTC)',
      ...columns.map(([name]) => name),
      ...['Throttled (minutes)', 'Unknown (minutes)', 'Throttled by'],
    ],
    rows: Array.from({ length: countOf(envelope) }, (_, bin) => {
      const cause = throttled.cause[bin] ?? null;
      return [
        isoFromEpochSeconds(startEpochSeconds + bin * binSeconds),
        ...columns.map(([, column]) => column[bin] ?? null),
        ...[throttled.minutes[bin] ?? null, throttled.unknownMinutes[bin] ?? null],
        cause === null ? 'nothing' : causeWords[cause],
      ];
    }),
  };
}

function lineOf({ name, unit, band, demand }: Shown, bin: number): string[] {
  const [min, max] = [band.min[bin] ?? null, band.max[bin] ?? null];
  if (min === null || max === null) return [`${name}: not known`];
  const range = min === max ? measured(max) : `${measured(min)} to ${measured(max)}`;
  const wish = clearlyDemanded(demand, band)?.[bin] ?? null;
  const wished = wish === null ? '' : ` (demand: at least ${measured(wish)})`;
  return [`${name}: ${range}${unit === '' ? '' : ` ${unit}`}${wished}`];
}

/** All that is known of a bin, in lines. */
export function binText(envelope: Envelope, bin: number): string {
  const { binSeconds, periodSeconds, throttled } = envelope;
  const start = binStart(envelope, bin);
  const [minutes, cause, unknown] = [
    throttled.minutes[bin] ?? 0,
    throttled.cause[bin] ?? null,
    throttled.unknownMinutes[bin] ?? 0,
  ];
  return [
    `${utcText(start)} to ${utcText(binStart(envelope, bin + 1)).slice(11)} UTC`,
    ...shownOf(envelope).flatMap((shown) => lineOf(shown, bin)),
    ...(cause === null
      ? []
      : [
          binSeconds > periodSeconds
            ? `${minutesText(minutes)} throttled, most of it by ${causeWords[cause]}`
            : `${minutesText(minutes)} ${throttledMinutesBy(cause)}`,
        ]),
    ...(unknown > 0 ? [`Not known: ${minutesText(unknown)}`] : []),
  ].join('\n');
}
