/** The load and the limits of a stripe as if it were one volume. */

import { configurationOf } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { ConfigurationReason } from '../schemas/unknown-reasons.ts';
import type { Stripe } from './stripes.ts';

/** The times of several loads, ascending, with the position of each in every load; -1 where it has none. */
export interface CommonAxis {
  periodSeconds: number;
  epochSeconds: Float64Array;
  positions: Int32Array[];
}

/** Calls back for each time that at least one has, with the position in each load. */
function walk(
  loads: readonly VolumeLoad[],
  visit: (time: number, index: number, at: Int32Array) => void,
): number {
  const next = new Int32Array(loads.length);
  const at = new Int32Array(loads.length);
  for (let index = 0; ; index++) {
    let time = Number.POSITIVE_INFINITY;
    for (let m = 0; m < loads.length; m++) {
      const here = (loads[m] as VolumeLoad).epochSeconds[next[m] as number] ?? Number.POSITIVE_INFINITY;
      if (here < time) time = here;
    }
    if (time === Number.POSITIVE_INFINITY) return index;
    for (let m = 0; m < loads.length; m++) {
      const isHere = (loads[m] as VolumeLoad).epochSeconds[next[m] as number] === time;
      at[m] = isHere ? (next[m] as number) : -1;
      if (isHere) next[m] = (next[m] as number) + 1;
    }
    visit(time, index, at);
  }
}

/** Why several loads do not add up: their sums would not be of the same time. */
export type NoCommonTime = { code: 'no-load' } | { code: 'periods-differ'; periodSeconds: [number, number] };

export function commonAxis(loads: readonly VolumeLoad[]): Known<CommonAxis, NoCommonTime> {
  const [first] = loads;
  if (first === undefined) return unknown({ code: 'no-load' });
  const { periodSeconds } = first;
  const other = loads.find((load) => load.periodSeconds !== periodSeconds);
  if (other !== undefined) {
    return unknown({ code: 'periods-differ', periodSeconds: [periodSeconds, other.periodSeconds] });
  }
  const length = walk(loads, () => {});
  const epochSeconds = new Float64Array(length);
  const positions = loads.map(() => new Int32Array(length));
  walk(loads, (time, index, at) => {
    epochSeconds[index] = time;
    for (let m = 0; m < at.length; m++) (positions[m] as Int32Array)[index] = at[m] as number;
  });
  return known({ periodSeconds, epochSeconds, positions });
}

/** The sum where all are known, NaN elsewhere; null where a member does not have the column. */
function summed(
  { epochSeconds, positions }: CommonAxis,
  columns: readonly (Float64Array | null)[],
): Float64Array | null {
  const total = new Float64Array(epochSeconds.length);
  for (let m = 0; m < columns.length; m++) {
    const column = columns[m] ?? null;
    if (column === null) return null;
    const position = positions[m] as Int32Array;
    for (let i = 0; i < total.length; i++) {
      const at = position[i] as number;
      total[i] = at < 0 ? Number.NaN : (total[i] as number) + (column[at] as number);
    }
  }
  return total;
}

/** Milliseconds of all operations: by member, those of each as often as it has operations. */
function meanLatency(axis: CommonAxis, loads: readonly VolumeLoad[], ops: Float64Array): Float64Array | null {
  const busyMs = loads.map((load) => {
    const { latencyMs } = load;
    // Without an operation there is no latency, and none is missing.
    return (
      latencyMs?.map((ms, i) => ((load.ops[i] as number) === 0 ? 0 : ms * (load.ops[i] as number))) ?? null
    );
  });
  const total = summed(axis, busyMs);
  return total?.map((ms, i) => ms / (ops[i] as number)) ?? null;
}

/**
 * Operations, bytes and queue of all members together, on one time axis; the latency is the mean over all operations. A
 * time at which a member is unknown is unknown. Active-time rates add up to the stripe's: its members are busy together. On a
 * mirror or RAID with parity it is what the volumes do, which is more than what is asked of the array.
 */
export function loadAsOne(loads: readonly VolumeLoad[]): VolumeLoad | null {
  const axis = commonAxis(loads);
  return axis.known ? loadOnAxis(axis.value, loads) : null;
}

/** The same where `commonAxis` of the loads is there already. */
export function loadOnAxis(axis: CommonAxis, loads: readonly VolumeLoad[]): VolumeLoad | null {
  const { periodSeconds, epochSeconds } = axis;
  const sumOf = (column: (load: VolumeLoad) => Float64Array | null): Float64Array | null =>
    summed(axis, loads.map(column));
  const ops = sumOf((load) => load.ops) as Float64Array;
  let knownSeconds = 0;
  for (const count of ops) if (!Number.isNaN(count)) knownSeconds += periodSeconds;
  if (knownSeconds === 0) return null;
  return {
    periodSeconds,
    epochSeconds,
    ops,
    iops: sumOf((load) => load.iops) as Float64Array,
    mibps: sumOf((load) => load.mibps) as Float64Array,
    activeTimeIops: sumOf((load) => load.activeTimeIops),
    busyMiBps: sumOf((load) => load.busyMiBps),
    queueLength: sumOf((load) => load.queueLength),
    latencyMs: meanLatency(axis, loads, ops),
    knownSeconds,
  };
}

export type StripeLimits = Pick<VolumeLimits, 'baselineIops' | 'burstIops' | 'baselineMiBps' | 'burstMiBps'>;

/** What one member can do is not known. */
interface MemberUnknown {
  code: 'of-volume';
  volumeId: string;
  reason: ConfigurationReason;
}

/**
 * What the members can do together: so many times the slowest of them, which for members that are configured alike is
 * the sum. All have the same to do, so what a faster one has more is never asked for.
 */
export function limitsAsOne({ volumes }: Pick<Stripe, 'volumes'>): Known<StripeLimits, MemberUnknown> {
  const limits: VolumeLimits[] = [];
  for (const volume of volumes) {
    const configured = configurationOf(volume);
    const { volumeId } = volume;
    if (!configured.known) return unknown({ code: 'of-volume', volumeId, reason: configured.reason });
    limits.push(configured.value.limits);
  }
  const together = (of: (one: VolumeLimits) => number): number =>
    volumes.length * Math.min(...limits.map(of));
  return known({
    baselineIops: together((one) => one.baselineIops),
    burstIops: together((one) => one.burstIops),
    baselineMiBps: together((one) => one.baselineMiBps),
    burstMiBps: together((one) => one.burstMiBps),
  });
}
