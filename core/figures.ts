/** Figures as they stand in a sentence: 12,345.6. */
import { secondsPerDay, secondsPerHour, secondsPerMinute } from './units.ts';

/** What is rounded to zero has no sign: it is never -0. */
const noMinusZero = 'negative';

const formats = new Map<number, Intl.NumberFormat>();

/** A number in English notation with at most so many digits after the point. */
export function figure(value: number, digits = 2): string {
  const format =
    formats.get(digits) ??
    new Intl.NumberFormat('en-US', { maximumFractionDigits: digits, signDisplay: noMinusZero });
  formats.set(digits, format);
  return format.format(value);
}

const money = new Intl.NumberFormat('en-US', {
  ...{ minimumFractionDigits: 2, maximumFractionDigits: 2 },
  signDisplay: noMinusZero,
});

/** "1,234.50", of USD. */
export const usdFigure = (usd: number): string => money.format(usd);
/** An amount as a bill writes it: 1,234.50 USD. */
export const usdText = (usd: number): string => `${usdFigure(usd)} USD`;

/** What is more or less than before: +1,234.50 USD. */
export const signedUsdText = (usd: number): string => `${usd > 0 ? '+' : ''}${usdText(usd)}`;

/** A duration as people say it, with its seconds: 1 h 0 min (3,600 s). */
export function duration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / secondsPerDay), 'd'],
    [Math.floor((seconds % secondsPerDay) / secondsPerHour), 'h'],
    [Math.floor((seconds % secondsPerHour) / secondsPerMinute), 'min'],
    [Math.floor(seconds % secondsPerMinute), 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return `${figure(seconds)} s`;
  const said = parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
  return seconds < secondsPerMinute ? said : `${said} (${figure(seconds, 0)} s)`;
}
