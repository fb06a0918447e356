/** What a heat map shows, in words. */
import { figure } from '../../core/figures.ts';
import type { HeatMap, HeatMapFigure } from '../../core/schemas/history-heat-map.ts';

export const weekdayWords = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

const units: Readonly<Record<HeatMapFigure, string>> = {
  iops: 'IOPS',
  mibps: 'MiB/s',
  queue: 'operations queued',
  throttled: 'throttled minutes',
  exceeded: 'minutes that a check reports as exceeded',
};

export const heatMapUnit = (of: HeatMapFigure): string => units[of];

const isMinutes = (of: HeatMapFigure): boolean => of === 'throttled' || of === 'exceeded';

export const weekTitle = ({ figure: of }: Pick<HeatMap, 'figure'>): string =>
  `${capital(units[of])} by hour of the week, ${isMinutes(of) ? 'of an hour ' : ''}on average`;

export const daysTitle = ({ figure: of }: Pick<HeatMap, 'figure'>): string =>
  `${capital(units[of])} day by day, ${isMinutes(of) ? 'of the whole day' : 'of its highest hour'}`;

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

export const cellText = (value: number): string => figure(value, value < 10 ? 2 : value < 100 ? 1 : 0);

/** Null: nothing is known. */
export function highestOfWeek({ week }: Pick<HeatMap, 'week'>): { value: number; at: string } | null {
  let highest: { value: number; at: string } | null = null;
  for (const [weekday, hours] of week.entries())
    for (const [hour, value] of hours.entries())
      if (value !== null && value > (highest?.value ?? Number.NEGATIVE_INFINITY))
        highest = { value, at: `${weekdayWords[weekday]} ${hourText(hour)}` };
  return highest;
}

export function highestOfDays({ days }: Pick<HeatMap, 'days'>): { value: number; at: string } | null {
  let highest: { value: number; at: string } | null = null;
  for (const { day, value } of days)
    if (value !== null && value > (highest?.value ?? Number.NEGATIVE_INFINITY)) highest = { value, at: day };
  return highest;
}

/** For who does not see it, too. */
export function heatMapSentence(map: Pick<HeatMap, 'figure' | 'week' | 'days'>): string {
  const [week, day] = [highestOfWeek(map), highestOfDays(map)];
  const unit = units[map.figure];
  if (week === null || day === null) return `${capital(unit)} are not known.`;
  return `Highest hour of the week: ${week.at} UTC, ${cellText(week.value)} ${unit} on average. Highest day: ${day.at}, ${cellText(day.value)}.`;
}
