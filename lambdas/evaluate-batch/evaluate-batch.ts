/** One batch of volumes and their instances: read, then evaluated. */

import { audit } from '../../core/audit/audit.ts';
import { queriesOfBatch } from '../../core/audit/batches.ts';
import { isInPasses } from '../../core/audit/reading-plan.ts';
import { MetricCollector } from '../../core/load/fleet-metrics.ts';
import { usdOfMetrics } from '../../core/load/metric-queries.ts';
import { finestEbsPeriodSeconds } from '../../core/load/metrics.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { evaluateInPasses } from './evaluate-in-passes.ts';
import type { EvaluateFrom, EvaluationRequest } from './evaluation-request.ts';

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
  const { metricsRequested, incomplete } = await readMetrics(
    queriesOfBatch(batch, plan.periodSeconds),
    plan,
    collector,
  );
  return audit({
    runId,
    volumes: batch.volumes,
    instances: batch.instances,
    metrics: collector.finish(),
    regionCatalogs,
    window: plan,
    thresholds,
    cost: {
      apiCalls: apiCalls() - before,
      metricsRequested,
      usd: usdOfMetrics(metricsRequested),
    },
    notices,
    incomplete: [...request.incomplete, ...incomplete],
    ...(hosts === undefined ? {} : { hosts }),
    ...(onDiagnosed === undefined ? {} : { onDiagnosed }),
    ...(onEvaluated === undefined ? {} : { onEvaluated }),
  });
}
