/**
 * The CloudWatch metrics that the audit reads: where each is published, by which dimensions, with which statistic.
 * Source: CloudWatch metrics for EBS and for EC2, read 2026-11-21. The checks are documented under "VolumeId |
 * InstanceId"; public catalogs show them under the pair, so the pair is what is asked for.
 */
import type { Instance, Volume } from '../inventory.ts';
import { isVolumeType } from '../limits/volume-limits.ts';
import { usdPerMetric } from '../prices/metric-prices.ts';
import type { LoadReason } from '../schemas/unknown-reasons.ts';
import { orderColumns, periodOf, type Series, sameTimes } from './series.ts';

/** EBS publishes a point a minute at most. */
export const finestEbsPeriodSeconds = 60;

export type Statistic = 'Sum' | 'Average' | 'Minimum' | 'Maximum';

interface MetricDefinition {
  namespace: 'AWS/EBS' | 'AWS/EC2';
  dimensions: 'volume' | 'volume-and-instance' | 'instance';
  statistic: Statistic;
  /** Where CloudWatch has no finer points than this. */
  finestPeriodSeconds?: 300;
}

const volume = (statistic: Statistic): MetricDefinition => ({
  namespace: 'AWS/EBS',
  dimensions: 'volume',
  statistic,
});
/** Sum: over a longer period it counts the minutes in which the check was 1. */
const volumeCheck: MetricDefinition = {
  namespace: 'AWS/EBS',
  dimensions: 'volume-and-instance',
  statistic: 'Sum',
};
const instanceSum: MetricDefinition = { namespace: 'AWS/EC2', dimensions: 'instance', statistic: 'Sum' };
const instanceBalance: MetricDefinition = {
  namespace: 'AWS/EC2',
  dimensions: 'instance',
  statistic: 'Minimum',
  finestPeriodSeconds: 300,
};

const definitions = {
  VolumeReadOps: volume('Sum'),
  VolumeWriteOps: volume('Sum'),
  VolumeReadBytes: volume('Sum'),
  VolumeWriteBytes: volume('Sum'),
  VolumeTotalReadTime: volume('Sum'),
  VolumeTotalWriteTime: volume('Sum'),
  VolumeIdleTime: volume('Sum'),
  VolumeQueueLength: volume('Average'),
  BurstBalance: volume('Minimum'),
  VolumeStalledIOCheck: volumeCheck,
  VolumeIOPSExceededCheck: volumeCheck,
  VolumeThroughputExceededCheck: volumeCheck,
  InstanceEBSIOPSExceededCheck: instanceSum,
  InstanceEBSThroughputExceededCheck: instanceSum,
  // Over all its volumes, in points of the instance's monitoring: five minutes, or one where it is detailed.
  EBSReadOps: instanceSum,
  EBSWriteOps: instanceSum,
  EBSReadBytes: instanceSum,
  EBSWriteBytes: instanceSum,
  'EBSIOBalance%': instanceBalance,
  'EBSByteBalance%': instanceBalance,
} satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof definitions;

export const metricDefinitions: Readonly<Record<MetricName, MetricDefinition>> = definitions;

export const metricNames = Object.keys(definitions) as MetricName[];

export const isMetricName = (text: string): text is MetricName => Object.hasOwn(metricDefinitions, text);

const bucketTypes: readonly string[] = ['gp2', 'st1', 'sc1'];
const notOnMultiAttach: readonly MetricName[] = [
  'VolumeTotalReadTime',
  'VolumeTotalWriteTime',
  'VolumeIdleTime',
  'VolumeIOPSExceededCheck',
  'VolumeThroughputExceededCheck',
];

/** The metrics worth asking for a volume: those that AWS publishes for its type and kind, and no others. */
export function metricsOfVolume(asked: Volume): MetricName[] {
  if (asked.state !== 'in-use' || !isVolumeType(asked.volumeType)) return [];
  return metricNames.filter((name) => {
    const { dimensions } = metricDefinitions[name];
    if (dimensions === 'instance') return false;
    if (name === 'BurstBalance') {
      return (
        bucketTypes.includes(asked.volumeType) && !(asked.volumeType === 'gp2' && asked.sizeGiB >= 1_000)
      );
    }
    if (asked.multiAttach && notOnMultiAttach.includes(name)) return false;
    if (dimensions === 'volume-and-instance') {
      // A volume of a managed service shows no instance to ask by.
      if (asked.attachments.length === 0) return false;
      return (
        asked.deployment === 'region' && (asked.volumeType !== 'standard' || name === 'VolumeStalledIOCheck')
      );
    }
    return true;
  });
}

