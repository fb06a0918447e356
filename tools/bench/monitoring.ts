/** How well monitoring watches, and what it costs: a thousand volumes, 14 days, a tick a minute (docs/guides/monitoring.md). */
import { median, quantile } from 'simple-statistics';
import { figure } from '../../core/figures.ts';
import { usdOfMetrics } from '../../core/load/metrics.ts';
import { secondsPerMonth } from '../../core/monitoring/pace.ts';
import { secondsPerDay, secondsPerMinute } from '../../core/units.ts';
import type { Measure } from './measure.ts';
import { monitoringFleet, type WatchedVolume } from './monitoring-fleet.ts';
import { type MonitoringRun, type Notified, runMonitoring } from './monitoring-run.ts';
import { scoreOf, sumOf, type VolumeScore } from './monitoring-score.ts';
import { truthOf } from './monitoring-truth.ts';
import { days, minutes } from './two-pass-series.ts';

const everyMinutes = 1;
const tickSeconds = everyMinutes * secondsPerMinute;
/** What a poll of everything does: each metric that monitoring ever asks of a volume, every five minutes. */
const pollsPerDay = secondsPerDay / 300;
const monthShare = secondsPerMonth / (days * secondsPerDay);

/**
 * USD of us-east-1 beside CloudWatch's, read 2026-11-22 on AWS's price pages: Lambda on arm64 (a GB-second, a million
 * requests), DynamoDB on demand (a million writes of 1 KB, a million reads of 4 KB).
 */
const usdPer = { gbSecond: 0.0000133334, millionRequests: 0.2, millionWrites: 0.625, millionReads: 0.125 };
const lambda = { gb: 0.5, secondsPerTick: 2 };
/** A watch of more than 1 KB, and its place in the index of what is due, which is written twice. */
const writesPerPoll = 4;
const writesPerObservation = 2;

const lambdaUsd = (ticks: number): number =>
  ticks * lambda.gb * lambda.secondsPerTick * usdPer.gbSecond + (ticks / 1e6) * usdPer.millionRequests;

function usdPerMonth(run: MonitoringRun): { metrics: number; others: number } {
  const { metrics, polls, observations, ticks } = run;
  const writes = polls * writesPerPoll + observations * writesPerObservation;
  const reads = polls + observations;
  const others =
    (writes / 1e6) * usdPer.millionWrites + (reads / 1e6) * usdPer.millionReads + lambdaUsd(ticks);
  return { metrics: monthShare * usdOfMetrics(metrics), others: monthShare * others };
}

/** Metrics of the run, had everything been polled: all that monitoring asks of a volume, or the least that tells anything. */
function polled(
  fleet: readonly WatchedVolume[],
  { everAsked }: MonitoringRun,
): { all: number; least: number } {
  const polls = pollsPerDay * days;
  let [all, least] = [0, 0];
  for (const { volume, checks, history } of fleet) {
    all += polls * (everAsked.get(volume.volumeId)?.size ?? 0);
    least += polls * ((checks.length > 0 ? 2 : 5) + (history.balance === null ? 0 : 1));
  }
  return { all, least };
}

const percent = (part: number, whole: number): number => Number(((100 * part) / whole).toFixed(1));
const p95 = (values: readonly number[]): number => (values.length === 0 ? 0 : quantile([...values], 0.95));
const none: readonly Notified[] = [];

