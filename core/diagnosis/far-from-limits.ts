/** Most periods of most volumes are nowhere near a limit: found column by column, before anybody asks why. */
import { ssdMiBPerIo, type VolumeLimits } from '../limits/volume-limits.ts';
import { isHdd } from '../limits/volume-types.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { Balance } from './balance.ts';
import type { InstanceOnAxis } from './instance-on-axis.ts';

/** Below `fixedThresholds.atLimitShare` by so much that no rounding decides. */
const farShare = 0.9;

export interface WhatPoints {
  limits: VolumeLimits;
  load: VolumeLoad;
  balance: Balance | null;
  instances: readonly InstanceOnAxis[];
  /** AWS's checks of the volume, of which 1 or more points at a limit. */
  checks: readonly (Float64Array | null)[];
}

interface Near {
  iops: number;
  mibps: number;
}

/** Below both a rate is far from every limit in force, with credits or, where a limit is approximate, on average. */
function nearRates({ volumeType, approximate, ...limits }: VolumeLimits): Near {
  const isApproximate = approximate !== undefined;
  const iops = farShare * (isApproximate ? limits.baselineIops : limits.burstIops);
  const mibps = farShare * (isApproximate ? limits.baselineMiBps : limits.burstMiBps);
  // Large I/O on SSD counts by its bytes.
  return { iops, mibps: isHdd(volumeType) ? mibps : Math.min(mibps, iops * ssdMiBPerIo) };
}

/**
 * One entry a period: 1 where its operations are known and nothing points at a limit: no check, no instance, no rate over
 * the period or its busy seconds, no empty balance. Whether its I/O waits all the same is another question, and on HDD part
 * of this one.
 */
export function farFromLimits(asked: WhatPoints): Uint8Array {
  const { limits, load, balance, instances, checks } = asked;
  const { iops, mibps, activeTimeIops, busyMiBps } = load;
  const near = nearRates(limits);
  const far = new Uint8Array(iops.length);
  for (let i = 0; i < far.length; i++)
    if ((iops[i] as number) < near.iops && !((mibps[i] as number) >= near.mibps)) far[i] = 1;
  // On HDD operations merge: their number over the busy seconds points at a limit only where they wait.
  const nearWhileBusy = isHdd(limits.volumeType) ? Number.POSITIVE_INFINITY : near.iops;
  if (activeTimeIops !== null && busyMiBps !== null)
    for (let i = 0; i < far.length; i++)
      if ((activeTimeIops[i] as number) >= nearWhileBusy || (busyMiBps[i] as number) >= near.mibps)
        far[i] = 0;
  for (const check of checks)
    if (check !== null) for (let i = 0; i < far.length; i++) if ((check[i] as number) > 0) far[i] = 0;
  for (const { cause } of instances) for (let i = 0; i < far.length; i++) if (cause[i] !== 0) far[i] = 0;
  if (balance !== null) {
    const { percent, emptyPercent } = balance;
    for (let i = 0; i < far.length; i++) if ((percent[i] as number) <= emptyPercent) far[i] = 0;
  }
  return far;
}
