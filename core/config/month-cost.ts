/** What a configuration asks of CloudWatch in a month, and what its budget means. */
import { usdOfMetrics } from '../load/metrics.ts';
import type { BudgetMeaning, ConfigAnswer, ExpectedMonitoring } from '../schemas/config-answer.ts';
import { hoursPerMonth } from '../units.ts';
import type { Config } from './config.ts';

/**
 * Measured on simulated fleets (docs/contribute/performance.md, two-pass-metrics-share): a volume with its part of its instance. In two
 * passes where one volume in twenty is in trouble; where all are, it is a little more than in one.
 */
const metricsPerVolume = { adaptive: 4.7, full: 15.2 } as const;

export interface MonitoringAsked {
  volumes: number;
  everyMinutes: number;
  /** USD a month that audits leave of the budget; null: no bound. */
  leftUsd: number | null;
}
/** What monitoring is expected to take of it. */
export type MonitoringCost = (asked: MonitoringAsked) => { usd: number; expected: ExpectedMonitoring };

type Cost = ConfigAnswer['cost'];

function auditsOf({ audit: { everyHours, mode } }: Config, volumes: number): Cost['audits'] {
  const aMonth = hoursPerMonth / everyHours;
  const each = metricsPerVolume[mode];
  const metrics = Math.round(volumes * each * aMonth);
  return { aMonth, metricsPerVolume: each, metrics, usd: usdOfMetrics(metrics), mode };
}

/** Between the two nothing is bounded but monitoring: an audit that is left out would be missed. */
function budgetOf({ monitoring }: Config, audits: Cost['audits'], budgetUsd: number | null): BudgetMeaning {
  if (budgetUsd === null) return { code: 'no-budget' };
  const { usd: auditsUsd, aMonth } = audits;
  const oneAuditUsd = auditsUsd / aMonth;
  if (budgetUsd < oneAuditUsd) return { code: 'below-one-audit', budgetUsd, oneAuditUsd };
  if (budgetUsd <= auditsUsd) return { code: 'audits-take-all', budgetUsd, auditsUsd };
  return monitoring.enabled
    ? { code: 'rest-for-monitoring', budgetUsd, auditsUsd, restUsd: budgetUsd - auditsUsd }
    : { code: 'monitoring-off', budgetUsd, auditsUsd };
}

/** @param monitoringCost null where what monitoring takes is not known. */
export function monthCost(config: Config, volumes: number, monitoringCost: MonitoringCost | null): Cost {
  const audits = auditsOf(config, volumes);
  const { enabled, everyMinutes } = config.monitoring;
  const budgetUsd = config.budget.apiUsdPerMonth;
  const leftUsd = budgetUsd === null ? null : Math.max(0, budgetUsd - audits.usd);
  const monitoring = enabled ? (monitoringCost?.({ volumes, everyMinutes, leftUsd }) ?? null) : null;
  const isUnknown = enabled && monitoring === null;
  return {
    ...{ volumes, audits, monitoring },
    usd: isUnknown ? null : audits.usd + (monitoring?.usd ?? 0),
    budgetUsd,
    budget: budgetOf(config, audits, budgetUsd),
  };
}