function measuresOf(fleet: readonly WatchedVolume[], run: MonitoringRun, score: VolumeScore): Measure[] {
  const { all, least } = polled(fleet, run);
  const usd = usdPerMonth(run);
  const pollMetrics = monthShare * usdOfMetrics(all);
  const pollLambda = lambdaUsd(pollsPerDay * (secondsPerMonth / secondsPerDay));
  const { exhaustions, couldBeWarned, warned, missed, delays, delaysOfScattered, delaysBelow } = score;
  const fleetText = `${figure(fleet.length)} volumes, ${days} days, ${figure(run.ticks)} ticks`;
  const withinFive = delays.filter((delay) => delay <= 300).length;
  const dollars = (value: number): number => Number(value.toFixed(2));
  return [
    {
      name: 'monitoring-metrics-share',
      value: percent(run.metrics, all),
      unit: '% of the metrics of polling all of them every five minutes',
      conditions: `${fleetText}: ${figure(run.metrics)} metrics in ${figure(run.polls)} polls and ${figure(run.calls)} calls, polled ${figure(all)}; ${percent(run.metrics, least)} % of a poll that asks for checks and balances alone; the longest watch ${run.largestWatchBytes} bytes`,
    },
    {
      name: 'monitoring-missed',
      value: missed,
      unit: 'exhaustions',
      conditions: `of ${exhaustions}: neither warned of before nor told while it lasted or within five minutes of its first minute; told after ${figure(p95(score.exhaustedDelays), 0)} s (95th percentile of ${score.exhaustedDelays.length} that were not reported before)`,
    },
    {
      name: 'monitoring-warned-in-time',
      value: percent(warned, couldBeWarned),
      unit: '% of the exhaustions that could be warned of',
      conditions: `${warned} of ${couldBeWarned}; ${exhaustions - couldBeWarned} of ${exhaustions} leave no time; warned ${figure(median(score.leads) / secondsPerMinute, 0)} min before it was empty (median)`,
    },
    {
      name: 'monitoring-false-warnings',
      value: percent(score.falseWarnings, score.warnings),
      unit: '% of the warnings',
      conditions: `${score.falseWarnings} of ${score.warnings} buckets that were told to run dry did not within three hours: the load ended before; of the ${score.criticals} critical ones ${score.falseCriticals} did not within an hour`,
    },
    {
      name: 'monitoring-delay-p95-seconds',
      value: Math.round(p95(delays)),
      unit: 's',
      conditions: `from the end of the first throttled minute, ${delays.length} first notifications of volumes above 80 % of a limit in the 15 minutes before (median ${figure(median(delays), 0)} s, ${percent(withinFive, delays.length)} % within 300 s); ${delaysOfScattered.length} more whose three minutes of five were not in a row: ${figure(p95(delaysOfScattered), 0)} s from the first of them, ${figure(p95(score.delaysOfEnough), 0)} s from the one that made it three; all together ${figure(p95([...delays, ...delaysOfScattered]), 0)} s from the first`,
    },
    {
      name: 'monitoring-delay-sudden-p95-seconds',
      value: Math.round(p95(delaysBelow)),
      unit: 's',
      conditions: `the same of ${delaysBelow.length} that came from below 80 % (median ${figure(median(delaysBelow), 0)} s); ${score.unnotified} were over before anybody polled, and are reported by no notification of their own, ${score.notifiedAlready} were reported before they were enough`,
    },
    {
      name: 'monitoring-usd-month',
      value: dollars(usd.metrics + usd.others),
      unit: 'USD a month',
      conditions: `${fleetText}: ${figure(usd.metrics)} for metrics, about ${figure(usd.others)} for Lambda and DynamoDB`,
    },
    {
      name: 'poll-usd-month',
      value: dollars(pollMetrics + pollLambda),
      unit: 'USD a month',
      conditions:
        'the same volumes polled every five minutes: metrics, and about as much Lambda for each poll',
    },
  ];
}

/** @throws Error where the simulation has nothing to measure. */
export async function monitoringMetricsShare(seed = 1): Promise<Measure[]> {
  const fleet = monitoringFleet(seed);
  const run = await runMonitoring(fleet, { everyMinutes, metricsPerMonth: null, lastMinute: minutes });
  const scores = fleet.map((watched) =>
    scoreOf(
      truthOf(watched, tickSeconds),
      run.notified.get(watched.volume.volumeId) ?? none,
      watched.history.balance,
    ),
  );
  const score = sumOf(scores);
  if (score.exhaustions === 0 || score.delays.length === 0)
    throw new Error('nothing ran dry, or was throttled');
  return measuresOf(fleet, run, score);
}
