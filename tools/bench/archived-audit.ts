/** What a daily audit reads of CloudWatch where an archive has the days before, against reading the whole window again. */
import { manifestsOf } from '../../adapters/archive/archived-targets.ts';
import { commit, stage } from '../../adapters/archive/commit.ts';
import { readMinutes } from '../../adapters/archive/read-minutes.ts';
import { archivedPlan, mergeResults } from '../../core/audit/batches.ts';
import { noHosts } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import { secondsOf, defaultThresholds as thresholds } from '../../core/diagnosis/thresholds.ts';
import {
  type MetricQuery,
  packQueries,
  pointsOf,
  pointsPerCall,
  settleSeconds,
} from '../../core/load/metrics.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { msPerSecond, secondsPerDay } from '../../core/units.ts';
import { archivedReads } from '../../lambdas/discover-volumes/archived.ts';
import { discoverVolumes } from '../../lambdas/discover-volumes/discover-volumes.ts';
import { ArchivedReading } from '../../lambdas/evaluate-batch/archived-reading.ts';
import { type EvaluateFrom, evaluateBatch } from '../../lambdas/evaluate-batch/evaluate-batch.ts';
import { MemoryStore } from '../../test/adapters/archive/memory-store.ts';
import type { RecordedAccount } from '../../test/fixtures/recorded-account.ts';
import { archivedTarget } from './archive.ts';
import type { Measure } from './measure.ts';
import { twoPassAccount } from './two-pass-account.ts';
import { days, endEpochSeconds } from './two-pass-series.ts';

interface DailyRun {
  result: AuditResult;
  batches: number;
  calls: number;
  points: number;
  /** Of the same metrics in the whole window. */
  pointsOfWindow: number;
  /** A call has one start, and a metric that is asked in two calls is paid twice: with those of the whole fleet together. */
  leastCalls: number;
  /** As many as the requested points fill. */
  fullCalls: number;
  metrics: number;
}

/** As the deployed audit does it: discovered, batch by batch, committed. */
async function dailyRun(
  store: MemoryStore,
  account: RecordedAccount,
  windowEndSeconds: number,
): Promise<DailyRun> {
  const now = new Date((windowEndSeconds + settleSeconds) * msPerSecond);
  const plan = archivedPlan({
    ...{ lookbackDays: days, periodSeconds: 'two-passes', settleSeconds },
    ...{ until: now, now },
  });
  const callsBefore = account.apiCalls();
  let [points, requested, requestedOfWindow, metrics] = [0, 0, 0, 0];
  const inWindow = new Map<string, { seconds: number; queries: MetricQuery[] }>();
  const readMetrics: EvaluateFrom['readMetrics'] = async (queries, window, collectorOf) => {
    const read = await account.readMetrics(queries, window, collectorOf);
    points += read.points;
    metrics += queries.length;
    const name = `${window.startEpochSeconds} ${window.endEpochSeconds}`;
    const same = inWindow.get(name) ?? { seconds: secondsOf(window), queries: [] };
    inWindow.set(name, same);
    same.queries.push(...queries);
    for (const query of queries) {
      requested += pointsOf(query, secondsOf(window));
      requestedOfWindow += pointsOf(query, secondsOf(plan));
    }
    return read;
  };
  const { batches } = await discoverVolumes(
    {
      describeVolumes: async () => account.volumes,
      describeInstances: async () => ({
        instances: account.instances,
        attachedVolumeIds: account.volumes.map(({ volumeId }) => volumeId),
      }),
      listPublishedChecks: async () => account.published,
      benchmarkHosts: async () => noHosts,
      now: () => now,
      archive: {
        keeps: 'default',
        readModifications: async () => null,
        read: () => archivedReads(manifestsOf(store, archivedTarget), plan, now),
      },
    },
    plan,
    thresholds,
  );
  const results: AuditResult[] = [];
  for (const [index, { archived, ...batch }] of batches.entries()) {
    if (archived === undefined) throw new Error('a batch of an archive knows what is in it');
    const archive = new ArchivedReading(
      {
        readMinutes: (asked) => readMinutes(store, archivedTarget, asked),
        stage: (of) => stage(store, archivedTarget, 'bench', of),
      },
      { batch, reads: archived.reads, metrics: 'default', now },
      readMetrics,
    );
    const result = await evaluateBatch(
      {
        ...{ runId: 'bench', batch, thresholds, notices: [], incomplete: [] },
        plan: { ...plan, startEpochSeconds: archived.startEpochSeconds },
        regionCatalogs: builtInRegionCatalog,
        onDiagnosed: archive.onDiagnosed,
      },
      { readMetrics: archive.readMetrics, apiCalls: account.apiCalls },
    );
    await archive.stage(`batch-${index}`, result.volumes);
    results.push(result);
  }
  await commit(store, archivedTarget);
  const none = { window: null, notices: [], incomplete: [], apiCalls: 0 };
  return {
    result: mergeResults(results, { runId: 'bench', ...none }),
    batches: batches.length,
    calls: account.apiCalls() - callsBefore,
    points,
    pointsOfWindow: requestedOfWindow * (points / requested),
    leastCalls: [...inWindow.values()].reduce(
      (calls, { seconds, queries }) => calls + packQueries(queries, seconds).length,
      0,
    ),
    fullCalls: Math.ceil(requested / pointsPerCall),
    metrics,
  };
}

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** The second of two days: the first one reads what CloudWatch has. */
export async function archivedAuditReads(): Promise<Measure[]> {
  const account = twoPassAccount(1);
  const store = new MemoryStore();
  const first = await dailyRun(store, account, endEpochSeconds - secondsPerDay);
  const second = await dailyRun(store, account, endEpochSeconds);
  const fleet = `${number.format(account.volumes.length)} volumes on ${account.instances.length} instances, 5 % in trouble, default metrics, the day after a first run`;
  const of = ({ calls, leastCalls, fullCalls, batches }: DailyRun): string =>
    `${number.format(calls)} calls of at least ${number.format(leastCalls)} (as many points fill ${number.format(fullCalls)}), ${batches} batches`;
  return [
    {
      name: 'archive-daily-points-share',
      value: Number(((100 * second.points) / second.pointsOfWindow).toFixed(1)),
      unit: `% of the points of ${days} days`,
      conditions: `${fleet}: ${number.format(second.points)} points of ${number.format(second.metrics)} metrics, ${number.format(second.pointsOfWindow)} in ${days} days`,
    },
    {
      name: 'archive-daily-calls-over-least',
      value: Number((100 * (second.calls / second.leastCalls - 1)).toFixed(2)),
      unit: '% more calls than the least',
      conditions: `${fleet}: ${of(second)}; the first run ${of(first)}`,
    },
  ];
}
