/** How many metrics two passes request of those that one pass does, on a fleet of which one volume in twenty is in trouble. */
import {
  batchesOf,
  coarsestPeriodSeconds,
  isInPasses,
  mergeResults,
  type ReadingPlan,
} from '../../core/audit/batches.ts';
import { queriesAtLeast } from '../../core/audit/passes/two-passes.ts';
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import { secondsOf, defaultThresholds as thresholds } from '../../core/diagnosis/thresholds.ts';
import { finestEbsPeriodSeconds } from '../../core/load/metrics.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { evaluateBatch } from '../../lambdas/evaluate-batch/evaluate-batch.ts';
import type { RecordedAccount } from '../../test/fixtures/recorded-account.ts';
import { notifiedOf } from '../../test/fixtures/two-passes.ts';
import type { Measure } from './measure.ts';
import { twoPassAccount } from './two-pass-account.ts';
import { days, endEpochSeconds, startEpochSeconds } from './two-pass-series.ts';

/** Batch by batch, as the deployed audit does: memory holds one. */
async function evaluated(account: RecordedAccount, plan: ReadingPlan): Promise<AuditResult> {
  const { volumes, instances, published } = account;
  const reading = { periodSeconds: plan.periodSeconds, windowSeconds: secondsOf(plan) };
  const queriesOf = isInPasses(plan)
    ? (batch: Parameters<typeof queriesAtLeast>[0]) => queriesAtLeast(batch, plan, thresholds)
    : undefined;
  const results: AuditResult[] = [];
  for (const batch of batchesOf(volumes, instances, published, reading, queriesOf)) {
    results.push(
      await evaluateBatch(
        {
          runId: 'bench',
          batch,
          plan,
          regionCatalogs: builtInRegionCatalog,
          thresholds,
          notices: [],
          incomplete: [],
        },
        account,
      ),
    );
  }
  return mergeResults(results, { runId: 'bench', window: null, notices: [], incomplete: [], apiCalls: 0 });
}

const number = new Intl.NumberFormat('en-US');
const passText = ({ cost }: AuditResult): string =>
  (cost.passes ?? [])
    .map(
      ({ pass, volumes, instances, metricsRequested, apiCalls }) =>
        `${pass} ${number.format(metricsRequested)} metrics of ${volumes} volumes and ${instances} instances in ${apiCalls} calls`,
    )
    .join(', ');

/** Of 1,000 volumes, one in twenty in trouble. */
export const adaptiveResult = (account: RecordedAccount = twoPassAccount(1)): Promise<AuditResult> =>
  evaluated(account, {
    ...{ startEpochSeconds, endEpochSeconds },
    ...{ periodSeconds: finestEbsPeriodSeconds, coarsePeriodSeconds: coarsestPeriodSeconds },
  });

/** @throws Error where two passes do not find what one does. */
export async function twoPassMetricsShare(): Promise<Measure[]> {
  const plan = { startEpochSeconds, endEpochSeconds, periodSeconds: finestEbsPeriodSeconds };
  const account = twoPassAccount(1);
  const two = await adaptiveResult(account);
  const one = await evaluated(account, plan);
  const [notified, expected] = [notifiedOf(two), notifiedOf(one)];
  if (notified.join('\n') !== expected.join('\n')) {
    const missed = expected.filter((finding) => !notified.includes(finding));
    const inVain = notified.filter((finding) => !expected.includes(finding));
    throw new Error(`two passes miss ${missed.join(', ')} and find in vain ${inVain.join(', ')}`);
  }
  const cleared = two.volumes.filter(({ evaluatedBy }) => evaluatedBy === 'coarse').length;
  const value = Number(((100 * two.cost.metricsRequested) / one.cost.metricsRequested).toFixed(1));
  return [
    {
      name: 'two-pass-metrics-share',
      value,
      unit: '% of the metrics of one pass',
      conditions: `${number.format(account.volumes.length)} volumes on ${account.instances.length} instances, 5 % in trouble, ${days} days: ${number.format(two.cost.metricsRequested)} metrics of ${number.format(one.cost.metricsRequested)} at 60 s (${passText(two)}; one pass ${number.format(one.cost.apiCalls)} calls); ${cleared} volumes cleared by the first pass; the same ${notified.length} findings`,
    },
  ];
}
