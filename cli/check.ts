/** `stripewise check`: infrastructure code before it is applied. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { readInventory } from '../adapters/files/aws-cli-fleet.ts';
import { fileAt } from '../adapters/files/read-file.ts';
import { readPlanned } from '../adapters/infrastructure/infrastructure.ts';
import { SelectedResources } from '../core/audit/selected-resources.ts';
import { check } from '../core/check/check.ts';
import { type Checked, checkedOf } from '../core/check/checked.ts';
import { MeasuredListener, matchMeasured, tagKeysOf } from '../core/check/measured.ts';
import type { Planned } from '../core/check/planned.ts';
import { defaultThresholds } from '../core/diagnosis/thresholds.ts';
import { BadInput } from '../core/errors.ts';
import { type CheckAnswer, type LoadClass, loadClasses } from '../core/schemas/check-answer.ts';
import { type Severity, severityRank } from '../core/schemas/finding.ts';
import { sanitize } from '../report/terminal/text.ts';
import { auditFiles, type FileOptions } from './audit-files.ts';
import {
  type CheckFormat,
  CheckOutputs,
  checkDocument,
  checkFormats,
  type FileByFormat,
  outputOption,
} from './check-outputs.ts';
import { type ExitCode, exitCodes, type Io } from './io.ts';
import {
  nonNegative,
  oneOf,
  positive,
  pricesOption,
  regionOption,
  severityOption,
  timeOption,
} from './options.ts';
import { regionCatalogsFor } from './region-catalogs.ts';

/** What is checked, and against what. */
export interface CheckOptions extends Pick<FileOptions, 'volumes' | 'instances' | 'metrics' | 'prices'> {
  archive?: string;
  profile?: string;
  lookbackDays?: number;
  until?: Date;
  region?: string;
  load?: LoadClass;
  changedOnly?: true;
  passOver?: true;
}

interface Options extends CheckOptions {
  failOn?: Severity;
  minUsd?: number;
  format?: CheckFormat;
  output?: FileByFormat;
  json?: true;
}

function formatOf({ format, json }: Options): CheckFormat {
  if (json && format !== undefined && format !== 'json')
    throw new BadInput(`--json is --format json, and --format ${format} is given too: leave one of them out`);
  return json ? 'json' : (format ?? 'table');
}

function requireMeasuredComplete(options: Options): void {
  const { archive, metrics, volumes, instances, minUsd, output = {} } = options;
  if (archive !== undefined && metrics !== undefined)
    throw new BadInput(
      '--archive and --metrics are two ways to give what was measured: leave out one of them',
    );
  const isMeasured = archive !== undefined || metrics !== undefined;
  if (isMeasured && volumes === undefined)
    throw new BadInput(
      'what was measured is of volumes: give --volumes too (what `aws ec2 describe-volumes` prints)',
    );
  if (!isMeasured && (volumes !== undefined || instances !== undefined))
    throw new BadInput(
      '--volumes and --instances say whose metrics they are: give --metrics or --archive too',
    );
  const ofArchive = options.lookbackDays ?? options.until ?? options.profile;
  if (archive === undefined && ofArchive !== undefined)
    throw new BadInput(
      '--lookback-days, --until and --profile are for --archive: give it, or leave them out',
    );
  if (minUsd !== undefined && formatOf(options) !== 'markdown' && output.markdown === undefined)
    throw new BadInput(
      '--min-usd is for a comment: give --format markdown or --output markdown=FILE, or leave it out',
    );
}

