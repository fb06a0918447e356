/** What the pulse asks for in a month, before it ran: for `config check`, and for who sets a budget. */

import { figure, usdText } from '../figures.ts';
import type { Volume } from '../inventory.ts';
import { gp2Figures } from '../limits/volume-limits.ts';
import { usdOfMetrics } from '../load/metric-queries.ts';
import { secondsPerDay, secondsPerMinute } from '../units.ts';
import { metricsForUsd, secondsPerMonth } from './budget.ts';
import { pace } from './pace.ts';
import { watchedOf } from './watched.ts';

/** Volumes by how much it takes to watch them. */
export interface WatchedCounts {
  /** With a bucket of credits (gp2 below 1,000 GiB, st1, sc1). */
  bucketed: number;
  /** Of the others. */
  plain: number;
}

export interface ExpectedCost {
  metricsPerMonth: number;
  usdPerMonth: number;
  /** Where one volume in three is in trouble or near its limits, as measured. */
  troubledUsdPerMonth: number;
  /** How much longer quiet volumes wait for a look than they should, under the budget; 1: not longer. */
  delayFactor: number;
  texts: string[];
}

/** Where one volume in three is in trouble: so many times as much (docs/performance.md, pulse-metrics-share). */
const timesWhenTroubled = 2.3;
/** Of a fleet of which only the number is known. */
const shareBucketed = 0.25;

export function countsOf(volumes: readonly Volume[]): WatchedCounts {
  const watched = volumes.flatMap((volume) => watchedOf(volume, null) ?? []);
  const bucketed = watched.filter(({ bucket }) => bucket !== null).length;
  return { bucketed, plain: watched.length - bucketed };
}

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

function budgetTexts(metrics: number, budgetMetrics: number | null): { factor: number; texts: string[] } {
  if (budgetMetrics === null) return { factor: 1, texts: [] };
  const most = `${figure(budgetMetrics)} metrics a month`;
  if (budgetMetrics < 1)
    return {
      factor: Number.POSITIVE_INFINITY,
      texts: ['nothing is left of the budget: the pulse does not look'],
    };
  const factor = metrics / budgetMetrics;
  if (factor * timesWhenTroubled <= 1) return { factor: 1, texts: [`the budget (${most}) is enough`] };
  if (factor <= 1)
    return {
      factor: 1,
      texts: [
        `the budget (${most}) is enough in quiet times; where much is near its limits the quiet volumes wait`,
      ],
    };
  const minutes = figure((factor * quietest.seconds) / secondsPerMinute, 0);
  const text = `the budget (${most}) is less than quiet times take: volumes near a limit and buckets that drain are looked at first, quiet ones every ${minutes} min instead of every ${quietest.seconds / secondsPerMinute}; trouble that begins on a quiet one is told up to that much later, and a small bucket may be empty before anybody looked`;
  return { factor, texts: [text] };
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
  const { factor, texts } = budgetTexts(metrics, budgetUsd === null ? null : metricsForUsd(budgetUsd));
  const looks = `${figure(counts.plain + counts.bucketed)} volumes take ${figure(metrics)} metrics a month in quiet times, ${usdText(usd)}, and about ${usdText(usd * timesWhenTroubled)} where one in three is in trouble`;
  const slow =
    everyMinutes * secondsPerMinute > pace.nearSeconds
      ? [
          `a tick every ${everyMinutes} min: throttling is told up to ${everyMinutes - pace.nearSeconds / secondsPerMinute + 1} min later than with one a minute`,
        ]
      : [];
  return {
    metricsPerMonth: metrics,
    usdPerMonth: usd,
    troubledUsdPerMonth: usd * timesWhenTroubled,
    delayFactor: factor,
    texts: [looks, ...slow, ...texts],
  };
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
