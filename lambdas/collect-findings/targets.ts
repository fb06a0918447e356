/** A Region as the workflow hands it on: what was read of it, or why it failed. */
import { z } from 'zod';
import type { Remarks } from '../../core/audit/remarks.ts';
import { failureText } from '../../core/failure-text.ts';
import { type AuditNotice, auditNoticeSchema } from '../../core/schemas/audit-notice.ts';
import { placeSchema } from '../../core/schemas/batch.ts';
import { opinionReadSchema } from '../../core/schemas/second-opinion.ts';
import type { TargetRead } from './collect-findings.ts';

export const errorSchema = z.object({ Error: z.string().optional(), Cause: z.string().optional() });
/** What refreshing a Region's prices gave, or why it failed. */
export const refreshSchema = z
  .union([
    z.object({ failure: errorSchema }),
    z.object({
      notices: z.array(auditNoticeSchema),
      incomplete: z.array(auditNoticeSchema).default([]),
      apiCalls: z.number(),
    }),
  ])
  // An execution that began before this step was there has none.
  .default({ notices: [], incomplete: [], apiCalls: 0 });
const discoveredSchema = placeSchema.extend({
  refresh: refreshSchema,
  apiCalls: z.number(),
  incomplete: z.array(auditNoticeSchema),
  // An execution that began before anything could be excluded does not tell.
  excluded: z.number().default(0),
  benchmarkVolumes: z.number().default(0),
  /** What came of asking other services; absent: none was asked. */
  opinionReads: z.array(opinionReadSchema).optional(),
});
/** A Region whose discovery failed, as the workflow caught it. */
const failedSchema = placeSchema.pick({ region: true }).extend({
  refresh: refreshSchema,
  failure: errorSchema,
});

export const targetSchema = z.union([discoveredSchema, failedSchema]);
type Target = z.infer<typeof targetSchema>;

export function refreshOf({
  region,
  refresh,
}: Pick<Target, 'region' | 'refresh'>): Remarks & { apiCalls: number } {
  if (!('failure' in refresh)) return refresh;
  const reason = failureText(refresh.failure.Error, refresh.failure.Cause);
  const used = { used: 'those-of-before', asOf: null } as const;
  return {
    notices: [{ code: 'prices-not-refreshed', region, reason, ...used }],
    incomplete: [],
    apiCalls: 0,
  };
}

export function targetOf(target: Target): TargetRead {
  const { notices, incomplete: ofPrices, apiCalls } = refreshOf(target);
  const { region } = target;
  if (!('failure' in target)) {
    const incomplete = [...target.incomplete, ...ofPrices];
    const whole = target.incomplete.length === 0;
    return { ...target, notices, incomplete, apiCalls: target.apiCalls + apiCalls, failed: false, whole };
  }
  const reason = failureText(target.failure.Error, target.failure.Cause);
  const incomplete: AuditNotice[] = [{ code: 'region-not-read', region, reason }, ...ofPrices];
  return {
    region,
    apiCalls,
    failed: true,
    whole: false,
    excluded: 0,
    benchmarkVolumes: 0,
    incomplete,
    notices,
  };
}
