/** Recorded series of an account, by Region. The interface is small so that a benchmark can serve series that it does not store. */
import { orderColumns } from '../../core/load/series.ts';

export interface Dimension {
  name: string;
  value: string;
}

export interface StoredSeries {
  namespace: string;
  metric: string;
  dimensions: readonly Dimension[];
  /** Ascending, whole minutes, each once. Series may share one array: it is printed once then. */
  epochSeconds: Float64Array;
  values: Float64Array;
}

export interface SeriesStore {
  /** The series with exactly these dimensions, in any order. */
  find(
    region: string,
    namespace: string,
    metric: string,
    dimensions: readonly Dimension[],
  ): StoredSeries | undefined;
  /** All of a Region, always in the same order. */
  list(region: string): readonly StoredSeries[];
}

export interface SeriesInput {
  namespace: string;
  metric: string;
  dimensions: readonly Dimension[];
  epochSeconds: readonly number[];
  values: readonly number[];
}

/** The key of a metric: CloudWatch takes two dimension sets as one when they are equal as sets. */
function seriesKey(namespace: string, metric: string, dimensions: readonly Dimension[]): string {
  const pairs = dimensions.map(({ name, value }) => `${name}\u0000${value}`);
  if (pairs.length > 1) pairs.sort();
  return `${namespace}\u0000${metric}\u0000${pairs.join('\u0000')}`;
}

/** Time axes kept for comparison: a fleet's series mostly share one, and those of a Region follow one another. */
const recentAxes = 8;

const isSame = (a: Float64Array, b: Float64Array): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

export class MemorySeriesStore implements SeriesStore {
  private readonly regions = new Map<string, Map<string, StoredSeries>>();
  private readonly lists = new Map<string, StoredSeries[]>();
  private axes: Float64Array[] = [];

  find(
    region: string,
    namespace: string,
    metric: string,
    dimensions: readonly Dimension[],
  ): StoredSeries | undefined {
    return this.regions.get(region)?.get(seriesKey(namespace, metric, dimensions));
  }

  list(region: string): readonly StoredSeries[] {
    const known = this.lists.get(region);
    if (known !== undefined) return known;
    const list = [...(this.regions.get(region)?.values() ?? [])];
    this.lists.set(region, list);
    return list;
  }

  /** Adds a series, or replaces the one with the same key. Times in any order; of repeated ones the last is kept. */
  put(region: string, input: SeriesInput): void {
    const { epochSeconds, columns } = orderColumns(input.epochSeconds, [input.values]);
    const { namespace, metric, dimensions } = input;
    const series = this.regions.get(region) ?? new Map<string, StoredSeries>();
    series.set(seriesKey(namespace, metric, dimensions), {
      namespace,
      metric,
      dimensions,
      epochSeconds: this.sharedAxis(epochSeconds),
      values: columns[0] ?? new Float64Array(),
    });
    this.regions.set(region, series);
    this.lists.delete(region);
  }

  /** Adds points to the series with the same key; of repeated times the last is kept. */
  add(region: string, input: SeriesInput): void {
    const before = this.find(region, input.namespace, input.metric, input.dimensions);
    const epochSeconds = [...(before?.epochSeconds ?? []), ...input.epochSeconds];
    this.put(region, { ...input, epochSeconds, values: [...(before?.values ?? []), ...input.values] });
  }

  clear(region: string): void {
    this.regions.delete(region);
    this.lists.delete(region);
  }

  private sharedAxis(epochSeconds: Float64Array): Float64Array {
    const known = this.axes.find((axis) => isSame(axis, epochSeconds));
    if (known !== undefined) return known;
    this.axes = [epochSeconds, ...this.axes.slice(0, recentAxes - 1)];
    return epochSeconds;
  }
}
