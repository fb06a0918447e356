/** `stripewise report`: the reports of the deployed service. */
import { Command } from 'commander';
import { writePrivateFile } from '../adapters/files/private-file.ts';
import { type WholeFile, wholeFile } from '../adapters/files/whole-file.ts';
import { campaignIdSchema } from '../core/benchmark/campaign/campaign.ts';
import { BadInput } from '../core/errors.ts';
import { runsText } from '../report/terminal/runs.ts';
import { sanitize } from '../report/terminal/text.ts';
import { type Io, printJson } from './io.ts';
import { runIdOption } from './options.ts';
import { ReportAccount, type WhichReport } from './report-account.ts';
import { ofStack, type StackOptions } from './stack.ts';
import { orDropped } from './written-file.ts';

interface OpenOptions extends StackOptions {
  run?: string;
  campaign?: string;
  file?: string;
  browser: boolean;
}

const [maxIdCharacters, maxPathCharacters] = [100, 300];

function campaignId(text: string): string {
  if (campaignIdSchema.safeParse(text).success) return text;
  throw new BadInput(
    `"${sanitize(text)}" is no name of a campaign: give one of those that \`bench status\` names`,
  );
}

/** Null: the newest run. */
function asked({ run, campaign }: OpenOptions): WhichReport | null {
  if (run !== undefined && campaign !== undefined)
    throw new BadInput('--run and --campaign are two reports: give one of them');
  if (run !== undefined) return { kind: 'run', id: run };
  return campaign === undefined ? null : { kind: 'campaign', id: campaign };
}

/** To where a person said, or to where only they can read it. @returns the path. */
function stored({ kind, id }: WhichReport, page: string, file: WholeFile | null): string {
  if (file === null) return writePrivateFile(`${kind}-${id}.html`, page);
  file.write(page);
  file.keep();
  return file.path;
}

async function open(options: OpenOptions, io: Io): Promise<void> {
  const which = asked(options);
  const file = options.file === undefined ? null : wholeFile(options.file);
  const { found, path } = await orDropped(file, async () => {
    const account = await ReportAccount.find(options);
    const found = which ?? (await account.newest());
    return { found, path: stored(found, await account.page(found), file) };
  });
  io.out(
    `The report of ${found.kind} ${sanitize(found.id, maxIdCharacters)} is ${sanitize(path, maxPathCharacters)}`,
  );
  if (file !== null || !options.browser) return;
  const whyNot = await io.openFile(path);
  if (whyNot !== null)
    io.err(
      `stripewise: it could not be opened: ${sanitize(whyNot, maxPathCharacters)}; open the file in a browser`,
    );
}

const openCommand = (io: Io): Command =>
  ofStack(new Command('open'))
    .description('The newest report of the deployed audit, or that of a run or a campaign, in the browser.')
    .option('--run <id>', 'of this run (default: the newest)', runIdOption)
    .option('--campaign <id>', 'of this campaign: its report card', campaignId)
    .option('--file <file>', 'write it there, and open nothing')
    .option('--no-browser', 'open nothing: only say where it is')
    .addHelpText(
      'after',
      `
Reads cloudformation:DescribeStacks of the stack, and s3:ListBucket and s3:GetObject of its bucket. Without --file the
report lies among your caches, where only you can read it.

Examples:
  stripewise report open --region us-east-1
  stripewise report open --run 2f1c4a52-6a7e-4a0e-9a1c-0d5f7a1b2c3d --file report.html
  stripewise report open --campaign bench-20261122-101500`,
    )
    .action((options: OpenOptions) => open(options, io));

const listCommand = (io: Io): Command =>
  ofStack(new Command('list'))
    .description('The runs of the deployed audit that have a report, the newest first.')
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  stripewise report list --region us-east-1')
    .action(async ({ json, ...options }: StackOptions & { json?: true }) => {
      const account = await ReportAccount.find(options);
      const manifest = await account.runs();
      if (json) printJson(io, manifest);
      else if (manifest.runs.length === 0)
        io.out(
          'There is no report yet. Each run of the audit writes one; `audit --html FILE` makes one here.',
        );
      else for (const line of runsText(manifest)) io.out(line);
    });

export const reportCommand = (io: Io): Command => {
  const report = new Command('report').description('Reports of the deployed service: open, list.');
  for (const one of [openCommand(io), listCommand(io)]) report.addCommand(one);
  return report.addHelpText('after', '\nExamples:\n  stripewise report open\n  stripewise report list');
};
