/** `stripewise audit`: the fleet judged, live or from what the AWS CLI printed or from recorded series. */
import { Command } from 'commander';
import { readGetMetricData } from '../adapters/files/aws-cli-metrics.ts';
import { readHosts } from '../adapters/files/host-evidence.ts';
import { minutesFile } from '../adapters/files/minutes-csv.ts';
import { readRecordedDirectory } from '../adapters/files/recorded-directory.ts';
import { type AuditInput, audit, isPartial } from '../core/audit/audit.ts';
import { BadInput } from '../core/errors.ts';
import { MetricCollector } from '../core/load/fleet-metrics.ts';
import { finestEbsPeriodSeconds } from '../core/load/metrics.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { type Severity, severityRank } from '../core/schemas/finding.ts';
import { auditText } from '../report/terminal/audit.ts';
import { inert } from '../report/terminal/text.ts';
import type { LiveOptions } from './audit-live.ts';
import { auditQueriesCommand } from './audit-queries.ts';
import { readInventory, requireOnce } from './inventory.ts';
import { type ExitCode, exitCodes, type Io, printJson } from './io.ts';
import { marketsHere } from './markets.ts';
import { positive, severityOption, timeOption } from './options.ts';
import { progress } from './progress.ts';

interface Options extends Partial<LiveOptions> {
  volumes?: string[];
  metrics?: string[];
  instances?: string[];
  recorded?: string;
  failOn?: Severity;
  minutes?: string;
  hosts?: string[];
  json?: true;
}

type Read = Omit<AuditInput, 'runId' | 'cost' | 'markets'>;

function readCliFiles({ volumes, metrics, instances }: Options, io: Io): Read {
  if (volumes === undefined || metrics === undefined) {
    throw new BadInput(
      'audit of files needs --volumes and --metrics (what the AWS CLI prints; `audit queries` says what to ask for)',
    );
  }
  const inventory = readInventory(volumes, instances ?? []);
  const collector = new MetricCollector(finestEbsPeriodSeconds);
  const reading = progress(io, 'reading metrics', metrics.length);
  const oddities = metrics.map((path) => {
    const odd = readGetMetricData(path, collector);
    reading.step();
    return odd;
  });
  reading.done();
  return {
    ...inventory,
    metrics: collector.finish(),
    window: 'of-all',
    notices: oddities.flatMap(({ notices }) => notices),
    incomplete: oddities.flatMap(({ incomplete }) => incomplete),
  };
}

function readRecorded(directory: string, options: Options): Read {
  if (options.volumes !== undefined || options.metrics !== undefined || options.instances !== undefined) {
    throw new BadInput('--recorded brings its own volumes: leave out --volumes, --metrics and --instances');
  }
  const recorded = readRecordedDirectory(directory);
  const ids = recorded.volumes.map(({ volumeId }) => volumeId);
  requireOnce(ids, `${directory}: volume`, 'give each its own id');
  return { ...recorded, instances: [], window: 'of-each', incomplete: [] };
}

/** 3 where something is missing, before 1 where a finding is as bad as asked for. */
function exitCodeOf(result: AuditResult, failOn: Severity | undefined): ExitCode {
  if (isPartial(result)) return exitCodes.partial;
  const isBad = ({ severity }: { severity: Severity }): boolean =>
    failOn !== undefined && severityRank(severity) <= severityRank(failOn);
  return result.findings.some(isBad) ? exitCodes.findings : exitCodes.done;
}

const liveOptions = ['region', 'profile', 'lookbackDays', 'periodSeconds', 'until', 'askHosts'] as const;
const defaultLookback = { lookbackDays: 14 };

type OnDiagnosed = NonNullable<AuditInput['onDiagnosed']>;

function auditRead(options: Options, io: Io, onDiagnosed: OnDiagnosed): AuditResult {
  const read =
    options.recorded === undefined ? readCliFiles(options, io) : readRecorded(options.recorded, options);
  const judging = progress(io, 'judging volumes', read.volumes.length);
  const cost = { apiCalls: 0, metricsRequested: 0, usd: 0 };
  const hosts = readHosts(options.hosts ?? []);
  const input = { ...read, markets: marketsHere(), runId: io.newRunId(), cost, hosts, onDiagnosed };
  const result = audit(input, () => judging.step());
  judging.done();
  return result;
}

const offlineOptions = ['volumes', 'metrics', 'instances', 'recorded'] as const;

