/** A heat map of characters: the denser, the higher. */
import { weekdayOfDay } from '../../core/archive/heat-map.ts';
import type { HeatMap } from '../../core/schemas/history-heat-map.ts';
import {
  cellText,
  daysTitle,
  heatMapSentence,
  highestOfDays,
  highestOfWeek,
  hourText,
  weekdayWords,
  weekTitle,
} from '../wording/history-heat-map.ts';
import { folded, minuteText, sanitize, widthOf } from './text.ts';

const shades = [' ', '░', '▒', '▓', '█'] as const;
const unknown = '·';

/** Fifths of the highest one. */
function shadeOf(value: number | null | undefined, highest: number): string {
  if (value === null || value === undefined) return unknown;
  if (highest <= 0) return shades[0];
  return shades[Math.min(shades.length - 1, Math.floor((value / highest) * shades.length))] as string;
}

const indent = '  ';
const hoursPerMark = 6;
/** An hour is as wide as high. */
const columnsPerHour = 2;

function weekLines({ week }: HeatMap, highest: number): string[] {
  const marks = Array.from({ length: 24 / hoursPerMark }, (_, i) =>
    hourText(i * hoursPerMark).padEnd(hoursPerMark * columnsPerHour),
  ).join('');
  return [
    `${indent}     ${marks.trimEnd()}`,
    ...week.map((hours, weekday) => {
      const cells = hours.map((value) => shadeOf(value, highest).repeat(columnsPerHour));
      return `${indent}${weekdayWords[weekday]}  ${cells.join('')}`.trimEnd();
    }),
  ];
}

const monthWords = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The word of a month, and a blank. */
const monthColumns = 4;

/** A column a week, a row a weekday; above them the months that begin. */
function dayLines({ days }: HeatMap, highest: number): string[] {
  const before = weekdayOfDay(days[0]?.day ?? '1970-01-05');
  const weeks = Math.ceil((before + days.length) / 7);
  const starts = days.flatMap(({ day }, i) =>
    i === 0 || day.endsWith('-01')
      ? [{ month: monthWords[Number(day.slice(5, 7)) - 1], column: Math.floor((before + i) / 7) }]
      : [],
  );
  let marks = '';
  // Where there is no room before the next month, the part of a month is not named.
  for (const [i, { month, column }] of starts.entries())
    if ((starts[i + 1]?.column ?? column + monthColumns) >= column + monthColumns)
      marks = `${marks.padEnd(column)}${month}`;
  return [
    `${indent}     ${marks.trimEnd()}`,
    ...weekdayWords.map((word, weekday) => {
      const cells = Array.from({ length: weeks }, (_, week) => {
        const one = days[week * 7 + weekday - before];
        return one === undefined ? ' ' : shadeOf(one.value, highest);
      });
      return `${indent}${word}  ${cells.join('')}`.trimEnd();
    }),
  ];
}

export function heatMapText(map: HeatMap, columns: number | null): string[] {
  const { volumeId, account, region, window } = map;
  const width = widthOf(columns);
  const [week, day] = [highestOfWeek(map), highestOfDays(map)];
  const head = [
    `${sanitize(volumeId)}, account ${sanitize(account)}, ${sanitize(region)}`,
    `${indent}window     ${minuteText(window.start)} to ${minuteText(window.end)} UTC`,
    ...folded(`${indent}${heatMapSentence(map)}`, width),
  ];
  if (week === null || day === null) return head;
  const scale = `${shades.map((shade) => (shade === ' ' ? 'blank' : shade)).join(' ')}: fifths of the highest; ${unknown} not known`;
  return [
    ...head,
    '',
    `${weekTitle(map)} (highest ${cellText(week.value)}; UTC)`,
    ...weekLines(map, week.value),
    '',
    `${daysTitle(map)} (highest ${cellText(day.value)}; a column a week)`,
    ...dayLines(map, day.value),
    '',
    scale,
  ];
}
