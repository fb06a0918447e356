/** Charts, two beside each other where there is room: as many as there are figures for. */
import { useCallback, useMemo } from 'preact/hooks';
import type { Chart } from '../../charts/chart.ts';
import { light, type Palette } from '../../charts/palette.ts';
import { ChartView } from '../shared/chart-view.tsx';

interface ChartsProps {
  /** Always as many, whatever the palette: keep it with useCallback. */
  make: (palette: Palette) => Chart[];
  heading: 'h3' | 'h4';
}

function OneOfThem({ make, index, heading }: ChartsProps & { index: number }) {
  const one = useCallback((palette: Palette) => make(palette)[index] as Chart, [make, index]);
  return <ChartView make={one} heading={heading} />;
}

export function Charts({ make, heading }: ChartsProps) {
  const count = useMemo(() => make(light).length, [make]);
  return (
    <div class="charts">
      {Array.from({ length: count }, (_, index) => (
        <OneOfThem key={index} make={make} index={index} heading={heading} />
      ))}
    </div>
  );
}
