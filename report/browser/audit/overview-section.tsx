/** The fleet in three charts. */
import { useCallback, useMemo } from 'preact/hooks';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { Chart, ChartWidth } from '../../charts/chart.ts';
import { minutesByCause, savingsByKind, useAgainstCost } from '../../charts/fleet-charts.ts';
import type { Palette } from '../../charts/palette.ts';
import type { VolumePoint } from '../../charts/use-against-cost.ts';
import { ChartView } from '../shared/chart-view.tsx';
import { findingAnchor } from './page-state.ts';

type ChartOf = (palette: Palette, width: ChartWidth) => Chart;

export function OverviewSection({ result }: { result: AuditResult }) {
  const [use, causes, savings] = useMemo(
    () =>
      [useAgainstCost, minutesByCause, savingsByKind].map(
        (chartOf) => (palette: Palette, width: ChartWidth) => chartOf(result, palette, width),
      ) as [ChartOf, ChartOf, ChartOf],
    [result],
  );
  /** A point of a volume opens the first of what was found on it, or on the instance that throttled it. */
  const open = useCallback(
    (data: unknown) => {
      const { volumeId } = data as VolumePoint;
      const volume = result.volumes.find((one) => one.volumeId === volumeId);
      const [findingId] = [...(volume?.findings ?? []), ...(volume?.instanceFindings ?? [])];
      if (findingId !== undefined) location.hash = findingAnchor(findingId);
    },
    [result],
  );
  return (
    <section id="overview" tabIndex={-1} aria-labelledby="overview-heading">
      <h2 id="overview-heading">The fleet</h2>
      <ChartView make={use} onPick={open} />
      <div class="columns">
        <ChartView make={causes} />
        <ChartView make={savings} />
      </div>
    </section>
  );
}
