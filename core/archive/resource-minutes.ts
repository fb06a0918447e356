/** The minutes of one resource, as rows of the archive hold them: what was read, what was kept before, and both together. */
import { type MetricName, type MetricSet, metricDefinitions } from '../load/metrics.ts';
import { periodOf, type Series, sameTimes } from '../load/series.ts';
import { secondsPerMinute } from '../units.ts';
import { type EvaluationColumn, evaluationColumns } from './columns.ts';

export type ResourceType = 'volume' | 'instance';

/** Of each minute a text, or null where it was not evaluated. */
type Evaluation = Readonly<Record<EvaluationColumn, readonly (string | null)[]>>;

export interface ResourceMinutes {
  resourceType: ResourceType;
  resourceId: string;
  /** Null where the account is not known. */
  arn: string | null;
  /** Ascending, each once. */
  epochSeconds: Float64Array;
  /** A value a time; NaN where there is no point. A metric that has none at all may be missing. */
  metrics: ReadonlyMap<MetricName, Float64Array>;
  /** Null where none of it was evaluated. */
  evaluation: Evaluation | null;
}

/** One day after another needs no sorting. */
const isAfter = (axis: Float64Array, before: Float64Array): boolean =>
  axis.length > 0 && before.length > 0 && (before.at(-1) as number) < (axis[0] as number);

function concatenated(axes: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(axes.reduce((length, axis) => length + axis.length, 0));
  let end = 0;
  for (const axis of axes) {
    all.set(axis, end);
    end += axis.length;
  }
  return all;
}

/** All times of several ascending axes, each once. */
function allTimes(axes: readonly Float64Array[]): Float64Array {
  const [first = new Float64Array(), ...others] = axes;
  if (others.every((axis) => sameTimes(axis, first))) return first;
  if (axes.every((axis, i) => i === 0 || isAfter(axis, axes[i - 1] as Float64Array)))
    return concatenated(axes);
  const times = new Set<number>();
  for (const axis of axes) for (const time of axis) times.add(time);
  return Float64Array.from(times).sort();
}

/** For each time of an axis its place among all times, which hold it. @param start a place that none of them is before. */
function placesOf(axis: Float64Array, all: Float64Array, start = 0): Int32Array | null {
  if (sameTimes(axis, all)) return null;
  const places = new Int32Array(axis.length);
  for (let i = 0, place = start; i < axis.length; i++) {
    while (all[place] !== axis[i]) place++;
    places[i] = place;
  }
  return places;
}

const placed = (values: Float64Array, places: Int32Array | null, length: number): Float64Array => {
  if (places === null) return values;
  const all = new Float64Array(length).fill(Number.NaN);
  for (let i = 0; i < values.length; i++) all[places[i] as number] = values[i] as number;
  return all;
};

/** What CloudWatch, or files of it, gave of a resource. */
export function minutesOf(
  resource: Pick<ResourceMinutes, 'resourceType' | 'resourceId' | 'arn'>,
  set: MetricSet,
): ResourceMinutes {
  const { resourceType, resourceId, arn } = resource;
  const epochSeconds = allTimes([...set.values()].map((series) => series.epochSeconds));
  const metrics = new Map<MetricName, Float64Array>();
  for (const [metric, series] of set) {
    const places = placesOf(series.epochSeconds, epochSeconds);
    metrics.set(metric, placed(series.values, places, epochSeconds.length));
  }
  return { resourceType, resourceId, arn, epochSeconds, metrics, evaluation: null };
}

/** The series of a metric, as it was read; null where it has no point. */
export function seriesOf({ epochSeconds, metrics }: ResourceMinutes, metric: MetricName): Series | null {
  const all = metrics.get(metric);
  if (all === undefined) return null;
  let count = 0;
  for (let i = 0; i < all.length; i++) if (!Number.isNaN(all[i])) count++;
  if (count === 0) return null;
  const isWhole = count === all.length;
  const times = isWhole ? epochSeconds : epochSeconds.filter((_, i) => !Number.isNaN(all[i]));
  const values = isWhole ? all : all.filter((value) => !Number.isNaN(value));
  const single = metricDefinitions[metric].finestPeriodSeconds ?? secondsPerMinute;
  return { periodSeconds: periodOf(times) ?? single, epochSeconds: times, values };
}

/** Its minutes from a time on, up to (without) an end. */
export function between(minutes: ResourceMinutes, fromSeconds: number, endSeconds: number): ResourceMinutes {
  const { epochSeconds, metrics, evaluation } = minutes;
  // All of it: the usual case, and no need to look at each time.
  if (
    epochSeconds.length > 0 &&
    (epochSeconds[0] as number) >= fromSeconds &&
    (epochSeconds.at(-1) as number) < endSeconds
  )
    return minutes;
  const first = epochSeconds.findIndex((time) => time >= fromSeconds);
  const from = first === -1 ? epochSeconds.length : first;
  const last = epochSeconds.findIndex((time) => time >= endSeconds);
  const end = last === -1 ? epochSeconds.length : last;
  if (from === 0 && end === epochSeconds.length) return minutes;
  return {
    ...minutes,
    epochSeconds: epochSeconds.slice(from, end),
    metrics: new Map([...metrics].map(([metric, values]) => [metric, values.slice(from, end)])),
    evaluation: evaluation && {
      status: evaluation.status.slice(from, end),
      cause: evaluation.cause.slice(from, end),
      limit_scope: evaluation.limit_scope.slice(from, end),
    },
  };
}

