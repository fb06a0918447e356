/** What a trend says, in a line. */
import { figure } from '../../core/figures.ts';
import { type TrendOfFigure, type TrendReason, weekdayNames } from '../../core/schemas/history-trend.ts';

const units: Readonly<Record<TrendOfFigure['figure'], string>> = { iops: 'IOPS', mibps: 'MiB/s' };

const rate = (value: number): string => figure(value, Math.abs(value) < 100 ? 1 : 0);
/** A change a day is small: two digits that say something. */
const change = (value: number): string => figure(Number(value.toPrecision(2)), 6);

const daysPerWeek = 7;
const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1, 3)}`;
const [fromMonday, toFriday] = [0, 5];

function weekdaysText(names: TrendOfFigure['busiestWeekdays']): string {
  if (names.length === 0 || names.length === daysPerWeek) return '';
  const isWorkWeek = names.join() === weekdayNames.slice(fromMonday, toFriday).join();
  return ` on ${isWorkWeek ? 'Mon to Fri' : names.map(capital).join(', ')}`;
}

/** Of its busiest weekdays: they meet the limit first. */
function levelText({ figure: of, level, busiestWeekdays }: TrendOfFigure): string {
  return level === null ? '' : `${rate(level)} ${units[of]}${weekdaysText(busiestWeekdays)}`;
}

function slopeText({ figure: of, perDay }: TrendOfFigure): string {
  if (perDay === null) return '';
  const { slope, low, high } = perDay;
  const ends = [low, high].map(change).join(' to ');
  return `${slope > 0 ? '+' : ''}${change(slope)} ${units[of]} a day (${ends})`;
}

type Say = (trend: TrendOfFigure) => string;

const grows: Say = (trend) => `growing: ${levelText(trend)} at the end, ${slopeText(trend)}`;

const reasons: Readonly<Record<TrendReason, Say>> = {
  'too-few-days': ({ daysKnown }) => `unknown: ${figure(daysKnown)} days known, a trend needs 30`,
  'too-scattered': () => 'unknown: its days are too few and too different for a trend',
  'no-trend': (trend) => `no trend: ${levelText(trend)}`,
  'level-changed': (trend) => `no trend: a new level since ${trend.newLevelFrom}: ${levelText(trend)}`,
  falling: (trend) => `falling: ${levelText(trend)} at the end, ${slopeText(trend)}`,
  'no-limit': (trend) => `${grows(trend)}; its limit is unknown: give --volumes`,
  'at-limit': (trend) =>
    `${grows(trend)}; it is at its limit of ${rate(trend.limit ?? 0)} ${units[trend.figure]}`,
  'beyond-horizon': (trend) =>
    `${grows(trend)}; its limit of ${rate(trend.limit ?? 0)} ${units[trend.figure]} is too far off to forecast a day`,
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
