/** A tick of monitoring: polls the volumes that are due, says what was seen, and remembers when to look again. */
import { limitAsync } from 'es-toolkit/promise';
import type { Thresholds } from '../../core/diagnosis/thresholds.ts';
import { groupBy } from '../../core/group-by.ts';
import {
  expectedChecks,
  finestEbsPeriodSeconds,
  MetricCollector,
  type PublishedCheck,
} from '../../core/load/metrics.ts';
import { afterPoll } from '../../core/monitoring/after-poll.ts';
import { type Budget, spent } from '../../core/monitoring/pace.ts';
import {
  type MonitoringCall,
  type MonitoringFleet,
  newWatches,
  type PlannedPoll,
  planTick,
  type TickPlan,
} from '../../core/monitoring/plan-tick.ts';
import type { MonitoringObservation, PricesOf } from '../../core/monitoring/say.ts';
import { delayOf } from '../../core/monitoring/seen.ts';
import { type Place, placeText } from '../../core/monitoring/shards.ts';
import { afterRefusal, type Watch } from '../../core/monitoring/watch.ts';

/** What a Region has; `isNew`: volumes came or went for which no tick made or removed the watches yet. */
export interface RegionFleet extends Place {
  fleet: MonitoringFleet;
  isNew: boolean;
}

/** By what a poll is evaluated. */
interface TickRules {
  tickSeconds: number;
  /** Points of metrics that one round may ask for. */
  mostPoints: number;
  /** Of several accounts, in one Region of one of them. @default mostPoints */
  mostPointsOfPlace?: number;
  /** Of several accounts: so many places are read at one time, since each has quotas of its own. @default 1 */
  placesAtOnce?: number;
  /** Watches that one tick makes, and that it removes. */
  mostChanges: number;
  thresholds: Thresholds;
  advising: PricesOf;
}

/** Which volumes there are. */
interface FleetSource {
  /** Of each Region that could be read. */
  regions(): Promise<RegionFleet[]>;
  /**
   * A tick came to its end with what it read of a Region: the next ones may take it as it is.
   * @param isReconciled every volume has its watch, and no other has.
   */
  settled(place: Place, isReconciled: boolean): Promise<void>;
}

/** What is remembered of each volume. */
export interface WatchStore {
  due(place: Place, nowEpochSeconds: number): Promise<Watch[]>;
  volumeIds(place: Place): Promise<string[]>;
  write(watches: readonly Watch[]): Promise<void>;
  forget(watches: readonly Watch[]): Promise<void>;
}

interface BudgetStore {
  /** As of now; null: no bound. */
  now(nowEpochSeconds: number): Promise<Budget | null>;
  /**
   * @param budget as it is after this round.
   * @param metrics that this round asks for.
   */
  keep(budget: Budget, metrics: number): Promise<Kept>;
}

/** Of the first two nothing is kept: a later tick has kept its own, or others took what was to be asked for. */
type Kept = 'overtaken' | 'spent-by-others' | 'kept';

/** What some accounts may cost, inside of the budget of all. Less than nothing is given back. */
export interface AccountsBudgetStore extends BudgetStore {
  accounts: ReadonlySet<string>;
}

interface FindingSink {
  /** Puts them into the records. @returns ids of findings of which there is something to tell now. */
  see(observations: readonly MonitoringObservation[]): Promise<string[]>;
  notify(findingIds: readonly string[]): Promise<void>;
}

export interface WatchWith {
  nowEpochSeconds(): number;
  rules: TickRules;
  fleet: FleetSource;
  watches: WatchStore;
  budget: BudgetStore;
  budgetsOfAccounts?: readonly AccountsBudgetStore[];
  findings: FindingSink;
  /** Adds what came to the collector; @returns the metrics that are billed. */
  read(call: MonitoringCall, collector: MetricCollector): Promise<number>;
  /** Of several accounts: whether one refused in this tick what it was asked for. */
  refuses?(place: Place): boolean;
}

