/** The trend of a volume's demand, for a terminal. */
import type { TrendOfFigure, VolumeTrend } from '../../core/schemas/history-trend.ts';
import { trendLine } from '../wording/history-trend.ts';
import { folded, minuteText, sanitize, whole, widthOf } from './text.ts';

const titles: Readonly<Record<TrendOfFigure['figure'], string>> = { iops: 'IOPS', mibps: 'MiB/s' };
const titleColumns = 11;

export function trendText(answer: VolumeTrend, columns: number | null): string[] {
  const { volumeId, account, region, window, figures } = answer;
  const daysKnown = Math.max(...figures.map((one) => one.daysKnown));
  const lines = [
    `${sanitize(volumeId)}, account ${sanitize(account)}, ${sanitize(region)}`,
    `  window     ${minuteText(window.start)} to ${minuteText(window.end)} UTC: ${whole(daysKnown)} days known`,
    ...figures.map((one) => `  ${titles[one.figure].padEnd(titleColumns)}${trendLine(one)}`),
  ];
  return lines.flatMap((line) => folded(line, widthOf(columns)));
}
