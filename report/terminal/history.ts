/** What an archive answers, for a terminal: totals first, then a table. What is not known is -. */
import type {
  DayOfVolume,
  HistoryHole,
  Peak,
  SqlAnswer,
  TopVolumes,
  VolumeHistory,
} from '../../core/schemas/history-answers.ts';
import { longTable } from './long-table.ts';
import { tableInColumns } from './table.ts';
import { folded, minuteText, number, plural, sanitize, whole, widthOf } from './text.ts';

const unknown = '-';
const orUnknown = (value: number | null, text: (value: number) => string): string =>
  value === null ? unknown : text(value);

const iopsText = (value: number | null): string => orUnknown(value, whole);
const minutesOr = (value: number | null): string => orUnknown(value, (minutes) => `${whole(minutes)} min`);
const decimals = (value: number | null): string => orUnknown(value, number);

/** Rounded down: 99.999 % is not all of it. */
const percentText = (part: number, all: number): string =>
  all === 0 ? unknown : `${number(Math.floor((part / all) * 10_000) / 100)} %`;

const maxHoles = 5;

const whyText = ({ wasRead, isUnreadable }: Pick<HistoryHole, 'wasRead' | 'isUnreadable'>): string => {
  if (isUnreadable) return 'the file is not there, or could not be read';
  return wasRead ? 'CloudWatch had no points' : 'not read';
};

const holeLine = ({ start, end, minutes, ...hole }: HistoryHole): string =>
  `             ${minuteText(start)} to ${minuteText(end)}: ${whole(minutes)} min, ${whyText(hole)}`;

function holeLines(holes: readonly HistoryHole[]): string[] {
  const missing = holes.reduce((sum, { minutes }) => sum + minutes, 0);
  if (missing === 0) return ['  holes      none'];
  const longest = [...holes].sort((a, b) => b.minutes - a.minutes).slice(0, maxHoles);
  const shown = [...longest].sort((a, b) => (a.start < b.start ? -1 : 1));
  const left = holes.length - shown.length;
  return [
    `  holes      ${plural(holes.length, 'hole')}, ${whole(missing)} minutes without points${left > 0 ? `; the ${maxHoles} longest` : ''}`,
    ...shown.map(holeLine),
  ];
}

const peakText = (name: string, peak: Peak | null, text: (value: number) => string): string =>
  peak === null ? `${name} unknown` : `${name} ${text(peak.value)} at ${minuteText(peak.at)}`;

const dayHead = [
  ...['day', 'min', 'throttled', 'avg IOPS', 'max IOPS', 'avg MiB/s', 'max MiB/s'],
  ...['avg queue', 'max queue', 'balance', 'IOPS check', 'MiB/s check'],
];

const dayRow = (one: DayOfVolume): string[] => [
  ...[one.day, whole(one.minutes), minutesOr(one.throttledMinutes)],
  ...[iopsText(one.avgIops), iopsText(one.maxIops), decimals(one.avgMiBps), decimals(one.maxMiBps)],
  ...[decimals(one.avgQueueLength), decimals(one.maxQueueLength)],
  orUnknown(one.lowestBalancePercent, (value) => `${number(value)} %`),
  ...[minutesOr(one.iopsExceededMinutes), minutesOr(one.throughputExceededMinutes)],
];

/** Columns of the first table where one has no room. */
const inFirst = 7;

/** One table, or two where the terminal is too narrow for it. */
function dayTables(days: readonly DayOfVolume[], columns: number): string[] {
  const rows = days.map(dayRow);
  const whole = longTable(dayHead, rows);
  if (whole.indexOf('\n') <= columns) return [whole];
  const part = (cells: readonly string[], from: number, end?: number): string[] => [
    cells[0] as string,
    ...cells.slice(from, end),
  ];
  return [[1, inFirst] as const, [inFirst] as const].map(([from, end]) =>
    longTable(
      part(dayHead, from, end),
      rows.map((row) => part(row, from, end)),
    ),
  );
}

