/** One instance from the rates of its volumes and its own metrics. */

import { type InstanceEvidence, instanceEvidence } from '../../../core/diagnosis/instance-evidence.ts';
import type { InstanceSeen } from '../../../core/diagnosis/instance-seen.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { VolumeLoad } from '../../../core/load/volume-load.ts';
import { loadOf, metricSet, type Points } from '../../fixtures/metric-set.ts';

interface Rate {
  iops: number;
  /** By default 16 KiB an operation; null: its bytes are not known. */
  mibps?: number | null;
}

/** The load of a volume, a rate (IOPS alone, or with MiB/s) each period; undefined: no figures. */
export function loadAt(
  rates: readonly (number | Rate | undefined)[],
  periodSeconds = 60,
  startEpochSeconds = 0,
): VolumeLoad {
  const all = rates.map((rate) => (typeof rate === 'number' ? { iops: rate } : rate));
  const none = all.map((rate) => (rate === undefined ? undefined : 0));
  const bytes = (rate: Rate | undefined): number | undefined => {
    if (rate === undefined || rate.mibps === null) return undefined;
    return (rate.mibps ?? rate.iops / 64) * periodSeconds * 1_048_576;
  };
  const points: Points = {
    VolumeReadOps: all.map((rate) => rate && rate.iops * periodSeconds),
    VolumeWriteOps: none,
    VolumeReadBytes: all.map(bytes),
    VolumeWriteBytes: none,
  };
  return loadOf(metricSet(points, periodSeconds, startEpochSeconds));
}

interface Seen extends Partial<Omit<InstanceSeen, 'metrics'>> {
  points?: Points;
  periodSeconds?: number;
}

/** With the load of all its volumes known, unless `volumes` says that there are more. */
export function evidenceOrNull({ points = {}, periodSeconds = 60, ...seen }: Seen): InstanceEvidence | null {
  const { loads = [], figures = null, volumes = loads.length } = seen;
  return instanceEvidence(
    { metrics: metricSet(points, periodSeconds), figures, loads, volumes },
    defaultThresholds,
  );
}

export function evidenceOf(seen: Seen): InstanceEvidence {
  const evidence = evidenceOrNull(seen);
  if (evidence === null) throw new Error('nothing is known of it');
  return evidence;
}
