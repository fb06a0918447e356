/** The load of a finding's resource against its limits: all of the window, or its worst hours closer. */
import { useCallback, useContext, useEffect, useId, useState } from 'preact/hooks';
import type { ResourceSeries } from '../../../core/report/resource-series.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import type { ChartWidth } from '../../charts/chart.ts';
import { loadChart } from '../../charts/load-chart.ts';
import type { Palette } from '../../charts/palette.ts';
import { withoutSeriesText } from '../../wording/reasons.ts';
import { ChartView } from '../shared/chart-view.tsx';
import { SeriesSource, seriesOf } from '../shared/data.ts';
import { Text } from '../shared/text.tsx';
import type { Lookup } from './lookup.ts';

type Unpacked = { series: ResourceSeries } | { problem: string } | null;

function useSeries(resourceId: string): Unpacked {
  const source = useContext(SeriesSource);
  const [unpacked, setUnpacked] = useState<Unpacked>(null);
  useEffect(() => {
    let isHere = true;
    const notify = (one: Unpacked): void => {
      if (isHere) setUnpacked(one);
    };
    seriesOf<ResourceSeries>(source, resourceId).then(
      (series) =>
        notify(series === null ? { problem: 'The load of this resource is not in the file.' } : { series }),
      (error: unknown) => notify({ problem: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isHere = false;
    };
  }, [source, resourceId]);
  return unpacked;
}

type Which = 'whole' | 'closeUp';

function Switch({ which, onChange }: { which: Which; onChange: (which: Which) => void }) {
  const name = useId();
  return (
    <fieldset class="switch no-print">
      <legend class="unseen">Time shown</legend>
      {(['whole', 'closeUp'] as const).map((one) => (
        <label key={one}>
          <input type="radio" name={name} checked={which === one} onChange={() => onChange(one)} />
          <span>{one === 'whole' ? 'Whole window' : 'Worst hours'}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Drawn({ series, findingId }: { series: ResourceSeries; findingId: string }) {
  const [which, setWhich] = useState<Which>('whole');
  const make = useCallback(
    (palette: Palette, width: ChartWidth) => loadChart(series, { which, findingId, palette, width }),
    [series, which, findingId],
  );
  return (
    <div class="load">
      {series.closeUp === null ? null : <Switch which={which} onChange={setWhich} />}
      <ChartView make={make} heading="h4" />
    </div>
  );
}

function Series({ resourceId, findingId }: { resourceId: string; findingId: string }) {
  const unpacked = useSeries(resourceId);
  if (unpacked === null) return <p class="faint load-waits">Unpacking its load …</p>;
  if ('problem' in unpacked)
    return (
      <p class="unknown">
        No chart: <Text value={unpacked.problem} />
      </p>
    );
  return <Drawn series={unpacked.series} findingId={findingId} />;
}

export function LoadView({ finding, lookup }: { finding: Finding; lookup: Lookup }) {
  if (lookup.hasSeries(finding)) return <Series resourceId={finding.resource.id} findingId={finding.id} />;
  const reason =
    lookup.withoutSeries.length === 0
      ? 'its load was not read minute by minute'
      : lookup.withoutSeries.map(withoutSeriesText).join('; ');
  return (
    <p class="unknown">
      No chart of its load: <Text value={reason} />.
    </p>
  );
}
