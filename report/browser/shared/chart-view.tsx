/**
 * A chart in the page: a picture to look at and to point into, with its figures as a table below. It is drawn when it comes
 * into view, and before printing; then on light ground and as wide as paper.
 */
import type { EChartsType } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Chart, ChartWidth } from '../../charts/chart.ts';
import { init, use } from '../../charts/echarts.ts';
import { light, type Palette } from '../../charts/palette.ts';
import { ChartFigures } from './chart-figures.tsx';
import { useNarrow } from './narrow.ts';
import { usePrinting } from './printing.ts';
import { useTheme } from './theme.tsx';

use([CanvasRenderer]);

/** What fits between the margins of A4 and of letter. */
const paperPixels = 680;
/** Drawn a little before it is seen. */
const margin = '300px';

interface ChartViewProps {
  /** Made anew where it is another function: keep it with useCallback or useMemo. */
  make: (palette: Palette, width: ChartWidth) => Chart;
  /** Of the chart's title; left out where the text beside it says it. */
  heading?: 'h3' | 'h4' | null;
  /** Called with what was clicked, as the chart has it: a way for who points, beside the one in the tables. */
  onPick?: (data: unknown) => void;
}

/** False until the element was near to what is seen. */
function useSeen(element: { current: HTMLElement | null }): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: margin },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isSeen;
}

/** What scrolls is reached by the keyboard; what does not is no stop on the way. */
function reachable(element: HTMLElement | null): void {
  if (element === null) return;
  if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
  else element.removeAttribute('tabindex');
}

export function ChartView({ make, heading: Heading = 'h3', onPick }: ChartViewProps) {
  const { palette } = useTheme();
  const isPrinting = usePrinting();
  const ground = useRef<HTMLDivElement>(null);
  const scroll = useRef<HTMLDivElement>(null);
  const drawn = useRef<EChartsType | null>(null);
  const isFilled = useRef(false);
  const isSeen = useSeen(ground);
  const isDrawn = isSeen || isPrinting;
  const colors = isPrinting ? light : palette;
  const width: ChartWidth = useNarrow() && !isPrinting ? 'narrow' : 'wide';
  const chart = useMemo(() => make(colors, width), [make, colors, width]);

  // It may scroll before it is drawn.
  useLayoutEffect(() => reachable(scroll.current));

  const { heightPixels } = chart;
  useLayoutEffect(() => {
    const element = ground.current;
    if (!isDrawn || element === null) return;
    const made: EChartsType = init(element, null, {
      renderer: 'canvas',
      height: heightPixels,
      ...(isPrinting ? { width: paperPixels, devicePixelRatio: 2 } : {}),
    });
    drawn.current = made;
    if (onPick !== undefined) made.on('click', ({ data }) => onPick(data));
    const dispose = (): void => {
      drawn.current = null;
      isFilled.current = false;
      made.dispose();
    };
    if (isPrinting) return dispose;
    let width = element.clientWidth;
    const resized = new ResizeObserver(() => {
      reachable(scroll.current);
      if (element.clientWidth === width || element.clientWidth === 0) return;
      width = element.clientWidth;
      made.resize({ width, height: heightPixels });
    });
    resized.observe(element);
    return () => {
      resized.disconnect();
      dispose();
    };
  }, [isDrawn, isPrinting, heightPixels, onPick]);

  // What was drawn is drawn over, in the next frame: a chart follows what is dragged, and the text beside it is not kept waiting.
  useLayoutEffect(() => {
    const element = ground.current;
    if (drawn.current === null || element === null) return;
    drawn.current.setOption(chart.option, { notMerge: true, lazyUpdate: isFilled.current && !isPrinting });
    isFilled.current = true;
    // It is called the chart's name, not what ECharts finds in it.
    element.setAttribute('aria-label', `${chart.title}. ${chart.description}`);
    if (isPrinting) drawn.current.getZr().flush();
    else reachable(scroll.current);
  }, [chart, isDrawn, isPrinting, onPick]);

  return (
    <figure class="chart">
      {Heading === null ? null : (
        <figcaption>
          <Heading>{chart.title}</Heading>
        </figcaption>
      )}
      <div ref={scroll} class="chart-scroll">
        <div
          ref={ground}
          class="chart-ground"
          role="img"
          aria-label={`${chart.title}. ${chart.description}`}
          style={{ height: `${chart.heightPixels}px` }}
        />
      </div>
      <ChartFigures chart={chart} />
    </figure>
  );
}