/** @param columns of the terminal; null: it is none. */
export function volumeHistoryText(history: VolumeHistory, columns: number | null): string[] {
  const { window, minutesInWindow, minutesWithPoints, daysInWindow, daysWithPoints, peaks, days } = history;
  const [iops, mibps, queue] = [peaks.iops, peaks.mibps, peaks.queueLength];
  const evaluated = history.evaluatedMinutes;
  const width = widthOf(columns);
  const totals = [
    `${sanitize(history.volumeId)}, account ${sanitize(history.account)}, ${sanitize(history.region)}`,
    `  window     ${minuteText(window.start)} to ${minuteText(window.end)} UTC: ${whole(minutesInWindow)} minutes`,
    `  days       ${whole(daysWithPoints)} of ${whole(daysInWindow)} have points`,
    `  points     ${whole(minutesWithPoints)} minutes (${percentText(minutesWithPoints, minutesInWindow)})`,
    ...holeLines(history.holes),
    `  highest    ${peakText('IOPS', iops, whole)}; ${peakText('MiB/s', mibps, number)}; ${peakText('queue', queue, number)}`,
    history.throttledMinutes === null
      ? '  throttled  unknown: no minute was evaluated; exceeded checks alone are no throttling'
      : `  throttled  ${whole(history.throttledMinutes)} of ${whole(evaluated)} evaluated minutes`,
  ];
  return [
    ...totals.flatMap((line) => folded(line, width)),
    ...(days.length === 0 ? [] : dayTables(days, width)),
  ];
}

const topHead = [
  'volume',
  ...[
    'max IOPS',
    'avg IOPS',
    'max MiB/s',
    'avg MiB/s',
    'max queue',
    'exceeded',
    'throttled',
    'lowest balance',
  ],
  ...['minutes', 'account', 'Region'],
];

const figureTexts: Readonly<Record<string, string>> = {
  iops: 'IOPS of the highest minute',
  mibps: 'MiB/s of the highest minute',
  queue: 'queue of the highest minute',
  'exceeded-minutes': 'minutes that a check reports as exceeded',
};

function windowText({ start, end }: TopVolumes['window']): string {
  if (start === null && end === null) return 'all days';
  const from = start === null ? '' : ` from ${minuteText(start)}`;
  const to = end === null ? '' : ` to ${minuteText(end)}`;
  return `${from}${to} UTC`.trim();
}

export function topText(answer: TopVolumes, columns: number | null): string[] {
  const { volumes, volumesWithPoints, by } = answer;
  const coarse = volumes.filter(({ isCoarse }) => isCoarse).length;
  const rows = volumes.map((one) => [
    sanitize(one.volumeId),
    ...[iopsText(one.maxIops), iopsText(one.avgIops), decimals(one.maxMiBps), decimals(one.avgMiBps)],
    ...[decimals(one.maxQueueLength), minutesOr(one.exceededMinutes), minutesOr(one.throttledMinutes)],
    orUnknown(one.lowestBalancePercent, (value) => `${number(value)} %`),
    ...[whole(one.minutes), sanitize(one.account), sanitize(one.region)],
  ]);
  return [
    `${whole(volumes.length)} of ${plural(volumesWithPoints, 'volume')} with points, ${windowText(answer.window)}, by ${figureTexts[by] ?? by}`,
    ...(volumes.length === 0
      ? []
      : tableInColumns(topHead, rows, { columns: widthOf(columns), hasBorders: true })),
    ...(volumes.some(({ exceededMinutes }) => (exceededMinutes ?? 0) > 0)
      ? ['Exceeded: a check reports the minute. A check alone is no truth of throttling.']
      : []),
    ...(volumes.length > 0 && volumes.every(({ throttledMinutes }) => throttledMinutes === null)
      ? ['Throttled minutes are unknown: no minute of these volumes was evaluated.']
      : []),
    ...(coarse > 0
      ? [
          `${plural(coarse, 'volume')} with points of five minutes: rates are unknown here; \`history volume\` has them.`,
        ]
      : []),
  ];
}

const maxCellCharacters = 100;

function cellText(value: unknown): string {
  if (value === null || value === undefined) return unknown;
  if (typeof value === 'number') return number(value);
  return sanitize(typeof value === 'string' ? value : JSON.stringify(value), maxCellCharacters);
}

/** Rows as a table. A number has at most two digits after its point; --json has all. */
export function sqlText({ columns, rows, hasMoreRows }: SqlAnswer): string[] {
  const head = columns.map(({ name }) => sanitize(name));
  const count = hasMoreRows ? `The first ${whole(rows.length)} rows` : plural(rows.length, 'row');
  return [
    ...(rows.length === 0
      ? []
      : [
          longTable(
            head,
            rows.map((row) => row.map(cellText)),
          ),
        ]),
    hasMoreRows ? `${count}: there are more; add LIMIT, or give --json.` : `${count}.`,
  ];
}

const maxReasonCharacters = 400;

export const unreadText = (files: readonly { file: string; reason: string }[]): string[] =>
  files.map(({ file, reason }) => {
    // A reason that begins with the file would name it twice.
    const why = reason.startsWith(`${file}: `) ? reason.slice(file.length + 2) : reason;
    return `partial: ${sanitize(file, maxReasonCharacters)} could not be read and is left out: ${sanitize(why, maxReasonCharacters)}`;
  });
