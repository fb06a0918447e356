/** The metrics of many resources, collected from replies that come in pages and in any order. */
import type { LoadReason } from './load-reason.ts';
import { isMetricName, type MetricName, metricDefinitions } from './metrics.ts';
import { orderColumns, periodOf, type Series, sameTimes } from './series.ts';

/** The metrics of one resource. */
export type MetricSet = ReadonlyMap<MetricName, Series>;

export interface FleetMetrics {
  of(resourceId: string): MetricSet;
  resourceIds(): string[];
  /** Points dropped because their timestamp came again: the most in any one metric of the resource. */
  repeatedPoints(resourceId: string): number;
  /** Why the figures of a resource cannot be used, though there are some; null where they can. */
  unusableReason(resourceId: string): LoadReason | null;
  /** Metric series collected. */
  series: number;
}

/** A few points that come again with another value are late arrivals; from this share on, two replies are mixed. */
const conflictingShare = 0.05;

/** Reads a label `<resource id> <MetricName>`; null where it is not one of ours. */
export function parseLabel(label: string): { resourceId: string; metric: MetricName } | null {
  const [resourceId, metric, ...rest] = label.split(' ');
  if (resourceId === undefined || resourceId === '' || metric === undefined || rest.length > 0) return null;
  return isMetricName(metric) ? { resourceId, metric } : null;
}

export const labelOf = (resourceId: string, metric: MetricName): string => `${resourceId} ${metric}`;

/** Several instances can report the same check of one volume at one time: it was exceeded where any of them says so. */
function highestAtEachTime(
  times: readonly number[],
  values: readonly number[],
): { times: number[]; values: number[] } {
  const highest = new Map<number, number>();
  times.forEach((time, i) => {
    const value = values[i] as number;
    highest.set(time, Math.max(value, highest.get(time) ?? value));
  });
  return { times: [...highest.keys()], values: [...highest.values()] };
}

/** Collects points and gives them back in order; metrics share their time axis where it is the same. */
export class MetricCollector {
  private readonly sets = new Map<string, Map<MetricName, Series>>();
  private readonly repeated = new Map<string, number>();
  private readonly unusable = new Map<string, LoadReason>();
  /** The last time axis of each length and start: most resources of a fleet have the same. */
  private readonly axes = new Map<string, Float64Array>();
  private readonly finestPeriodSeconds: number;

  /** @param finestPeriodSeconds what the source never goes below: points nearer to each other are two replies mixed. */
  constructor(finestPeriodSeconds = 0) {
    this.finestPeriodSeconds = finestPeriodSeconds;
  }

  /** Adds points of one metric, in any order; a second call for the same metric adds to the first (a further page). */
  add(
    resourceId: string,
    metric: MetricName,
    epochSeconds: readonly number[],
    values: readonly number[],
  ): void {
    if (epochSeconds.length === 0) return;
    const set = this.sets.get(resourceId) ?? new Map<MetricName, Series>();
    this.sets.set(resourceId, set);
    const before = set.get(metric);
    const times = before === undefined ? epochSeconds : [...before.epochSeconds, ...epochSeconds];
    const all = before === undefined ? values : [...before.values, ...values];
    const perInstance = metricDefinitions[metric].dimensions === 'volume-and-instance';
    const once = perInstance && before !== undefined ? highestAtEachTime(times, all) : { times, values: all };
    const ordered = orderColumns(once.times, [once.values]);
    const periodSeconds =
      periodOf(ordered.epochSeconds) ?? metricDefinitions[metric].finestPeriodSeconds ?? 60;
    set.set(metric, {
      periodSeconds,
      epochSeconds: this.sharedAxis(set, ordered.epochSeconds),
      values: ordered.columns[0] as Float64Array,
    });
    const dropped = ordered.repeated.length;
    if (ordered.conflicting > conflictingShare * ordered.epochSeconds.length) {
      this.unusable.set(resourceId, { code: 'conflicting-points' });
    }
    if (periodSeconds < this.finestPeriodSeconds) {
      this.unusable.set(resourceId, { code: 'points-too-close', periodSeconds });
    }
    this.repeated.set(resourceId, Math.max(dropped, this.repeated.get(resourceId) ?? 0));
  }

  /** That of another metric of the resource, else of another resource, else a new one. */
  private sharedAxis(set: MetricSet, epochSeconds: Float64Array): Float64Array {
    for (const { epochSeconds: own } of set.values()) if (sameTimes(own, epochSeconds)) return own;
    const key = `${epochSeconds.length} ${epochSeconds[0]}`;
    const last = this.axes.get(key);
    if (last !== undefined && sameTimes(last, epochSeconds)) return last;
    this.axes.set(key, epochSeconds);
    return epochSeconds;
  }

  /** Says that figures of a resource could not be read: it must not be evaluated on the others. */
  unread(resourceId: string, reason: LoadReason): void {
    this.unusable.set(resourceId, reason);
  }

  finish(): FleetMetrics {
    const { sets, repeated, unusable } = this;
    const none: MetricSet = new Map();
    return {
      of: (resourceId) => sets.get(resourceId) ?? none,
      resourceIds: () => [...sets.keys()],
      repeatedPoints: (resourceId) => repeated.get(resourceId) ?? 0,
      unusableReason: (resourceId) => unusable.get(resourceId) ?? null,
      series: [...sets.values()].reduce((total, set) => total + set.size, 0),
    };
  }
}
