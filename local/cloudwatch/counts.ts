/** What was asked of each Region: the figures that say what a read would cost on AWS. */

export interface RegionCounts {
  /** Every call that arrived, also those that were throttled, faulted or refused. */
  calls: Record<string, number>;
  throttled: number;
  faulted: number;
  /** Metrics of answered requests, once a request: its further pages do not count again. */
  metricsRequested: number;
  datapoints: number;
}

export class Counts {
  private regions = new Map<string, RegionCounts>();

  of(region: string): RegionCounts {
    const known = this.regions.get(region);
    if (known !== undefined) return known;
    const fresh = { calls: {}, throttled: 0, faulted: 0, metricsRequested: 0, datapoints: 0 };
    this.regions.set(region, fresh);
    return fresh;
  }

  called(region: string, operation: string): void {
    const { calls } = this.of(region);
    calls[operation] = (calls[operation] ?? 0) + 1;
  }

  all(): { regions: Record<string, RegionCounts> } {
    return { regions: Object.fromEntries(this.regions) };
  }

  reset(): void {
    this.regions = new Map();
  }
}
