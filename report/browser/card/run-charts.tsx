/** Charts of all tests together. */
import { useCallback } from 'preact/hooks';
import type { Compared, Curve } from '../../../core/schemas/grade-answer.ts';
import type { Chart } from '../../charts/chart.ts';
import type { Palette } from '../../charts/palette.ts';
import { scalingCharts } from '../../charts/scaling-charts.ts';
import { sideBySide } from '../../charts/side-by-side.ts';
import { Charts } from './charts.tsx';

export function SideBySideChart({ comparison }: { comparison: readonly Compared[] }) {
  const make = useCallback(
    (palette: Palette): Chart[] => [sideBySide(comparison, palette)].filter((chart) => chart !== null),
    [comparison],
  );
  return <Charts make={make} heading="h3" />;
}

export function ScalingCharts({ curves }: { curves: readonly Curve[] }) {
  const make = useCallback((palette: Palette): Chart[] => scalingCharts(curves, palette), [curves]);
  return <Charts make={make} heading="h3" />;
}
