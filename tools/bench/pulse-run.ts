/** The pulse by the clock, on a simulated fleet: what is due at each tick is looked at, in at most two rounds. */
import { type Known, unknown } from '../../core/known.ts';
import type { MetricName } from '../../core/load/metrics.ts';
import type { EbsPrices } from '../../core/prices/price-book.ts';
import { afterLook } from '../../core/pulse/after-look.ts';
import { type Budget, budgetNow } from '../../core/pulse/budget.ts';
import { newWatches, type PulseFleet, planTick } from '../../core/pulse/plan-tick.ts';
import type { Look } from '../../core/pulse/queries-of-look.ts';
import type { PulseSighting } from '../../core/pulse/say.ts';
import { type PulseKind, type Watch, watchSchema } from '../../core/pulse/watch.ts';
import type { Severity } from '../../core/schemas/finding-kinds.ts';
import { secondsPerMinute } from '../../core/units.ts';
import { answer } from './pulse-cloudwatch.ts';
import type { WatchedVolume } from './pulse-fleet.ts';
import { startEpochSeconds } from './two-pass-series.ts';

export interface Told {
  /** Seconds since the start of the run. */
  at: number;
  kind: PulseKind;
  /** Null: that it is not there. */
  severity: Severity | null;
}

export interface PulseRun {
  /** By volume, in order. */
  told: Map<string, Told[]>;
  ticks: number;
  looks: number;
  metrics: number;
  calls: number;
  sightings: number;
  /** By volume: every metric that was ever asked of it. */
  everAsked: Map<string, Set<MetricName>>;
  metricsOfVolume: Map<string, number>;
  largestWatchBytes: number;
  longestWaitSeconds: number;
}

export interface RunSettings {
  everyMinutes: 1 | 2 | 5;
  budget: Budget | null;
  lastMinute: number;
}

const roundsPerTick = 2;
/** What a round takes. */
const roundSeconds = 5;
/** Every so many looks the watch is stored and read again. */
const looksBetweenStores = 97;
const advising = (): Known<EbsPrices> => unknown('nobody asks for prices here');

class Runner {
  readonly run: PulseRun = {
    ...{ told: new Map(), everAsked: new Map(), metricsOfVolume: new Map() },
    ...{
      ticks: 0,
      looks: 0,
      metrics: 0,
      calls: 0,
      sightings: 0,
      largestWatchBytes: 0,
      longestWaitSeconds: 0,
    },
  };
  private readonly byId: ReadonlyMap<string, WatchedVolume>;
  private readonly fleet: PulseFleet;
  private readonly tickSeconds: number;
  private readonly watches: Map<string, Watch>;
  private budget: Budget | null;

  constructor(fleet: readonly WatchedVolume[], { everyMinutes, budget }: RunSettings) {
    this.byId = new Map(fleet.map((one) => [one.volume.volumeId, one]));
    this.fleet = {
      volumes: new Map(fleet.map(({ volume }) => [volume.volumeId, volume])),
      published: Object.fromEntries(fleet.map(({ volume, checks }) => [volume.volumeId, checks])),
    };
    this.tickSeconds = everyMinutes * secondsPerMinute;
    this.budget = budget;
    const watches = newWatches(this.fleet.volumes.values(), () => false, startEpochSeconds);
    this.watches = new Map(watches.map((watch) => [watch.volumeId, watch]));
  }

  tick(minute: number): void {
    this.run.ticks++;
    for (let round = 0; round < roundsPerTick; round++)
      if (!this.round(startEpochSeconds + minute * secondsPerMinute + round * roundSeconds)) return;
  }

  /** @returns false where nothing was due. */
  private round(now: number): boolean {
    const { run, tickSeconds } = this;
    const due: Watch[] = [];
    for (const watch of this.watches.values()) if (watch.nextLookEpochSeconds <= now) due.push(watch);
    if (due.length === 0) return false;
    if (this.budget !== null) this.budget = budgetNow(this.budget, this.budget.metricsPerMonth, now);
    const plan = planTick(due, this.fleet, { nowEpochSeconds: now, tickSeconds, budget: this.budget });
    this.budget = plan.budget;
    run.calls += plan.calls.length;
    run.metrics += plan.metrics;
    run.longestWaitSeconds = Math.max(run.longestWaitSeconds, plan.waiting.longestDelaySeconds);
    for (const watch of plan.unwatched) this.watches.set(watch.volumeId, watch);
    for (const { watch, watched, look } of plan.looks) {
      const volume = this.byId.get(watch.volumeId) as WatchedVolume;
      const metrics = answer(volume, look.queries, look.fromEpochSeconds, now);
      const after = afterLook(watch, watched, look, metrics, { nowEpochSeconds: now, tickSeconds, advising });
      this.note(look, after.sightings, now);
      this.watches.set(watch.volumeId, this.stored(after.watch));
    }
    return true;
  }

  private stored(watch: Watch): Watch {
    const { run } = this;
    if (run.looks % looksBetweenStores !== 0) return watch;
    const text = JSON.stringify(watch);
    run.largestWatchBytes = Math.max(run.largestWatchBytes, Buffer.byteLength(text));
    return watchSchema.parse(JSON.parse(text));
  }

  private note({ volumeId, queries }: Look, sightings: readonly PulseSighting[], now: number): void {
    const { run } = this;
    run.looks++;
    const asked = run.everAsked.get(volumeId) ?? new Set();
    for (const { metric } of queries) asked.add(metric);
    run.everAsked.set(volumeId, asked);
    run.metricsOfVolume.set(volumeId, (run.metricsOfVolume.get(volumeId) ?? 0) + queries.length);
    if (sightings.length === 0) return;
    run.sightings += sightings.length;
    const told = run.told.get(volumeId) ?? [];
    for (const { kind, finding } of sightings)
      told.push({ at: now - startEpochSeconds, kind, severity: finding?.severity ?? null });
    run.told.set(volumeId, told);
  }
}

export function runPulse(fleet: readonly WatchedVolume[], settings: RunSettings): PulseRun {
  const runner = new Runner(fleet, settings);
  for (let minute = 1; minute <= settings.lastMinute; minute += settings.everyMinutes) runner.tick(minute);
  return runner.run;
}