export interface Tick {
  polls: number;
  metrics: number;
  calls: number;
  /** Volumes that could not be polled. */
  unread: string[];
  waiting: number;
  /** Volumes that came and have no watch yet: the next ticks make them. */
  unregistered: number;
  /** The longest that a poll waits for the budget. */
  lateSeconds: number;
  /** By Region, how old the newest minutes were that CloudWatch had; only where a volume was polled that has any. */
  delaySeconds: Record<string, number>;
  /** Findings that were handed on to be reported. */
  toNotify: number;
  /** A later tick kept its budget first: what this one had not asked for stays due. */
  isOvertaken: boolean;
}

/** A poll can show that another is due at once: with the other metrics. */
const maxRounds = 2;
/** Findings that are named to the notify function, who finds the others by itself a little later: an event has 256 KB. */
const maxNamed = 5_000;

interface AccountsBudget {
  store: AccountsBudgetStore;
  now: Budget;
}
interface Budgets {
  /** Null: no bound. */
  budget: Budget | null;
  ofAccounts: AccountsBudget[];
}

async function budgetsNow(
  { budget, budgetsOfAccounts = [] }: WatchWith,
  nowEpochSeconds: number,
): Promise<Budgets> {
  const ofAccounts: AccountsBudget[] = [];
  for (const store of budgetsOfAccounts) {
    const now = await store.now(nowEpochSeconds);
    if (now !== null) ofAccounts.push({ store, now });
  }
  return { budget: await budget.now(nowEpochSeconds), ofAccounts };
}

class TickRun {
  readonly result: Tick = {
    ...{ polls: 0, metrics: 0, calls: 0, unread: [] },
    ...{ waiting: 0, unregistered: 0, lateSeconds: 0, delaySeconds: {}, toNotify: 0, isOvertaken: false },
  };
  readonly news = new Set<string>();
  private readonly use: WatchWith;
  private readonly nowEpochSeconds: number;
  private readonly fleet: MonitoringFleet;
  private budget: Budget | null;
  private readonly ofAccounts: AccountsBudget[];

  constructor(
    use: WatchWith,
    nowEpochSeconds: number,
    fleet: MonitoringFleet,
    { budget, ofAccounts }: Budgets,
  ) {
    this.ofAccounts = ofAccounts;
    this.use = use;
    this.nowEpochSeconds = nowEpochSeconds;
    this.fleet = fleet;
    this.budget = budget;
  }

  /** @returns those of them that are due again at once. */
  async round(due: readonly Watch[]): Promise<Watch[]> {
    const { use, nowEpochSeconds, result } = this;
    const plan = await this.paid(due);
    if (plan === null) {
      result.isOvertaken = true;
      return [];
    }
    const collector = new MetricCollector(finestEbsPeriodSeconds);
    await this.read(plan.calls, collector);
    const { watches, observations } = this.polled(plan.polls, collector);
    // Said before it is remembered as said: a tick that dies in between says it again.
    for (const id of await use.findings.see([...plan.observations, ...observations])) this.news.add(id);
    await use.watches.write([...plan.unwatched, ...watches]);
    await use.watches.forget(plan.gone);
    result.calls += plan.calls.length;
    result.waiting += plan.waiting.volumes;
    result.lateSeconds = Math.max(result.lateSeconds, plan.waiting.longestDelaySeconds);
    return watches.filter((watch) => watch.nextPollEpochSeconds <= nowEpochSeconds);
  }

