/** How many points a second each reader of metrics may ask for, of what CloudWatch gives an account in a Region. */
import { z } from 'zod';
import { secondsPerHour } from '../units.ts';

/**
 * Points a second of GetMetricData for everybody in an account and Region: where a request begins at most three hours ago,
 * and where it begins earlier. Source: CloudWatch quotas, read 2026-11-21; neither can be raised.
 */
const pointsQuotas = { recent: 180_000, older: 396_000 } as const;
export const recentSeconds = 3 * secondsPerHour;

export const pointRatesSchema = z.strictObject({
  recent: z.number().positive(),
  older: z.number().positive(),
});
/** Points a second, by quota. */
export type PointRates = z.infer<typeof pointRatesSchema>;
export type PointsQuota = keyof PointRates;

/** Of monitoring and of the command line, where audit.maxQuotaPercent says nothing. */
export const defaultQuotaPercent = 50;

/** Monitoring reads the newest hour of few metrics as a rule; a day or more of each volume that is new. */
const monitoringShare = { recent: 1 / 2, older: 1 / 6 } as const;

/**
 * A batch with less is not read within the 15 minutes that its function has: two metrics of 14 days by the minute each
 * second. A batch in which every volume is in trouble takes 19 million points (docs/contribute/performance.md).
 */
export const leastOfBatch = 40_320;

interface Readers {
  /** Of each quota, for all readers together. */
  maxQuotaPercent: number;
  batchesAtOnce: number;
  isMonitoring: boolean;
}

/** Of one reader that has so much of both quotas for itself: an audit of the command line. */
export function pointRates(percent: number): PointRates {
  const of = (quota: number): number => (quota * percent) / 100;
  return { recent: of(pointsQuotas.recent), older: of(pointsQuotas.older) };
}

/** Of each batch that is evaluated, and of monitoring: all of them at once ask for no more than the percentage. */
export function sharedPointRates({ maxQuotaPercent, batchesAtOnce, isMonitoring }: Readers): {
  batch: PointRates;
  monitoring: PointRates;
} {
  const all = pointRates(maxQuotaPercent);
  const ofBatch = (quota: PointsQuota): number =>
    Math.floor((all[quota] * (isMonitoring ? 1 - monitoringShare[quota] : 1)) / batchesAtOnce);
  const ofMonitoring = (quota: PointsQuota): number => Math.floor(all[quota] * monitoringShare[quota]);
  return {
    batch: { recent: ofBatch('recent'), older: ofBatch('older') },
    monitoring: { recent: ofMonitoring('recent'), older: ofMonitoring('older') },
  };
}
