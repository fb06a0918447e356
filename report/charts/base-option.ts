/** What all charts have in common. */
import type { EChartsOption, LegendComponentOption, TitleComponentOption } from 'echarts';
import type { Palette } from './palette.ts';

/** The slider below a chart of time; pictures have none. */
export const sliderPixels = 34;

export const textPixels = 12;

/** A tooltip is drawn into the canvas: one of HTML would need inline styles. */
export const tooltipOf = (palette: Palette) =>
  ({
    renderMode: 'richText',
    confine: true,
    backgroundColor: palette.background,
    borderColor: palette.faint,
    borderWidth: 1,
    padding: 8,
    textStyle: { color: palette.ink, fontSize: textPixels, lineHeight: 17 },
  }) as const;

export const baseOption = (palette: Palette, description: string): EChartsOption => ({
  animation: false,
  useUTC: true,
  textStyle: { color: palette.ink, fontFamily: 'system-ui, "Segoe UI", Roboto, sans-serif' },
  aria: { enabled: true, label: { enabled: true, description } },
});

export const axisText = (palette: Palette) => ({ color: palette.faint, fontSize: 11 }) as const;

/** Ticks and figures, on lines that nobody has to see. */
export const axisLook = (palette: Palette) =>
  ({
    axisLine: { show: true, lineStyle: { color: palette.faint } },
    axisTick: { show: true, lineStyle: { color: palette.faint } },
    splitLine: { show: true, lineStyle: { color: palette.grid } },
  }) as const;

/** @param note of figures only: its text has styles. */
export const panelTitle = (
  palette: Palette,
  text: string,
  { top, left = 0, note = '' }: { top: number; left?: number | string; note?: string },
): TitleComponentOption => ({
  text: note === '' ? text : `{text|${text}}  {note|${note}}`,
  ...{ top, left, padding: 0, itemGap: 0 },
  textStyle: {
    ...{ color: palette.ink, fontSize: textPixels, fontWeight: 'bold' },
    rich: {
      text: { color: palette.ink, fontSize: textPixels, fontWeight: 'bold' },
      note: { color: palette.faint, fontSize: 11, fontWeight: 'normal' },
    },
  },
});

/** In a key to lines: the line alone, without the dot that ECharts puts on it. */
export const lineKey = (name: string) => ({ name, itemStyle: { opacity: 0 } });

/** In a key to what is hatched. */
export const hatchKey = (name: string, color: string) => ({
  name,
  itemStyle: {
    ...{ color: 'transparent', borderColor: color, borderWidth: 1 },
    decal: { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [1, 4], rotation: -Math.PI / 4, color },
  },
});

/** A key to what is drawn: nothing in it can be switched. */
export const legendOf = (
  palette: Palette,
  data: readonly (string | ReturnType<typeof lineKey> | ReturnType<typeof hatchKey>)[],
): LegendComponentOption => ({
  ...{ top: 4, left: 0, padding: 0, itemGap: 16, itemWidth: 22, itemHeight: 10, selectedMode: false },
  data: [...data],
  textStyle: { color: palette.ink, fontSize: textPixels },
});
