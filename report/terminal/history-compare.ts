/** Two periods of a volume, for a terminal. */
import type {
  Period,
  PeriodNote,
  PeriodRates,
  PeriodsComparison,
} from '../../core/schemas/history-compare.ts';
import { longTable } from './long-table.ts';
import { folded, minuteText, number, sanitize, whole, widthOf } from './text.ts';

const unknown = '-';
const decimals = (value: number | null): string => (value === null ? unknown : number(value));

/** In percent of the second one; of what was nothing there is no share. */
function changeText(value: number | null, before: number | null): string {
  if (value === null || before === null) return unknown;
  if (value === before) return 'same';
  if (before === 0) return `+${number(value)}`;
  const percent = (100 * (value - before)) / before;
  return `${percent > 0 ? '+' : ''}${whole(percent)} %`;
}

type Read = (period: Period) => number | null;

const ratesRows = (title: string, of: (period: Period) => PeriodRates): [string, Read][] => [
  [`${title}, average`, (period) => of(period).average],
  [`${title}, 95th percentile`, (period) => of(period).percentile95],
  [`${title}, highest minute`, (period) => of(period).highest],
];

const rows: [string, Read][] = [
  ...ratesRows('IOPS', ({ iops }) => iops),
  ...ratesRows('MiB/s', ({ mibps }) => mibps),
  ...ratesRows('queue', ({ queueLength }) => queueLength),
  ['ms a read, average', ({ readLatencyMs }) => readLatencyMs.average],
  ['ms a write, average', ({ writeLatencyMs }) => writeLatencyMs.average],
  ['throttled minutes', ({ throttledMinutes }) => throttledMinutes],
  ['throttled minutes a day', ({ throttledMinutesPerDay }) => throttledMinutesPerDay],
  ['exceeded minutes a day', ({ exceededMinutesPerDay }) => exceededMinutesPerDay],
];

const notes: Readonly<Record<PeriodNote, string>> = {
  'few-points': 'Less than 90 % of a period has points: what is compared is a part of it.',
  'weekdays-differ': 'The periods do not hold the same weekdays: give whole weeks.',
  'month-end-in-one': 'One period holds the end of a month, and the other does not.',
};

const periodLine = (title: string, { start, end, minutes, minutesWithPoints }: Period): string =>
  `  ${title}  ${minuteText(start)} to ${minuteText(end)} UTC: ${whole(minutesWithPoints)} of ${whole(minutes)} minutes`;

export function periodsText(answer: PeriodsComparison, columns: number | null): string[] {
  const { volumeId, account, region, period, with: other } = answer;
  const width = widthOf(columns);
  return [
    `${sanitize(volumeId)}, account ${sanitize(account)}, ${sanitize(region)}`,
    periodLine('period', period),
    periodLine('with  ', other),
    longTable(
      ['', 'period', 'with', 'change'],
      rows.map(([title, read]) => [
        ...[title, decimals(read(period)), decimals(read(other)), changeText(read(period), read(other))],
      ]),
    ),
    ...(period.throttledMinutes === null || other.throttledMinutes === null
      ? [
          'Throttled minutes are unknown where no minute was evaluated; exceeded checks alone are no throttling.',
        ]
      : []),
    ...answer.notes.map((note) => notes[note]),
  ].flatMap((line) => (line.includes('\n') ? [line] : folded(line, width)));
}
