/** CloudWatch of the synthetic fleet, in memory and made when it is asked for: the points of one volume at a time. */
import type { PublishedChecks, ReadingPlan } from '../../core/audit/batches.ts';
import { builtInCatalog } from '../../core/catalog/instance-types.ts';
import { secondsOf } from '../../core/diagnosis/thresholds.ts';
import {
  expectedChecks,
  type MetricCollector,
  type MetricName,
  type MetricQuery,
  packQueries,
} from '../../core/load/metrics.ts';
import { secondsPerMinute } from '../../core/units.ts';
import type { RecordedAccount } from '../../test/fixtures/recorded-account.ts';
import { type TwoPassFleet, twoPassFleet } from './two-pass-fleet.ts';
import {
  minutes,
  startEpochSeconds,
  type VolumeMinutes,
  volumeMetric,
  volumeMinutes,
} from './two-pass-series.ts';

const zeros = new Float64Array(minutes);
const basicStep = 5;

/** Times of every so many minutes, made once. */
const timesEvery = new Map<number, number[]>();
function timesOf(step: number): number[] {
  const times = timesEvery.get(step) ?? [];
  timesEvery.set(step, times);
  if (times.length === 0) {
    for (let minute = 0; minute < minutes; minute += step) {
      times.push(startEpochSeconds + minute * secondsPerMinute);
    }
  }
  return times;
}

/** Whole periods of so many minutes, by the metric's own statistic. */
function inPeriods(values: Float64Array, statistic: MetricQuery['statistic'], step: number): number[] {
  if (step === 1) return Array.from(values);
  const periods: number[] = [];
  for (let from = 0; from < values.length; from += step) {
    let [sum, least] = [0, Number.POSITIVE_INFINITY];
    for (let i = from; i < from + step; i++) {
      sum += values[i] as number;
      least = Math.min(least, values[i] as number);
    }
    periods.push(statistic === 'Minimum' ? least : statistic === 'Average' ? sum / step : sum);
  }
  return periods;
}

class SyntheticCloudWatch {
  readonly published: Exclude<PublishedChecks, null>;
  private readonly fleet: TwoPassFleet;
  private readonly nitro: ReadonlySet<string>;
  private readonly volumeIdsOn = new Map<string, string[]>();
  private last: { volumeId: string; made: VolumeMinutes } | null = null;

  constructor(fleet: TwoPassFleet) {
    this.fleet = fleet;
    const catalog = builtInCatalog();
    this.nitro = new Set(
      fleet.instances
        .filter(({ instanceType }) => catalog.get(instanceType ?? '')?.nitro === true)
        .map(({ instanceId }) => instanceId),
    );
    for (const { volumeId, attachments } of fleet.volumes) {
      for (const { instanceId } of attachments) {
        this.volumeIdsOn.set(instanceId, [...(this.volumeIdsOn.get(instanceId) ?? []), volumeId]);
      }
    }
    this.published = Object.fromEntries(
      fleet.volumes
        .filter(({ attachments: [first] }) => this.nitro.has(first?.instanceId ?? ''))
        .map((volume) => [volume.volumeId, expectedChecks(volume)]),
    );
  }

  /** @returns the points added. */
  answer(
    { resourceId, metric, statistic, periodSeconds }: MetricQuery,
    {
      startEpochSeconds: from,
      endEpochSeconds: end,
    }: Pick<ReadingPlan, 'startEpochSeconds' | 'endEpochSeconds'>,
    collector: MetricCollector,
  ): number {
    const isVolume = this.fleet.loads.has(resourceId);
    const values = isVolume ? this.ofVolume(resourceId, metric) : this.ofInstance(resourceId, metric);
    if (values === null) return 0;
    // An instance's sums come in the five minutes of basic monitoring, whatever is asked for.
    const step = /^EBS(Read|Write)/.test(metric) ? basicStep : periodSeconds / secondsPerMinute;
    const times = timesOf(step);
    const all = inPeriods(values, statistic, step);
    const first = times.findIndex((time) => time >= from);
    const after = times.findLastIndex((time) => time < end) + 1;
    const asked = first === -1 ? [] : times.slice(first, after);
    collector.add(resourceId, metric, asked, first === -1 ? [] : all.slice(first, after));
    return asked.length;
  }

  private minutesOf(volumeId: string): VolumeMinutes {
    if (this.last?.volumeId === volumeId) return this.last.made;
    const load = this.fleet.loads.get(volumeId);
    if (load === undefined) throw new Error(`${volumeId} has no load`);
    this.last = { volumeId, made: volumeMinutes(load) };
    return this.last.made;
  }

  private ofVolume(volumeId: string, metric: MetricName): Float64Array | null {
    const isHidden = metric.endsWith('Check') && this.published[volumeId] === undefined;
    return isHidden ? null : volumeMetric(this.minutesOf(volumeId), metric);
  }

  private sumOver(instanceId: string, of: (made: VolumeMinutes) => Float64Array): Float64Array {
    const sum = new Float64Array(minutes);
    for (const volumeId of this.volumeIdsOn.get(instanceId) ?? []) {
      const values = of(this.minutesOf(volumeId));
      for (let i = 0; i < minutes; i++) sum[i] = (sum[i] as number) + (values[i] as number);
    }
    return sum;
  }

  /** Only IOPS are ever scarce on an instance of this fleet. */
  private ofInstance(instanceId: string, metric: MetricName): Float64Array | null {
    if (!this.nitro.has(instanceId)) return null;
    const held = (): Float64Array => this.sumOver(instanceId, (made) => made.throttledByInstance);
    if (metric === 'InstanceEBSIOPSExceededCheck') return held().map((minute) => Math.min(1, minute));
    if (metric === 'InstanceEBSThroughputExceededCheck') return zeros;
    if (metric === 'EBSIOBalance%') {
      const isOnCredits = (this.volumeIdsOn.get(instanceId) ?? []).some(
        (volumeId) => this.fleet.loads.get(volumeId)?.trouble === 'throttled-by-credits',
      );
      return isOnCredits ? held().map((minute) => (minute > 0 ? 0 : 80)) : zeros.map(() => 100);
    }
    if (metric === 'EBSByteBalance%') return zeros.map(() => 100);
    const same = metric.replace('EBS', 'Volume') as MetricName;
    return this.sumOver(instanceId, (made) => volumeMetric(made, same) ?? zeros);
  }
}

export function twoPassAccount(seed: number): RecordedAccount {
  const fleet = twoPassFleet(seed);
  const cloudWatch = new SyntheticCloudWatch(fleet);
  let calls = 0;
  return {
    volumes: fleet.volumes,
    instances: fleet.instances,
    published: cloudWatch.published,
    async readMetrics(queries, plan, collectorOf) {
      let points = 0;
      for (const query of queries) points += cloudWatch.answer(query, plan, collectorOf(query));
      calls += packQueries(queries, secondsOf(plan)).length;
      return { metricsRequested: queries.length, points, incomplete: [] };
    },
    apiCalls: () => calls,
  };
}
