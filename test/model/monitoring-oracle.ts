/** What must hold of monitoring several accounts, whatever happens: told of what happens, it knows no shards, leases or tables. */
import type { MonitoringCall } from '../../core/monitoring/plan-tick.ts';
import type { MonitoringObservation } from '../../core/monitoring/say.ts';

const secondsOfMonth = 30 * 86_400;

/** What some accounts may ask for, inside of what all may. */
export interface OracleBudget {
  accounts: readonly string[];
  metricsPerMonth: number;
}

export class AccountsOracle {
  readonly violations: string[] = [];
  asked = 0;
  /** Metrics, by account. */
  readonly askedOf = new Map<string, number>();
  /** Findings of which something was said, by account. */
  readonly heard = new Map<string, number>();
  private readonly metricsPerMonth: number | null;
  private readonly start: number;
  private readonly budgets: readonly OracleBudget[];
  private readonly accountOf: ReadonlyMap<string, string>;
  private readonly readers = new Map<string, string>();
  private readonly enteredBy = new Map<string, Set<string>>();

  /** @param accountOf the account of each finding that there can be. */
  constructor(
    metricsPerMonth: number | null,
    start: number,
    accountOf: ReadonlyMap<string, string>,
    budgets: readonly OracleBudget[] = [],
  ) {
    this.metricsPerMonth = metricsPerMonth;
    this.budgets = budgets;
    this.start = start;
    this.accountOf = accountOf;
  }

  failed(error: unknown): void {
    this.violations.push(`a process failed: ${error instanceof Error ? error.stack : error}`);
  }

  begins(process: string): void {
    this.enteredBy.set(process, new Set());
  }

  ends(process: string): void {
    for (const [place, reader] of this.readers) if (reader === process) this.readers.delete(place);
  }

  /** AWS let it in. */
  entered(process: string, account: string): void {
    this.enteredBy.get(process)?.add(account);
  }

  /** It asks CloudWatch for metrics of a Region of an account: from now on until they come it reads there. */
  asks(process: string, place: string, { queries, account = '' }: MonitoringCall, now: number): void {
    const reader = this.readers.get(place);
    if (reader !== undefined && reader !== process)
      this.violations.push(`${place} is read by ${reader} and by ${process}`);
    this.readers.set(place, process);
    this.asked += queries.length;
    this.askedOf.set(account, (this.askedOf.get(account) ?? 0) + queries.length);
    if (this.metricsPerMonth !== null) this.paid(this.asked, this.metricsPerMonth, 'all', now);
    for (const { accounts, metricsPerMonth } of this.budgets) {
      const asked = accounts.reduce((sum, one) => sum + (this.askedOf.get(one) ?? 0), 0);
      this.paid(asked, metricsPerMonth, accounts.join(' and '), now);
    }
  }

  /** A day's worth is saved at first, and as much comes in as time passes: no more can be asked for. */
  private paid(asked: number, metricsPerMonth: number, whose: string, now: number): void {
    const most = (metricsPerMonth / secondsOfMonth) * (86_400 + now - this.start);
    if (asked > most + 1e-6)
      this.violations.push(`${asked} metrics of ${whose} were asked for, and ${most} were paid for`);
  }

  answered(process: string, place: string): void {
    if (this.readers.get(place) === process) this.readers.delete(place);
  }

  /** Of an account that did not let it in it knows nothing: neither that something is there, nor that it is gone. */
  said(process: string, observations: readonly MonitoringObservation[]): void {
    for (const { findingId, finding } of observations) {
      const account = this.accountOf.get(findingId) ?? 'none';
      if (this.enteredBy.get(process)?.has(account) !== true)
        this.violations.push(
          `${finding === null ? 'an end' : 'a finding'} in ${account}, which nobody entered`,
        );
      this.heard.set(account, (this.heard.get(account) ?? 0) + 1);
    }
  }
}
