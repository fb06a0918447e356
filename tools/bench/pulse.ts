/** How well the pulse watches, and what it costs: a thousand volumes, 14 days, a tick a minute. */
import { quantile } from 'simple-statistics';
import { type Known, known, unknown } from '../../core/known.ts';
import { usdOfMetrics } from '../../core/load/metric-queries.ts';
import type { MetricName } from '../../core/load/metrics.ts';
import type { EbsPrices } from '../../core/prices/price-book.ts';
import { builtInPrices } from '../../core/prices/price-book.ts';
import { afterLook } from '../../core/pulse/after-look.ts';
import type { Budget } from '../../core/pulse/budget.ts';
import { budgetNow } from '../../core/pulse/budget.ts';
import { newWatches, type PulseFleet, planTick } from '../../core/pulse/plan-tick.ts';
import type { PulseSighting } from '../../core/pulse/say.ts';
import { type PulseKind, type Watch, watchSchema } from '../../core/pulse/watch.ts';
import type { Severity } from '../../core/schemas/finding-kinds.ts';
import { secondsPerDay, secondsPerMinute } from '../../core/units.ts';
import { answer } from './pulse-cloudwatch.ts';
import type { WatchedVolume } from './pulse-fleet.ts';
import { minutes, startEpochSeconds } from './two-pass-series.ts';

export interface Told {
  /** Seconds since the start of the run. */
  at: number;
  kind: PulseKind;
  /** Null: that it is not there. */
  severity: Severity | null;
}

export interface PulseRun {
  told: Map<string, Told[]>;
  metrics: number;
  looks: number;
  calls: number;
  ticks: number;
  /** By volume: every metric that was ever asked of it. */
  everAsked: Map<string, Set<MetricName>>;
  metricsOfVolume: Map<string, number>;
  largestWatchBytes: number;
  sightings: number;
  metricsOfPart: Record<string, number>;
  longestWaitSeconds: number;
}

const ebs = builtInPrices('us-east-1').ebs;
const advising = (region: string): Known<EbsPrices> =>
  region === 'us-east-1' && ebs !== null ? known(ebs) : unknown('no prices here');

const roundsPerTick = 2;
/** What a round takes. */
const roundSeconds = 5;

export interface RunSettings {
  everyMinutes: 1 | 2 | 5;
  /** Of the run. */
  lastMinute?: number;
  budget: Budget | null;
}

/** Ticks by the clock: what is due is looked at, in at most two rounds a tick. */
export function runPulse(
  fleet: readonly WatchedVolume[],
  { everyMinutes, budget: start, lastMinute = minutes }: RunSettings,
): PulseRun {
  const byId = new Map(fleet.map((one) => [one.volume.volumeId, one]));
  const pulseFleet: PulseFleet = {
    volumes: new Map(fleet.map(({ volume }) => [volume.volumeId, volume])),
    published: Object.fromEntries(fleet.map(({ volume, checks }) => [volume.volumeId, checks])),
  };
  const tickSeconds = everyMinutes * secondsPerMinute;
  const run: PulseRun = {
    ...{ told: new Map(), metrics: 0, looks: 0, calls: 0, ticks: 0, sightings: 0 },
    ...{ everAsked: new Map(), metricsOfVolume: new Map(), metricsOfPart: {} },
    ...{ largestWatchBytes: 0, longestWaitSeconds: 0 },
  };
  let budget = start;
  let watches: Watch[] = newWatches(pulseFleet.volumes.values(), () => false, startEpochSeconds);
  for (let minute = 1; minute <= lastMinute; minute += everyMinutes) {
    run.ticks++;
    const tick = startEpochSeconds + minute * secondsPerMinute;
    for (let round = 0; round < roundsPerTick; round++) {
      const now = tick + round * roundSeconds;
      const due = watches.filter(({ nextLookEpochSeconds }) => nextLookEpochSeconds <= now);
      if (due.length === 0) break;
      if (budget !== null) budget = budgetNow(budget, budget.metricsPerMonth, now);
      const plan = planTick(due, pulseFleet, { nowEpochSeconds: now, tickSeconds, budget });
      budget = plan.budget;
      run.calls += plan.calls.length;
      run.metrics += plan.metrics;
      run.longestWaitSeconds = Math.max(run.longestWaitSeconds, plan.waiting.longestDelaySeconds);
      const written = new Map(plan.unwatched.map((watch) => [watch.volumeId, watch]));
      for (const { watch, watched, look } of plan.looks) {
        const volume = byId.get(watch.volumeId) as WatchedVolume;
        const metrics = answer(volume, look.queries, look.fromEpochSeconds, now);
        const after = afterLook(watch, watched, look, metrics, {
          nowEpochSeconds: now,
          tickSeconds,
          advising,
        });
        note(run, look, after.sightings, now);
        written.set(watch.volumeId, throughJson(after.watch, run));
      }
      watches = watches.map((watch) => written.get(watch.volumeId) ?? watch);
    }
  }
  return run;
}

/** Now and then as it is stored and read again. */
function throughJson(watch: Watch, run: PulseRun): Watch {
  if (run.looks % 97 !== 0) return watch;
  const text = JSON.stringify(watch);
  run.largestWatchBytes = Math.max(run.largestWatchBytes, Buffer.byteLength(text));
  return watchSchema.parse(JSON.parse(text));
}

function note(
  run: PulseRun,
  look: { volumeId: string; parts: string[]; queries: readonly { metric: MetricName }[] },
  sightings: readonly PulseSighting[],
  now: number,
): void {
  const { volumeId, queries } = look;
  run.looks++;
  const asked = run.everAsked.get(volumeId) ?? new Set();
  for (const { metric } of queries) {
    asked.add(metric);
    run.metricsOfPart[metric] = (run.metricsOfPart[metric] ?? 0) + 1;
  }
  run.everAsked.set(volumeId, asked);
  run.metricsOfVolume.set(volumeId, (run.metricsOfVolume.get(volumeId) ?? 0) + queries.length);
  if (sightings.length === 0) return;
  run.sightings += sightings.length;
  const told = run.told.get(volumeId) ?? [];
  for (const { kind, finding } of sightings)
    told.push({ at: now - startEpochSeconds, kind, severity: finding?.severity ?? null });
  run.told.set(volumeId, told);
}

export { quantile, secondsPerDay, usdOfMetrics };
