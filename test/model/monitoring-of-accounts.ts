/**
 * Monitoring of several accounts as it is deployed, with what AWS holds in memory: calls of a function, each of which may be
 * made twice, run beside others, stop at any step, or be ended by Lambda. What happens is told to the oracle, which knows
 * accounts, volumes, times and money, and nothing of shards.
 */
import { noHosts } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import type { AccountBudget } from '../../core/config/account-budgets.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import { NotEntered, Unavailable } from '../../core/errors.ts';
import type { Volume } from '../../core/inventory.ts';
import type { MetricCollector } from '../../core/load/metrics.ts';
import { type Budget, budgetNow, metricsForUsd, pace } from '../../core/monitoring/pace.ts';
import type { MonitoringCall } from '../../core/monitoring/plan-tick.ts';
import { placeText, type ShardOfTick, shardOf } from '../../core/monitoring/shards.ts';
import type { Watch } from '../../core/monitoring/watch.ts';
import type { MonitoringInventory } from '../../core/monitoring/watched.ts';
import type { Target } from '../../core/schemas/accounts.ts';
import { budgetsOfAccounts } from '../../lambdas/watch-volumes/budgets-of-accounts.ts';
import { dispatchShards, watchedTargets } from '../../lambdas/watch-volumes/dispatch-shards.ts';
import { oneAtATime } from '../../lambdas/watch-volumes/one-at-a-time.ts';
import { type SharedBudgetStore, sharedBudget } from '../../lambdas/watch-volumes/shared-budget.ts';
import { type InventoryIndex, TargetInventories } from '../../lambdas/watch-volumes/target-inventories.ts';
import { watchShard } from '../../lambdas/watch-volumes/watch-shard.ts';
import { aVolume } from '../fixtures/inventory.ts';
import type { AccountsOracle } from './monitoring-oracle.ts';

export const start = 1_795_132_800;
const tickSeconds = 60;

/** Numbers from 0 to 1 that are the same for a seed (mulberry32). */
export function numbersOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Its process ended: nothing after it happens. */
class Ended extends Error {}

interface Process {
  name: string;
  endsAtEpochSeconds: number;
  isEnded: boolean;
}

interface Waiting {
  process: Process;
  go(): void;
}

export interface AccountsSettings {
  targets: readonly Target[];
  volumesOfTarget: number;
  /** Null: no bound. */
  metricsPerMonth: number | null;
  /** Of some accounts, inside of it. */
  budgets?: readonly AccountBudget[];
  /** Organizational units of an account. */
  unitsOf?: (account: string) => string[];
}

export class AccountsWorld {
  now = start;
  readonly oracle: AccountsOracle;
  readonly refused = new Set<string>();
  /** How likely a step is the last one of its process. */
  endsAtStep = 0;
  readonly volumes: Volume[];
  /** Watches that were read since they were due, by account. */
  readonly dueReads = new Map<string, number>();
  private readonly settings: AccountsSettings;
  private readonly next: () => number;
  private readonly watches = new Map<string, Watch>();
  private readonly leases = new Map<number, { holder: string; until: number }>();
  private readonly indexes = new Map<number, InventoryIndex>();
  private readonly inventories = new Map<string, MonitoringInventory>();
  private readonly budgets = new Map<string, Budget>();
  private waiting: Waiting[] = [];
  private running = 0;
  private names = 0;

  constructor(settings: AccountsSettings, oracle: AccountsOracle, next: () => number) {
    this.settings = settings;
    this.oracle = oracle;
    this.next = next;
    this.volumes = settings.targets.flatMap(({ account, region }) =>
      Array.from({ length: settings.volumesOfTarget }, (_, i) =>
        aVolume({
          ...{ account, region, volumeId: `vol-${account}${region}${i}` },
          // Of each target the first is a bucket that runs dry.
          ...(i === 0 ? { volumeType: 'gp2', iops: 300, throughputMiBps: null } : {}),
        }),
      ),
    );
  }

  /** What a process asks of AWS: others may come before it, and it may be the last thing that the process does. */
  private async step<T>(process: Process, effect: () => T): Promise<T> {
    const check = (): void => {
      if (this.now >= process.endsAtEpochSeconds) process.isEnded = true;
      if (process.isEnded) throw new Ended(process.name);
    };
    check();
    await new Promise<void>((go) => {
      this.waiting.push({ process, go });
    });
    check();
    if (this.next() < this.endsAtStep) process.isEnded = true;
    // Ended before what it asked for, or after.
    if (process.isEnded && this.next() < 0.5) throw new Ended(process.name);
    const result = effect();
    check();
    return result;
  }

