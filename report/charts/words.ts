/** What charts call things, and figures with few digits. */
import type { Cause } from '../../core/diagnosis/causes.ts';
import { figure } from '../../core/figures.ts';
import { sanitize } from '../../core/sanitize.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { secondsPerHour, secondsPerMinute } from '../../core/units.ts';

export const causeWords: Readonly<Record<Cause, string>> = {
  none: 'nothing',
  'volume-iops': 'volume IOPS',
  'volume-throughput': 'volume MiB/s',
  'volume-credits': 'volume credits',
  'instance-iops': 'instance IOPS',
  'instance-throughput': 'instance MiB/s',
  'instance-credits': 'instance credits',
  stalled: 'stalled',
  unknown: 'unknown',
};

/** As a sentence goes on after a number of minutes. */
export const throttledMinutesBy = (cause: Cause): string => {
  if (cause === 'unknown') return 'that nobody can tell of';
  return cause === 'stalled' ? 'stalled' : `throttled by ${causeWords[cause]}`;
};

export const statusWords: Readonly<Record<AuditResult['volumes'][number]['status'], string>> = {
  healthy: 'healthy',
  finding: 'with findings',
  'throttled-by-instance': 'throttled by its instance only',
  unknown: 'unknown',
};

/** throttled-volume-iops as people write it. */

const digits = 3;
/** Of what was measured more digits say nothing: 0.0421, 4.21, 42.1, 4,210. */
export const measured = (value: number): string =>
  value >= 100 ? figure(value, 0) : figure(Number(value.toPrecision(digits)), 6);

export const minutesText = (minutes: number): string => `${measured(minutes)} min`;

/** 29 min; 6 h; 45 s. */
export function lengthText(seconds: number): string {
  if (seconds % secondsPerHour === 0) return `${figure(seconds / secondsPerHour)} h`;
  const isWhole = seconds % secondsPerMinute === 0;
  return isWhole ? `${figure(seconds / secondsPerMinute)} min` : `${figure(seconds)} s`;
}

/** Where texts begin like what every object has: ECharts keeps the widths of texts in an object, by the text. */
const memberName = new RegExp(`^(?:${Object.getOwnPropertyNames(Object.prototype).join('|')})`);

/** Text of the account as a label shows it. A word joiner, which nobody sees, keeps it from being taken for a member. */
export function label(text: string, maxLength = 40): string {
  if (text.trim() === '') return '(no name)';
  const shown = sanitize(text, maxLength);
  return memberName.test(shown) ? `${shown.slice(0, 1)}\u2060${shown.slice(1)}` : shown;
}

/** In tooltips ECharts takes {style|text} for a style: after a word joiner, which nobody sees, it is text. */
export const inTooltip = (text: string): string => text.replaceAll('{', '{\u2060');
