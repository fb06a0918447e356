/** Where the bins of an envelope lie in time, and which of them belong together. */
import type { Cause } from '../../core/diagnosis/causes.ts';
import type { Band, Column, Envelope } from '../../core/report/envelope.ts';
import { msPerSecond } from '../../core/units.ts';

/** Of the bin after the last one: the end, since the last may be shorter. */
export const binStart = ({ startEpochSeconds, endEpochSeconds, binSeconds }: Envelope, bin: number): number =>
  Math.min(startEpochSeconds + bin * binSeconds, endEpochSeconds);

/** ECharts counts time in milliseconds. */
export const binStartMs = (envelope: Envelope, bin: number): number => binStart(envelope, bin) * msPerSecond;

export const countOf = ({ iops }: Envelope): number => iops.max.length;

/** Bins `from` up to, and without, `to`. */
export interface BinRun {
  from: number;
  to: number;
}

/** Bins that follow each other and have the same key; those with null belong to nothing. */
export function runsOf<Key>(count: number, keyOf: (bin: number) => Key | null): (BinRun & { key: Key })[] {
  const runs: (BinRun & { key: Key })[] = [];
  for (let bin = 0; bin < count; bin++) {
    const key = keyOf(bin);
    if (key === null) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.to === bin && last.key === key) last.to = bin + 1;
    else runs.push({ from: bin, to: bin + 1, key });
  }
  return runs;
}

/** Where a column has figures. */
export const filledRuns = (column: Column): BinRun[] =>
  runsOf(column.length, (bin) => (column[bin] === null ? null : true));

/** Where nothing is known of the load. */
export const gapsOf = ({ iops, mibps }: Envelope): BinRun[] =>
  runsOf(iops.max.length, (bin) => (iops.max[bin] === null && mibps.max[bin] === null ? true : null));

export interface ThrottledRun extends BinRun {
  cause: Cause;
}

/** Bins that follow each other and were throttled by the same. */
export const throttledRuns = (envelope: Envelope): ThrottledRun[] =>
  runsOf(countOf(envelope), (bin) =>
    (envelope.throttled.minutes[bin] ?? 0) > 0 ? (envelope.throttled.cause[bin] ?? null) : null,
  ).map(({ from, to, key }) => ({ from, to, cause: key }));

/** The most of a column; null where it has no figure. */
export const mostOf = (column: Column): number | null =>
  column.reduce((most, value) => (value === null || (most !== null && most >= value) ? most : value), null);

export const leastOf = (column: Column): number | null =>
  column.reduce(
    (least, value) => (value === null || (least !== null && least <= value) ? least : value),
    null,
  );

/** Closer to what was served it would only make that line thicker. */
const minDemandRatio = 1.02;

/** Where clearly more was demanded than was served at most; null where that never was. */
export function clearlyDemanded(demand: Column | null, { max }: Band): Column | null {
  const more = demand?.map((one, bin) =>
    one !== null && one > minDemandRatio * (max[bin] ?? Number.POSITIVE_INFINITY) ? one : null,
  );
  return more?.some((one) => one !== null) ? more : null;
}

/** Each entry as a level from where it begins to where the next would; a null after the last of a run ends the line there. */
export function levels(column: Column, startOf: (index: number) => number): [number, number | null][] {
  const points: [number, number | null][] = [];
  for (const { from, to } of filledRuns(column)) {
    for (let index = from; index < to; index++) points.push([startOf(index), column[index] as number]);
    const end = startOf(to);
    points.push([end, column[to - 1] as number], [end, null]);
  }
  return points;
}
