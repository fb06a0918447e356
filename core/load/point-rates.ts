/** How many points a second each reader of metrics may ask for, of what CloudWatch gives an account in a Region. */
import { z } from 'zod';
import { secondsPerHour } from '../units.ts';

/**
 * Points a second of GetMetricData for everybody in an account and Region: where a request begins at most three hours ago,
 * and where it begins earlier. Source: CloudWatch quotas, read 2026-11-21; neither can be raised.
 */
const pointsQuotas = { recent: 180_000, older: 396_000 } as const;
const recentSeconds = 3 * secondsPerHour;

export const pointRatesSchema = z.strictObject({
  recent: z.number().positive(),
  older: z.number().positive(),
});
/** Points a second, by quota. */
export type PointRates = z.infer<typeof pointRatesSchema>;
export type PointsQuota = keyof PointRates;

/** By which of the quotas AWS counts a request that begins so long ago. */
export const quotaOfAge = (ageSeconds: number): PointsQuota =>
  ageSeconds <= recentSeconds ? 'recent' : 'older';

/** A rate is kept over a second and a tenth: requests do not take equally long to get there. */
export const paceSeconds = 1.1;

/** Of all readers together; what is left is for others of the account. */
export const defaultQuotaPercent = 50;

/** Monitoring reads the newest hour of few metrics as a rule; a day or more of each volume that is new. */
const monitoringShare = { recent: 1 / 2, older: 1 / 6 } as const;

/** Within this a batch is read at its rate, though all its volumes should be in trouble: a third of its function's time. */
const secondsOfBatch = 300;

/** The most points that a batch may come to at its rate; an instance with more volumes is a batch all the same. */
export const mostPointsAt = (rate: number): number => Math.floor((rate / paceSeconds) * secondsOfBatch);

/**
 * A batch with less is not read within the time of its function where it is one instance with 28 volumes, all in trouble:
 * 28 x 11 + 8 metrics of 14 days by the minute are 6.4 million points, which take 695 seconds.
 */
export const leastOfBatch = 10_080;

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
