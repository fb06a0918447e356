/** The report of a campaign, from what its hosts measured and how its cells ended. Made anew, it is the same. */
import { gradeAnswer, type Run } from '../../report-card/answer.ts';
import type { ExceededChecks } from '../../report-card/exceeded-checks.ts';
import type { RunFioResult } from '../../report-card/fio-result.ts';
import { type FioTest, testsOfRunFio } from '../../report-card/fio-tests.ts';
import type { CampaignReport, CellFailure, CellReport } from '../../schemas/campaign-report.ts';
import type { GradeAnswer } from '../../schemas/grade-answer.ts';
import { nextOf, type Percentile, type Probe } from '../search.ts';
import { type Campaign, type CampaignCell, cellOfCampaign, hoursBetween } from './campaign.ts';
import type { BenchRequest } from './request.ts';

/** How a cell ended, as the workflow tells it. */
export interface CellEnd {
  cellId: string;
  launchedAt: string | null;
  endedAt: string | null;
  failure: CellFailure | null;
  /** Why its host could not be ended. */
  leftBehind: CellFailure | null;
  /** In EC2's words why its host had ended by itself; null where it had not, or EC2 did not say. */
  hostEnded: string | null;
}

/** What a cell measured, by run ids, in their order. */
export type Measured = ReadonlyMap<string, readonly { runId: string; result: RunFioResult }[]>;

/** What CloudWatch said of the limits of a cell's host, where it was asked; by the ids of cells. */
export type Checks = ReadonlyMap<string, ExceededChecks>;

const latencyOf = ({ latency }: FioTest, percentile: Percentile): number | null =>
  latency === null ? null : { p50: latency.p50Ms, p95: latency.p95Ms, p99: latency.p99Ms }[percentile];

/**
 * A run of a search, as the next one is chosen by it.
 * @throws Error where it has no latency: fio measured nothing.
 */
export function probeOf(result: RunFioResult, percentile: Percentile): Probe {
  const [test] = testsOfRunFio(result);
  const latencyMs = test === undefined ? null : latencyOf(test, percentile);
  const { users, ioDepth } = test ?? {};
  if (test === undefined || latencyMs === null || !users?.known || !ioDepth?.known)
    throw new Error(`${result.runId}: fio told no ${percentile} of any operation`);
  return { users: users.value * ioDepth.value, iops: test.iops, latencyMs };
}

function searchOf({ work }: BenchRequest, results: readonly RunFioResult[]): CellReport['search'] {
  if (work.kind !== 'search' || results.length === 0) return null;
  try {
    const next = nextOf(
      results.map((result) => probeOf(result, work.goal.percentile)),
      work.goal,
    );
    return 'found' in next ? next.found : null;
  } catch {
    // The search ended there, and its cell says so: the others have their report.
    return null;
  }
}

function cellReport(
  campaign: Campaign,
  { id, usdPerHour }: CampaignCell,
  end: CellEnd | undefined,
  results: readonly RunFioResult[],
): CellReport {
  const { layout, instanceType } = cellOfCampaign(campaign, id);
  const {
    launchedAt = null,
    endedAt = null,
    failure = null,
    leftBehind = null,
    hostEnded = null,
  } = end ?? {};
  const hours = launchedAt === null || endedAt === null ? null : hoursBetween(launchedAt, endedAt);
  const search = searchOf(campaign.request, results);
  const isMeasured =
    results.length > 0 && failure === null && (campaign.request.work.kind !== 'search' || search !== null);
  return {
    ...{ id, instanceType, layout: layout.name, failure, leftBehind, hostEnded, hours, search },
    status: isMeasured ? 'measured' : failure === null ? 'not-measured' : 'failed',
    // A host that never was costs nothing.
    usd: launchedAt === null && failure !== null ? 0 : hours === null ? null : hours * usdPerHour,
  };
}

function gradesOf({ cells, request }: Campaign, measured: Measured, checks: Checks): GradeAnswer {
  const runsOf = ({ id, volumesMonthlyUsd }: CampaignCell): Run[] => {
    const notified = checks.get(id) ?? null;
    return (measured.get(id) ?? []).map(({ runId, result }, index) => ({
      name: index === 0 ? id : `${id} ${runId}`,
      tests: testsOfRunFio(result, notified),
      monthlyUsd: volumesMonthlyUsd,
    }));
  };
  const isSearch = request.work.kind === 'search';
  const first = cells.flatMap((cell) => {
    const runs = runsOf(cell);
    // What a search measured is one curve.
    return isSearch ? runs.map((run) => ({ ...run, name: cell.id })) : runs.slice(0, 1);
  });
  const graded = gradeAnswer(first, { areRepeats: isSearch });
  const repeats = isSearch
    ? []
    : cells.flatMap((cell) =>
        gradeAnswer(runsOf(cell), { areRepeats: true }).repeats.map((one) => ({
          ...one,
          name: `${cell.id}: ${one.name}`,
        })),
      );
  return { ...graded, repeats };
}

/** @param ends of cells that the workflow came to the end of. */
export function campaignReport(
  campaign: Campaign,
  ends: readonly CellEnd[],
  measured: Measured,
  gradedAt: string,
  checks: Checks = new Map(),
): CampaignReport {
  const { campaignId, region, label, checkedAt, request, estimatedUsd, notes } = campaign;
  const cells = campaign.cells.map((cell) =>
    cellReport(
      campaign,
      cell,
      ends.find(({ cellId }) => cellId === cell.id),
      (measured.get(cell.id) ?? []).map(({ result }) => result),
    ),
  );
  return {
    ...{ campaignId, region, label, checkedAt, gradedAt, request, estimatedUsd, notes, cells },
    findingId: request.findingId ?? null,
    usd: cells.reduce<number | null>((sum, { usd }) => (sum === null || usd === null ? null : sum + usd), 0),
    grades: gradesOf(campaign, measured, checks),
  };
}
