/** How many metrics a batch asks for at most, said before any is: the ceiling on a bill is held against it. */
import fc from 'fast-check';
import { mostMetricsOf } from '../../../core/audit/passes/two-passes.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { evaluateBatch } from '../../../lambdas/evaluate-batch/evaluate-batch.ts';
import { largeFleet } from '../../fixtures/large-fleet.ts';

const startEpochSeconds = 1_794_960_000;
const window = { startEpochSeconds, endEpochSeconds: startEpochSeconds + 86_400, periodSeconds: 60 };

test('a batch never asks for more, in one pass or in two, whatever is published and read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom('none', 'all', 'of the first'),
      fc.boolean(),
      async (count, publishedBy, inPasses) => {
        const { volumes, instances } = largeFleet(count);
        const checks = ['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'] as const;
        const published =
          publishedBy === 'none'
            ? null
            : Object.fromEntries(
                volumes
                  .slice(0, publishedBy === 'all' ? undefined : 1)
                  .map(({ volumeId }) => [volumeId, checks.map((metric) => ({ metric, instanceId: null }))]),
              );
        const batch = { volumes, instances, published };
        const plan = { ...window, ...(inPasses ? { coarsePeriodSeconds: 3_600 } : {}) };
        let asked = 0;
        await evaluateBatch(
          {
            ...{ runId: 'run-1', batch, plan, notices: [], incomplete: [] },
            ...{ regionCatalogs: builtInRegionCatalog, thresholds: defaultThresholds },
          },
          {
            // Without points nobody is cleared: everything is asked of all.
            readMetrics: async (queries) => {
              asked += queries.length;
              return { metricsRequested: queries.length, points: 0, incomplete: [] };
            },
            apiCalls: () => 0,
          },
        );
        expect(asked).toBeGreaterThan(0);
        expect(asked).toBeLessThanOrEqual(mostMetricsOf(batch, plan));
      },
    ),
    { numRuns: 40 },
  );
});