  /** @param share of what waits that goes on; 1: until nothing waits. */
  async goOn(share: number): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.waiting.length === 0) {
        quiet++;
        continue;
      }
      quiet = 0;
      if (share < 1 && this.next() > share) return;
      const [one] = this.waiting.splice(Math.floor(this.next() * this.waiting.length), 1);
      one?.go();
    }
  }

  get isIdle(): boolean {
    return this.running === 0;
  }

  private run(work: (process: Process) => Promise<unknown>): void {
    const process = {
      name: `p${this.names++}`,
      endsAtEpochSeconds: this.now + pace.mostTickSeconds,
      isEnded: false,
    };
    this.running++;
    work(process)
      .catch((error: unknown) => {
        if (!(error instanceof Ended)) this.oracle.failed(error);
      })
      .finally(() => {
        this.running--;
      });
  }

  /** What the schedule does each minute. */
  tick(times = 1): void {
    for (let i = 0; i < times; i++)
      this.run((process) =>
        dispatchShards(watchedTargets(this.listed(), []), {
          ...{ nowEpochSeconds: this.now, tickSeconds },
          invoke: (shard) =>
            this.step(process, () => {
              const calls = this.next() < 0.1 ? 2 : 1;
              for (let call = 0; call < calls; call++) this.run((other) => this.shard(other, shard));
            }),
          onFailed: () => undefined,
        }),
      );
  }

  private listed() {
    const { targets } = this.settings;
    const accounts = [...new Set(targets.map(({ account }) => account))];
    return {
      ...{ targets: [...targets], notListed: [], notices: [] },
      accounts: accounts.map((account) => ({
        ...{ account, name: null, refused: null },
        units: (this.settings.unitsOf?.(account) ?? []).map((id) => ({ id, name: null })),
      })),
    };
  }

  private shard(process: Process, { shard, of }: ShardOfTick): Promise<unknown> {
    const { oracle } = this;
    const holder = process.name;
    const step = <T>(effect: () => T): Promise<T> => this.step(process, effect);
    const lease = {
      take: (_: string, at: number, until: number) =>
        step(() => {
          const held = this.leases.get(shard);
          if (held !== undefined && held.until > at && held.holder !== holder) return false;
          this.leases.set(shard, { holder, until });
          return true;
        }),
      end: () =>
        step(() => {
          if (this.leases.get(shard)?.holder === holder) this.leases.delete(shard);
        }),
      onUnended: () => undefined,
    };
    return oneAtATime(lease, holder, this.now, async () => {
      const use = await this.use(process, shard, of);
      oracle.begins(holder);
      return watchShard(shard, watchedTargets(this.listed(), []), use);
    }).finally(() => oracle.ends(holder));
  }

  private enter(process: Process, target: Target): Promise<void> {
    return this.step(process, () => {
      if (this.refused.has(target.account)) throw new NotEntered({ code: 'role-refused', reason: null });
      this.oracle.entered(process.name, target.account);
    });
  }

  private async use(process: Process, shard: number, of: number): Promise<Parameters<typeof watchShard>[2]> {
    const step = <T>(effect: () => T): Promise<T> => this.step(process, effect);
    const { metricsPerMonth } = this.settings;
    return {
      nowEpochSeconds: () => this.now,
      rules: {
        ...{ tickSeconds, mostPoints: 4_000_000, mostChanges: 500, placesAtOnce: pace.targetsAtOnce },
        thresholds: defaultThresholds,
        advising: () => ({ known: false, reason: { code: 'no-ebs-prices', region: 'us-east-1' } }),
      },
      inventories: new TargetInventories(await step(() => this.indexes.get(shard) ?? {}), new Map(), {
        get: (target) =>
          step(() => {
            const kept = this.inventories.get(placeText(target));
            if (kept === undefined) throw new Unavailable('not there');
            return kept;
          }),
        put: (target, inventory) => step(() => void this.inventories.set(placeText(target), inventory)),
        putIndex: (index) => step(() => void this.indexes.set(shard, index)),
        onUnkept: () => undefined,
      }),
      watches: {
        dueOfShard: (_, at) =>
          step(() => {
            const due = [...this.watches.values()]
              .filter((watch) => shardOf(`${watch.account}`) === shard && watch.nextPollEpochSeconds <= at)
              .sort((a, b) => a.nextPollEpochSeconds - b.nextPollEpochSeconds);
            for (const { account } of due)
              this.dueReads.set(`${account}`, (this.dueReads.get(`${account}`) ?? 0) + 1);
            return due;
          }),
        ofTarget: (target) => step(() => this.watchesOf(target)),
        volumeIdsOfTarget: (target) => step(() => this.watchesOf(target).map(({ volumeId }) => volumeId)),
        write: async (watches) => {
          for (const watch of watches)
            await step(() => {
              const before = this.watches.get(watch.volumeId);
              if (before === undefined || before.revision <= watch.revision)
                this.watches.set(watch.volumeId, watch);
            });
        },
        forget: async (watches) => {
          for (const { volumeId } of watches) await step(() => this.watches.delete(volumeId));
        },
      },
      enter: async (target) => {
        await this.enter(process, target);
        return {
          excludeTags: {},
          describeVolumes: () =>
            step(() =>
              this.volumes.filter((one) => one.account === target.account && one.region === target.region),
            ),
          listPublishedChecks: () => step(() => null),
          benchmarkHosts: () => step(() => noHosts),
        };
      },
      onRefused: () => undefined,
      onUnread: () => undefined,
      budget: sharedBudget(this.budgetStore(process, 'all'), of, async (kept, at) =>
        metricsPerMonth === null ? null : budgetNow(kept, metricsPerMonth, at),
      ),
      budgetsOfAccounts: budgetsOfAccounts(
        this.settings.budgets ?? [],
        shard,
        watchedTargets(this.listed(), []),
        {
          storeOf: (key) => this.budgetStore(process, key),
          budgetNow: async ({ apiUsdPerMonth }, kept, at) =>
            budgetNow(kept, metricsForUsd(apiUsdPerMonth), at),
        },
      ),
      read: (call, collector) => this.read(process, call, collector),
      findings: {
        see: (observations) =>
          step(() => {
            this.oracle.said(process.name, observations);
            return [];
          }),
        notify: async () => undefined,
      },
    };
  }

  private budgetStore(process: Process, key: string): SharedBudgetStore {
    const step = <T>(effect: () => T): Promise<T> => this.step(process, effect);
    const kept = (): Budget | null => this.budgets.get(key) ?? null;
    return {
      kept: () => step(kept),
      begin: (budget) =>
        step(() => {
          if (kept() !== null) return false;
          this.budgets.set(key, budget);
          return true;
        }),
      accrue: (before, after) =>
        step(() => {
          const now = kept();
          if (now?.atEpochSeconds !== before.atEpochSeconds) return false;
          this.budgets.set(key, { ...after, left: now.left + after.left - before.left });
          return true;
        }),
      take: (metrics) =>
        step(() => {
          const now = kept();
          if (now === null || now.left < metrics) return false;
          this.budgets.set(key, { ...now, left: now.left - metrics });
          return true;
        }),
    };
  }

  private watchesOf({ account, region }: Target): Watch[] {
    return [...this.watches.values()].filter((one) => one.account === account && one.region === region);
  }

  private async read(process: Process, call: MonitoringCall, collector: MetricCollector): Promise<number> {
    const target = this.settings.targets.find((one) => placeText(one) === placeText(call)) as Target;
    try {
      await this.enter(process, target);
    } catch (error) {
      if (!(error instanceof NotEntered)) throw error;
      for (const { resourceId } of call.queries)
        collector.unread(resourceId, { code: 'metrics-not-read', reason: 'refused' });
      return 0;
    }
    const { length } = call.queries;
    const place = placeText(call);
    await this.step(process, () => this.oracle.asks(process.name, place, call, this.now));
    try {
      return await this.step(process, () => {
        for (const query of call.queries) this.answer(query, call, collector);
        return length;
      });
    } finally {
      this.oracle.answered(process.name, place);
    }
  }

  private answer(
    { resourceId, metric }: MonitoringCall['queries'][number],
    call: MonitoringCall,
    to: MetricCollector,
  ): void {
    const times: number[] = [];
    for (let time = Math.ceil(call.startEpochSeconds / 60) * 60; time <= this.now - 120; time += 60)
      times.push(time);
    // 5 % a minute since the beginning: empty after 20 minutes.
    const balance = (time: number): number => Math.max(0, 100 - (5 * Math.max(0, time - start)) / 60);
    const value = (time: number): number => {
      if (metric === 'BurstBalance') return balance(time);
      if (metric.endsWith('Ops')) return 90_000;
      if (metric.endsWith('Bytes')) return 600 * 16_384;
      return metric === 'VolumeQueueLength' ? 2 : 0;
    };
    to.add(resourceId, metric, times, times.map(value));
  }

  /** For how many seconds the volumes of an account wait that wait longest; infinite where one has no watch. */
  waitsOf(account: string): number {
    return Math.max(
      0,
      ...this.volumes
        .filter((volume) => volume.account === account)
        .map(({ volumeId }) => {
          const watch = this.watches.get(volumeId);
          return watch === undefined ? Number.POSITIVE_INFINITY : this.now - watch.nextPollEpochSeconds;
        }),
    );
  }
}