async function resultOf(options: Options, io: Io, onDiagnosed: OnDiagnosed): Promise<AuditResult> {
  if (offlineOptions.every((name) => options[name] === undefined)) {
    // Loaded only when needed: the AWS SDK takes longer to load than an audit of files.
    const { auditLive } = await import('./audit-live.ts');
    const hosts = readHosts(options.hosts ?? []);
    return auditLive({ ...defaultLookback, ...options }, io, hosts, onDiagnosed);
  }
  const live = liveOptions.find((name) => options[name] !== undefined);
  if (live !== undefined) {
    const option = `--${live.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new BadInput(`${option} is for an audit of the account: leave it out where files are audited`);
  }
  return auditRead(options, io, onDiagnosed);
}

async function auditWithMinutes(options: Options, io: Io): Promise<AuditResult> {
  if (options.minutes === undefined) return resultOf(options, io, () => {});
  const file = minutesFile(options.minutes);
  let result: AuditResult;
  try {
    result = await resultOf(options, io, file.add);
  } catch (error) {
    file.drop();
    throw error;
  }
  file.keep();
  return result;
}

async function run(options: Options, io: Io): Promise<ExitCode> {
  const result = await auditWithMinutes(options, io);
  if (options.json) printJson(io, result);
  else
    for (const line of auditText(result, { ...io, recorded: options.recorded !== undefined })) io.out(line);
  for (const id of result.coverage.metricsWithoutResource) {
    io.err(
      `stripewise: metrics of ${inert(id)}, but it is in no --volumes or --instances file: it was not judged`,
    );
  }
  return exitCodeOf(result, options.failOn);
}

export const auditCommand = (io: Io, end: (code: ExitCode) => void): Command =>
  new Command('audit')
    .description('Judge every volume: what holds it back, what is wasted, what to do.')
    .enablePositionalOptions()
    .option(
      '--region <region...>',
      'of the account: Regions to read (default: that of the profile or AWS_REGION)',
    )
    .option('--profile <name>', 'of the account: the AWS profile to read with')
    .option(
      '--lookback-days <n>',
      'of the account: how far back (default: 14)',
      positive('--lookback-days', 'days'),
    )
    .option(
      '--period-seconds <n>',
      'of the account: 60 or 300, one pass that reads every metric so (default: two passes, at 60 those that may be in trouble)',
      positive('--period-seconds', 'seconds'),
    )
    .option(
      '--until <time>',
      'of the account: the end of the window, like 2026-11-20T14:30Z (default: now)',
      timeOption('--until'),
    )
    .option(
      '--ask-hosts <document>',
      'of the account: ask hosts how their volumes are joined, by this SSM document (the stack names it)',
    )
    .option('--volumes <file...>', 'what `aws ec2 describe-volumes` prints (one file per Region)')
    .option(
      '--metrics <file...>',
      'what `aws cloudwatch get-metric-data` prints for the files of `audit queries`',
    )
    .option('--instances <file...>', 'what `aws ec2 describe-instances` prints')
    .option('--recorded <directory>', 'recorded series (CSV) and a volumes.json that describes their volumes')
    .option(
      '--fail-on <severity>',
      'exit 1 on a finding at or above critical, warning or info',
      severityOption,
    )
    .option(
      '--hosts <file...>',
      'what describe-stripes printed on hosts, named <instance id>.json: which volumes are one array',
    )
    .option(
      '--minutes <file>',
      'write each minute in which something was held back: by what, how sure, what was wanted (CSV)',
    )
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Exit: 0 done; 1 done, and a finding at or above --fail-on exists; 2 bad input; 3 a volume could not be judged, or
metrics are incomplete (each is listed; 3 goes before 1); 4 failed.

Reading the account calls ec2:DescribeVolumes, ec2:DescribeInstances, cloudwatch:ListMetrics and
cloudwatch:GetMetricData, and asks whose account it is; it costs 0.01 USD per 1,000 metrics. Two passes: few metrics of
every volume, then everything, minute by minute, of those that these make suspects; about 5 metrics a volume where one
in twenty is in trouble, a third of one pass (--period-seconds: about 15 a volume, its instance included), and a little
more than one pass where all are.

--ask-hosts calls ssm:DescribeInstanceInformation, ssm:SendCommand (on the document and on instances),
ssm:ListCommandInvocations, ssm:GetCommandInvocation, and ssm:CancelCommand where a host is too slow. The script only
reads. Hosts are asked in Regions that have the document.

Examples:
  stripewise audit --region us-east-1 eu-central-1 --profile production
  stripewise audit --lookback-days 1 --period-seconds 60 --until 2026-11-20T15:00Z
  stripewise audit --volumes volumes.json --metrics reply-*.json --instances instances.json
  stripewise audit --recorded my-recordings --minutes minutes.csv
  stripewise audit --volumes volumes.json --metrics reply-*.json --fail-on critical`,
    )
    .action(async (options: Options) => end(await run(options, io)))
    .addCommand(auditQueriesCommand(io));
