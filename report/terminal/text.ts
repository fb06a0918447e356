/** Figures and foreign text for a terminal. */
import { figure, usdText } from '../../core/figures.ts';
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../../core/units.ts';

export { inert } from '../../core/inert.ts';

export const whole = (value: number): string => figure(value, 0);
export const number = (value: number): string => figure(value);
export const usd = usdText;

const cent = 0.01;

/** What reading costs; that of a few metrics is no round zero. */
export const costText = (cost: number): string =>
  cost > 0 && cost < cent / 2 ? `less than ${usd(cent)}` : `about ${usd(cost)}`;

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${whole(count)} ${count === 1 ? one : many}`;

/** 2026-11-20 14:30 of an ISO 8601 time. */
export const minuteText = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

export interface TerminalStyle {
  /** Width of the terminal; null where the output is a file or a pipe. */
  columns: number | null;
  color: boolean;
  /** Recorded series: each has a time of its own. */
  recorded: boolean;
}

const widthWithoutTerminal = 140;

export const widthOf = (columns: number | null): number =>
  Math.min(200, Math.max(80, columns ?? widthWithoutTerminal));

/** What can be done all the time and, where that is more, on credits or otherwise; IOPS and MiB/s each. */
export function abilityText(
  [iops, mibps]: readonly [number, number],
  [mostIops, mostMiBps]: readonly [number, number],
  how = 'on credits',
): string {
  const steady = `${number(iops)} IOPS and ${number(mibps)} MiB/s all the time`;
  return mostIops > iops || mostMiBps > mibps
    ? `${steady}, ${number(mostIops)} and ${number(mostMiBps)} ${how}`
    : steady;
}

/** A duration as people say it, with its seconds: 1 h 0 min (3,600 s). */
export function duration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / secondsPerDay), 'd'],
    [Math.floor((seconds % secondsPerDay) / secondsPerHour), 'h'],
    [Math.floor((seconds % secondsPerHour) / secondsPerMinute), 'min'],
    [Math.floor(seconds % secondsPerMinute), 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return `${number(seconds)} s`;
  const said = parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
  return seconds < secondsPerMinute ? said : `${said} (${whole(seconds)} s)`;
}

/** Lines of at most so many characters; those after the first one begin below its text. */
export function hanging(line: string, columns: number, indent: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<=\S) (?=\S)/)) {
    const next = current === '' ? word : `${current} ${word}`;
    if (current !== '' && next.length > columns) {
      lines.push(current);
      current = `${' '.repeat(indent)}${word}`;
    } else current = next;
  }
  return [...lines, current];
}

/** A table of columns alone, for lines that follow each other. */
export const noBorders = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((part) => [part, part === 'middle' ? ' ' : '']),
);

export const withoutTrailingSpaces = (lines: string): string => lines.replaceAll(/ +$/gm, '');
