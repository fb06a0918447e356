/** `stripewise changes`: what is changed of volumes, who approves it, and what came of it. */
import { Command } from 'commander';
import { wholeFile } from '../adapters/files/whole-file.ts';
import { ledgerTotals, realisedUsdOfAll } from '../core/changes/ledger.ts';
import { isRunning } from '../core/changes/rules.ts';
import { BadInput } from '../core/errors.ts';
import type {
  ChangesDecision,
  ChangesList,
  ChangesRequest,
  ChangesSwitched,
} from '../core/schemas/changes-answers.ts';
import { ownerPatch } from '../report/steps/owner-patch.ts';
import { changesText, changeText, switchedText } from '../report/terminal/changes.ts';
import { sanitize } from '../report/terminal/text.ts';
import { changeRefusedText } from '../report/wording/changes.ts';
import type { AskChanges } from './changes-account.ts';
import { type ExitCode, exitCodes, type Io, printJson } from './io.ts';
import { ofStack, type StackOptions } from './stack.ts';
import { orDropped, writtenPage } from './written-file.ts';

type Ended = (code: ExitCode) => void;

interface Options extends StackOptions {
  json?: true;
}

/** Loaded when it is needed: what signs and asks takes longer than a help. */
async function asking<T>(options: StackOptions, io: Io, run: (ask: AskChanges) => Promise<T>): Promise<T> {
  const { withChanges } = await import('./changes-account.ts');
  return withChanges(options, io, run);
}

const maxIdCharacters = 60;
const maxCharacters = 200;

function idOption(text: string): string {
  if (text.length <= maxCharacters && /^[\w.:-]+$/.test(text)) return text;
  throw new BadInput(`"${sanitize(text)}" is no id of a change: \`changes list\` names them`);
}

function fingerprintOption(text: string): string {
  if (text.length <= maxCharacters && /^[\w.:-]+$/.test(text)) return text;
  throw new BadInput(`"${sanitize(text)}" is no fingerprint: \`changes show\` names it`);
}

function findingOption(text: string): string {
  if (text.length <= maxCharacters && /^[\w.:/-]+$/.test(text)) return text;
  throw new BadInput(
    `"${sanitize(text)}" is no id of a finding: \`audit --json\` has them, as findings[].id`,
  );
}

async function listOf(ask: AskChanges): Promise<ChangesList> {
  const ledger = await ask({ do: 'list' });
  const { changes, nowSeconds } = ledger;
  return { ...ledger, totals: ledgerTotals(changes), realisedUsd: realisedUsdOfAll(changes, nowSeconds) };
}

interface ListOptions extends Options {
  html?: string;
}

async function list({ html, json, ...options }: ListOptions, io: Io): Promise<void> {
  const file = html === undefined ? null : wholeFile(html);
  const answer = await orDropped(file, async () => {
    const found = await asking(options, io, listOf);
    if (file !== null) {
      const { changesPage } = await import('../report/pages/changes-page.ts');
      writtenPage(io, file, changesPage(found), `${found.changes.length} changes`)();
    }
    return found;
  });
  if (json) printJson(io, answer);
  else for (const line of changesText(answer, io.columns)) io.out(line);
}

const maxLineCharacters = 1_000;

/** Prints the change, or why nothing was done of it; where somebody else describes the volume, what to change there. */
function printDecision(
  answer: ChangesDecision,
  what: string,
  json: true | undefined,
  io: Io,
  end: Ended,
): void {
  const isOwned = 'refused' in answer && answer.refused === 'owned';
  const owned = isOwned ? ownerPatch(answer.owner, answer.plan) : null;
  const patch = owned?.patch ?? null;
  if (json) printJson(io, isOwned ? { ...answer, patch } : answer);
  if ('change' in answer) {
    if (!json) for (const line of changeText(answer.change, answer.approvalsNeeded, io.columns)) io.out(line);
    return;
  }
  io.err(`stripewise: ${what}: ${owned?.says ?? changeRefusedText(answer)}`);
  if (!json) for (const line of patch?.split('\n') ?? []) io.out(sanitize(line, maxLineCharacters));
  end(exitCodes.badInput);
}

const jsonOption = ['--json', 'one JSON document on standard output'] as const;

