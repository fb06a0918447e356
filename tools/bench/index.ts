/** npm run bench [-- NAME ...] [--json]: measures what the project puts numbers on. */
import { Command } from 'commander';
import { archiveAgainstJson, archiveBytesAPoint } from './archive.ts';
import { archivedAuditReads } from './archived-audit.ts';
import { campaignOverheadShare } from './campaign.ts';
import { checkSeconds } from './check.ts';
import { diagnosePeakMemory, diagnoseVolumesPerSecond } from './diagnose.ts';
import { evaluatePeakMemory, evaluateVolumesPerSecond } from './evaluate.ts';
import { filesOfABatch } from './files-of-a-batch.ts';
import { historyFleetQuarter, historyVolumeYear } from './history.ts';
import { isBeyond, type Measure, machine } from './measure.ts';
import { modelSequences } from './models.ts';
import { monitoringMetricsShare } from './monitoring.ts';
import { monitoringHealthy } from './monitoring-healthy.ts';
import { planColdStart, planMilliseconds, planPeakMemory } from './plan.ts';
import { plannerInBrowser, plannerNames } from './planner.ts';
import { auditSecondsWithinQuota, evaluateBatchPeakMemory, metricCallsOverMinimum } from './read-account.ts';
import { replayMinutesPerSecond } from './replay.ts';
import { reportInBrowser } from './report.ts';
import { robustness, robustnessOfPairs } from './robustness.ts';
import { searchTimeShare } from './search.ts';
import { twoPassMetricsShare } from './two-pass.ts';

/** Each group is measured together; its names are stable. */
const groups: {
  names: string[];
  /** @param seed of a fleet that is made at random; without one the usual fleet. */
  run: (seed?: number) => Measure[] | Promise<Measure[]>;
  /** It takes minutes to an hour. */
  isOnlyByName?: true;
}[] = [
  { names: ['evaluate-volumes-per-second', 'audit-volumes-per-second'], run: evaluateVolumesPerSecond },
  { names: ['audit-peak-memory-10000', 'audit-seconds-10000'], run: evaluatePeakMemory },
  {
    names: ['metric-calls-over-minimum', 'metric-calls-over-minimum-10000'],
    run: metricCallsOverMinimum,
  },
  { names: ['audit-seconds-within-quota'], run: auditSecondsWithinQuota },
  { names: ['evaluate-batch-peak-memory'], run: evaluateBatchPeakMemory },
  { names: ['diagnose-volumes-per-second'], run: diagnoseVolumesPerSecond },
  { names: ['diagnose-memory-per-volume-kib'], run: diagnosePeakMemory },
  { names: ['two-pass-metrics-share'], run: twoPassMetricsShare },
  {
    names: [
      ...[
        'monitoring-metrics-share',
        'monitoring-missed',
        'monitoring-warned-in-time',
        'monitoring-false-warnings',
      ],
      ...[
        'monitoring-delay-p95-seconds',
        'monitoring-delay-sudden-p95-seconds',
        'monitoring-usd-month',
        'poll-usd-month',
      ],
    ],
    run: monitoringMetricsShare,
  },
  { names: ['monitoring-notifications-per-day-healthy'], run: monitoringHealthy },
  { names: ['files-of-a-batch'], run: filesOfABatch },
  { names: ['archive-bytes-per-point', 'archive-bytes-per-point-default'], run: archiveBytesAPoint },
  { names: ['archive-daily-points-share', 'archive-daily-calls-over-least'], run: archivedAuditReads },
  { names: ['archive-read-times-faster', 'archive-read-memory-percent'], run: archiveAgainstJson },
  {
    names: ['history-volume-year-seconds', 'history-volume-year-seconds-by-day'],
    run: historyVolumeYear,
    isOnlyByName: true,
  },
  {
    names: ['history-fleet-quarter-seconds', 'history-fleet-quarter-seconds-by-hour'],
    run: historyFleetQuarter,
    isOnlyByName: true,
  },
  { names: ['replay-minutes-per-second'], run: replayMinutesPerSecond },
  { names: ['plan-ms-median'], run: planMilliseconds },
  { names: ['plans-peak-memory-10000', 'plans-seconds-10000'], run: planPeakMemory },
  { names: ['plan-cold-start-seconds', 'plan-cold-start-seconds-checkout'], run: planColdStart },
  { names: ['check', 'check-seconds-1000'], run: checkSeconds },
  { names: ['search-time-share', 'search-answer-off-percent'], run: searchTimeShare },
  { names: ['campaign-overhead-share'], run: campaignOverheadShare },
  {
    names: ['report-bytes-5000', 'report-interactive-ms-5000', 'report-open-finding-ms-5000'],
    run: reportInBrowser,
  },
  { names: ['planner', ...plannerNames], run: plannerInBrowser },
  {
    names: [
      ...['robustness', 'robustness-causes-right', 'robustness-false-findings', 'robustness-missed'],
      ...['robustness-new-findings-a-day', 'robustness-demand-contained'],
      'robustness-warned-in-time',
    ],
    run: robustness,
    isOnlyByName: true,
  },
  {
    names: ['robustness-pairs', 'robustness-pairs-with-false-findings'],
    run: robustnessOfPairs,
    isOnlyByName: true,
  },
  { names: ['models'], run: modelSequences, isOnlyByName: true },
];
const known = groups.flatMap(({ names }) => names);

new Command('bench')
  .description('Measure, and print value, unit and conditions.')
  .argument('[name...]', `all, or some of: ${known.join(', ')}`)
  .option('--seed <number>', 'another fleet of the same kind, where a measure makes one at random', Number)
  .option('--json', 'one JSON document on standard output')
  .action(async (names: string[], { json, seed }: { json?: true; seed?: number }) => {
    const strange = names.find((name) => !known.includes(name));
    if (strange !== undefined) {
      console.error(`bench: "${strange}" is not measured here: give some of ${known.join(', ')}`);
      process.exitCode = 2;
      return;
    }
    const demand = (name: string): boolean => names.length === 0 || names.includes(name);
    const measures: Measure[] = [];
    const isWanted = ({ names: of, isOnlyByName }: (typeof groups)[number]): boolean =>
      of.some(demand) && (names.length > 0 || isOnlyByName !== true);
    for (const group of groups.filter(isWanted)) {
      console.error(`bench: ${group.names.join(', ')} ...`);
      const measured = await group.run(seed);
      // A name that is no measure's, such as that of a table, stands for all of its group.
      const isAll = names.some(
        (name) => group.names.includes(name) && measured.every((one) => one.name !== name),
      );
      measures.push(...measured.filter(({ name }) => isAll || demand(name)));
    }
    if (measures.some(isBeyond)) process.exitCode = 1;
    if (json) {
      console.log(JSON.stringify({ machine: machine(), measures }, null, 2));
      return;
    }
    console.log(machine());
    for (const measure of measures) {
      const { name, value, unit, conditions, limit } = measure;
      const most = limit === undefined ? '' : ` (limit ${limit}${isBeyond(measure) ? ': BEYOND IT' : ''})`;
      console.log(`${name}: ${value} ${unit}${most}\n  ${conditions}`);
    }
  })
  .parseAsync();
