/** What passes through an instance: the sum over its volumes, and what it publishes of all of them together. */
import type { MetricSet } from '../load/fleet-metrics.ts';
import type { MetricName } from '../load/metrics.ts';
import { type Series, sameTimes, type TimeAxis } from '../load/series.ts';
import { countedSsdIops, type VolumeLoad } from '../load/volume-load.ts';
import { mibFromBytes } from '../units.ts';

/** One entry a period, per second: at least this passed; 0 where nothing is known of any volume. */
export interface InstanceLoad {
  iops: Float64Array;
  mibps: Float64Array;
  /** Volumes that are in the sums: those of another period are not. */
  volumes: number;
}

/** Where the periods of a load stand on the axis: every entry of both is visited once. */
function eachShared(axis: TimeAxis, load: TimeAxis, visit: (onAxis: number, ofLoad: number) => void): void {
  const [own, other] = [axis.epochSeconds, load.epochSeconds];
  for (let i = 0, j = 0; i < own.length && j < other.length; ) {
    const apart = (own[i] as number) - (other[j] as number);
    if (apart === 0) visit(i++, j++);
    else if (apart < 0) i++;
    else j++;
  }
}

/** Adds the volumes of the same period: longer ones say nothing of a minute. */
function addVolumes(axis: TimeAxis, loads: readonly VolumeLoad[], to: InstanceLoad): void {
  for (const load of loads) {
    if (load.periodSeconds !== axis.periodSeconds) continue;
    to.volumes++;
    const { iops, mibps } = load;
    const [sumIops, sumMiBps] = [to.iops, to.mibps];
    const add = (i: number, j: number): void => {
      const mib = mibps[j] as number;
      const counted = countedSsdIops(iops[j] as number, mib);
      if (counted > 0) sumIops[i] = (sumIops[i] as number) + counted;
      if (mib > 0) sumMiBps[i] = (sumMiBps[i] as number) + mib;
    };
    if (sameTimes(axis.epochSeconds, load.epochSeconds)) for (let i = 0; i < iops.length; i++) add(i, i);
    else eachShared(axis, load, add);
  }
}

/** Raises each period to what two counters of the instance say together, as an average over their own period. */
function raiseTo(
  axis: TimeAxis,
  series: readonly (Series | undefined)[],
  rates: Float64Array,
  unit: (value: number) => number,
): void {
  const [reads, writes] = series;
  if (reads === undefined || writes === undefined) return;
  // One point alone does not tell how long it stands for.
  if (reads.values.length < 2 || !sameTimes(reads.epochSeconds, writes.epochSeconds)) return;
  const { epochSeconds, values, periodSeconds } = reads;
  for (let i = 0, j = 0; i < rates.length && j < values.length; i++) {
    const from = axis.epochSeconds[i] as number;
    while (j + 1 < values.length && (epochSeconds[j + 1] as number) <= from) j++;
    const since = from - (epochSeconds[j] as number);
    if (since < 0 || since >= periodSeconds) continue;
    const rate = unit((values[j] as number) + (writes.values[j] as number)) / periodSeconds;
    if (rate > (rates[i] as number)) rates[i] = rate;
  }
}

/** @param metrics of the instance: EBSReadOps and the like, in points of its monitoring (one or five minutes). */
export function instanceLoad(axis: TimeAxis, metrics: MetricSet, loads: readonly VolumeLoad[]): InstanceLoad {
  const { length } = axis.epochSeconds;
  const load: InstanceLoad = { iops: new Float64Array(length), mibps: new Float64Array(length), volumes: 0 };
  addVolumes(axis, loads, load);
  const of = (...names: MetricName[]): (Series | undefined)[] => names.map((name) => metrics.get(name));
  raiseTo(axis, of('EBSReadOps', 'EBSWriteOps'), load.iops, (ops) => ops);
  raiseTo(axis, of('EBSReadBytes', 'EBSWriteBytes'), load.mibps, mibFromBytes);
  return load;
}
