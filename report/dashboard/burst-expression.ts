/** How long a bucket lasts at full burst, as CloudWatch metric math over its BurstBalance. */
import type { VolumeEvaluation } from '../../core/schemas/audit-result.ts';

type Limits = NonNullable<VolumeEvaluation['limits']>;

/**
 * Seconds at full rate until the bucket is empty: credits / (burst - baseline), credits = balance / 100 x capacity. On gp2:
 * m x 5,400,000 / 100 / (3,000 - baseline).
 * @param balance the id of the metric that is the BurstBalance.
 * @returns null for a volume that does not burst.
 */
export function burstSecondsExpression(balance: string, limits: Limits): string | null {
  const { bucket, baselineIops, burstIops, baselineMiBps, burstMiBps } = limits;
  if (bucket === null) return null;
  const [burst, baseline] = bucket.unit === 'io' ? [burstIops, baselineIops] : [burstMiBps, baselineMiBps];
  if (burst <= baseline) return null;
  return `${balance} * ${bucket.capacity} / 100 / (${burst} - ${baseline})`;
}
