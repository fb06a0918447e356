/** `stripewise audit`: the fleet evaluated, live or from what the AWS CLI printed or from recorded series. */
import { Command } from 'commander';
import { readHosts } from '../adapters/files/host-evidence.ts';
import { isReadInPart } from '../core/audit/accounts.ts';
import { isPartial } from '../core/audit/audit.ts';
import { SelectedResources } from '../core/audit/selected-resources.ts';
import { defaultMemberRole } from '../core/config/organization.ts';
import type { KeptTags } from '../core/config/tags.ts';
import { throttledSpans } from '../core/diagnosis/spans.ts';
import { BadInput } from '../core/errors.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { type Severity, severityRank } from '../core/schemas/finding.ts';
import { auditStack } from '../core/stacks.ts';
import type { SpansOfVolumes } from '../report/terminal/selected.ts';
import { plural, sanitize } from '../report/terminal/text.ts';
import { findingOrders } from '../report/wording/audit-totals.ts';
import { type AccountOptions, type OfConfig, organizationOf, useConfig } from './audit-config.ts';
import { auditFiles, type FileOptions, type Listeners } from './audit-files.ts';
import {
  type FormatOptions,
  formatOf,
  formats,
  type Notified,
  printAudit,
  printWhyPartial,
} from './audit-formats.ts';
import type { LiveOptions } from './audit-live.ts';
import { type ComparedWith, comparedWith } from './audit-opinions.ts';
import { AuditOutputs, type OutputOptions } from './audit-outputs.ts';
import { auditQueriesCommand } from './audit-queries.ts';
import type { SavedArchive } from './audit-save.ts';
import { type ExitCode, exitCodes, type Io } from './io.ts';
import { oneOf, positive, pricesOption, severityOption, timeOption, wholeFrom } from './options.ts';
import { orDropped, pictureOption } from './written-file.ts';

interface Options
  extends Partial<LiveOptions>,
    AccountOptions,
    FileOptions,
    FormatOptions,
    Pick<OutputOptions, 'minutes' | 'html' | 'compareWith' | 'chart'> {
  config?: string;
  failOn?: Severity;
  save?: string;
  archive?: string;
}

/** 3 where something is missing, before 1 where a finding is as bad as asked for. */
function exitCodeOf(result: AuditResult, failOn: Severity | undefined): ExitCode {
  if (isPartial(result)) return exitCodes.partial;
  const isBad = ({ severity }: { severity: Severity }): boolean =>
    failOn !== undefined && severityRank(severity) <= severityRank(failOn);
  return result.findings.some(isBad) ? exitCodes.findings : exitCodes.done;
}

const liveOptions = [
  'region',
  'profile',
  'lookbackDays',
  'periodSeconds',
  'until',
  'hostDiscovery',
  'stack',
  'accounts',
  'organization',
  'excludeAccounts',
  'memberRole',
  'externalId',
] as const;

/** An ARN is not cut; a tag is long enough to be known again. */
const longestSelector = 200;

/** What a tag asks for is seen only where the tag is kept. */
const withTagsOf = (selected: SelectedResources | null, { keys, exclude }: KeptTags): KeptTags => ({
  keys: [...new Set([...keys, ...(selected?.tagKeys ?? [])])],
  exclude,
});

/** More than a person reads in full. */
const maxTop = 10_000;

const offlineOptions = ['volumes', 'metrics', 'instances', 'recorded', 'archive'] as const;

/** Of an account, and of an archive, too. */
const archiveOptions: readonly string[] = ['lookbackDays', 'until', 'profile'];

interface Evaluated {
  selected: SelectedResources | null;
  config: OfConfig;
  listeners: Listeners;
  saved: SavedArchive | null;
  compared: ComparedWith;
}

const isOfAccount = (options: Options): boolean =>
  offlineOptions.every((name) => options[name] === undefined);

