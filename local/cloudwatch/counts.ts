/** What was asked of each Region of an account: the figures that say what a read would cost on AWS. */

export interface RegionCounts {
  /** Every call that arrived, also those that were throttled, faulted or refused. */
  calls: Record<string, number>;
  throttled: number;
  faulted: number;
  /** Metrics of answered requests, once a request: its further pages do not count again. */
  metricsRequested: number;
  datapoints: number;
  /** The most points that were answered within any one second, and within any ten. */
  mostDatapoints: { in1Second: number; in10Seconds: number };
}

/** Answers of the last ten seconds, and the busiest second and ten of all. */
class Busiest {
  private readonly answers: { atMs: number; points: number }[] = [];
  private readonly most: RegionCounts['mostDatapoints'];

  constructor(most: RegionCounts['mostDatapoints']) {
    this.most = most;
  }

  add(atMs: number, points: number): void {
    this.answers.push({ atMs, points });
    const within = (ms: number): number =>
      this.answers.reduce((sum, one) => (one.atMs > atMs - ms ? sum + one.points : sum), 0);
    while ((this.answers[0]?.atMs ?? atMs) <= atMs - 10_000) this.answers.shift();
    this.most.in1Second = Math.max(this.most.in1Second, within(1_000));
    this.most.in10Seconds = Math.max(this.most.in10Seconds, within(10_000));
  }
}

export class Counts {
  private regions = new Map<string, RegionCounts>();
  private busiest = new Map<string, Busiest>();

  of(region: string): RegionCounts {
    const known = this.regions.get(region);
    if (known !== undefined) return known;
    const fresh = {
      ...{ calls: {}, throttled: 0, faulted: 0, metricsRequested: 0, datapoints: 0 },
      mostDatapoints: { in1Second: 0, in10Seconds: 0 },
    };
    this.regions.set(region, fresh);
    this.busiest.set(region, new Busiest(fresh.mostDatapoints));
    return fresh;
  }

  called(region: string, operation: string): void {
    const { calls } = this.of(region);
    calls[operation] = (calls[operation] ?? 0) + 1;
  }

  /** @param atMs of a clock that never goes back. */
  answered(region: string, datapoints: number, atMs: number): void {
    this.of(region).datapoints += datapoints;
    this.busiest.get(region)?.add(atMs, datapoints);
  }

  all(): { regions: Record<string, RegionCounts> } {
    return { regions: Object.fromEntries(this.regions) };
  }

  reset(): void {
    this.regions = new Map();
    this.busiest = new Map();
  }
}
