/** What a fleet's files hold (DescribeVolumes, GetMetricData) as the series that CloudWatch would hold of it. */
import { type MetricName, metricDefinitions, parseLabel } from '../../core/load/metrics.ts';
import { epochSecondsOf } from '../../core/units.ts';

/** The body of the series route, one item. */
export interface FleetSeries {
  namespace: string;
  metric: string;
  dimensions: Record<string, string>;
  epochSeconds: number[];
  values: number[];
}

interface CliVolumes {
  Volumes: readonly { VolumeId: string; Attachments?: readonly { InstanceId?: string }[] }[];
}

interface CliMetricData {
  MetricDataResults: readonly {
    Label: string;
    Timestamps: readonly string[];
    Values: readonly number[];
  }[];
}

export interface FleetSeriesOptions {
  /**
   * The dimensions of a volume's checks. Documented under "VolumeId | InstanceId", which can be read as the pair (the
   * default: public catalogs show it so) or as the volume alone.
   */
  checkDimensions?: 'pair' | 'volume';
}

/** Complete series share one array of timestamps: it is parsed once. */
function timeParser(): (stamps: readonly string[]) => number[] {
  const parsed = new WeakMap<readonly string[], number[]>();
  return (stamps) => {
    const before = parsed.get(stamps);
    if (before !== undefined) return before;
    const times = stamps.map(epochSecondsOf);
    parsed.set(stamps, times);
    return times;
  };
}

interface Recorded {
  resourceId: string;
  metric: MetricName;
  epochSeconds: number[];
  values: number[];
}

/** Every series once, oldest point first: of a timestamp that came twice, the complete sum is the later one then. */
function recordedSeries({ MetricDataResults }: CliMetricData): Recorded[] {
  const timesOf = timeParser();
  const byLabel = new Map<string, Recorded>();
  for (const { Label, Timestamps, Values } of MetricDataResults) {
    const label = parseLabel(Label);
    if (label === null) continue;
    const times = timesOf(Timestamps);
    const before = byLabel.get(Label);
    byLabel.set(Label, {
      ...label,
      epochSeconds: before === undefined ? times : [...before.epochSeconds, ...times],
      values: before === undefined ? [...Values] : [...before.values, ...Values],
    });
  }
  return [...byLabel.values()].map((series) =>
    (series.epochSeconds[0] ?? 0) > (series.epochSeconds.at(-1) ?? 0)
      ? { ...series, epochSeconds: series.epochSeconds.toReversed(), values: series.values.toReversed() }
      : series,
  );
}

function dimensionSets(
  { resourceId, metric }: Recorded,
  instancesByVolume: ReadonlyMap<string, string[]>,
  checkDimensions: 'pair' | 'volume',
): Record<string, string>[] {
  const { dimensions } = metricDefinitions[metric];
  if (dimensions === 'instance') return [{ InstanceId: resourceId }];
  if (dimensions === 'volume' || checkDimensions === 'volume') return [{ VolumeId: resourceId }];
  return (instancesByVolume.get(resourceId) ?? []).map((InstanceId) => ({
    VolumeId: resourceId,
    InstanceId,
  }));
}

/**
 * Metrics that the audit does not define are left out. A check of a Multi-Attach volume comes once for each instance,
 * with the same values: the files do not tell them apart.
 */
export function fleetSeries(
  fleet: { describeVolumes: object; getMetricData: object },
  options: FleetSeriesOptions = {},
): FleetSeries[] {
  const { checkDimensions = 'pair' } = options;
  const { Volumes } = fleet.describeVolumes as CliVolumes;
  const instancesByVolume = new Map(
    Volumes.map(({ VolumeId, Attachments = [] }) => [
      VolumeId,
      Attachments.flatMap(({ InstanceId }) => (InstanceId === undefined ? [] : [InstanceId])),
    ]),
  );
  return recordedSeries(fleet.getMetricData as CliMetricData).flatMap((series) => {
    const { metric, epochSeconds, values } = series;
    const { namespace } = metricDefinitions[metric];
    return dimensionSets(series, instancesByVolume, checkDimensions).map((dimensions) => ({
      namespace,
      metric,
      dimensions,
      epochSeconds,
      values,
    }));
  });
}
