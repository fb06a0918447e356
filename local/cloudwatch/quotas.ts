/** Rates of CloudWatch per account and Region, as token buckets of one second (CloudWatch service quotas, read 2026-11-21). */
import { secondsPerHour } from '../../core/units.ts';
import { ServiceError } from '../service-error.ts';
import { TokenBuckets } from '../token-buckets.ts';

const callsPerSecond: Readonly<Record<string, number>> = {
  GetMetricData: 500,
  ListMetrics: 25,
  PutDashboard: 10,
  GetDashboard: 10,
};
/** Datapoints count against one of two quotas, by how long ago the request's StartTime is. */
const recentSeconds = 3 * secondsPerHour;
const recentDatapointsPerSecond = 180_000;
const olderDatapointsPerSecond = 396_000;

const throttled = (): ServiceError => new ServiceError('ThrottlingException', 'Rate exceeded');

export class Quotas {
  private readonly buckets: TokenBuckets;

  /** @param nowMs Real time that never goes back; the server's settable clock is another. */
  constructor(nowMs: () => number) {
    this.buckets = new TokenBuckets(nowMs);
  }

  takeCall(region: string, operation: string): void {
    const perSecond = callsPerSecond[operation];
    if (perSecond !== undefined) this.take(`${region} ${operation}`, perSecond, 1);
  }

  takeDatapoints(region: string, count: number, startAgeSeconds: number): void {
    if (startAgeSeconds <= recentSeconds) this.take(`${region} recent`, recentDatapointsPerSecond, count);
    else this.take(`${region} older`, olderDatapointsPerSecond, count);
  }

  private take(name: string, perSecond: number, count: number): void {
    if (!this.buckets.take(name, { perSecond, size: perSecond }, count)) throw throttled();
  }
}
