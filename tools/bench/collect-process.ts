/**
 * Collects what 1,000 synthetic volumes gave as often as asked, each time of another account, in a process of its own; prints
 * what it took as JSON: node collect-process.ts VOLUMES
 */
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import { defaultThresholds as thresholds } from '../../core/diagnosis/thresholds.ts';
import { finestEbsPeriodSeconds } from '../../core/load/metrics.ts';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { collectFindings } from '../../lambdas/collect-findings/collect-findings.ts';
import { adaptiveResult } from './two-pass.ts';
import { endEpochSeconds, startEpochSeconds } from './two-pass-series.ts';

const region = 'us-east-1';
const one = await adaptiveResult();
const text = JSON.stringify(one);
const accounts = Array.from({ length: Number(process.argv[2]) / one.volumes.length }, (_, i) => ({
  account: String(200_000_000_000 + i),
  name: `account-${i}`,
}));
const names = accounts.map(({ account }) => `${account}-${region}-00001.json`);
const targets = accounts.map(() => ({
  ...{ region, apiCalls: 1, failed: false, whole: true, excluded: 0, benchmarkVolumes: 0 },
  ...{ incomplete: [], notices: [] },
}));
const start = process.hrtime.bigint();
const result = await collectFindings(
  {
    ...{ runId: 'bench', thresholds, monitoring: null, targets },
    plan: { startEpochSeconds, endEpochSeconds, periodSeconds: finestEbsPeriodSeconds },
    accounts: {
      listed: accounts.map((account) => ({ ...account, units: [], refused: null })),
      outcomes: accounts.map(({ account }) => ({
        account,
        region,
        whole: true,
        volumes: one.volumes.length,
        refused: null,
      })),
      ...{ before: null, isOfAll: true },
    },
  },
  {
    listBatches: async () => names,
    listResults: async () => names,
    readFailures: async () => new Map(),
    readBatch: async () => Promise.reject(new Error('each has a result')),
    readResult: async () => auditResultSchema.parse(JSON.parse(text)),
    readRegionCatalog: async () => ({
      regionCatalog: builtInRegionCatalog(region),
      notices: [],
      incomplete: [],
    }),
  },
);
console.log(
  JSON.stringify({
    volumes: result.volumes.length,
    findings: result.findings.length,
    megabytes: (text.length * accounts.length) / 1e6,
    seconds: Number(process.hrtime.bigint() - start) / 1e9,
    peakMiB: process.resourceUsage().maxRSS / 1024,
  }),
);
