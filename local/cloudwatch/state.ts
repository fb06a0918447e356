/** All that one running CloudWatch knows. */
import type { Counts } from './counts.ts';
import type { Dashboards } from './dashboards.ts';
import type { Faults } from './faults.ts';
import type { Quotas } from './quotas.ts';
import type { SeriesStore } from './series-store.ts';

/** The clock that decides about retention and ListMetrics: the real one until it is set. */
export class Clock {
  private fixedSeconds: number | null = null;

  nowSeconds(): number {
    return this.fixedSeconds ?? Date.now() / 1000;
  }

  fix(epochSeconds: number): void {
    this.fixedSeconds = epochSeconds;
  }
}

export interface CloudWatchState {
  account: string;
  store: SeriesStore;
  dashboards: Dashboards;
  /** Null: no quota on rates. */
  quotas: Quotas | null;
  counts: Counts;
  /** Of no beginning; never goes back. */
  monotonicMs(): number;
  onDatapoints(region: string, datapoints: number): void;
  faults: Faults;
  clock: Clock;
}