/** Of the volumes that the plan changes those that were measured, each with the plan simulated on its load. */
async function measuredOf(checked: Checked, options: CheckOptions, io: Io) {
  const { volumes, instances = [], archive } = options;
  if (volumes === undefined) return null;
  const inventory = readInventory(volumes.map(fileAt), instances.map(fileAt), tagKeysOf(checked));
  const matches = matchMeasured(checked, inventory.volumes);
  if (matches.matched.length === 0) return { ...matches, changes: [] };
  const listener = new MeasuredListener(matches.matched, inventory.instances, defaultThresholds);
  const { onDiagnosed, onEvaluated } = listener;
  const selected = new SelectedResources(matches.matched.map(({ volumeId }) => volumeId));
  const input = { selected, listeners: { onDiagnosed, onEvaluated }, thresholds: defaultThresholds };
  if (archive === undefined) {
    await auditFiles(options, io, selected, input.listeners, { thresholds: defaultThresholds });
  } else {
    // Loaded only when needed: what reads Parquet takes longer to load than a check.
    const { auditArchive } = await import('./audit-archive.ts');
    const { noTags } = await import('../core/config/tags.ts');
    const { comparedWithNothing } = await import('./audit-opinions.ts');
    const { lookbackDays = 14, until = null } = options;
    const more = { tags: noTags, window: { lookbackDays, until }, compared: comparedWithNothing };
    await auditArchive({ ...options, archive }, io, { ...input, ...more });
  }
  return { ...matches, changes: listener.changes };
}

/** 3 where a file could not be read, before 1 where a finding is as bad as asked for. */
function exitCodeOf({ findings, coverage }: CheckAnswer, failOn: Severity | undefined): ExitCode {
  if (coverage.unreadable.length > 0) return exitCodes.partial;
  const isBad = ({ severity }: { severity: Severity }): boolean =>
    failOn !== undefined && severityRank(severity) <= severityRank(failOn);
  return findings.some(isBad) ? exitCodes.findings : exitCodes.done;
}

const maxUnreadable = 5;

const hasNothing = ({ coverage }: Planned): boolean =>
  coverage.files === 0 && coverage.unreadable.length === 0;

/**
 * A directory of nothing that is read here would look like one in which nothing is wrong.
 * @throws BadInput
 */
function requireSomethingIn(paths: readonly string[], planned: Planned): void {
  for (const path of paths.filter((one) => statSync(one).isDirectory())) {
    const below = join(path, '-').slice(0, -1);
    const isOne = paths.length === 1;
    // Of several, one is read once more where nothing is known of it.
    if (!isOne && planned.resources.some(({ file }) => file.startsWith(below))) continue;
    if (hasNothing(isOne ? planned : readPlanned([path])))
      throw new BadInput(
        `${path}: no plan, template or manifest in it; give what \`terraform show -json PLAN\` prints, or another directory`,
      );
  }
}

/**
 * What is found in these files, against what was measured where that is given whole: volumes with metrics, or with an archive.
 * @throws BadInput where one cannot be read.
 */
export async function checkAnswer(
  paths: readonly string[],
  options: CheckOptions,
  io: Io,
): Promise<CheckAnswer> {
  const planned = readPlanned(paths, { unreadable: options.passOver ? 'count' : 'refuse' });
  if (!options.passOver) requireSomethingIn(paths, planned);
  const checked = checkedOf(planned, options.region ?? null);
  const measured = await measuredOf(checked, options, io);
  const regions = [
    ...new Set([...checked.volumes, ...checked.instances].flatMap(({ region }) => region ?? [])),
  ].sort();
  const { prices = [] } = options;
  return check(planned, checked, {
    regionCatalogs: await regionCatalogsFor(regions, { prices }, io),
    thresholds: defaultThresholds,
    loadClass: options.load ?? null,
    changedOnly: options.changedOnly ?? false,
    measured,
  });
}

/** Once, however many files are written of it. */
async function run(paths: readonly string[], options: Options, io: Io, version: string): Promise<ExitCode> {
  requireMeasuredComplete(options);
  const format = formatOf(options);
  const { output = {}, minUsd = 0, volumes = [], instances = [], metrics = [], prices = [] } = options;
  const inputs = [...paths, ...volumes, ...instances, ...metrics, ...prices];
  const outputs = new CheckOutputs(output, inputs);
  let answer: CheckAnswer;
  try {
    answer = await checkAnswer(paths, options, io);
    // A signal that came while files were read is heard now: nothing is kept then.
    await new Promise((resolve) => setImmediate(resolve));
    outputs.keep(answer, { minUsd, version });
  } finally {
    // What is kept stays.
    outputs.drop();
  }
  const { columns, color } = io;
  for (const line of checkDocument(answer, format, { columns, color, minUsd, version })) io.out(line);
  const { unreadable } = answer.coverage;
  for (const { file, reason } of unreadable.slice(0, maxUnreadable))
    io.err(`stripewise: ${sanitize(file, 200)}: not read: ${sanitize(reason, 500)}`);
  if (unreadable.length > maxUnreadable)
    io.err(`stripewise: and ${unreadable.length - maxUnreadable} more files were not read`);
  return exitCodeOf(answer, options.failOn);
}

