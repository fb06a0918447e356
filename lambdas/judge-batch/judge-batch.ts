/** One batch of volumes and their instances: read, then judged. */

import { audit } from '../../core/audit/audit.ts';
import { queriesOfBatch } from '../../core/audit/batches.ts';
import { isInPasses } from '../../core/audit/reading-plan.ts';
import { MetricCollector } from '../../core/load/fleet-metrics.ts';
import { usdOfMetrics } from '../../core/load/metric-queries.ts';
import { finestEbsPeriodSeconds } from '../../core/load/metrics.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { judgeInPasses } from './judge-in-passes.ts';
import type { JudgeFrom, JudgeRequest } from './judge-request.ts';

/** In two passes where the plan says so, else everything at once. */
export function judgeBatch(request: JudgeRequest, from: JudgeFrom): Promise<AuditResult> {
  const { plan } = request;
  return isInPasses(plan) ? judgeInPasses({ ...request, plan }, from) : judgeInOnePass(request, from);
}

async function judgeInOnePass(
  {
    runId,
    batch,
    plan,
    markets,
    thresholds,
    notices,
    hosts,
    onDiagnosed,
    onJudged,
    ...request
  }: JudgeRequest,
  { readMetrics, apiCalls }: JudgeFrom,
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
    markets,
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
    ...(onJudged === undefined ? {} : { onJudged }),
  });
}
