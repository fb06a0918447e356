/** All that one running CloudWatch knows of an account, and which accounts there are. */
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

/** Of one account: series, dashboards, rates and counts are its own; the clock and what faults are ordered are of all. */
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

export class Accounts {
  readonly defaultAccount: string;
  private readonly states = new Map<string, CloudWatchState>();
  private readonly make: (account: string) => CloudWatchState;

  constructor(defaultAccount: string, make: (account: string) => CloudWatchState) {
    this.defaultAccount = defaultAccount;
    this.make = make;
  }

  /** @param account the default one where it is null. */
  of(account: string | null): CloudWatchState {
    const id = account ?? this.defaultAccount;
    const state = this.states.get(id) ?? this.make(id);
    this.states.set(id, state);
    return state;
  }

  all(): CloudWatchState[] {
    return [...this.states.values()];
  }
}
