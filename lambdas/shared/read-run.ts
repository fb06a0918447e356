import type { RunStore } from '../../adapters/aws/run-store.ts';
import { runKeys } from '../../core/audit/run-keys.ts';
import {
  type AuditResult,
  auditResultSchema,
  volumeEvaluationSchema,
} from '../../core/schemas/audit-result.ts';
import { findingSchema } from '../../core/schemas/finding.ts';

const summarySchema = auditResultSchema.omit({ findings: true, volumes: true });

/** A collected run as one result again. */
export async function readRun(store: RunStore, runId: string): Promise<AuditResult> {
  const keys = runKeys(runId);
  const [summary, findings, volumes] = await Promise.all([
    store.getJson(keys.summary, summarySchema),
    store.getLines(keys.findings, findingSchema),
    store.getLines(keys.volumes, volumeEvaluationSchema),
  ]);
  return { ...summary, findings, volumes };
}
