/** What monitoring asks for in a month, before it ran: for `config check`, and for who sets a budget. */

import { gp2Figures } from '../limits/volume-limits.ts';
import { usdOfMetrics } from '../load/metrics.ts';
import type { MonitoringBounded } from '../schemas/audit-notice.ts';
import type { ExpectedMonitoring, MonitoringBudget } from '../schemas/config-answer.ts';
import { secondsPerDay, secondsPerMinute } from '../units.ts';
import { metricsForUsd, pace, secondsPerMonth } from './pace.ts';

/** Volumes by how much it takes to watch them. */
interface WatchedCounts {
  /** With a bucket of credits (gp2 below 1,000 GiB, st1, sc1). */
  bucketed: number;
  /** Of the others. */
  plain: number;
}

/** Where one volume in three is in trouble: so many times as much (docs/contribute/performance.md, monitoring-metrics-share). */
const timesWhenTroubled = 2.3;
/** Of a fleet of which only the number is known. */
const shareBucketed = 0.25;

const [quietest] = pace.quiet;
const perDay = (seconds: number): number => secondsPerDay / seconds;
/** A full poll: rates, queue and checks. */
const metricsOfFullPoll = 7;

/** Metrics a day of a volume that comes near nothing. */
function quietMetricsPerDay(everyMinutes: number): { plain: number; bucketed: number } {
  const plain = perDay(quietest.seconds) + metricsOfFullPoll * perDay(pace.learnSeconds);
  // A full bucket of a middling gp2 (100 GiB: 5.4 M / 2,700 = 2,000 s); its balance comes with every full poll too.
  const baseline = 100 * gp2Figures.iopsPerGiB;
  const secondsToEmpty = gp2Figures.bucketIo / (gp2Figures.burstIops - baseline);
  const seconds = pace.creditsShareOfTime * secondsToEmpty - everyMinutes * secondsPerMinute;
  return { plain, bucketed: plain + perDay(Math.max(everyMinutes * secondsPerMinute, seconds)) };
}

/** @param metrics of a month in quiet times. */
function budgetOf(metrics: number, budgetMetrics: number): MonitoringBudget {
  if (budgetMetrics < 1) return { code: 'nothing-left' };
  const factor = metrics / budgetMetrics;
  if (factor * timesWhenTroubled <= 1) return { code: 'enough', metrics: budgetMetrics };
  if (factor <= 1) return { code: 'enough-in-quiet-times', metrics: budgetMetrics };
  return {
    code: 'too-little',
    metrics: budgetMetrics,
    quietEveryMinutes: (factor * quietest.seconds) / secondsPerMinute,
    usualEveryMinutes: quietest.seconds / secondsPerMinute,
  };
}

/** @param budgetUsd what is left of the budget for monitoring, a month; null: no bound. */
export function expectedCost(
  counts: WatchedCounts,
  { everyMinutes, budgetUsd }: { everyMinutes: number; budgetUsd: number | null },
): ExpectedMonitoring {
  const { plain, bucketed } = quietMetricsPerDay(everyMinutes);
  const days = secondsPerMonth / secondsPerDay;
  const metrics = Math.round(days * (counts.plain * plain + counts.bucketed * bucketed));
  const quietUsd = usdOfMetrics(metrics);
  const isSlow = everyMinutes * secondsPerMinute > pace.nearSeconds;
  return {
    volumes: counts.plain + counts.bucketed,
    ...{ metrics, quietUsd, troubledUsd: quietUsd * timesWhenTroubled, everyMinutes },
    laterMinutes: isSlow ? everyMinutes - pace.nearSeconds / secondsPerMinute + 1 : 0,
    budget: budgetUsd === null ? null : budgetOf(metrics, metricsForUsd(budgetUsd)),
  };
}

/**
 * Null where the budget is enough in quiet times.
 * @param auditsUsd what audits take of the budget, a month.
 */
export function boundedByBudget({
  volumes,
  everyMinutes,
  budgetUsd,
  auditsUsd,
}: {
  volumes: number;
  everyMinutes: number;
  budgetUsd: number;
  auditsUsd: number;
}): MonitoringBounded | null {
  const leftUsd = Math.max(0, budgetUsd - auditsUsd);
  const { budget, quietUsd } = monitoringCost({ volumes, everyMinutes, leftUsd }).expected;
  if (volumes === 0 || (budget?.code !== 'too-little' && budget?.code !== 'nothing-left')) return null;
  return {
    ...{ code: 'monitoring-bounded', volumes, budgetUsd },
    quietEveryMinutes: budget.code === 'too-little' ? Math.ceil(budget.quietEveryMinutes) : null,
    usualEveryMinutes: quietest.seconds / secondsPerMinute,
    enoughUsd: Math.ceil(auditsUsd + quietUsd),
  };
}

/** Where nothing is known of the fleet but its size. */
export function monitoringCost({
  volumes,
  everyMinutes,
  leftUsd,
}: {
  volumes: number;
  everyMinutes: number;
  leftUsd: number | null;
}): { usd: number; expected: ExpectedMonitoring } {
  const bucketed = Math.round(volumes * shareBucketed);
  const counts = { bucketed, plain: volumes - bucketed };
  const expected = expectedCost(counts, { everyMinutes, budgetUsd: leftUsd });
  const { quietUsd } = expected;
  return { usd: leftUsd === null ? quietUsd : Math.min(quietUsd, leftUsd), expected };
}
