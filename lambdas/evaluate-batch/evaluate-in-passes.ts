/** One batch in two passes: few metrics of all volumes, what clears more of them, everything of the suspects. */
import { audit } from '../../core/audit/audit.ts';
import { type AuditBatch, batchesOf } from '../../core/audit/batches.ts';
import { costOfPasses, mergeResults } from '../../core/audit/merge-results.ts';
import { joinedMetrics } from '../../core/audit/passes/seen-metrics.ts';
import { TwoPasses } from '../../core/audit/passes/two-passes.ts';
import type { PassPlan } from '../../core/audit/reading-plan.ts';
import { secondsOf } from '../../core/diagnosis/audit-window.ts';
import { type FleetMetrics, MetricCollector } from '../../core/load/fleet-metrics.ts';
import { type MetricQuery, usdOfMetrics } from '../../core/load/metric-queries.ts';
import { finestEbsPeriodSeconds, metricDefinitions } from '../../core/load/metrics.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import type { AuditResult, PassCost } from '../../core/schemas/audit-result.ts';
import { isoFromEpochSeconds } from '../../core/units.ts';
import type { EvaluateFrom, EvaluationRequest } from './evaluation-request.ts';

/** Reads for one pass after the other and notes what each took. */
class PassReader {
  readonly incomplete: AuditNotice[] = [];
  readonly passes: PassCost[] = [];
  private readonly plan: PassPlan;
  private readonly from: EvaluateFrom;

  constructor(plan: PassPlan, from: EvaluateFrom) {
    this.plan = plan;
    this.from = from;
  }

  /** Adds what was asked in points of the second pass to one collector, and what in longer ones to the other. */
  async read(
    pass: PassCost['pass'],
    queries: readonly MetricQuery[],
    into: { fine: MetricCollector; coarse?: MetricCollector },
  ): Promise<void> {
    const before = this.from.apiCalls();
    const [coarse, fine] = [[] as MetricQuery[], [] as MetricQuery[]];
    for (const query of queries) {
      const isCoarse = into.coarse !== undefined && query.periodSeconds > this.plan.periodSeconds;
      (isCoarse ? coarse : fine).push(query);
    }
    let metricsRequested = await this.readInto(fine, into.fine);
    if (into.coarse !== undefined) metricsRequested += await this.readInto(coarse, into.coarse);
    const ids = (of: 'volume' | 'instance'): number =>
      new Set(
        queries
          .filter(
            ({ metric }) => (metricDefinitions[metric].dimensions === 'instance') === (of === 'instance'),
          )
          .map(({ resourceId }) => resourceId),
      ).size;
    this.passes.push({
      pass,
      volumes: ids('volume'),
      instances: ids('instance'),
      metricsRequested,
      apiCalls: this.from.apiCalls() - before,
      usd: usdOfMetrics(metricsRequested),
    });
  }

  private async readInto(queries: readonly MetricQuery[], collector: MetricCollector): Promise<number> {
    if (queries.length === 0) return 0;
    const { metricsRequested, incomplete } = await this.from.readMetrics(queries, this.plan, collector);
    this.incomplete.push(...incomplete);
    return metricsRequested;
  }
}

const emptyCollector = (): MetricCollector => new MetricCollector(finestEbsPeriodSeconds);
const nothingSpent = { apiCalls: 0, metricsRequested: 0, usd: 0 };

/** What a reader must know of a window that is longer than one-minute points are kept. */
const coarseNotice = ({ periodSeconds }: PassPlan): AuditNotice[] =>
  periodSeconds <= finestEbsPeriodSeconds ? [] : [{ code: 'one-minute-points-gone', periodSeconds }];

export async function evaluateInPasses(
  {
    runId,
    batch,
    plan,
    regionCatalogs,
    thresholds,
    notices,
    incomplete,
    hosts,
    onDiagnosed,
    onEvaluated,
  }: EvaluationRequest & { plan: PassPlan },
  from: EvaluateFrom,
): Promise<AuditResult> {
  const passes = new TwoPasses(batch, plan, regionCatalogs, thresholds, hosts);
  const reader = new PassReader(plan, from);
  const [coarse, fine] = [emptyCollector(), emptyCollector()];
  await reader.read('coarse', passes.firstQueries(), { coarse, fine });
  const first = coarse.finish();
  await reader.read('second-look', passes.secondQueries({ coarse: first, fine: fine.finish() }), { fine });
  const second = fine.finish();
  passes.settle(second);
  const cleared = passes.cleared();
  const evaluate = ({ volumes, instances }: AuditBatch, everything: FleetMetrics): AuditResult =>
    audit({
      runId,
      volumes,
      instances,
      metrics: joinedMetrics(
        [...volumes.map(({ volumeId }) => volumeId), ...instances.map(({ instanceId }) => instanceId)],
        [second, everything],
        first,
      ),
      regionCatalogs,
      window: plan,
      thresholds,
      cleared,
      cost: nothingSpent,
      notices: [],
      incomplete: [],
      ...(hosts === undefined ? {} : { hosts }),
      ...(onDiagnosed === undefined ? {} : { onDiagnosed }),
      ...(onEvaluated === undefined ? {} : { onEvaluated }),
    });
  // Where all are suspects they are more than fits into memory at once: each part is read, evaluated and forgotten.
  const reading = { periodSeconds: plan.periodSeconds, windowSeconds: secondsOf(plan) };
  const parts = batchesOf(batch.volumes, batch.instances, batch.published, reading, (part) =>
    passes.fineQueries(part),
  );
  const results: AuditResult[] = [];
  for (const part of parts) {
    const everything = emptyCollector();
    await reader.read('fine', passes.fineQueries(part), { fine: everything });
    results.push(evaluate(part, everything.finish()));
  }
  const merged = mergeResults(results, {
    runId,
    window: {
      start: isoFromEpochSeconds(plan.startEpochSeconds),
      end: isoFromEpochSeconds(plan.endEpochSeconds),
    },
    notices: [...notices, ...coarseNotice(plan)],
    incomplete: [...incomplete, ...reader.incomplete],
    apiCalls: 0,
  });
  const statuses = new Map(merged.volumes.map((status) => [status.volumeId, status]));
  return {
    ...merged,
    // In the order of the batch.
    volumes: batch.volumes.flatMap(({ volumeId }) => statuses.get(volumeId) ?? []),
    cost: costOfPasses(reader.passes),
  };
}
