/** The report of the demo's fleet, evaluated as a deployed audit evaluates it, and compared with a run before it. */

import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import { defaultThresholds, secondsOf } from '../../core/diagnosis/thresholds.ts';
import { known } from '../../core/known.ts';
import { packQueries } from '../../core/load/metrics.ts';
import { auditReport, type PackedSeries, type ReportWithSeries } from '../../core/report/audit-report.ts';
import { changesOf, compareRuns } from '../../core/report/compare-runs.ts';
import { keepSeries } from '../../core/report/series-keeper.ts';
import { isoFromEpochSeconds } from '../../core/units.ts';
import { evaluateBatch } from '../../lambdas/evaluate-batch/evaluate-batch.ts';
import { packedSeries } from '../../report/pages/pack.ts';
import { simulatedAccount } from '../fixtures/simulated-account.ts';
import { earlierRun } from './earlier-run.ts';

/** With the series of all that it found. */
export async function fleetReport(): Promise<ReportWithSeries> {
  const { volumes, instances, plan, readMetrics } = simulatedAccount();
  const series: PackedSeries[] = [];
  let calls = 0;
  const result = await evaluateBatch(
    {
      thresholds: defaultThresholds,
      ...{ runId: 'demo', plan, regionCatalogs: builtInRegionCatalog, notices: [], incomplete: [] },
      batch: { volumes, instances, published: null },
      onEvaluated: keepSeries((one) => series.push(packedSeries(one))),
    },
    {
      readMetrics: (queries, ...others) => {
        calls += packQueries(queries, secondsOf(plan)).length;
        return readMetrics(queries, ...others);
      },
      apiCalls: () => calls,
    },
  );
  return auditReport(result, series, {
    madeAt: isoFromEpochSeconds(plan.endEpochSeconds),
    label: 'simulated: a fleet whose troubles are known',
    comparison: known(changesOf(compareRuns(earlierRun(result), result))),
  });
}
