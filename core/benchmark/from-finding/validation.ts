/** What a campaign found for a finding: whether what is recommended does what it should. */

import type { CampaignReport } from '../../schemas/campaign-report.ts';
import { type Finding, isSaving } from '../../schemas/finding.ts';
import type { Validation } from '../../schemas/validation.ts';
import { epochSecondsOf, secondsPerDay } from '../../units.ts';
import { currentName, recommendedName } from './compared.ts';

/** Afterwards load and configuration are others. */
const daysValid = 90;

/** Two runs of the same differ by so much. */
const alikeWithin = 0.05;
/** Latency varies more. */
const latencyWithin = 0.25;

type Measured = Validation['current'];

/** The mean of its repeats; null where it was not measured. */
function measuredIn({ cells, grades }: CampaignReport, cellId: string | undefined): Measured | null {
  if (cells.find(({ id }) => id === cellId)?.status !== 'measured') return null;
  const repeated = grades.repeats.find(({ name }) => name.startsWith(`${cellId}: `));
  if (repeated !== undefined && repeated.runs > 1)
    return { iops: repeated.iops.mean, p95Ms: repeated.p95Ms?.mean ?? null };
  const test = grades.tests.find(({ run, error }) => run === cellId && error === null);
  return test === undefined ? null : { iops: test.iops, p95Ms: test.latencyMs.p95 };
}

/** The two that were compared: by their layouts, or on two instance types, today's first. */
function pairOf({ cells, request }: CampaignReport): [string | undefined, string | undefined] {
  const named = (name: string) => cells.find(({ layout }) => layout === name)?.id;
  return request.layouts.length > 1
    ? [named(currentName), named(recommendedName)]
    : [cells[0]?.id, cells[1]?.id];
}

/** Of trouble it must be faster; of a saving it must be no slower. */
function isValidated(kind: Finding['kind'], current: Measured, recommended: Measured): boolean {
  const served = recommended.iops / current.iops;
  const waited = current.p95Ms === null || recommended.p95Ms === null ? 1 : recommended.p95Ms / current.p95Ms;
  if (served < 1 - alikeWithin) return false;
  if (isSaving({ kind })) return waited <= 1 + latencyWithin;
  return served >= 1 + alikeWithin || waited <= 1 - latencyWithin;
}

/** Null where one of the two was not measured, or where it is too long ago. */
export function validationOf(
  report: CampaignReport,
  { id, kind }: Pick<Finding, 'id' | 'kind'>,
  nowEpochSeconds: number,
): Validation | null {
  const { gradedAt, campaignId, label, findingId } = report;
  const ageSeconds = nowEpochSeconds - epochSecondsOf(gradedAt);
  if (findingId !== id || !(ageSeconds <= daysValid * secondsPerDay)) return null;
  const [current, recommended] = pairOf(report).map((cellId) => measuredIn(report, cellId));
  if (!current || !recommended) return null;
  return {
    isValidated: isValidated(kind, current, recommended),
    gradedAt,
    campaignId,
    label,
    current,
    recommended,
  };
}
