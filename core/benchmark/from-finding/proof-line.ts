/** What a campaign found for a finding, in the one line that stands in the advisory. */
import { figure } from '../../figures.ts';
import { inert } from '../../inert.ts';
import type { CampaignReport } from '../../schemas/campaign-report.ts';
import { type Finding, isSaving } from '../../schemas/finding.ts';
import { epochSecondsOf, secondsPerDay } from '../../units.ts';
import { advisedName, presentName } from './compared.ts';

/** Afterwards load and configuration are others. */
const daysOfProof = 90;

/** Two runs of the same differ by so much. */
const alikeWithin = 0.05;
/** Latency varies more. */
const latencyWithin = 0.25;

interface Measured {
  iops: number;
  p95Ms: number | null;
}

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
  return request.layouts.length > 1 ? [named(presentName), named(advisedName)] : [cells[0]?.id, cells[1]?.id];
}

/** Of trouble it must be faster; of a saving it must be no slower. */
function isProved(kind: Finding['kind'], present: Measured, advised: Measured): boolean {
  const served = advised.iops / present.iops;
  const waited = present.p95Ms === null || advised.p95Ms === null ? 1 : advised.p95Ms / present.p95Ms;
  if (served < 1 - alikeWithin) return false;
  if (isSaving({ kind })) return waited <= 1 + latencyWithin;
  return served >= 1 + alikeWithin || waited <= 1 - latencyWithin;
}

const msText = (ms: number): string => `${figure(ms, ms < 1 ? 2 : 1)} ms`;

function latencyText(present: Measured, advised: Measured): string {
  if (advised.p95Ms === null) return '';
  const instead = present.p95Ms === null ? '' : ` instead of ${msText(present.p95Ms)}`;
  return `, 95 % within ${msText(advised.p95Ms)}${instead}`;
}

/**
 * "Proved on 2026-11-22 (campaign bench-1): present 3,000 IOPS, advised 12,000 IOPS, 95 % within 1.2 ms instead of 5.3 ms".
 * Null where one of the two was not measured, or where it is too long ago.
 */
export function proofLine(
  report: CampaignReport,
  { id, kind }: Pick<Finding, 'id' | 'kind'>,
  nowEpochSeconds: number,
): string | null {
  const { gradedAt, campaignId, label, findingId } = report;
  const ageSeconds = nowEpochSeconds - epochSecondsOf(gradedAt);
  if (findingId !== id || !(ageSeconds <= daysOfProof * secondsPerDay)) return null;
  const [present, advised] = pairOf(report).map((cellId) => measuredIn(report, cellId));
  if (!present || !advised) return null;
  const word = isProved(kind, present, advised) ? 'Proved' : 'Not proved';
  const about = label === null ? '' : ` (${inert(label, 100)})`;
  return `${word} on ${gradedAt.slice(0, 10)} (campaign ${inert(campaignId)}): present ${figure(present.iops, 0)} IOPS, advised ${figure(advised.iops, 0)} IOPS${latencyText(present, advised)}${about}`;
}
