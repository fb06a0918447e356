/** One minute of a volume among calm ones (100 IOPS at 1 ms), attributed. */

import { attribute } from '../../../core/diagnosis/attribute.ts';
import {
  alsoBit,
  alsoCauses,
  type Cause,
  type Confidence,
  causeCode,
  causes,
  confidences,
  type Proof,
  proofs,
} from '../../../core/diagnosis/causes.ts';
import type { InstanceOnAxis } from '../../../core/diagnosis/instance-on-axis.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { type VolumeConfiguration, volumeLimits } from '../../../core/limits/volume-limits.ts';
import { loadOf, metricSet, type Points, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';

export type Configuration = Omit<VolumeConfiguration, 'deployment'>;

export const gp3: Configuration = { volumeType: 'gp3', sizeGiB: 100, throughputMiBps: 500 };
/** 300 IOPS and 75 MiB/s all the time, 3,000 and 128 with credits. */
export const gp2: Configuration = { volumeType: 'gp2', sizeGiB: 100 };

const maxMinutes = 60;

/** Its instance says so from the minute on that is asked about; the calm ones before are calm for it too. */
const usualCalmMinutes = 20;

export const instanceSays = (
  cause: Cause,
  says: {
    also?: Cause;
    proof?: Proof;
    isCoarse?: boolean;
    isSaturated?: boolean;
    isWhole?: boolean;
    feel?: (period: number) => void;
  } = {},
): InstanceOnAxis[] => [
  {
    cause: new Uint8Array(maxMinutes).fill(causeCode[cause], usualCalmMinutes),
    isAnyThrottled: cause !== 'none',
    also: new Uint16Array(maxMinutes).fill(says.also === undefined ? 0 : alsoBit(says.also)),
    minutes: new Float64Array(maxMinutes).fill(cause === 'none' ? 0 : 1),
    proof: new Uint8Array(maxMinutes).fill(proofs.indexOf(says.proof ?? 'check')),
    saturated: new Uint8Array(maxMinutes).fill(says.isSaturated ? 1 : 0),
    shares: null,
    isWhole: says.isWhole ?? true,
    isCoarse: says.isCoarse ?? false,
    feel: says.feel ?? (() => {}),
  },
];
export const noInstance = instanceSays('none');

/** A minute of 16 KiB reads at so many IOPS, with the other metrics as given. */
export const minuteOf = (iops: number, others: Points = {}): Points => readsOf16KiB([iops * 60], others);

export interface Around {
  instances?: InstanceOnAxis[];
  calmMinutes?: number;
  calmAfter?: number;
  calmIops?: number;
  /** False: no queue metric at all. */
  withQueue?: boolean;
}

interface Notified {
  cause: Cause | undefined;
  minutes: number | undefined;
  micro: boolean;
  also: Cause[];
  proof: Proof | undefined;
  confidence: Confidence | undefined;
}

/** What is said of a minute after calm ones, and before some where `calmAfter` says so. */
export function notified(config: Configuration, minute: Points, around: Around = {}): Notified {
  const {
    instances = noInstance,
    calmMinutes = 20,
    calmAfter = 0,
    calmIops = 100,
    withQueue = true,
  } = around;
  const calm = (count: number): Points =>
    readsOf16KiB(
      repeat(count, calmIops * 60),
      withQueue ? { VolumeQueueLength: repeat(count, calmIops * 0.001) } : {},
    );
  const [before, after] = [calm(calmMinutes), calm(calmAfter)];
  const names = new Set([...Object.keys(before), ...Object.keys(minute)]) as Set<keyof Points>;
  const joined: Points = {};
  for (const name of names) {
    const otherwise = name === 'BurstBalance' ? 100 : 0;
    joined[name] = [
      ...(before[name] ?? repeat(calmMinutes, otherwise)),
      ...(minute[name] ?? [undefined]),
      ...(after[name] ?? repeat(calmAfter, otherwise)),
    ];
  }
  const metrics = metricSet(joined);
  const found = attribute(
    volumeLimits({ ...config, deployment: 'region' }),
    loadOf(metrics),
    metrics,
    instances,
    defaultThresholds,
  );
  const at = calmMinutes;
  return {
    cause: causes[found.cause[at] as number],
    minutes: found.throttledMinutes[at],
    micro: found.microBurst[at] === 1,
    also: alsoCauses(found.also[at] as number),
    proof: proofs[found.proof[at] as number],
    confidence: confidences[found.confidence[at] as number],
  };
}