  /** What is asked for, kept before it is spent: who dies has asked, and paid. Null where a later tick was faster. */
  private async paid(due: readonly Watch[]): Promise<TickPlan | null> {
    const { use, nowEpochSeconds, fleet } = this;
    const { mostChanges: mostGone, ...rules } = use.rules;
    for (;;) {
      const budgetsOfAccounts = this.ofAccounts.map(({ store, now }) => ({ ...store, left: now.left }));
      const budgets = { budget: this.budget, budgetsOfAccounts };
      const plan = planTick(due, fleet, { ...rules, nowEpochSeconds, ...budgets, mostGone });
      if (plan.metrics === 0) return plan;
      if (!(await this.takenOfAccounts(plan.ofAccounts))) continue;
      const kept = plan.budget === null ? 'kept' : await use.budget.keep(plan.budget, plan.metrics);
      this.budget = plan.budget;
      if (kept === 'kept') return plan;
      await this.giveBack(plan.ofAccounts);
      if (kept === 'overtaken') return null;
      // What needs no metric is done all the same.
      if (plan.budget !== null) this.budget = { ...plan.budget, left: 0 };
    }
  }

  /** Of all of them or of none. Who dies in between has taken what it did not ask. */
  private async takenOfAccounts(metrics: readonly number[]): Promise<boolean> {
    for (const [i, one] of this.ofAccounts.entries()) {
      const ofIt = metrics[i] ?? 0;
      if (ofIt === 0) continue;
      const after = spent(one.now, ofIt);
      if ((await one.store.keep(after, ofIt)) === 'kept') {
        one.now = after;
        continue;
      }
      one.now = { ...one.now, left: 0 };
      await this.giveBack(metrics.slice(0, i));
      return false;
    }
    return true;
  }

  private async giveBack(metrics: readonly number[]): Promise<void> {
    for (const [i, ofIt] of metrics.entries()) {
      const one = this.ofAccounts[i];
      if (one === undefined || ofIt === 0) continue;
      one.now = spent(one.now, -ofIt);
      await one.store.keep(one.now, -ofIt);
    }
  }

  /** One after the other in a place. */
  private async read(calls: readonly MonitoringCall[], collector: MetricCollector): Promise<void> {
    const { use, result } = this;
    const { placesAtOnce = 1 } = use.rules;
    const ofPlace = limitAsync(async (ofIt: readonly MonitoringCall[]) => {
      for (const call of ofIt) result.metrics += await use.read(call, collector);
    }, placesAtOnce);
    const together = placesAtOnce === 1 ? [calls] : [...groupBy(calls, placeText).values()];
    await Promise.all(together.map((ofIt) => ofPlace(ofIt)));
  }

  private polled(polls: readonly PlannedPoll[], collector: MetricCollector) {
    const { use, nowEpochSeconds, result } = this;
    const metrics = collector.finish();
    const watches: Watch[] = [];
    const observations: MonitoringObservation[] = [];
    const { tickSeconds, advising } = use.rules;
    const { refuses = () => false } = use;
    const ofRegions = groupBy(polls, ({ watch }) => watch.region);
    for (const [region, ofRegion] of ofRegions) {
      const delay = delayOf(
        ofRegion.map(({ watch }) => metrics.of(watch.volumeId)),
        nowEpochSeconds,
      );
      if (delay !== null) result.delaySeconds[region] = delay;
    }
    for (const { watch, watched, poll } of polls) {
      const { volumeId, region } = watch;
      // It stays due: the next tick asks again.
      if (metrics.unusableReason(volumeId) !== null) {
        result.unread.push(volumeId);
        // But for who refuses: each tick would ask, and take of the budget, as long as that goes on.
        if (refuses(watch)) watches.push(afterRefusal(watch, nowEpochSeconds));
        continue;
      }
      const delaySeconds = result.delaySeconds[region] ?? null;
      const context = { nowEpochSeconds, tickSeconds, delaySeconds, advising };
      const after = afterPoll(watch, watched, poll, metrics.of(volumeId), context);
      watches.push(after.watch);
      observations.push(...after.observations);
      result.polls++;
    }
    return { watches, observations };
  }
}

interface Reconciled {
  /** What is due beside the others. */
  watches: Watch[];
  registered: number;
  /** Watches of this Region that the tick removes. */
  removed: number;
  /** Volumes that came and have no watch yet. */
  unregistered: number;
  isWhole: boolean;
}

