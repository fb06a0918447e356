/** What a batch is evaluated for, and from what. */
import type { AuditBatch } from '../../core/audit/batches.ts';
import type { OnDiagnosed, OnEvaluated } from '../../core/audit/evaluating.ts';
import type { ReadingPlan } from '../../core/audit/reading-plan.ts';
import type { Remarks } from '../../core/audit/remarks.ts';
import type { RegionCatalogs } from '../../core/catalog/region-catalog.ts';
import type { Thresholds } from '../../core/diagnosis/thresholds.ts';
import type { MetricCollector } from '../../core/load/fleet-metrics.ts';
import type { MetricQuery } from '../../core/load/metric-queries.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import type { HostEvidence } from '../../core/stripes/host-evidence.ts';

export interface EvaluateFrom {
  readMetrics(
    queries: readonly MetricQuery[],
    plan: ReadingPlan,
    collector: MetricCollector,
  ): Promise<{ metricsRequested: number; incomplete: AuditNotice[] }>;
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
