/** What a trend says, in a line. */
import { figure } from '../../core/figures.ts';
import type { TrendOfFigure, TrendReason } from '../../core/schemas/history-trend.ts';

const units: Readonly<Record<TrendOfFigure['figure'], string>> = { iops: 'IOPS', mibps: 'MiB/s' };

const rate = (value: number): string => figure(value, Math.abs(value) < 100 ? 1 : 0);
/** A change a day is small: two digits that say something. */
const change = (value: number): string => figure(Number(value.toPrecision(2)), 6);

function levelText({ figure: of, level, busiestWeekdays }: TrendOfFigure): string {
  if (level === null) return '';
  const days =
    busiestWeekdays.length < 7 && busiestWeekdays.length > 0
      ? ` on its busiest weekdays (${busiestWeekdays.map((name) => name.slice(0, 3)).join(', ')})`
      : '';
  return `${rate(level)} ${units[of]}${days}`;
}

function slopeText({ figure: of, perDay }: TrendOfFigure): string {
  if (perDay === null) return '';
  const { slope, low, high } = perDay;
  const ends = [low, high].map(change).join(' to ');
  return `${slope > 0 ? '+' : ''}${change(slope)} ${units[of]} a day (${ends})`;
}

type Say = (trend: TrendOfFigure) => string;

const grows: Say = (trend) => `growing: ${levelText(trend)} now, ${slopeText(trend)}`;

const reasons: Readonly<Record<TrendReason, Say>> = {
  'too-few-days': ({ daysKnown }) => `unknown: ${figure(daysKnown)} days known, a trend needs 30`,
  'too-scattered': () => 'unknown: its days are too few and too different for a trend',
  'no-trend': (trend) => `no trend: ${levelText(trend)}`,
  'level-changed': (trend) => `no trend: a new level since ${trend.newLevelFrom}: ${levelText(trend)}`,
  falling: (trend) => `falling: ${levelText(trend)} now, ${slopeText(trend)}`,
  'no-limit': (trend) => `${grows(trend)}; its limit is unknown: give --volumes`,
  'at-limit': (trend) =>
    `${grows(trend)}; it is at its limit of ${rate(trend.limit ?? 0)} ${units[trend.figure]}`,
  'beyond-horizon': (trend) =>
    `${grows(trend)}; its limit of ${rate(trend.limit ?? 0)} ${units[trend.figure]} is too far off to tell a day`,
};

/** Without its title. */
export function trendLine(trend: TrendOfFigure): string {
  const { reason, meetsLimit, limit, figure: of } = trend;
  if (reason !== null) return reasons[reason](trend);
  if (meetsLimit === null || limit === null) return grows(trend);
  const { on, earliest, latest } = meetsLimit;
  const until = latest === null ? 'or much later' : `to ${latest}`;
  return `${grows(trend)}; it meets ${rate(limit)} ${units[of]} on ${on} (95 %: ${earliest} ${until})`;
}
