/** The pulse by the clock, as it is deployed, on a simulated fleet: a tick after the other, with all that is kept in memory. */
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import { unknown } from '../../core/known.ts';
import type { MetricName } from '../../core/load/metrics.ts';
import type { Advising } from '../../core/pulse/advise.ts';
import { budgetNow } from '../../core/pulse/budget.ts';
import { isFresh } from '../../core/pulse/inventory.ts';
import type { PulseCall, PulseFleet } from '../../core/pulse/plan-tick.ts';
import type { PulseSighting } from '../../core/pulse/say.ts';
import { type PulseKind, type Watch, watchSchema } from '../../core/pulse/watch.ts';
import type { Severity } from '../../core/schemas/finding-kinds.ts';
import { secondsPerMinute } from '../../core/units.ts';
import { type RegionFleet, type WatchWith, watchVolumes } from '../../lambdas/watch-volumes/watch-volumes.ts';
import { answer } from './pulse-cloudwatch.ts';
import type { WatchedVolume } from './pulse-fleet.ts';
import { WatchesInMemory } from './pulse-watches.ts';
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
const advising: Advising = (region) => unknown({ code: 'no-ebs-prices', region });

/** A fleet in one Region. */
class Runner {
  readonly run: PulseRun = {
    ...{ told: new Map(), everAsked: new Map(), ticks: 0, looks: 0, metrics: 0, calls: 0 },
    ...{ sightings: 0, largestWatchBytes: 0, longestWaitSeconds: 0 },
  };
  private readonly byId: ReadonlyMap<string, WatchedVolume>;
  private readonly region: string;
  private readonly fleet: PulseFleet;
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
      ...this.watches.remembering((watch) => this.stored(watch)),
      nowEpochSeconds: () => this.now,
      tickSeconds: everyMinutes * secondsPerMinute,
      fleets: async () => [this.regionFleet()],
      settled: async () => {
        this.madeEpochSeconds = this.now;
      },
      budget: async (at) =>
        metricsPerMonth === null ? null : budgetNow(this.watches.budget, metricsPerMonth, at),
      read: async (call, collector) => {
        this.noteAsked(call);
        return answer(this.byId, call, this.now, collector);
      },
      see: async (sightings) => {
        for (const sighting of sightings) this.noteTold(sighting);
        return [];
      },
      tell: async () => {},
      advising,
      thresholds: defaultThresholds,
    };
  }

  async tick(minute: number): Promise<void> {
    const { run } = this;
    this.now = startEpochSeconds + minute * secondsPerMinute;
    const { looks, metrics, calls, lateSeconds } = await watchVolumes(this.use);
    run.ticks++;
    run.looks += looks;
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

  private noteAsked({ queries }: PulseCall): void {
    const { everAsked } = this.run;
    for (const { resourceId, metric } of queries) {
      const asked = everAsked.get(resourceId) ?? new Set();
      everAsked.set(resourceId, asked.add(metric));
    }
  }

  /** What is gone names no volume: it is of the one that had it. */
  private noteTold({ findingId, kind, finding, atEpochSeconds }: PulseSighting): void {
    const { told } = this.run;
    this.run.sightings++;
    const volumeId = finding?.resource.id ?? this.volumeOf.get(findingId);
    if (volumeId === undefined) throw new Error(`${findingId} is gone, and never was`);
    this.volumeOf.set(findingId, volumeId);
    const before = told.get(volumeId) ?? [];
    before.push({ at: atEpochSeconds - startEpochSeconds, kind, severity: finding?.severity ?? null });
    told.set(volumeId, before);
  }
}

export async function runPulse(fleet: readonly WatchedVolume[], settings: RunSettings): Promise<PulseRun> {
  const runner = new Runner(fleet, settings);
  for (let minute = 1; minute <= settings.lastMinute; minute += settings.everyMinutes)
    await runner.tick(minute);
  return runner.run;
}
