/** A latency above what its user wants, where no limit is what it waits for. */
import { median } from 'simple-statistics';
import { entriesAt } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { Io2NotRecommended } from '../schemas/evidence.ts';
import { kibFromMiB, secondsPerMinute } from '../units.ts';
import { causeCode } from './causes.ts';
import type { Draft, EvaluatedLoad } from './draft.ts';
import { countThrottled, evidenceOver, whenSeen } from './throttled.ts';

/**
 * AWS documents the latency of io2 Block Express for I/O of this size, on average below so much, on instances built on the Nitro
 * System. Source: https://docs.aws.amazon.com/ebs/latest/userguide/provisioned-iops.html. Of larger I/O it says nothing.
 */
export const documentedIo2 = { ioKiB: 16, averageMsBelow: 0.5 } as const;

/** With fewer operations a second a minute is no load. */
export const leastLatencyIops = 1;

/** Of a period that is throttled, stalled or not known nobody can say that the volume itself is slow. */
const isCalm = ({ attribution: { cause } }: EvaluatedLoad, i: number): boolean => cause[i] === causeCode.none;

const ioKiBAt = ({ iops, mibps }: VolumeLoad, i: number): number =>
  kibFromMiB(mibps[i] as number) / (iops[i] as number);

function slowPeriods(evaluated: EvaluatedLoad): Int32Array {
  const { load, thresholds } = evaluated;
  const { latencyMs, iops } = load;
  const found: number[] = [];
  for (let i = 0; latencyMs !== null && i < iops.length; i++) {
    const isSlow =
      (latencyMs[i] as number) > thresholds.maxLatencyMs && (iops[i] as number) >= leastLatencyIops;
    if (isSlow && ioKiBAt(load, i) <= documentedIo2.ioKiB && isCalm(evaluated, i)) found.push(i);
  }
  return Int32Array.from(found);
}

const rounded = (value: number): number => Number(value.toFixed(3));

/** What latency harms is known to its user alone: without a target there is no finding. */
export function latencyFindings(evaluated: EvaluatedLoad): Draft<'latency-above-target'>[] {
  const { load, thresholds, windowEndEpochSeconds } = evaluated;
  const { latencyMs, periodSeconds } = load;
  if (!(thresholds.maxLatencyMs > 0) || latencyMs === null) return [];
  const at = slowPeriods(evaluated);
  if (at.length === 0) return [];
  const slow = countThrottled(
    { periodSeconds, epochSeconds: entriesAt(load.epochSeconds, at) },
    new Float64Array(at.length).fill(periodSeconds / secondsPerMinute),
    windowEndEpochSeconds,
  );
  if (slow.minutesPeak24h < thresholds.latencyMinutes) return [];
  return [
    {
      kind: 'latency-above-target',
      severity: 'warning',
      ...whenSeen(slow),
      limit: null,
      demand: null,
      // Averages of a minute hide how its operations differ.
      confidence: periodSeconds > secondsPerMinute ? 'medium' : 'high',
      ...evidenceOver(load, load.knownSeconds),
      evidence: {
        targetLatencyMs: thresholds.maxLatencyMs,
        slowMinutesInWindow: slow.minutesInWindow,
        slowMinutesPeak24h: slow.minutesPeak24h,
        slowLatencyMsMedian: rounded(median([...entriesAt(latencyMs, at)])),
        slowIoKiBMedian: rounded(median([...at].map((i) => ioKiBAt(load, i)))),
        io2NotRecommendedReason: null,
      },
    },
  ];
}

/** What is asked about a volume before io2 is tried for it. */
interface LatencyOf {
  volumeType: string;
  targetLatencyMs: number;
  isOnOutpost: boolean;
  isMultiAttach: boolean;
  /** Of its instance; null where that is not known. */
  isNitro: boolean | null;
}

/** Null where io2 may help: whether it can have the rates is not asked here. */
export function whyNotIo2(of: LatencyOf): Exclude<Io2NotRecommended, 'size-or-rate-out-of-reach'> | null {
  if (of.volumeType === 'io2') return 'already-io2';
  if (of.targetLatencyMs < documentedIo2.averageMsBelow) return 'target-below-documented';
  if (of.isOnOutpost) return 'outpost';
  if (of.isMultiAttach) return 'multi-attach';
  if (of.isNitro === null) return 'instance-unknown';
  return of.isNitro ? null : 'not-nitro';
}
