/** Time in UTC along the ground of panels, and what zooms into it. */
import type { DataZoomComponentOption, XAXisComponentOption } from 'echarts';
import type { Envelope } from '../../core/report/envelope.ts';
import { msPerSecond, utcText } from '../../core/units.ts';
import { axisLook, axisText } from './base-option.ts';
import { binStartMs, countOf } from './bins.ts';
import type { Palette } from './palette.ts';

/** @param isLast the others stand above it and have neither ticks nor labels. */
export function timeAxis(envelope: Envelope, gridIndex: number, isLast: boolean, palette: Palette) {
  const { axisLine, axisTick, splitLine } = axisLook(palette);
  const axis: XAXisComponentOption = {
    ...{ type: 'time', gridIndex, axisLine, splitLine },
    axisTick: { ...axisTick, show: isLast },
    ...{ min: binStartMs(envelope, 0), max: binStartMs(envelope, countOf(envelope)) },
    axisLabel: {
      ...axisText(palette),
      ...{ show: isLast, hideOverlap: true },
      formatter: {
        ...{ year: '{yyyy}', month: '{d} {MMM}', day: '{d} {MMM}', hour: '{HH}:{mm}', minute: '{HH}:{mm}' },
        ...{ second: '{HH}:{mm}:{ss}', millisecond: '{HH}:{mm}:{ss}' },
      },
    },
    axisPointer: {
      label: {
        show: isLast,
        formatter: ({ value }: { value: unknown }) =>
          `${utcText(Math.floor(Number(value) / msPerSecond))} UTC`,
      },
    },
  };
  return isLast ? { ...axis, name: 'UTC', nameTextStyle: axisText(palette), nameGap: 8 } : axis;
}

/** Of all time axes at once. */
export function zoomOf(
  count: number,
  { left, right }: { left: number; right: number },
  palette: Palette,
): DataZoomComponentOption[] {
  const xAxisIndex = Array.from({ length: count }, (_, index) => index);
  const all = { xAxisIndex, filterMode: 'none' as const };
  return [
    // Without Ctrl the wheel scrolls the page.
    { ...all, type: 'inside', zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: false },
    {
      ...{ ...all, type: 'slider', bottom: 4, height: 20, left, right },
      ...{ showDataShadow: false, brushSelect: false, showDetail: false, borderColor: palette.grid },
      fillerColor: palette.band,
      handleStyle: { color: palette.background, borderColor: palette.faint },
      moveHandleStyle: { color: palette.faint },
    },
  ];
}