const exitCodesHelp = `
Exit codes:
  0  done
  2  bad input, or refused: nothing was done, and the line says why
  4  failed
`;

const readingExitCodes = `
Exit codes:
  0  done
  2  bad input, or no such stack
  4  failed
`;

const listCommand = (io: Io): Command =>
  ofStack(new Command('list'))
    .description('All changes, the open ones first: what they came to, in USD and throttled minutes.')
    .option('--html <file>', 'write the ledger as a page')
    .option(...jsonOption)
    .addHelpText(
      'after',
      `
Claimed is what plans said. Realised is what the bill differs by, at on-demand prices of the day of the plan.
Throttled minutes a day are those of the comparison: the same hours before and after.
${readingExitCodes}
Examples:
  stripewise changes list --region us-east-1
  stripewise changes list --html ledger.html`,
    )
    .action((options: ListOptions) => list(options, io));

type Deciding = Extract<ChangesRequest, { do: 'show' | 'reject' | 'undo' }>;

/** Commands that name a change, and ask for one thing. */
function decisionCommand(
  of: Deciding['do'],
  { description, help }: { description: string; help: string },
  io: Io,
  end: Ended,
): Command {
  return ofStack(new Command(of))
    .description(description)
    .argument('<id>', 'of the change', idOption)
    .option(...jsonOption)
    .addHelpText(
      'after',
      `${help}${exitCodesHelp}\nExample:\n  stripewise changes ${of} 2026-11-20-1a2b3c4d --region us-east-1`,
    )
    .action(async (id: string, { json, ...options }: Options) => {
      const answer = await asking(options, io, (ask) => ask({ do: of, id }));
      printDecision(answer, `change ${sanitize(id, maxIdCharacters)}`, json, io, end);
    });
}

interface ApproveOptions extends Options {
  fingerprint?: string;
  yes?: true;
}

const notAsked =
  'approve asks, and standard input is no terminal: give --yes, or the --fingerprint that `changes show` names';

/** Shows the plan and asks, where no fingerprint says what was seen. Null: nothing was approved, and it is said why. */
async function approved(
  id: string,
  { fingerprint, yes, json }: ApproveOptions,
  io: Io,
  ask: AskChanges,
): Promise<ChangesDecision> {
  if (fingerprint !== undefined) return ask({ do: 'approve', id, fingerprint });
  if (!yes && io.ask === null) throw new BadInput(notAsked);
  const shown = await ask({ do: 'show', id });
  if ('refused' in shown) return shown;
  const { change, approvalsNeeded } = shown;
  const mayBegin = change.end === null && change.made === null;
  if (mayBegin && !json) for (const line of changeText(change, approvalsNeeded, io.columns)) io.out(line);
  if (mayBegin && !yes) {
    const answer = await io.ask?.('Approve this change? [y/N] ');
    if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new BadInput('not approved: nothing was done');
  }
  return ask({ do: 'approve', id, fingerprint: change.fingerprint });
}

const approveCommand = (io: Io, end: Ended): Command =>
  ofStack(new Command('approve'))
    .description('Approve a change: shows what it does and costs, and asks.')
    .argument('<id>', 'of the change', idOption)
    .option(
      '--fingerprint <text>',
      'of the plan that was seen; nothing is shown and asked then',
      fingerprintOption,
    )
    .option('--yes', 'ask nothing: approve the plan as it is now')
    .option(...jsonOption)
    .addHelpText(
      'after',
      `
An approval is for one plan. Where it is another by now, nothing is approved.
A size is final: a volume never shrinks, and an undo leaves it.
Sign in as a role of changes.approvers.roles.
${exitCodesHelp}
Examples:
  stripewise changes approve 2026-11-20-1a2b3c4d --region us-east-1
  stripewise changes approve 2026-11-20-1a2b3c4d --fingerprint 5d41402abc4b2a76 --json`,
    )
    .action(async (id: string, options: ApproveOptions) => {
      const answer = await asking(options, io, (ask) => approved(id, options, io, ask));
      printDecision(answer, `change ${sanitize(id, maxIdCharacters)}`, options.json, io, end);
    });