export const metricsOfInstance = (): MetricName[] =>
  metricNames.filter((name) => metricDefinitions[name].dimensions === 'instance');

// Which metrics to ask CloudWatch for, packed into requests within its limits.

/** CloudWatch's own limits on one GetMetricData call; source: CloudWatch quotas, read 2026-11-21. */
export const queriesPerCall = 500;
export const pointsPerCall = 100_800;
/** CloudWatch's newest points come late and grow: what is asked of now ends so long ago. */
export const settleSeconds = 180;

export interface MetricQuery {
  resourceId: string;
  metric: MetricName;
  namespace: string;
  dimensions: { name: 'VolumeId' | 'InstanceId'; value: string }[];
  statistic: Statistic;
  periodSeconds: number;
}

const usdDigits = 6;
/** What asking for so many metrics costs, at the price of us-east-1, without the rests of binary fractions. */
export const usdOfMetrics = (metrics: number): number => Number((metrics * usdPerMetric).toFixed(usdDigits));

const finest = (metric: MetricName, periodSeconds: number): number =>
  Math.max(periodSeconds, metricDefinitions[metric].finestPeriodSeconds ?? 0);

/** How one of a volume's checks is published: with the instance it was measured on, or (null) for the volume alone. */
export interface PublishedCheck {
  metric: MetricName;
  instanceId: string | null;
}

/** Where nobody discovered how the checks are published: with each instance that the volume is attached to. */
export function expectedChecks(volume: Volume): PublishedCheck[] {
  return metricsOfVolume(volume)
    .filter((metric) => metricDefinitions[metric].dimensions === 'volume-and-instance')
    .flatMap((metric) => volume.attachments.map(({ instanceId }) => ({ metric, instanceId })));
}

/**
 * The queries of one volume.
 * @param published its checks as CloudWatch lists them; without it they are expected under volume and instance.
 */
export function queriesOfVolume(
  volume: Volume,
  periodSeconds: number,
  published: readonly PublishedCheck[] = expectedChecks(volume),
): MetricQuery[] {
  const query = (metric: MetricName, instanceId: string | null): MetricQuery => ({
    resourceId: volume.volumeId,
    metric,
    namespace: metricDefinitions[metric].namespace,
    dimensions: [
      { name: 'VolumeId', value: volume.volumeId },
      ...(instanceId === null ? [] : [{ name: 'InstanceId' as const, value: instanceId }]),
    ],
    statistic: metricDefinitions[metric].statistic,
    periodSeconds: finest(metric, periodSeconds),
  });
  const own = metricsOfVolume(volume).filter((metric) => metricDefinitions[metric].dimensions === 'volume');
  // A volume that nothing is asked of, such as one detached last week, may still have checks that are listed.
  if (own.length === 0) return [];
  return [
    ...own.map((metric) => query(metric, null)),
    ...published.map(({ metric, instanceId }) => query(metric, instanceId)),
  ];
}

export function queriesOfInstance({ instanceId }: Instance, periodSeconds: number): MetricQuery[] {
  return metricsOfInstance().map((metric) => ({
    resourceId: instanceId,
    metric,
    namespace: metricDefinitions[metric].namespace,
    dimensions: [{ name: 'InstanceId', value: instanceId }],
    statistic: metricDefinitions[metric].statistic,
    periodSeconds: finest(metric, periodSeconds),
  }));
}

/** The most points that a query can return over so many seconds. */
export const pointsOf = ({ periodSeconds }: MetricQuery, windowSeconds: number): number =>
  windowSeconds / periodSeconds;

/**
 * Requests of at most 500 queries and so many points, as full as they can be: queries of the same period stay
 * together, since only equal sizes fill a request without a rest.
 */
export function packQueries(
  queries: readonly MetricQuery[],
  windowSeconds: number,
  mostPoints: number = pointsPerCall,
): MetricQuery[][] {
  const requests: MetricQuery[][] = [];
  let current: MetricQuery[] = [];
  let points = 0;
  const finestFirst = [...queries].sort((a, b) => a.periodSeconds - b.periodSeconds);
  for (const query of finestFirst) {
    const more = pointsOf(query, windowSeconds);
    if (current.length > 0 && (current.length >= queriesPerCall || points + more > mostPoints)) {
      requests.push(current);
      current = [];
      points = 0;
    }
    current.push(query);
    points += more;
  }
  return current.length > 0 ? [...requests, current] : requests;
}

// The metrics of many resources, collected from replies that come in pages and in any order.

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
