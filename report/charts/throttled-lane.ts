/** Who throttled the load, and when: a row for each cause, named, so that no color has to be known. */
import type { CustomSeriesOption, YAXisComponentOption } from 'echarts';
import type { Cause } from '../../core/diagnosis/causes.ts';
import type { Envelope } from '../../core/report/envelope.ts';
import { secondsPerMinute } from '../../core/units.ts';
import { type BinRun, binStartMs, countOf, runsOf, throttledRuns } from './bins.ts';
import { hatched } from './hatch.ts';
import type { Palette } from './palette.ts';
import { causeWords, minutesText } from './words.ts';

export const rowPixels = 30;
const barPixels = 12;
/** A minute of weeks must still be seen. */
const minPixels = 2;

export interface LaneRow {
  cause: Cause;
  minutes: number;
  runs: BinRun[];
}

/** Bins of which at least half is not known. */
function unknownRow({ throttled, binSeconds }: Envelope): LaneRow[] {
  const { unknownMinutes } = throttled;
  const minutes = unknownMinutes.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  const half = binSeconds / secondsPerMinute / 2;
  const runs = runsOf(unknownMinutes.length, (bin) => ((unknownMinutes[bin] ?? 0) >= half ? true : null));
  return minutes === 0 ? [] : [{ cause: 'unknown', minutes, runs }];
}

/** Causes with the most minutes first; what cannot be known last. */
export function laneRows(envelope: Envelope): LaneRow[] {
  const runs = throttledRuns(envelope);
  return [
    ...envelope.throttled.minutesByCause.map(({ cause, minutes }) => ({
      ...{ cause, minutes },
      runs: runs.filter((run) => run.cause === cause),
    })),
    ...(countOf(envelope) === 0 ? [] : unknownRow(envelope)),
  ];
}

export const laneAxis = (rows: readonly LaneRow[], palette: Palette): YAXisComponentOption => ({
  ...{ type: 'category', inverse: true, position: 'right' },
  data: rows.map(({ cause }) => cause),
  axisLine: { show: false },
  axisTick: { show: false },
  splitLine: { show: true, lineStyle: { color: palette.grid } },
  axisLabel: {
    ...{ interval: 0, fontSize: 11, lineHeight: 13, color: palette.ink, margin: 6 },
    formatter: (_: string, index: number) => {
      const row = rows[index];
      return row === undefined ? '' : `${causeWords[row.cause]}\n${minutesText(row.minutes)}`;
    },
  },
});

export function laneSeries(
  envelope: Envelope,
  rows: readonly LaneRow[],
  palette: Palette,
): CustomSeriesOption {
  const items = rows.flatMap(({ cause, runs }, row) => runs.map((run) => ({ cause, run, row })));
  return {
    ...{ type: 'custom', name: 'throttled', xAxisIndex: 0, yAxisIndex: 0, silent: true, clip: true },
    encode: { x: [0, 1], y: 2 },
    data: items.map(({ run: { from, to }, row }) => [
      binStartMs(envelope, from),
      binStartMs(envelope, to),
      row,
    ]),
    renderItem: ({ dataIndex }, api) => {
      const [left = 0, middle = 0] = api.coord([api.value(0), api.value(2)]);
      const [right = 0] = api.coord([api.value(1), api.value(2)]);
      const width = Math.max(right - left, minPixels);
      const box = { x: left, y: middle - barPixels / 2, width, height: barPixels };
      const cause = items[dataIndex]?.cause ?? 'unknown';
      const color = palette.cause[cause];
      return cause === 'unknown' ? hatched(box, color) : { type: 'rect', shape: box, style: { fill: color } };
    },
  };
}