async function everything(
  options: Options,
  io: Io,
  { selected, config, listeners, saved, compared }: Evaluated,
): Promise<AuditResult> {
  const { thresholds } = config;
  const tags = withTagsOf(selected, config.tags);
  if (isOfAccount(options)) {
    // Loaded only when needed: the AWS SDK takes longer to load than an audit of files.
    const { auditLive } = await import('./audit-live.ts');
    if (options.modifications !== undefined)
      throw new BadInput(
        '--modifications is for an audit of files or of an archive: leave it out, or give --archive',
      );
    const hosts = readHosts(options.hosts ?? []);
    const organizationToRead = organizationOf(options, config.organization);
    const live = { ...config.live, ...options, organizationToRead };
    return auditLive(live, io, { selected, hosts, tags, thresholds, saved, compared, ...listeners });
  }
  const { archive } = options;
  const live = liveOptions.find(
    (name) => options[name] !== undefined && !(archive !== undefined && archiveOptions.includes(name)),
  );
  if (live !== undefined) {
    const option = `--${live.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new BadInput(`${option} is for an audit of the account: leave it out where files are audited`);
  }
  if (archive !== undefined) {
    const { auditArchive } = await import('./audit-archive.ts');
    const { lookbackDays = config.live.lookbackDays, until = null } = options;
    const window = { lookbackDays, until };
    const input = { selected, listeners, tags, thresholds, window, compared };
    return auditArchive({ ...options, archive }, io, input);
  }
  return auditFiles(options, io, selected, listeners, { tags, thresholds, saved, compared });
}

function missingText(selected: SelectedResources, text: string): string {
  const { excludedVolumes } = selected;
  const beside =
    excludedVolumes === 0
      ? ''
      : ` (${plural(excludedVolumes, 'more volume is', 'more volumes are')} excluded)`;
  const others = `in what was read${beside}; without --resource all are evaluated`;
  const texts = {
    excluded: 'the configuration excludes it (exclude.tags): leave out --config, or its tag there',
    benchmark: 'it is of a host of the benchmark, which no audit reads: `bench report` says what it measured',
    'id-or-name': `there is no such volume, instance or stripe ${others}`,
    arn: `there is no such volume or instance of that Region and account ${others}`,
    tag: `no volume or instance has this tag ${others}`,
    claim: `no volume is tagged with this claim and namespace ${others}`,
    namespace: `no volume is tagged with this namespace ${others}`,
  };
  return `--resource ${sanitize(text, longestSelector)}: ${texts[selected.kindOfMissing(text)]}`;
}

/** What is reported of a result: all of it, or what was asked for. @throws BadInput where nothing of that is there. */
function notifiedOf(selected: SelectedResources | null, result: AuditResult): Notified {
  if (selected === null) return { result, instances: [], missing: [] };
  const missing = selected.missing(result);
  // Where something could not be read, it may be there.
  const isWhole =
    result.coverage.incomplete.length === 0 && !(result.accountCoverage ?? []).some(isReadInPart);
  if (selected.isNowhere(result) && isWhole) throw new BadInput(missingText(selected, missing[0] ?? ''));
  return { ...selected.pick(result), missing };
}

/** What standard output may not have room for, a line each. */
function printNotes({ result, missing }: Notified, io: Io): void {
  for (const id of result.coverage.metricsWithoutResource) {
    io.err(
      `stripewise: metrics of ${sanitize(id)}, but it is in no --volumes or --instances file: it was not evaluated`,
    );
  }
  for (const text of missing)
    io.err(`stripewise: --resource ${sanitize(text, longestSelector)}: not found in what could be read`);
}

/** @throws BadInput where nothing can be kept there. */
async function savedArchive({ save, archive, recorded }: Options, io: Io): Promise<SavedArchive | null> {
  if (save === undefined) return null;
  if (archive !== undefined)
    throw new BadInput('--save keeps what --archive has already: leave out one of them');
  if (recorded !== undefined)
    throw new BadInput('--save keeps what CloudWatch has: leave it out where recorded series are audited');
  // Loaded only when needed, as is what reads the account.
  const { SavedArchive: Saved } = await import('./audit-save.ts');
  return new Saved(save, io);
}

async function run(options: Options, io: Io): Promise<ExitCode> {
  // Before anything is read: what cannot be printed is asked of nobody.
  const format = formatOf(options);
  const config = useConfig(options.config);
  const selected = options.resource === undefined ? null : new SelectedResources(options.resource);
  const spans: SpansOfVolumes = new Map();
  const saved = await savedArchive(options, io);
  const outputs = new AuditOutputs(options, selected, () =>
    comparedWith(options.compareWith, isOfAccount(options)),
  );
  const listeners = outputs.listeners((diagnosed) => {
    if (selected !== null) spans.set(diagnosed.volume.volumeId, throttledSpans(diagnosed));
  });
  return orDropped(outputs, async () => {
    const { compared } = outputs;
    const result = await everything(options, io, { selected, config, listeners, saved, compared });
    const notified = notifiedOf(selected, result);
    const recorded = options.recorded !== undefined;
    const toPrint = { notified, format, isPart: selected !== null, spans, recorded };
    printAudit(toPrint, options, io);
    printNotes(notified, io);
    await outputs.keep(notified.result, io);
    if (selected === null) await saved?.tables(result);
    saved?.done();
    const code =
      notified.missing.length > 0 ? exitCodes.partial : exitCodeOf(notified.result, options.failOn);
    if (code === exitCodes.partial) printWhyPartial(toPrint, io);
    return saved?.isWhole === false ? exitCodes.partial : code;
  });
}

export const auditCommand = (io: Io, end: (code: ExitCode) => void): Command =>
  new Command('audit')
    .description('Evaluate every volume: what throttles it, what is wasted, what to do.')
    .enablePositionalOptions()
    .option(
      '--region <region...>',
      'of the account: Regions to read (default: that of the profile or AWS_REGION)',
    )
    .option('--profile <name>', 'of the account, or of --archive in S3: the AWS profile to read with')
    .option(
      '--accounts <account...>',
      'several accounts: these, each by its member role (docs/guides/accounts.md)',
    )
    .option(
      '--organization [unit...]',
      'several accounts: all of the organization, or of these organizational units and the units in them',
    )
    .option('--exclude-accounts <account...>', 'several accounts: leave these out')
    .option('--member-role <name>', `several accounts: the role in each (default: ${defaultMemberRole})`)
    .option('--external-id <id>', 'several accounts: what that role asks for')
    .option(
      '--lookback-days <n>',
      'of the account, or of --archive: how far back (default: 14)',
      positive('--lookback-days', 'days'),
    )
    .option(
      '--period-seconds <n>',
      'of the account: 60 or 300: one pass that reads every metric with this period. Default: two passes, the second at 60; with --resource one pass at 60',
      positive('--period-seconds', 'seconds'),
    )
    .option(
      '--until <time>',
      'of the account, or of --archive: the end of the window, like 2026-11-20T14:30Z (default: now)',
      timeOption('--until'),
    )
    .option(
      '--host-discovery <document>',
      'of the account: ask hosts how their volumes are joined, by this SSM document (the stack names it)',
    )
    .option(
      '--stack <name>',
      `of the account: the deployed audit whose benchmarks' volumes are left out (default: ${auditStack})`,
    )
    .option(
      '--config <file>',
      'a configuration file (stripewise.yaml): its Regions, accounts, lookback, passes, thresholds and exclusions; options given here go before it',
    )
    .option('--volumes <file...>', 'what `aws ec2 describe-volumes` prints (one file per Region)')
    .option(
      '--metrics <file...>',
      'what `aws cloudwatch get-metric-data` prints for the files of `audit queries`',
    )
    .option(
      '--archive <place>',
      'instead of --metrics: an archive that --save made, or s3://bucket/prefix; --lookback-days (up to 395) and --until say the window (default: 14 days)',
    )
    .option('--instances <file...>', 'what `aws ec2 describe-instances` prints')
    .option('--recorded <directory>', 'recorded series (CSV) and a volumes.json that describes their volumes')
    .option(...pricesOption)
    .option(
      '--fail-on <severity>',
      'exit 1 on a finding at or above critical, warning or info',
      severityOption,
    )
    .option(
      '--hosts <file...>',
      'what describe-stripes printed on hosts, named <instance id>.json: which volumes are one array; with older and newer files, what these counted',
    )
    .option(
      '--modifications <file...>',
      'with --metrics or --archive: what `aws ec2 describe-volumes-modifications` prints, which a schedule of IOPS takes. EC2 shows the latest of each volume alone; files of other days add theirs',
    )
    .option(
      '--minutes <file>',
      'write each minute in which something was throttled: by what, how sure, its demand (CSV)',
    )
    .option(
      '--resource <which...>',
      'these volumes, instances or stripes alone, by id, ARN, Name tag, tag:KEY=VALUE (* is any value), claim:NAMESPACE/NAME or namespace:NAME. Shows when each was throttled, by what, and its demand. What shares their instances is evaluated too, and is in --minutes',
    )
    .option(
      '--save <directory>',
      'keep the one-minute points that are read as an archive (Parquet) there, beside those that it has; points of five minutes are not kept',
    )
    .option('--html <file>', 'write the report: one page that opens anywhere, with a chart of each finding')
    .option(
      '--compare-with <what...>',
      'compute-optimizer or cost-optimization-hub: asks the account; or a file of their recommendations (JSON of the AWS CLI, the exported CSV). Or an earlier audit, as --json wrote it: the page of --html says what is new, worse, better or resolved since then',
    )
    .option(
      '--chart <file>',
      'write a picture (.svg or .png) of the load over the whole window: that of the one --resource, else of the most urgent finding',
      pictureOption('--chart'),
    )
    .option(
      '--top <n>',
      'so many findings as blocks of lines, or rows of markdown (default: 10; with --resource all)',
      wholeFrom('--top', 0, maxTop),
    )
    .option(
      '--sort <order>',
      'findings by impact (severity, then ongoing first, then throttled minutes), savings (the largest first) or name (default: impact)',
      oneOf('--sort', findingOrders),
    )
    .option(
      '--format <format>',
      'table, json, csv (a row for each finding) or markdown (a table for an issue) (default: table)',
      oneOf('--format', formats),
    )
    .option('--json', 'the same as --format json: one JSON document on standard output')
    .addHelpText(
      'after',
      `
Exit codes:
  0  done
  1  done, and a finding at or above --fail-on exists
  2  bad input
  3  a volume could not be evaluated, metrics are incomplete, or something of --resource was not found;
     the last line of standard error says which; 3 goes before 1
  4  failed

Output: totals, then findings, then notes. Severities have colors where standard output is a terminal and NO_COLOR is
not set; no line is longer than the terminal is wide.

Prices of a Region that are missing or 30 days old are read first: \`stripewise catalog refresh --help\`.

Reading the account calls ec2:DescribeVolumes, ec2:DescribeInstances, cloudwatch:ListMetrics and
cloudwatch:GetMetricData, and asks whose account it is. It costs 0.01 USD per 1,000 metrics. There are two passes. The
first reads few metrics of every volume. The second reads all metrics, minute by minute, of volumes that may be in
trouble. Where one volume in twenty is in trouble, that is about 5 metrics a volume. One pass (--period-seconds) is about
15 a volume, with its instance. Where all volumes are in trouble, two passes cost a little more than one.

Several accounts: sts:AssumeRole, once for each account and hour. --organization also calls
organizations:ListRoots, ListOrganizationalUnitsForParent and ListAccountsForParent; with units DescribeOrganizationalUnit
and ListParents. CloudWatch bills each account for its own metrics. An account that refuses is said; the others are read.

--compare-with labels the recommendation of the other service for each volume. It agrees, leaves money, is unsafe
(throttled minutes, simulated), or does not see what this audit sees. compute-optimizer calls
compute-optimizer:GetEBSVolumeRecommendations. cost-optimization-hub calls cost-optimization-hub:ListRecommendations and
GetRecommendation, in us-east-1. Nothing is enabled: an account that does not use them is said.

--host-discovery calls ssm:DescribeInstanceInformation, ssm:SendCommand (on the document and on instances),
ssm:ListCommandInvocations, ssm:GetCommandInvocation, and ssm:CancelCommand where a host is too slow. The script only
reads. Hosts are asked in Regions that have the document.

Examples:
  stripewise audit --region us-east-1 eu-central-1 --profile production
  stripewise audit --lookback-days 1 --period-seconds 60 --until 2026-11-20T15:00Z
  stripewise audit --volumes volumes.json --metrics reply-*.json --instances instances.json
  stripewise audit --volumes volumes.json --instances instances.json --archive archive --lookback-days 90
  stripewise audit --resource vol-0123456789abcdef0 --lookback-days 1 --until 2026-11-20T15:00Z
  stripewise audit --region us-east-1 --html report.html
  stripewise audit --region us-east-1 --period-seconds 60 --save archive
  stripewise audit --region us-east-1 --html report.html --compare-with last-week.json
  stripewise audit --region us-east-1 --compare-with compute-optimizer
  stripewise audit --volumes volumes.json --metrics reply-*.json --compare-with recommendations.json
  stripewise audit --config stripewise.yaml
  stripewise audit --accounts 111122223333 444455556666 --external-id my-company-7f3a --region us-east-1
  stripewise audit --organization --exclude-accounts 777788889999 --external-id my-company-7f3a --html report.html
  stripewise audit --organization ou-ab12-11111111 --member-role EbsReader --external-id my-company-7f3a
  stripewise audit --resource tag:team=orders --lookback-days 3
  stripewise audit --resource orders-db --chart load.png
  stripewise audit --region eu-central-1 --prices prices.json
  stripewise audit --recorded my-recordings --minutes minutes.csv
  stripewise audit --volumes volumes.json --metrics reply-*.json --fail-on critical
  stripewise audit --config stripewise.yaml --sort savings --top 3
  stripewise audit --config stripewise.yaml --format csv > findings.csv
  stripewise audit --config stripewise.yaml --format markdown --top 20 | gh issue create --title EBS --body-file -`,
    )
    .action(async (options: Options) => end(await run(options, io)))
    .addCommand(auditQueriesCommand(io));
