/** `stripewise audit queries`: what to ask CloudWatch for, as files for the AWS CLI. */
import { Command } from 'commander';
import { readInventory } from '../adapters/files/aws-cli-fleet.ts';
import { fileAt } from '../adapters/files/read-file.ts';
import { writeQueryFile } from '../adapters/files/write-queries.ts';
import { type WithoutExcluded, withoutExcluded } from '../core/audit/excluded.ts';
import {
  queryCommand,
  queryRequests,
  queryWindow,
  quoted,
  replyOf,
  requestText,
  volumesAsked,
} from '../core/audit/query-files.ts';
import { usdOfMetrics } from '../core/load/metrics.ts';
import { isoFromEpochSeconds } from '../core/units.ts';
import { costText } from '../report/terminal/text.ts';
import { metricPriceNote } from '../report/wording/words.ts';
import { useConfig } from './audit-config.ts';
import { type Io, printJson } from './io.ts';
import { positive } from './options.ts';

interface Options {
  volumes: string[];
  instances?: string[];
  config?: string;
  out: string;
  lookbackDays: number;
  periodSeconds: number;
  json?: true;
}

interface QueryFile {
  region: string;
  metrics: number;
  path: string;
}

function auditCommandLine(options: Options, files: readonly QueryFile[], io: Io): string {
  const list = (name: string, paths: readonly string[]): string =>
    ` --${name} ${paths.map(quoted).join(' ')}`;
  const instances = options.instances === undefined ? '' : list('instances', options.instances);
  const config = options.config === undefined ? '' : list('config', [options.config]);
  const replies = files.map(({ path }) => replyOf(path));
  return `${io.invokedAs} audit${list('volumes', options.volumes)}${list('metrics', replies)}${instances}${config}`;
}

/** What the configuration excludes is not asked for. */
function inventoryOf(options: Options): Pick<WithoutExcluded, 'volumes' | 'instances'> {
  const { tags } = useConfig(options.config);
  const all = readInventory(options.volumes.map(fileAt), (options.instances ?? []).map(fileAt), tags.keys);
  return withoutExcluded(all.volumes, all.instances, tags.exclude);
}

function run(options: Options, io: Io): void {
  const { periodSeconds, lookbackDays } = options;
  const asking = queryWindow(lookbackDays, periodSeconds, io.now());
  const { volumes, instances } = inventoryOf(options);
  const [start, end] = [asking.startEpochSeconds, asking.endEpochSeconds].map(isoFromEpochSeconds);
  const window = { start, end };
  const files = queryRequests(volumes, instances, asking, periodSeconds).map(({ region, name, queries }) => ({
    region,
    metrics: queries.length,
    path: writeQueryFile(options.out, name, requestText(queries, asking)),
  }));
  const metrics = files.reduce((total, file) => total + file.metrics, 0);
  const asked = volumesAsked(volumes, periodSeconds);
  const usd = usdOfMetrics(metrics);
  const commands = files.map(({ region, path }) => queryCommand(region, path));
  if (options.json) {
    printJson(io, {
      window,
      periodSeconds,
      volumesAsked: asked,
      metrics,
      usd,
      files,
      commands,
    });
    return;
  }
  io.out(
    `${metrics} metrics of ${asked} volumes in ${files.length} files, ${start} to ${end}, ${periodSeconds} s.`,
  );
  if (asked < volumes.length) {
    io.out(
      `${volumes.length - asked} of ${volumes.length} volumes have no metrics to ask for: unattached, not in use, or of an unknown type.`,
    );
  }
  io.out(
    `Reading them once costs ${costText(usd)}${metricPriceNote(volumes.map(({ region }) => region))} (0.01 per 1,000 metrics requested, pages not counted again).`,
  );
  if (instances.length === 0)
    io.out('Without --instances the instances are not asked whether they throttled volumes.');
  if (files.length === 0) return;
  for (const line of ['', ...commands, '', `Then: ${auditCommandLine(options, files, io)}`]) io.out(line);
}

export const auditQueriesCommand = (io: Io): Command =>
  new Command('queries')
    .description(
      'Write the files that `aws cloudwatch get-metric-data --cli-input-json` takes, at most 500 metrics each.',
    )
    .requiredOption('--volumes <file...>', 'what `aws ec2 describe-volumes` prints')
    .option('--instances <file...>', 'what `aws ec2 describe-instances` prints: asks for their metrics too')
    .option('--config <file>', 'a configuration file: volumes that it excludes are not asked about')
    .option('--out <directory>', 'where the files go', '.')
    .option('--lookback-days <n>', 'how far back', positive('--lookback-days', 'days'), 14)
    .option('--period-seconds <n>', '60 or 300', positive('--period-seconds', 'seconds'), 300)
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Example:
  aws ec2 describe-volumes --output json > volumes.json
  stripewise audit queries --volumes volumes.json --lookback-days 1 --period-seconds 60 --out metrics`,
    )
    .action((options: Options) => run(options, io));