/**
 * Watches of volumes that came, which are kept at once: one that cannot be polled now stays due. And those of volumes that
 * went though nobody polls them soon.
 * @param left watches that may still be made and removed in this tick.
 */
async function reconciled(
  { region, account, fleet }: RegionFleet,
  due: readonly Watch[],
  use: WatchWith,
  left: { toMake: number; toRemove: number },
): Promise<Reconciled> {
  const isDue = new Set(due.map(({ volumeId }) => volumeId));
  const place = { region, account };
  const watched = new Set(await use.watches.volumeIds(place));
  // A read of the table may be a moment behind its index, and the other way round.
  const hasWatch = (id: string): boolean => watched.has(id) || isDue.has(id);
  const all = newWatches(fleet.volumes.values(), hasWatch, use.nowEpochSeconds(), account);
  const came = all.slice(0, left.toMake);
  await use.watches.write(came);
  const went = new Set([...watched].filter((id) => !fleet.volumes.has(id) && !isDue.has(id)));
  // What is open of them is said to be gone: they are due now.
  const known = went.size === 0 ? [] : await use.watches.due(place, Number.MAX_SAFE_INTEGER);
  // What is due by itself is removed first; what is too much of it stays due.
  const dueAndGone = due.filter(({ volumeId }) => !fleet.volumes.has(volumeId)).length;
  const others = Math.max(0, left.toRemove - dueAndGone);
  const gone = known.filter(({ volumeId }) => went.has(volumeId)).slice(0, others);
  const unregistered = all.length - came.length;
  return {
    watches: [...came, ...gone],
    registered: came.length,
    removed: Math.min(left.toRemove, dueAndGone + gone.length),
    unregistered,
    isWhole: unregistered === 0 && gone.length === went.size,
  };
}

/** Where nobody listed the checks of a Region, they are expected as AWS documents them. */
function asOne(regions: readonly RegionFleet[]): MonitoringFleet {
  const [first, ...others] = regions;
  if (first !== undefined && others.length === 0) return first.fleet;
  const volumes = regions.flatMap(({ fleet }) => [...fleet.volumes]);
  const published: Record<string, readonly PublishedCheck[]> = {};
  for (const { fleet } of regions) {
    Object.assign(published, fleet.published);
    if (fleet.published !== null) continue;
    for (const volume of fleet.volumes.values()) published[volume.volumeId] = expectedChecks(volume);
  }
  return { volumes: new Map(volumes), published };
}

export async function watchVolumes(use: WatchWith): Promise<Tick> {
  const nowEpochSeconds = use.nowEpochSeconds();
  const regions = await use.fleet.regions();
  const budgets = await budgetsNow(use, nowEpochSeconds);
  const tick = new TickRun(use, nowEpochSeconds, asOne(regions), budgets);
  let due: Watch[] = [];
  const left = { toMake: use.rules.mostChanges, toRemove: use.rules.mostChanges };
  const changed = new Map<Place, boolean>();
  for (const one of regions) {
    const ofRegion = await use.watches.due(one, nowEpochSeconds);
    due = [...due, ...ofRegion];
    if (!one.isNew) continue;
    const { watches, registered, removed, unregistered, isWhole } = await reconciled(
      one,
      ofRegion,
      use,
      left,
    );
    due = [...due, ...watches];
    left.toMake -= registered;
    left.toRemove -= removed;
    tick.result.unregistered += unregistered;
    changed.set(one, isWhole);
  }
  for (let round = 0; round < maxRounds && due.length > 0; round++) due = await tick.round(due);
  // Not before: where a tick dies or is overtaken the next one compares again, and no volume is without a watch.
  if (!tick.result.isOvertaken)
    for (const [place, isWhole] of changed) await use.fleet.settled(place, isWhole);
  const { news } = tick;
  if (news.size > 0) await use.findings.notify([...news].slice(0, maxNamed));
  return { ...tick.result, toNotify: news.size };
}
