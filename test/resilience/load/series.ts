/** What CloudWatch has of the large fleet: made when it is first asked for, once for all volumes of one load. */
import { builtInCatalog } from '../../../core/catalog/instance-types.ts';
import { type MetricName, metricDefinitions, metricsOfInstance } from '../../../core/load/metrics.ts';
import { secondsPerMinute } from '../../../core/units.ts';
import type { Dimension, SeriesStore, StoredSeries } from '../../../local/cloudwatch/series-store.ts';
import {
  minutes,
  type VolumeMinutes,
  volumeMetric,
  volumeMinutes,
} from '../../../tools/bench/two-pass-series.ts';
import type { LargeInstance, LargeVolume } from './fleet.ts';

interface Place {
  instance: LargeInstance;
  volume: LargeVolume;
}

/** An instance's own figures come every five minutes. */
const basicMinutes = 5;
const isBasic = (metric: MetricName): boolean => /^EBS(Read|Write)/.test(metric);

const add = (sum: Float64Array, values: Float64Array): void => {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (values[i] as number);
};

function inFives(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length / basicMinutes);
  for (let i = 0; i < values.length; i++) {
    const at = Math.floor(i / basicMinutes);
    sums[at] = (sums[at] as number) + (values[i] as number);
  }
  return sums;
}

/** A value that is made when it is first asked for. */
function remembered<T>(): (key: string, make: () => T) => T {
  const known = new Map<string, T>();
  return (key, make) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make();
    known.set(key, made);
    return made;
  };
}

/** Figures that volumes of one load share, whosever they are. */
export class MadeLoads {
  readonly axis: Float64Array;
  readonly axisOfFives: Float64Array;
  readonly made = remembered<VolumeMinutes>();
  readonly values = remembered<Float64Array | null>();

  /** @param startEpochSeconds of the first minute of the loads. */
  constructor(startEpochSeconds: number) {
    this.axis = Float64Array.from({ length: minutes }, (_, i) => startEpochSeconds + i * secondsPerMinute);
    this.axisOfFives = this.axis.filter((_, i) => i % basicMinutes === 0);
  }
}

const catalog = builtInCatalog();
const nitro = ({ instanceType }: LargeInstance): boolean => catalog.get(instanceType ?? '')?.nitro === true;

/** Of one account. */
export class LargeFleetSeries implements SeriesStore {
  private readonly places = new Map<string, Place>();
  private readonly instances = new Map<string, LargeInstance>();
  private readonly listed = remembered<StoredSeries[]>();
  private readonly byRegion: ReadonlyMap<string, readonly LargeInstance[]>;
  private readonly loads: MadeLoads;

  /** @param byRegion what the account has in each Region. */
  constructor(byRegion: ReadonlyMap<string, readonly LargeInstance[]>, loads: MadeLoads) {
    this.byRegion = byRegion;
    this.loads = loads;
    for (const instance of [...byRegion.values()].flat()) {
      this.instances.set(instance.instanceId, instance);
      for (const volume of instance.volumes) this.places.set(volume.volumeId, { instance, volume });
    }
  }

  find(
    region: string,
    namespace: string,
    metric: string,
    dimensions: readonly Dimension[],
  ): StoredSeries | undefined {
    const name = metric as MetricName;
    if (!this.byRegion.has(region) || metricDefinitions[name]?.namespace !== namespace) return undefined;
    const [first] = dimensions;
    const id = dimensions.find((one) => one.name === 'VolumeId')?.value;
    const values = id === undefined ? this.ofInstance(first?.value ?? '', name) : this.ofVolume(id, name);
    if (values === null) return undefined;
    const epochSeconds = isBasic(name) ? this.loads.axisOfFives : this.loads.axis;
    return { namespace, metric, dimensions, epochSeconds, values };
  }

  /** The checks alone: ListMetrics is asked for nothing else. */
  list(region: string): readonly StoredSeries[] {
    const namespace = 'AWS/EBS';
    const checks = ['VolumeStalledIOCheck', 'VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'];
    return this.listed(region, () =>
      checks.flatMap((metric) =>
        (this.byRegion.get(region) ?? []).flatMap((instance) =>
          instance.volumes.flatMap((volume) => {
            const dimensions = [
              { name: 'VolumeId', value: volume.volumeId },
              { name: 'InstanceId', value: instance.instanceId },
            ];
            const isPublished = volume.load !== null && nitro(instance);
            return isPublished ? [this.find(region, namespace, metric, dimensions) as StoredSeries] : [];
          }),
        ),
      ),
    );
  }

  private minutesOf({ load }: LargeVolume): VolumeMinutes | null {
    return load === null ? null : this.loads.made(load.key, () => volumeMinutes(load.load));
  }

  private ofVolume(volumeId: string, metric: MetricName): Float64Array | null {
    const place = this.places.get(volumeId);
    if (place === undefined || place.volume.load === null) return null;
    const { instance, volume } = place;
    if (metric.endsWith('Check') && !nitro(instance)) return null;
    return this.loads.values(`${place.volume.load.key} ${metric}`, () => {
      const made = this.minutesOf(volume);
      return made && volumeMetric(made, metric);
    });
  }

  private ofInstance(instanceId: string, metric: MetricName): Float64Array | null {
    const instance = this.instances.get(instanceId);
    if (instance === undefined || !nitro(instance) || !metricsOfInstance().includes(metric)) return null;
    if (instance.plan.stopped === true) return null;
    return this.loads.values(`${instance.key} ${metric}`, () => this.sumOf(instance, metric));
  }

  /** Only IOPS are ever scarce on an instance of this fleet. */
  private sumOf({ volumes }: LargeInstance, metric: MetricName): Float64Array {
    if (metric.endsWith('Balance%')) return new Float64Array(minutes).fill(100);
    const sum = new Float64Array(minutes);
    if (metric === 'InstanceEBSThroughputExceededCheck') return sum;
    for (const volume of volumes) {
      const made = this.minutesOf(volume);
      const same = metric.replace('EBS', 'Volume') as MetricName;
      const of =
        metric === 'InstanceEBSIOPSExceededCheck'
          ? made?.throttledByInstance
          : made && volumeMetric(made, same);
      if (of) add(sum, of);
    }
    return isBasic(metric) ? inFives(sum) : sum.map((value) => Math.min(1, value));
  }
}