/** What was read later is taken where it has a point; a missing point takes nothing away. */
function bothMetrics(
  before: ResourceMinutes,
  later: ResourceMinutes,
  all: Float64Array,
): { metrics: Map<MetricName, Float64Array>; isChanged: boolean } {
  const laterPlaces = placesOf(later.epochSeconds, all);
  const beforePlaces = placesOf(before.epochSeconds, all);
  const metrics = new Map<MetricName, Float64Array>();
  for (const [metric, values] of before.metrics)
    metrics.set(metric, placed(values, beforePlaces, all.length));
  let isChanged = false;
  for (const [metric, values] of later.metrics) {
    const kept = metrics.get(metric);
    // Not that of before: it is another's.
    const both = kept === undefined ? new Float64Array(all.length).fill(Number.NaN) : kept.slice();
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      const place = laterPlaces === null ? i : (laterPlaces[i] as number);
      if (Number.isNaN(value) || both[place] === value) continue;
      both[place] = value;
      isChanged = true;
    }
    metrics.set(metric, both);
  }
  return { metrics, isChanged };
}

function bothEvaluations(
  before: ResourceMinutes,
  later: ResourceMinutes,
  all: Float64Array,
): { evaluation: Evaluation | null; isChanged: boolean } {
  if (before.evaluation === null && later.evaluation === null) return { evaluation: null, isChanged: false };
  const none = (): (string | null)[] => new Array<string | null>(all.length).fill(null);
  const evaluation = { status: none(), cause: none(), limit_scope: none() };
  let isChanged = false;
  for (const one of [before, later]) {
    if (one.evaluation === null) continue;
    const places = placesOf(one.epochSeconds, all);
    for (let i = 0; i < one.epochSeconds.length; i++) {
      // A minute that was not evaluated this time keeps what was said of it.
      if (one.evaluation.status[i] === null) continue;
      const place = places === null ? i : (places[i] as number);
      for (const column of evaluationColumns) {
        const text = one.evaluation[column][i] ?? null;
        if (one === later && evaluation[column][place] !== text) isChanged = true;
        evaluation[column][place] = text;
      }
    }
  }
  return { evaluation, isChanged };
}

/** @returns isChanged: false where the later one says nothing that was not known. */
export function merged(
  before: ResourceMinutes,
  later: ResourceMinutes,
): { minutes: ResourceMinutes; isChanged: boolean } {
  const epochSeconds = allTimes([before.epochSeconds, later.epochSeconds]);
  const { metrics, isChanged: hasPoints } = bothMetrics(before, later, epochSeconds);
  const { evaluation, isChanged: isEvaluated } = bothEvaluations(before, later, epochSeconds);
  const isChanged = hasPoints || isEvaluated;
  if (!isChanged) return { minutes: before, isChanged };
  return {
    minutes: { ...before, arn: later.arn ?? before.arn, epochSeconds, metrics, evaluation },
    isChanged,
  };
}

/**
 * Pieces of one resource from several objects, as one; none of them is of the same minute as another. A month may be one object
 * and a day within it another: pieces may lie within each other.
 */
export function joined(pieces: readonly ResourceMinutes[]): ResourceMinutes {
  const all = [...pieces].sort((a, b) => (a.epochSeconds[0] as number) - (b.epochSeconds[0] as number)) as [
    ResourceMinutes,
    ...ResourceMinutes[],
  ];
  if (all.length === 1) return all[0];
  const epochSeconds = allTimes(all.map((piece) => piece.epochSeconds));
  const { length } = epochSeconds;
  const metrics = new Map<MetricName, Float64Array>();
  const isEvaluated = all.some((piece) => piece.evaluation !== null);
  const none = (): (string | null)[] => new Array<string | null>(length).fill(null);
  const evaluation = isEvaluated ? { status: none(), cause: none(), limit_scope: none() } : null;
  let start = 0;
  for (const piece of all) {
    start = epochSeconds.indexOf(piece.epochSeconds[0] as number, start);
    const places = placesOf(piece.epochSeconds, epochSeconds, start);
    for (const [metric, values] of piece.metrics) {
      const own = metrics.get(metric) ?? new Float64Array(length).fill(Number.NaN);
      metrics.set(metric, own);
      for (let i = 0; i < values.length; i++) own[places?.[i] ?? i] = values[i] as number;
    }
    if (evaluation === null || piece.evaluation === null) continue;
    for (const column of evaluationColumns) {
      const [texts, own] = [piece.evaluation[column], evaluation[column]];
      for (let i = 0; i < texts.length; i++) own[places?.[i] ?? i] = texts[i] ?? null;
    }
  }
  return { ...(all.at(-1) as ResourceMinutes), epochSeconds, metrics, evaluation };
}
