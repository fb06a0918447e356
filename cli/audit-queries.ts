/** `stripewise audit queries`: what to ask CloudWatch for, as files for the AWS CLI. */
import { Command } from 'commander';
import { writeQueryFile } from '../adapters/files/write-queries.ts';
import { BadInput } from '../core/errors.ts';
import type { Instance, Volume } from '../core/inventory.ts';
import {
  packQueries,
  queriesOfInstance,
  queriesOfVolume,
  usdOfMetrics,
} from '../core/load/metric-queries.ts';
import { isoFromEpochSeconds, secondsPerDay } from '../core/units.ts';
import { readInventory } from './inventory.ts';
import { type Io, printJson } from './io.ts';
import { positive } from './options.ts';

interface Options {
  volumes: string[];
  instances?: string[];
  out: string;
  lookbackDays: number;
  periodSeconds: number;
  json?: true;
}

/** CloudWatch keeps points of one minute for 15 days, of five minutes for 63, of an hour for 455. */
const retention = [
  { periodSeconds: 60, days: 15 },
  { periodSeconds: 300, days: 63 },
  { periodSeconds: 3_600, days: 455 },
];

function checkPeriod({ lookbackDays, periodSeconds }: Options): void {
  const kept = retention.find((entry) => entry.periodSeconds === periodSeconds);
  if (kept === undefined)
    throw new BadInput(
      `--period-seconds ${periodSeconds} is not one that CloudWatch keeps: give 60, 300 or 3600`,
    );
  if (lookbackDays > kept.days) {
    throw new BadInput(
      `--lookback-days ${lookbackDays} is longer than CloudWatch keeps points of ${periodSeconds} s (${kept.days} days): give fewer days or a longer period`,
    );
  }
}

/** What a shell takes as one word, whatever the path holds. */
const quoted = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function queriesOf(volumes: readonly Volume[], instances: readonly Instance[], periodSeconds: number) {
  const attachedTo = new Set(
    volumes.flatMap(({ attachments }) => attachments.map(({ instanceId }) => instanceId)),
  );
  return [
    ...volumes.flatMap((volume) => queriesOfVolume(volume, periodSeconds)),
    ...instances
      .filter(({ instanceId }) => attachedTo.has(instanceId))
      .flatMap((instance) => queriesOfInstance(instance, periodSeconds)),
  ];
}

function run(options: Options, io: Io): void {
  checkPeriod(options);
  const { volumes, instances } = readInventory(options.volumes, options.instances ?? []);
  const { periodSeconds } = options;
  const end = Math.floor(io.now().getTime() / 1000 / periodSeconds) * periodSeconds;
  const window = {
    start: isoFromEpochSeconds(end - options.lookbackDays * secondsPerDay),
    end: isoFromEpochSeconds(end),
  };
  const regions = [...new Set(volumes.map(({ region }) => region))].sort();
  const files = regions.flatMap((region) => {
    const inRegion = <T extends { region: string }>(all: readonly T[]): T[] =>
      all.filter((one) => one.region === region);
    const requests = packQueries(queriesOf(inRegion(volumes), inRegion(instances), periodSeconds));
    return requests.map((queries, i) => {
      const name = `queries-${region}-${String(i + 1).padStart(3, '0')}.json`;
      return { region, metrics: queries.length, path: writeQueryFile(options.out, name, queries, window) };
    });
  });
  const metrics = files.reduce((total, file) => total + file.metrics, 0);
  const replyOf = (path: string): string => path.replace(/queries-([^/]*)$/, 'reply-$1');
  const commands = files.map(
    ({ region, path }) =>
      `aws cloudwatch get-metric-data --region ${region} --output json --cli-input-json ${quoted(`file://${path}`)} > ${quoted(replyOf(path))}`,
  );
  if (options.json) {
    printJson(io, { window, periodSeconds, metrics, usd: usdOfMetrics(metrics), files, commands });
    return;
  }
  io.out(
    `${metrics} metrics of ${volumes.length} volumes in ${files.length} files, ${window.start} to ${window.end}, ${periodSeconds} s.`,
  );
  io.out(
    `Reading them once costs about ${usdOfMetrics(metrics).toFixed(2)} USD (0.01 per 1,000 metrics requested).`,
  );
  if (instances.length === 0)
    io.out('Without --instances the instances are not asked whether they held volumes back.');
  io.out('');
  for (const command of commands) io.out(command);
  io.out('');
  io.out(
    `Then: stripewise audit --volumes ${options.volumes.map(quoted).join(' ')} --metrics ${files.map(({ path }) => quoted(replyOf(path))).join(' ') || '...'}${options.instances ? ` --instances ${options.instances.map(quoted).join(' ')}` : ''}`,
  );
}

export const auditQueriesCommand = (io: Io): Command =>
  new Command('queries')
    .description(
      'Write the files that `aws cloudwatch get-metric-data --cli-input-json` takes, 500 metrics each.',
    )
    .requiredOption('--volumes <file...>', 'what `aws ec2 describe-volumes` prints')
    .option('--instances <file...>', 'what `aws ec2 describe-instances` prints: asks for their metrics too')
    .option('--out <directory>', 'where the files go', '.')
    .option('--lookback-days <n>', 'how far back', positive('--lookback-days', 'days'), 14)
    .option('--period-seconds <n>', '60, 300 or 3600', positive('--period-seconds', 'seconds'), 300)
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Example:
  aws ec2 describe-volumes --output json > volumes.json
  stripewise audit queries --volumes volumes.json --lookback-days 1 --period-seconds 60 --out metrics`,
    )
    .action((options: Options) => run(options, io));
