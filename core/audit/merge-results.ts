/** The results of batches as one: counts add up, findings are most urgent first again. */
import { usdOfMetrics } from '../load/metric-queries.ts';
import { mostUrgentFirst } from '../report/top-recommendations.ts';
import type { AuditNotice, NotRead } from '../schemas/audit-notice.ts';
import { type AuditResult, type PassCost, passNames } from '../schemas/audit-result.ts';
import { distinct } from './notices.ts';
import { summaryOf } from './summary.ts';

/** What a run knows beside the results of its batches. */
export interface RunFacts {
  runId: string;
  window: AuditResult['window'];
  notices: readonly AuditNotice[];
  /** What could not be read at all, such as the volumes of a Region. */
  incomplete: readonly NotRead[];
  /** Calls outside the batches; they ask for no metrics. */
  apiCalls: number;
  /** Volumes that the configuration excludes. */
  excluded?: number;
  /** Accounts that were read, also where they have nothing. */
  accounts?: readonly string[];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** What each pass took over all parts. */
function mergedPasses(passes: readonly PassCost[]): PassCost[] {
  return passNames.flatMap((pass) => {
    const same = passes.filter((one) => one.pass === pass);
    const metricsRequested = sum(same.map((one) => one.metricsRequested));
    const merged = {
      pass,
      volumes: sum(same.map(({ volumes }) => volumes)),
      instances: sum(same.map(({ instances }) => instances)),
      metricsRequested,
      apiCalls: sum(same.map(({ apiCalls }) => apiCalls)),
      usd: usdOfMetrics(metricsRequested),
    };
    return same.length === 0 ? [] : [merged];
  });
}

/** What reading in these passes took, each pass told once. */
export function costOfPasses(passes: readonly PassCost[]): AuditResult['cost'] {
  const metricsRequested = sum(passes.map((one) => one.metricsRequested));
  return {
    apiCalls: sum(passes.map(({ apiCalls }) => apiCalls)),
    metricsRequested,
    usd: usdOfMetrics(metricsRequested),
    passes: mergedPasses(passes),
  };
}

/** Hundreds of batches can have the same to say: it is said once, and how often. */
function counted(all: readonly NotRead[]): NotRead[] {
  const seen = new Map<string, { notice: AuditNotice; times: number }>();
  for (const { times = 1, ...notice } of all) {
    const key = JSON.stringify(notice);
    const before = seen.get(key);
    seen.set(key, { notice, times: (before?.times ?? 0) + times });
  }
  return [...seen.values()].map(({ notice, times }) => (times === 1 ? notice : { ...notice, times }));
}

export function mergeResults(parts: readonly AuditResult[], facts: RunFacts): AuditResult {
  const coverages = parts.map(({ coverage }) => coverage);
  const instances = coverages.map((coverage) => coverage.instances);
  const costs = parts.map(({ cost }) => cost);
  const metricsRequested = sum(costs.map((cost) => cost.metricsRequested));
  // All are of one configuration; one that changes meanwhile is reported of all the same.
  const thresholds: Record<string, number> = Object.assign({}, ...parts.map((part) => part.thresholds));
  const accounts = new Set([...(facts.accounts ?? []), ...parts.flatMap((part) => part.accounts ?? [])]);
  const passes = mergedPasses(costs.flatMap((cost) => cost.passes ?? []));
  const findings = parts.flatMap((part) => part.findings).sort(mostUrgentFirst);
  const volumes = parts.flatMap((part) => part.volumes);
  return {
    runId: facts.runId,
    summary: summaryOf(findings, volumes),
    window: facts.window,
    coverage: {
      volumes: sum(coverages.map(({ volumes }) => volumes)),
      ...(facts.excluded ? { excluded: facts.excluded } : {}),
      evaluated: sum(coverages.map(({ evaluated }) => evaluated)),
      unknown: coverages.flatMap(({ unknown }) => unknown),
      instances: {
        total: sum(instances.map(({ total }) => total)),
        evaluated: sum(instances.map(({ evaluated }) => evaluated)),
        notEvaluated: instances.flatMap(({ notEvaluated }) => notEvaluated),
      },
      metricsWithoutResource: coverages.flatMap(({ metricsWithoutResource }) => metricsWithoutResource),
      incomplete: counted([...facts.incomplete, ...coverages.flatMap(({ incomplete }) => incomplete)]),
    },
    findings,
    volumes,
    stripes: parts.flatMap(({ stripes }) => stripes),
    prices: [...new Map(parts.flatMap(({ prices }) => prices.map((one) => [one.region, one]))).values()],
    ...(Object.keys(thresholds).length === 0 ? {} : { thresholds }),
    // Each batch of a Region says the same of its prices.
    notices: distinct([...facts.notices, ...parts.flatMap(({ notices }) => notices)]),
    ...(accounts.size === 0 ? {} : { accounts: [...accounts].sort() }),
    cost: {
      apiCalls: facts.apiCalls + sum(costs.map(({ apiCalls }) => apiCalls)),
      metricsRequested,
      usd: usdOfMetrics(metricsRequested),
      ...(passes.length === 0 ? {} : { passes }),
    },
  };
}
