/** The charts of a report card. */
import type { GradeAnswer, GradedTestAnswer } from '../../core/schemas/grade-answer.ts';
import type { Chart } from './chart.ts';
import { latencyHistogram } from './latency-histogram.ts';
import { membersChart } from './members-chart.ts';
import { overTimeChart } from './over-time-chart.ts';
import type { Palette } from './palette.ts';
import { scalingCharts } from './scaling-charts.ts';
import { sideBySide } from './side-by-side.ts';

/** Of all tests together: runs side by side, and how each load grows with its users. */
export function runCharts({ comparison, curves }: GradeAnswer, palette: Palette): Chart[] {
  const together = sideBySide(comparison, palette);
  return [...(together === null ? [] : [together]), ...scalingCharts(curves, palette)];
}

/** Of one test: those that there are figures for. */
export const testCharts = (test: GradedTestAnswer, palette: Palette): Chart[] =>
  [latencyHistogram, overTimeChart, membersChart].flatMap((chart) => chart(test, palette) ?? []);
