/** How many metrics two passes request of those that one pass does, on a fleet of which one volume in twenty is in trouble. */
import { batchesOf } from '../../core/audit/batches.ts';
import { mergeResults } from '../../core/audit/merge-results.ts';
import { queriesAtLeast } from '../../core/audit/passes/two-passes.ts';
import { coarsestPeriodSeconds, isInPasses, type ReadingPlan } from '../../core/audit/reading-plan.ts';
import { builtInMarket } from '../../core/catalogue/market.ts';
import { secondsOf } from '../../core/diagnosis/audit-window.ts';
import { defaultThresholds as thresholds } from '../../core/diagnosis/thresholds.ts';
import { finestEbsPeriodSeconds } from '../../core/load/metrics.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { judgeBatch } from '../../lambdas/judge-batch/judge-batch.ts';
import type { RecordedAccount } from '../../test/fixtures/recorded-account.ts';
import { toldOf } from '../../test/fixtures/two-passes.ts';
import type { Measure } from './measure.ts';
import { twoPassAccount } from './two-pass-account.ts';
import { days, endEpochSeconds, startEpochSeconds } from './two-pass-series.ts';

/** Batch by batch, as the deployed audit does: memory holds one. */
async function judged(account: RecordedAccount, plan: ReadingPlan): Promise<AuditResult> {
  const { volumes, instances, published } = account;
  const reading = { periodSeconds: plan.periodSeconds, windowSeconds: secondsOf(plan) };
  const queriesOf = isInPasses(plan)
    ? (batch: Parameters<typeof queriesAtLeast>[0]) => queriesAtLeast(batch, plan, thresholds)
    : undefined;
  const results: AuditResult[] = [];
  for (const batch of batchesOf(volumes, instances, published, reading, queriesOf)) {
    results.push(
      await judgeBatch(
        { runId: 'bench', batch, plan, markets: builtInMarket, thresholds, notices: [], incomplete: [] },
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

/** @throws Error where two passes do not find what one does. */
export async function twoPassMetricsShare(): Promise<Measure[]> {
  const plan = { startEpochSeconds, endEpochSeconds, periodSeconds: finestEbsPeriodSeconds };
  const account = twoPassAccount(1);
  const two = await judged(account, { ...plan, coarsePeriodSeconds: coarsestPeriodSeconds });
  const one = await judged(account, plan);
  const [told, expected] = [toldOf(two), toldOf(one)];
  if (told.join('\n') !== expected.join('\n')) {
    const missed = expected.filter((finding) => !told.includes(finding));
    const inVain = told.filter((finding) => !expected.includes(finding));
    throw new Error(`two passes miss ${missed.join(', ')} and find in vain ${inVain.join(', ')}`);
  }
  const cleared = two.volumes.filter(({ judgedBy }) => judgedBy === 'coarse').length;
  const value = Number(((100 * two.cost.metricsRequested) / one.cost.metricsRequested).toFixed(1));
  return [
    {
      name: 'two-pass-metrics-share',
      value,
      unit: '% of the metrics of one pass',
      conditions: `${number.format(account.volumes.length)} volumes on ${account.instances.length} instances, 5 % in trouble, ${days} days: ${number.format(two.cost.metricsRequested)} metrics of ${number.format(one.cost.metricsRequested)} at 60 s (${passText(two)}; one pass ${number.format(one.cost.apiCalls)} calls); ${cleared} volumes cleared by the first pass; the same ${told.length} findings`,
    },
  ];
}
