/** What the pulse asks for in a month, before it ran: for `config check`, and for who sets a budget. */

import { figure, usdText } from '../figures.ts';
import { gp2Figures } from '../limits/volume-limits.ts';
import { usdOfMetrics } from '../load/metric-queries.ts';
import { secondsPerDay, secondsPerMinute } from '../units.ts';
import { metricsForUsd, secondsPerMonth } from './budget.ts';
import { pace } from './pace.ts';

/** Volumes by how much it takes to watch them. */
interface WatchedCounts {
  /** With a bucket of credits (gp2 below 1,000 GiB, st1, sc1). */
  bucketed: number;
  /** Of the others. */
  plain: number;
}

interface ExpectedCost {
  /** Of CloudWatch's API, in quiet times. */
  usdPerMonth: number;
  texts: string[];
}

/** Where one volume in three is in trouble: so many times as much (docs/performance.md, pulse-metrics-share). */
const timesWhenTroubled = 2.3;
/** Of a fleet of which only the number is known. */
const shareBucketed = 0.25;

const [quietest] = pace.quiet;
const perDay = (seconds: number): number => secondsPerDay / seconds;
/** A full look: rates, queue and checks. */
const metricsOfFullLook = 7;

/** Metrics a day of a volume that comes near nothing. */
function quietMetricsPerDay(everyMinutes: number): { plain: number; bucketed: number } {
  const plain = perDay(quietest.seconds) + metricsOfFullLook * perDay(pace.learnSeconds);
  // A full bucket of a middling gp2 (100 GiB: 5.4 M / 2,700 = 2,000 s); its balance comes with every full look too.
  const baseline = 100 * gp2Figures.iopsPerGiB;
  const secondsToEmpty = gp2Figures.bucketIo / (gp2Figures.burstIops - baseline);
  const seconds = pace.creditsShareOfTime * secondsToEmpty - everyMinutes * secondsPerMinute;
  return { plain, bucketed: plain + perDay(Math.max(everyMinutes * secondsPerMinute, seconds)) };
}

/** @param metrics of a month in quiet times. */
function budgetText(metrics: number, budgetMetrics: number): string {
  if (budgetMetrics < 1) return 'nothing is left of the budget: the pulse does not look';
  const most = `${figure(budgetMetrics)} metrics a month`;
  const factor = metrics / budgetMetrics;
  if (factor * timesWhenTroubled <= 1) return `the budget (${most}) is enough`;
  if (factor <= 1)
    return `the budget (${most}) is enough in quiet times; where much is near its limits the quiet volumes wait`;
  const minutes = figure((factor * quietest.seconds) / secondsPerMinute, 0);
  return `the budget (${most}) is less than quiet times take: volumes near a limit and buckets that drain are looked at first, quiet ones every ${minutes} min instead of every ${quietest.seconds / secondsPerMinute}; trouble that begins on a quiet one is told up to that much later, and a small bucket may be empty before anybody looked`;
}

/** @param budgetUsd what is left of the budget for the pulse, a month; null: no bound. */
export function expectedCost(
  counts: WatchedCounts,
  { everyMinutes, budgetUsd }: { everyMinutes: number; budgetUsd: number | null },
): ExpectedCost {
  const { plain, bucketed } = quietMetricsPerDay(everyMinutes);
  const days = secondsPerMonth / secondsPerDay;
  const metrics = Math.round(days * (counts.plain * plain + counts.bucketed * bucketed));
  const usd = usdOfMetrics(metrics);
  const budget = budgetUsd === null ? [] : [budgetText(metrics, metricsForUsd(budgetUsd))];
  const looks = `${figure(counts.plain + counts.bucketed)} volumes take ${figure(metrics)} metrics a month in quiet times, ${usdText(usd)}, and about ${usdText(usd * timesWhenTroubled)} where one in three is in trouble`;
  const slow =
    everyMinutes * secondsPerMinute > pace.nearSeconds
      ? [
          `a tick every ${everyMinutes} min: throttling is told up to ${everyMinutes - pace.nearSeconds / secondsPerMinute + 1} min later than with one a minute`,
        ]
      : [];
  return { usdPerMonth: usd, texts: [looks, ...slow, ...budget] };
}

/** Where nothing is known of the fleet but its size. */
export function pulseCost({
  volumes,
  everyMinutes,
  leftUsd,
}: {
  volumes: number;
  everyMinutes: number;
  leftUsd: number | null;
}): { usd: number; text: string } {
  const bucketed = Math.round(volumes * shareBucketed);
  const counts = { bucketed, plain: volumes - bucketed };
  const { usdPerMonth, texts } = expectedCost(counts, { everyMinutes, budgetUsd: leftUsd });
  const usd = leftUsd === null ? usdPerMonth : Math.min(usdPerMonth, leftUsd);
  return { usd, text: texts.join('; ') };
}
