/** `stripewise compare`: what changed from one run of the audit to another. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { readAuditResult } from '../adapters/files/audit-result.ts';
import { BadInput } from '../core/errors.ts';
import { compareRuns } from '../core/report/compare-runs.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import type { RunComparison } from '../core/schemas/run-comparison.ts';
import { comparisonText } from '../report/terminal/compare.ts';
import { sanitize } from '../report/terminal/text.ts';
import { type ExitCode, exitCodes, type Io, printJson } from './io.ts';
import { runIdOption } from './options.ts';
import type { ReportAccount } from './report-account.ts';
import { ofStack, type StackOptions } from './stack.ts';

interface Options extends StackOptions {
  json?: true;
}

/** The name of a run has no slash, and nobody calls one .json. */
const isFile = (text: string): boolean =>
  text.includes('/') || /\.json(\.gz)?$/.test(text) || existsSync(text);

/** Files first: what cannot be read is said before the account is asked. */
async function runs(given: readonly [string, string], options: Options): Promise<[AuditResult, AuditResult]> {
  const read = given.map((text) => (isFile(text) ? readAuditResult(text) : runIdOption(text)));
  let account: ReportAccount | null = null;
  const results: AuditResult[] = [];
  for (const one of read) {
    if (typeof one === 'string') {
      // Loaded only when needed: the AWS SDK takes longer to load than two files.
      account ??= await (await import('./report-account.ts')).ReportAccount.find(options);
      results.push(await account.result(one));
    } else results.push(one);
  }
  return results as [AuditResult, AuditResult];
}

const maxIdCharacters = 100;

/** @throws BadInput where they are no earlier and later run: each change would be read the wrong way round. */
function requireInOrder({ notes, before, after }: RunComparison): void {
  if (notes.includes('same-run'))
    throw new BadInput(
      `both are the run ${sanitize(before.runId, maxIdCharacters)}: give two different runs`,
    );
  if (notes.includes('first-is-later'))
    throw new BadInput(
      `the window of the first run ends ${before.window?.end}, after that of the second, ${after.window?.end}: give the earlier run first`,
    );
}

const exitCodeOf = ({ before, after }: RunComparison): ExitCode =>
  before.partial || after.partial ? exitCodes.partial : exitCodes.done;

export const compareCommand = (io: Io, end: (code: ExitCode) => void): Command =>
  ofStack(new Command('compare'))
    .description(
      'Two runs of the audit: what is new, worse, better or resolved, and what it costs and could save.',
    )
    .argument('<before>', 'a file that `audit --json` wrote, or a run that `report list` names')
    .argument('<after>', 'the later one, a file or a run')
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
A finding is new or resolved where the other run evaluated its resource, and not evaluated where it did not. Worse and
better go by severity; at the same severity by the throttled minutes of the peak 24 h: twice as many, and 5 more.
The page of \`audit --html FILE --compare-with BEFORE\` has the same; each page of the deployed audit has it too.

Files need no credentials. Runs are read from the bucket of the stack: cloudformation:DescribeStacks, s3:ListBucket
and s3:GetObject.

Exit codes:
  0  done
  2  bad input, such as one run twice or the later one first
  3  done, and one of the runs is partial: the last line says which
  4  failed

Examples:
  stripewise compare monday.json friday.json
  stripewise compare monday.json.gz 7b0d2c11-5e1f-4c0a-8a7e-1f2e3d4c5b6a --region us-east-1
  stripewise compare 2f1c4a52-6a7e-4a0e-9a1c-0d5f7a1b2c3d 7b0d2c11-5e1f-4c0a-8a7e-1f2e3d4c5b6a
  stripewise compare monday.json friday.json --json | jq .counts`,
    )
    .action(async (before: string, after: string, options: Options) => {
      const comparison = compareRuns(...(await runs([before, after], options)));
      requireInOrder(comparison);
      if (options.json) printJson(io, comparison);
      else for (const line of comparisonText(comparison, io.columns)) io.out(line);
      end(exitCodeOf(comparison));
    });
