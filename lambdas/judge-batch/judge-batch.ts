/** One batch of volumes and their instances: read, then judged. */

import { audit } from '../../core/audit/audit.ts';
import { type AuditBatch, queriesOfBatch } from '../../core/audit/batches.ts';
import type { ReadingPlan } from '../../core/audit/reading-plan.ts';
import type { Markets } from '../../core/catalogue/market.ts';
import { MetricCollector } from '../../core/load/fleet-metrics.ts';
import { type MetricQuery, usdOfMetrics } from '../../core/load/metric-queries.ts';
import { finestEbsPeriodSeconds } from '../../core/load/metrics.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';

export interface JudgeFrom {
  readMetrics(
    queries: readonly MetricQuery[],
    plan: ReadingPlan,
    collector: MetricCollector,
  ): Promise<{ metricsRequested: number; incomplete: string[] }>;
  /** API calls made so far. */
  apiCalls(): number;
}

export interface JudgeRequest {
  runId: string;
  batch: AuditBatch;
  plan: ReadingPlan;
  markets: Markets;
  /** What a reader of the result should know, besides what reading it shows. */
  notices: readonly string[];
}

export async function judgeBatch(
  { runId, batch, plan, markets, notices }: JudgeRequest,
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
    cost: {
      apiCalls: apiCalls() - before,
      metricsRequested,
      usd: usdOfMetrics(metricsRequested),
    },
    notices,
    incomplete,
  });
}