async function request(findingId: string, { json, ...options }: Options, io: Io, end: Ended): Promise<void> {
  const answer = await asking(options, io, (ask) => ask({ do: 'propose', findingId }));
  printDecision(answer, `finding ${sanitize(findingId, maxIdCharacters)}`, json, io, end);
}

const requestCommand = (io: Io, end: Ended): Command =>
  ofStack(new Command('request'))
    .description('Ask for the change that a finding recommends: somebody must approve it, or a rule does.')
    .argument(
      '<finding-id>',
      'of a finding of the deployed audit: findings[].id of audit --json',
      findingOption,
    )
    .option(...jsonOption)
    .addHelpText(
      'after',
      `
Where CloudFormation, Kubernetes, Terraform or a launch template describes the volume, nothing is changed here.
Then the change of its owner is printed, as text to copy.
${exitCodesHelp}
Examples:
  stripewise changes request 0123456789abcdef --region us-east-1
  stripewise changes request 0123456789abcdef --json`,
    )
    .action((findingId: string, options: Options) => request(findingId, options, io, end));

/** The switch first: what is under way is looked at afterwards, and may not be readable. */
async function switched(ask: AskChanges, to: 'stop' | 'go', io: Io): Promise<ChangesSwitched> {
  const answer = await ask({ do: to });
  if ('refused' in answer) throw new BadInput(`changes ${to}: ${changeRefusedText(answer)}`);
  const { killSwitch } = answer;
  try {
    const { changes } = await ask({ do: 'list' });
    const open = changes.filter(({ end }) => end === null);
    const idsOf = (isUnderWay: boolean): string[] =>
      open.filter((change) => isRunning(change) === isUnderWay).map(({ id }) => id);
    return { killSwitch, underWay: idsOf(true), waiting: idsOf(false) };
  } catch (error) {
    io.err(`stripewise: ${sanitize((error as Error).message, maxCharacters)}`);
    return { killSwitch, underWay: null, waiting: null };
  }
}

const switchCommand = (
  to: 'stop' | 'go',
  { description, help }: { description: string; help: string },
  io: Io,
): Command =>
  ofStack(new Command(to))
    .description(description)
    .option(...jsonOption)
    .addHelpText(
      'after',
      `${help}\n${exitCodesHelp}\nExample:\n  stripewise changes ${to} --region us-east-1`,
    )
    .action(async ({ json, ...options }: Options) => {
      const answer = await asking(options, io, (ask) => switched(ask, to, io));
      if (json) printJson(io, answer);
      else for (const line of switchedText(answer)) io.out(line);
    });

export const changesCommand = (io: Io, end: Ended): Command =>
  new Command('changes')
    .description('Changes of volumes: ask for one, approve, undo, and what they came to.')
    .addHelpText(
      'after',
      `
Asks the deployed stack, as whoever is signed in: docs/guides/changes.md. Never deletes, detaches, reboots or migrates.`,
    )
    .addCommand(listCommand(io))
    .addCommand(
      decisionCommand(
        'show',
        { description: 'One change: plan, cost, approvals, comparison, end.', help: '' },
        io,
        end,
      ),
    )
    .addCommand(requestCommand(io, end))
    .addCommand(approveCommand(io, end))
    .addCommand(
      decisionCommand(
        'reject',
        {
          description: 'Reject a change that has not begun.',
          help: '\nWho asked for it may take it back, too. What has begun can be undone.\n',
        },
        io,
        end,
      ),
    )
    .addCommand(
      decisionCommand(
        'undo',
        {
          description: 'Undo a change that has begun: type, IOPS and throughput as before. A size stays.',
          help: '\nIt waits until EC2 has completed the change: minutes, or more than a day.\n',
        },
        io,
        end,
      ),
    )
    .addCommand(
      switchCommand(
        'stop',
        {
          description: 'The kill switch: nothing begins and nothing is undone, until `changes go`.',
          help: '\nEC2 finishes modifications that began: the answer names them. Approvals stay.',
        },
        io,
      ),
    )
    .addCommand(
      switchCommand(
        'go',
        {
          description: 'Lift the kill switch: what was approved may begin.',
          help: '\nOnly who may approve may lift it. What waited longer than 7 days since its approval ends, and must be asked for again.',
        },
        io,
      ),
    );
