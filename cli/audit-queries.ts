/** `stripewise audit queries`: what to ask CloudWatch for, as files for the AWS CLI. */
import { Command } from 'commander';
import { type QueryWindow, writeQueryFile } from '../adapters/files/write-queries.ts';
import { queriesOfBatch, readingPlan } from '../core/audit/batches.ts';
import { withoutExcluded } from '../core/audit/excluded.ts';
import { secondsOf } from '../core/diagnosis/thresholds.ts';
import type { Instance, Volume } from '../core/inventory.ts';
import { packQueries, queriesOfVolume, usdOfMetrics } from '../core/load/metrics.ts';
import { isoFromEpochSeconds } from '../core/units.ts';
import { costText, sanitize } from '../report/terminal/text.ts';
import { metricPriceNote } from '../report/wording/words.ts';
import { useConfig } from './audit-config.ts';
import { readInventory } from './inventory.ts';
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

/** Points that one file may hold: the CLI prints about 70 bytes a point, and a file must stay under 512 MiB. */
const pointsPerFile = 4_000_000;

/**
 * What a shell takes as one word, whatever the path holds. A file of somebody else can have any name: in one with control
 * characters ESC [201~ would end a paste, and what follows would run. There each byte that is not plain is written as \ooo.
 */
function quoted(text: string): string {
  if (/^[\w./:@%+-][\w./:@%+=-]*$/.test(text)) return text;
  if (sanitize(text, Number.POSITIVE_INFINITY) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  const bytes = [...Buffer.from(text, 'utf8')].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[\w./: -]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `$'${bytes.join('')}'`;
}

interface QueryFile {
  region: string;
  metrics: number;
  path: string;
}

/** Volumes that are asked about together: one Region of one account, as one set of credentials reads it. */
function groupKeys(volumes: readonly Volume[]): Map<Volume, string> {
  const accounts = new Set(volumes.flatMap(({ account }) => (account === null ? [] : [account])));
  return new Map(
    volumes.map((volume) => [
      volume,
      accounts.size > 1 ? `${volume.region}-${volume.account ?? 'account-unknown'}` : volume.region,
    ]),
  );
}

function writeFiles(
  volumes: readonly Volume[],
  instances: readonly Instance[],
  window: QueryWindow & { seconds: number },
  options: Options,
): QueryFile[] {
  const keys = groupKeys(volumes);
  return [...new Set(keys.values())].sort().flatMap((key) => {
    const inGroup = volumes.filter((volume) => keys.get(volume) === key);
    const requests = packQueries(
      queriesOfBatch({ volumes: inGroup, instances: [...instances], published: null }, options.periodSeconds),
      window.seconds,
      pointsPerFile,
    );
    return requests.map((queries, i) => {
      const name = `queries-${key}-${String(i + 1).padStart(3, '0')}.json`;
      const path = writeQueryFile(options.out, name, queries, window);
      return { region: inGroup[0]?.region ?? key, metrics: queries.length, path };
    });
  });
}

const replyOf = (path: string): string => path.replace(/queries-([^/]*)$/, 'reply-$1');

const queryCommand = ({ region, path }: QueryFile): string =>
  `aws cloudwatch get-metric-data --region ${region} --output json --cli-input-json ${quoted(`file://${path}`)} > ${quoted(replyOf(path))}`;

function auditCommandLine(options: Options, files: readonly QueryFile[], io: Io): string {
  const list = (name: string, paths: readonly string[]): string =>
    ` --${name} ${paths.map(quoted).join(' ')}`;
  const instances = options.instances === undefined ? '' : list('instances', options.instances);
  const config = options.config === undefined ? '' : list('config', [options.config]);
  const replies = files.map(({ path }) => replyOf(path));
  return `${io.invokedAs} audit${list('volumes', options.volumes)}${list('metrics', replies)}${instances}${config}`;
}

/** What the configuration excludes is not asked for. */
function inventoryOf(options: Options): { volumes: Volume[]; instances: Instance[] } {
  const { tags } = useConfig(options.config);
  const all = readInventory(options.volumes, options.instances ?? [], tags.keys);
  return withoutExcluded(all.volumes, all.instances, tags.exclude);
}

function run(options: Options, io: Io): void {
  const { periodSeconds, lookbackDays } = options;
  const now = io.now();
  const plan = readingPlan({ lookbackDays, periodSeconds, until: now, now, settleSeconds: 0 });
  const { volumes, instances } = inventoryOf(options);
  const window = {
    start: isoFromEpochSeconds(plan.startEpochSeconds),
    end: isoFromEpochSeconds(plan.endEpochSeconds),
    seconds: secondsOf(plan),
  };
  const files = writeFiles(volumes, instances, window, options);
  const metrics = files.reduce((total, file) => total + file.metrics, 0);
  const asked = volumes.filter((volume) => queriesOfVolume(volume, periodSeconds).length > 0).length;
  const usd = usdOfMetrics(metrics);
  const commands = files.map(queryCommand);
  const { start } = window;
  if (options.json) {
    printJson(io, {
      window: { start, end: window.end },
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
    `${metrics} metrics of ${asked} volumes in ${files.length} files, ${start} to ${window.end}, ${periodSeconds} s.`,
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
