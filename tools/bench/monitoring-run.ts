/** Monitoring by the clock, as it is deployed, on a simulated fleet: a tick after the other, with all that is kept in memory. */
import { defaultConfig } from '../../core/config/check.ts';
import { pointRatesOf } from '../../core/config/variables.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import { unknown } from '../../core/known.ts';
import type { MetricName } from '../../core/load/metrics.ts';
import { budgetNow, pace } from '../../core/monitoring/pace.ts';
import type { MonitoringCall, MonitoringFleet } from '../../core/monitoring/plan-tick.ts';
import type { MonitoringObservation, PricesOf } from '../../core/monitoring/say.ts';
import { type MonitoringKind, type Watch, watchSchema } from '../../core/monitoring/watch.ts';
import { isFresh } from '../../core/monitoring/watched.ts';
import type { Severity } from '../../core/schemas/finding-kinds.ts';
import { secondsPerMinute } from '../../core/units.ts';
import { type RegionFleet, type WatchWith, watchVolumes } from '../../lambdas/watch-volumes/watch-volumes.ts';
import { answer } from './monitoring-cloudwatch.ts';
import type { WatchedVolume } from './monitoring-fleet.ts';
import { WatchesInMemory } from './monitoring-watches.ts';
import { startEpochSeconds } from './two-pass-series.ts';

export interface Notified {
  /** Seconds since the start of the run. */
  at: number;
  kind: MonitoringKind;
  /** Null: that it is not there. */
  severity: Severity | null;
}

export interface MonitoringRun {
  /** By volume, in order. */
  notified: Map<string, Notified[]>;
  ticks: number;
  polls: number;
  metrics: number;
  calls: number;
  observations: number;
  /** By volume: every metric that was ever asked of it. */
  everAsked: Map<string, Set<MetricName>>;
  largestWatchBytes: number;
  longestWaitSeconds: number;
}

export interface RunSettings {
  everyMinutes: 1 | 2 | 5;
  /** Null: no bound. */
  metricsPerMonth: number | null;
  lastMinute: number;
}

/** So many writes after another a watch is stored as JSON, and read again. */
const writesBetweenStores = 97;
const advising: PricesOf = (region) => unknown({ code: 'no-ebs-prices', region });

/** A fleet in one Region. */
class Runner {
  readonly run: MonitoringRun = {
    ...{ notified: new Map(), everAsked: new Map(), ticks: 0, polls: 0, metrics: 0, calls: 0 },
    ...{ observations: 0, largestWatchBytes: 0, longestWaitSeconds: 0 },
  };
  private readonly byId: ReadonlyMap<string, WatchedVolume>;
  private readonly region: string;
  private readonly fleet: MonitoringFleet;
  private readonly use: WatchWith;
  private readonly watches = new WatchesInMemory();
  /** By finding: the volume that has it. */
  private readonly volumeOf = new Map<string, string>();
  /** When its volumes were read last, by a tick that came to its end. */
  private madeEpochSeconds = Number.NEGATIVE_INFINITY;
  private now = startEpochSeconds;
  private writes = 0;

  constructor(fleet: readonly WatchedVolume[], { everyMinutes, metricsPerMonth }: RunSettings) {
    this.byId = new Map(fleet.map((one) => [one.volume.volumeId, one]));
    this.region = fleet[0]?.volume.region ?? '';
    this.fleet = {
      volumes: new Map(fleet.map(({ volume }) => [volume.volumeId, volume])),
      published: Object.fromEntries(fleet.map(({ volume, checks }) => [volume.volumeId, checks])),
    };
    this.use = {
      nowEpochSeconds: () => this.now,
      rules: {
        ...{ tickSeconds: everyMinutes * secondsPerMinute, thresholds: defaultThresholds, advising },
        mostPoints: pace.secondsOfReading * pointRatesOf(defaultConfig()).monitoring.older,
        mostChanges: pace.changesPerTick,
      },
      fleet: {
        regions: async () => [this.regionFleet()],
        settled: async (_, isReconciled) => {
          if (isReconciled) this.madeEpochSeconds = this.now;
        },
      },
      watches: this.watches.store((watch) => this.stored(watch)),
      budget: {
        now: async (at) =>
          metricsPerMonth === null ? null : budgetNow(this.watches.budget, metricsPerMonth, at),
        keep: async (budget) => (this.watches.keepBudget(budget) ? 'kept' : 'overtaken'),
      },
      read: async (call, collector) => {
        this.noteAsked(call);
        return answer(this.byId, call, this.now, collector);
      },
      findings: {
        see: async (observations) => {
          for (const observation of observations) this.noteSent(observation);
          return [];
        },
        notify: async () => {},
      },
    };
  }

  async tick(minute: number): Promise<void> {
    const { run } = this;
    this.now = startEpochSeconds + minute * secondsPerMinute;
    const { polls, metrics, calls, lateSeconds } = await watchVolumes(this.use);
    run.ticks++;
    run.polls += polls;
    run.metrics += metrics;
    run.calls += calls;
    run.longestWaitSeconds = Math.max(run.longestWaitSeconds, lateSeconds);
  }

  private regionFleet(): RegionFleet {
    const { region, fleet, madeEpochSeconds, now } = this;
    return { region, fleet, isNew: !isFresh({ madeEpochSeconds }, now) };
  }

  private stored(watch: Watch): Watch {
    if (this.writes++ % writesBetweenStores !== 0) return watch;
    const text = JSON.stringify(watch);
    this.run.largestWatchBytes = Math.max(this.run.largestWatchBytes, Buffer.byteLength(text));
    return watchSchema.parse(JSON.parse(text));
  }

  private noteAsked({ queries }: MonitoringCall): void {
    const { everAsked } = this.run;
    for (const { resourceId, metric } of queries) {
      const asked = everAsked.get(resourceId) ?? new Set();
      everAsked.set(resourceId, asked.add(metric));
    }
  }

  /** What is gone names no volume: it is of the one that had it. */
  private noteSent({ findingId, kind, finding, atEpochSeconds }: MonitoringObservation): void {
    const { notified } = this.run;
    this.run.observations++;
    const volumeId = finding?.resource.id ?? this.volumeOf.get(findingId);
    if (volumeId === undefined) throw new Error(`${findingId} is gone, and never was`);
    this.volumeOf.set(findingId, volumeId);
    const before = notified.get(volumeId) ?? [];
    before.push({ at: atEpochSeconds - startEpochSeconds, kind, severity: finding?.severity ?? null });
    notified.set(volumeId, before);
  }
}

export async function runMonitoring(
  fleet: readonly WatchedVolume[],
  settings: RunSettings,
): Promise<MonitoringRun> {
  const runner = new Runner(fleet, settings);
  for (let minute = 1; minute <= settings.lastMinute; minute += settings.everyMinutes)
    await runner.tick(minute);
  return runner.run;
}
