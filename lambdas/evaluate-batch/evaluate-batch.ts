/** One batch of volumes and their instances: read, then evaluated. */

import { type AuditedInventory, audit } from '../../core/audit/audit.ts';
import {
  type AuditBatch,
  batchesOf,
  costOfPasses,
  isInPasses,
  mergeResults,
  type PassPlan,
  queriesOfBatch,
  type ReadingPlan,
} from '../../core/audit/batches.ts';
import type { OnDiagnosed, OnEvaluated } from '../../core/audit/observed.ts';
import { joinedMetrics, TwoPasses } from '../../core/audit/passes/two-passes.ts';
import type { Remarks } from '../../core/audit/remarks.ts';
import type { RegionCatalogs } from '../../core/catalog/region-catalog.ts';
import { secondsOf, type Thresholds } from '../../core/diagnosis/thresholds.ts';
import {
  type FleetMetrics,
  finestEbsPeriodSeconds,
  MetricCollector,
  type MetricQuery,
  metricDefinitions,
  usdOfMetrics,
} from '../../core/load/metrics.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import type { AuditResult, PassCost } from '../../core/schemas/audit-result.ts';
import type { HostEvidence } from '../../core/stripes/host-evidence.ts';
import { isoFromEpochSeconds } from '../../core/units.ts';

// What a batch is evaluated for, and from what.

export interface EvaluateFrom {
  readMetrics(
    queries: readonly MetricQuery[],
    plan: ReadingPlan,
    /** Of one call points of several periods can come, for a collector each. */
    collectorOf: (query: MetricQuery) => MetricCollector,
  ): Promise<{ metricsRequested: number; points: number; incomplete: AuditNotice[] }>;
  /** API calls made so far. */
  apiCalls(): number;
}

export interface EvaluationRequest extends Remarks {
  runId: string;
  batch: AuditBatch;
  plan: ReadingPlan;
  regionCatalogs: RegionCatalogs;
  thresholds: Thresholds;
  /** What hosts said of how their volumes are joined, by instance id. */
  hosts?: ReadonlyMap<string, HostEvidence> | undefined;
  /** Called with each volume whose load was read, before its findings are made. */
  onDiagnosed?: OnDiagnosed | undefined;
  /** Called with the volumes of each instance, once they are evaluated. */
  onEvaluated?: OnEvaluated | undefined;
}

const modificationsOf = ({ modifications }: AuditBatch): Pick<AuditedInventory, 'modifications'> =>
  modifications === undefined ? {} : { modifications: new Map(Object.entries(modifications)) };

// One batch in two passes: few metrics of all volumes, what clears more of them, everything of the suspects.

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
    const { metricsRequested, points } = await this.readQueries(queries, ({ periodSeconds }) =>
      into.coarse !== undefined && periodSeconds > this.plan.periodSeconds ? into.coarse : into.fine,
    );
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
      ...{ metricsRequested, points },
      apiCalls: this.from.apiCalls() - before,
      usd: usdOfMetrics(metricsRequested),
    });
  }

  private async readQueries(
    queries: readonly MetricQuery[],
    collectorOf: (query: MetricQuery) => MetricCollector,
  ): Promise<{ metricsRequested: number; points: number }> {
    if (queries.length === 0) return { metricsRequested: 0, points: 0 };
    const read = await this.from.readMetrics(queries, this.plan, collectorOf);
    this.incomplete.push(...read.incomplete);
    return read;
  }
}

const emptyCollector = (): MetricCollector => new MetricCollector(finestEbsPeriodSeconds);

/** What a reader must know of a window that is longer than one-minute points are kept. */
const coarseNotice = ({ periodSeconds }: PassPlan): AuditNotice[] =>
  periodSeconds <= finestEbsPeriodSeconds ? [] : [{ code: 'one-minute-points-gone', periodSeconds }];

async function evaluateInPasses(
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
      inventory: {
        ...{ volumes, instances },
        ...(hosts === undefined ? {} : { hosts }),
        ...modificationsOf(batch),
      },
      read: {
        metrics: joinedMetrics(
          [...volumes.map(({ volumeId }) => volumeId), ...instances.map(({ instanceId }) => instanceId)],
          [second, everything],
          first,
        ),
        window: plan,
        cleared,
      },
      rules: { regionCatalogs, thresholds },
      opinions: batch.opinions,
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

/** In two passes where the plan says so, else everything at once. */
export function evaluateBatch(request: EvaluationRequest, from: EvaluateFrom): Promise<AuditResult> {
  const { plan } = request;
  return isInPasses(plan) ? evaluateInPasses({ ...request, plan }, from) : evaluateInOnePass(request, from);
}

async function evaluateInOnePass(
  {
    runId,
    batch,
    plan,
    regionCatalogs,
    thresholds,
    notices,
    hosts,
    onDiagnosed,
    onEvaluated,
    ...request
  }: EvaluationRequest,
  { readMetrics, apiCalls }: EvaluateFrom,
): Promise<AuditResult> {
  const collector = new MetricCollector(finestEbsPeriodSeconds);
  const before = apiCalls();
  const { metricsRequested, points, incomplete } = await readMetrics(
    queriesOfBatch(batch, plan.periodSeconds),
    plan,
    () => collector,
  );
  return audit({
    runId,
    inventory: {
      volumes: batch.volumes,
      instances: batch.instances,
      ...(hosts === undefined ? {} : { hosts }),
      ...modificationsOf(batch),
    },
    read: {
      metrics: collector.finish(),
      window: plan,
      cost: {
        apiCalls: apiCalls() - before,
        ...{ metricsRequested, points },
        usd: usdOfMetrics(metricsRequested),
      },
      notices,
      incomplete: [...request.incomplete, ...incomplete],
    },
    rules: { regionCatalogs, thresholds },
    opinions: batch.opinions,
    ...(onDiagnosed === undefined ? {} : { onDiagnosed }),
    ...(onEvaluated === undefined ? {} : { onEvaluated }),
  });
}
