/** What monitoring needs to know of a volume: its limits, its bucket, and which of the metrics it polls are published. */
import { z } from 'zod';
import type { PublishedChecks } from '../audit/batches.ts';
import { type CreditBucket, creditBucket } from '../credits/credits.ts';
import { fixedThresholds, type Thresholds } from '../diagnosis/thresholds.ts';
import { configurationOf, type Volume } from '../inventory.ts';
import { isHdd, type VolumeLimits } from '../limits/volume-limits.ts';
import { expectedChecks, metricsOfVolume, type PublishedCheck } from '../load/metrics.ts';
import { publishedChecksSchema, volumeSchema } from '../schemas/batch.ts';
import { secondsPerHour } from '../units.ts';

// The volumes of a Region as monitoring keeps them for an hour: what they are changes seldom, and reading it takes calls.

export const monitoringInventorySchema = z.object({
  madeEpochSeconds: z.number(),
  volumes: z.array(volumeSchema),
  published: publishedChecksSchema,
  /** An earlier version kept none, and had another table of watches: what it kept is read anew. */
  isReconciled: z.boolean(),
}) satisfies z.ZodType<MonitoringInventory>;

export interface MonitoringInventory {
  madeEpochSeconds: number;
  /** Without those that are excluded. */
  volumes: Volume[];
  published: PublishedChecks;
  /** Every volume of it has a watch, and no other has. */
  isReconciled: boolean;
}

export const monitoringInventoryKey = (account: string, region: string): string =>
  `monitoring/${account}-${region}.json`;

const freshSeconds = secondsPerHour;

export const isFresh = (
  { madeEpochSeconds }: Pick<MonitoringInventory, 'madeEpochSeconds'>,
  nowEpochSeconds: number,
): boolean => nowEpochSeconds - madeEpochSeconds < freshSeconds;

export interface Watched {
  volume: Volume;
  limits: VolumeLimits;
  /** Null where credits are never spent. */
  bucket: CreditBucket | null;
  /** Its exceeded checks as they are published; none where AWS publishes none of it. */
  checks: readonly PublishedCheck[];
  /** What it is evaluated by. */
  thresholds: Thresholds;
}

const isExceededCheck = ({ metric }: PublishedCheck): boolean => metric.endsWith('ExceededCheck');

/**
 * @param published its checks as CloudWatch lists them; null where nobody listed them, and they are expected.
 * @returns null where there is nothing to poll: it is attached to nothing, or its configuration is not one we know.
 */
export function watchedOf(
  volume: Volume,
  published: readonly PublishedCheck[] | null,
  thresholds: Thresholds,
): Watched | null {
  const metrics = metricsOfVolume(volume);
  const configured = configurationOf(volume);
  if (metrics.length === 0 || !configured.known) return null;
  const { limits } = configured.value;
  const bucket = metrics.includes('BurstBalance') ? creditBucket(limits) : null;
  const isSpent = bucket !== null && bucket.burstPerSecond > bucket.baselinePerSecond;
  const listed = (published ?? expectedChecks(volume)).filter(isExceededCheck);
  // Checks of an instance that it has left say nothing of it.
  const attached = volume.attachments.map(({ instanceId }) => instanceId);
  const checks = listed.filter(
    ({ metric, instanceId }) =>
      metrics.includes(metric) && (instanceId === null || attached.includes(instanceId)),
  );
  return { volume, limits, bucket: isSpent ? bucket : null, checks, thresholds };
}

/** What a volume was when it was polled: when it is another, what was learned of it counts no more. */
export const configurationText = ({
  volumeType,
  sizeGiB,
  iops,
  throughputMiBps,
  attachments,
}: Volume): string =>
  [
    volumeType,
    sizeGiB,
    iops ?? '',
    throughputMiBps ?? '',
    attachments.map(({ instanceId }) => instanceId).join('+'),
  ].join('/');

/** IOPS and MiB/s that it can do with credits; of `standard` what AWS says of it on average. */
export const limitsOf = ({ limits }: Watched): { iops: number; mibps: number } =>
  limits.approximate === undefined
    ? { iops: limits.burstIops, mibps: limits.burstMiBps }
    : { iops: limits.baselineIops, mibps: limits.baselineMiBps };

/** What is in flight at the limit where nothing was learned of it: by what is typical. */
export function typicalQueueAtLimit(watched: Watched): number {
  const { ssd, hdd, perMiB } = fixedThresholds.typicalSecondsPerIo;
  const { iops, mibps } = limitsOf(watched);
  const { volumeType } = watched.limits;
  return Math.min(
    iops * (isHdd(volumeType) || volumeType === 'standard' ? hdd : ssd),
    mibps * (hdd + perMiB),
  );
}