/** @param version of stripewise, which SARIF names. */
export const checkCommand = (io: Io, version: string, end: (code: ExitCode) => void): Command =>
  new Command('check')
    .description(
      'Infrastructure code before it is applied: what AWS refuses, what is slow, what is paid for and unused, what changes in price.',
    )
    .argument(
      '<path...>',
      'what `terraform show -json` prints of a plan, CloudFormation templates, a cdk.out, Kubernetes manifests; or directories of them',
    )
    .option('--region <region>', 'of what does not say its own', regionOption('--region'))
    .option(...pricesOption)
    .option(
      '--load <class>',
      'checks burst credits too, for a load at 3,000 IOPS: general (half an hour a day), batch (an hour), database (8 hours)',
      oneOf('--load', loadClasses),
    )
    .option(
      '--pass-over',
      'named files that are no infrastructure are counted, not refused: for lists of files, as pre-commit gives them',
    )
    .option('--changed-only', 'leave out what the plan leaves as it is')
    .option(
      '--volumes <file...>',
      'to compare with what was measured: what `aws ec2 describe-volumes` prints',
    )
    .option('--instances <file...>', 'with --volumes: what `aws ec2 describe-instances` prints')
    .option(
      '--metrics <file...>',
      'with --volumes: what `aws cloudwatch get-metric-data` prints for the files of `audit queries`',
    )
    .option(
      '--archive <place>',
      'instead of --metrics: an archive that `audit --save` made, or s3://bucket/prefix',
    )
    .option('--profile <name>', 'of --archive in S3: the AWS profile to read with')
    .option(
      '--lookback-days <n>',
      'of --archive: how far back (default: 14)',
      positive('--lookback-days', 'days'),
    )
    .option(
      '--until <time>',
      'of --archive: the end of the window, like 2026-11-20T14:30Z (default: the end of the archive)',
      timeOption('--until'),
    )
    .option(
      '--fail-on <severity>',
      'exit 1 on a finding at or above critical, warning or info',
      severityOption,
    )
    .option(
      '--min-usd <n>',
      'of markdown: nothing is printed without findings and below so many USD a month',
      nonNegative('--min-usd', 'USD a month'),
    )
    .option(
      '--format <format>',
      'table, json, markdown (a comment), sarif (2.1.0) or junit (default: table)',
      oneOf('--format', checkFormats),
    )
    .option(
      '--output <format=file>',
      'writes a file too, in the same run: sarif=stripewise.sarif; repeat it for more formats; it replaces only an earlier output',
      outputOption,
    )
    .option('--json', 'the same as --format json: one JSON document on standard output')
    .addHelpText(
      'after',
      `
A tag stripewise:ignore with "RULE reason" as its value leaves out a rule for that resource; what is ignored is counted.

Exit codes:
  0  done
  1  done, and a finding at or above --fail-on exists
  2  bad input: also a named file that is no infrastructure, or a directory without any
  3  a file of a directory, or a part of a file, could not be read; 3 goes before 1
  4  failed

Examples:
  terraform show -json plan.out > plan.json && stripewise check plan.json
  stripewise check cdk.out --region eu-central-1 --fail-on critical
  stripewise check manifests/ --load database --format markdown --min-usd 10
  stripewise check plan.json --volumes volumes.json --instances instances.json --metrics metrics.json
  stripewise check plan.json --output sarif=stripewise.sarif --output markdown=comment.md`,
    )
    .action(async (paths: string[], options: Options) => {
      end(await run(paths, options, io, version));
    });
