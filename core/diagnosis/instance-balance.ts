/** The two EBS credit buckets of an instance: as published, else replayed from what passed. */
import { type InstanceCredits, instanceCredits } from '../credits/instance-credits.ts';
import { metricDefinitions } from '../load/metrics.ts';
import { alignTo, maximum, type TimeAxis } from '../load/series.ts';
import type { InstanceLoad } from './instance-load.ts';
import type { InstanceSeen } from './instance-seen.ts';

/** Percent of its two buckets; null where it has none, or where they are not known. */
export interface InstanceBalance {
  io: Float64Array | null;
  bytes: Float64Array | null;
  /** 'modelled': none is published, so they are replayed from the sum over all its volumes, full at first. */
  source: 'published' | 'modelled' | 'none';
  /** Half of the published points are within so many of a replay from the load; null where there was none to compare. */
  replayDeviationPoints: number | null;
}

const full = 100;
export const balanceNames = ['EBSIOBalance%', 'EBSByteBalance%'] as const;

/** Both buckets replayed from what passed; null where that is not known of all its volumes, or never was above the baseline. */
function replayOf(
  { metrics, figures, volumes }: InstanceSeen,
  axis: TimeAxis,
  load: InstanceLoad,
): InstanceCredits | null {
  if (figures === null || load.volumes !== volumes) return null;
  const spends =
    (maximum(load.iops) ?? 0) > figures.baselineIops || (maximum(load.mibps) ?? 0) > figures.baselineMiBps;
  if (!spends) return null;
  const rates = { ...axis, iops: load.iops, mibps: load.mibps };
  const [io = full, bytes = full] = balanceNames.map((name) => metrics.get(name) ?? full);
  return instanceCredits(figures, rates, { io, bytes });
}

export function instanceBalance(seen: InstanceSeen, axis: TimeAxis, load: InstanceLoad): InstanceBalance {
  const [io = null, bytes = null] = balanceNames.map((name) => {
    const series = seen.metrics.get(name);
    return series === undefined ? null : alignTo(axis, series, metricDefinitions[name].statistic);
  });
  const replayed = replayOf(seen, axis, load);
  const deviations = [replayed?.io?.deviation, replayed?.bytes?.deviation].flatMap(
    (one) => one?.medianPoints ?? [],
  );
  const replayDeviationPoints = deviations.length === 0 ? null : Math.max(...deviations);
  if (io !== null || bytes !== null) return { io, bytes, source: 'published', replayDeviationPoints };
  if (replayed === null) return { io: null, bytes: null, source: 'none', replayDeviationPoints: null };
  return {
    io: replayed.io?.percent ?? null,
    bytes: replayed.bytes?.percent ?? null,
    source: 'modelled',
    replayDeviationPoints: null,
  };
}

/** @param emptyPercent at or below so much it counts as empty. */
export const isEmpty = (balance: Float64Array | null, i: number, emptyPercent: number): boolean =>
  balance !== null && (balance[i] as number) <= emptyPercent;

/** A balance that stays empty at the next point too, so many periods later, is being used up as fast as it refills. */
export const staysEmpty = (
  balance: Float64Array | null,
  i: number,
  step: number,
  emptyPercent: number,
): boolean =>
  balance !== null &&
  isEmpty(balance, i, emptyPercent) &&
  (i + step >= balance.length || isEmpty(balance, i + step, emptyPercent));
