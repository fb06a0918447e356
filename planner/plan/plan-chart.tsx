/** Price against IOPS, drawn when nothing moves any more: it takes longer than a step of a slider. */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { RegionCatalog } from '../../core/catalog/region-catalog.ts';
import { type CurveAsked, priceCurve } from '../../core/plan/price-curve.ts';
import { ChartView } from '../../report/browser/shared/chart-view.tsx';
import type { ChartWidth } from '../../report/charts/chart.ts';
import type { Palette } from '../../report/charts/palette.ts';
import { crossingsText, priceAgainstIops } from '../../report/charts/price-against-iops.ts';

const restMs = 250;

/** The value as it was when it last stood still. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

interface PlanChartProps {
  /** Kept while it asks the same. */
  asked: CurveAsked;
  needIops: number;
  hasInstance: boolean;
  regionCatalog: RegionCatalog;
}

/** Like `PlanChart` in how it is made: of what stands still. */
function Drawn({ asked, needIops, hasInstance, regionCatalog }: PlanChartProps) {
  const curve = useMemo(() => priceCurve(asked, regionCatalog), [asked, regionCatalog]);
  const make = useCallback(
    (palette: Palette, width: ChartWidth) => priceAgainstIops(curve, { iops: needIops }, palette, width),
    [curve, needIops],
  );
  return (
    <section class="plan-part">
      <h3>Price against IOPS</h3>
      <p>
        {crossingsText(curve)}
        {hasInstance ? ' The instance is not part of these prices.' : ''}
      </p>
      <ChartView make={make} heading={null} />
    </section>
  );
}

export function PlanChart(props: PlanChartProps) {
  const { asked, needIops, hasInstance, regionCatalog } = props;
  const whole = useMemo(() => props, [asked, needIops, hasInstance, regionCatalog]);
  const rested = useRested(whole);
  return useMemo(() => <Drawn {...rested} />, [rested]);
}
