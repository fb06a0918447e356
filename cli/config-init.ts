/** `stripewise config init`: asks what the configuration file must say, and writes it. What is not asked keeps its default. */
import { lstatSync } from 'node:fs';
import { Command } from 'commander';
import { stringify } from 'yaml';
import { writeWhole } from '../adapters/files/whole-file.ts';
import { checked } from '../core/config/check.ts';
import { type ChannelKind, channelKinds } from '../core/config/config.ts';
import { placeText } from '../core/config/problem.ts';
import { decimalOf } from '../core/decimal.ts';
import { BadInput } from '../core/errors.ts';
import type { Io } from './io.ts';
import { oneOf } from './options.ts';

/** What answers become: a part of the configuration. */
type Part = Record<string, unknown>;

interface Question {
  /** Of the option that answers it. */
  option: string;
  placeholder: string;
  text: string;
  /** The answer where nothing is typed. */
  usual: string;
  toPart(answer: string): Part;
}

const listOf = (answer: string): string[] => answer.split(/[\s,]+/).filter((one) => one !== '');
/** What is no number is left as it is: the schema refuses it and says what would be right. */
const numberOf = (answer: string): number | string => {
  const value = decimalOf(answer);
  return Number.isNaN(value) ? answer : value;
};

const none = 'none';
/** A Slack bot needs the id of its channel; the others nothing that is no secret. */
const withoutId = channelKinds.filter((kind) => kind !== 'slack-bot');
const channelWords = [...withoutId, none] as const;
/** Its name in routes and in the secret of channels. */
const channelNames: Partial<Record<ChannelKind, string>> = { 'slack-webhook': 'slack', eventbridge: 'bus' };

function channelsOf(answer: string): Part {
  if (answer === none) return { channels: {} };
  const kind = oneOf('--channel', channelWords)(answer) as ChannelKind;
  return { channels: { [channelNames[kind] ?? kind]: { kind } } };
}

const questions: readonly Question[] = [
  {
    option: '--regions',
    placeholder: '<list>',
    text: 'Regions to audit, with commas; empty: the Region of the stack',
    usual: '',
    toPart: (answer) => ({ regions: listOf(answer) }),
  },
  {
    option: '--every-hours',
    placeholder: '<n>',
    text: 'Hours between two audits, 1 to 48',
    usual: '24',
    toPart: (answer) => ({ audit: { everyHours: numberOf(answer) } }),
  },
  {
    option: '--channel',
    placeholder: '<kind>',
    text: `Where findings are sent: ${channelWords.join(', ')}`,
    usual: 'slack-webhook',
    toPart: channelsOf,
  },
  {
    option: '--emails',
    placeholder: '<list>',
    text: 'E-mail addresses that get findings too, with commas',
    usual: '',
    toPart: (answer) => ({ notifications: { emails: listOf(answer) } }),
  },
  {
    option: '--alarm-emails',
    placeholder: '<list>',
    text: 'E-mail addresses for alarms of the service itself; without one nobody hears when it fails',
    usual: '',
    toPart: (answer) => ({ alarms: { emails: listOf(answer) } }),
  },
  {
    option: '--budget-usd-per-month',
    placeholder: '<n>',
    text: "USD a month for CloudWatch's API, or none for no bound",
    usual: '50',
    toPart: (answer) => ({
      budget: { apiUsdPerMonth: [none, 'null'].includes(answer) ? null : numberOf(answer) },
    }),
  },
];

/** As commander names the value of an option. */
const keyOf = ({ option }: Question): string =>
  option.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** @returns what an answer means for the file. @throws BadInput where it cannot stand there. */
function partOf(question: Question, answer: string): Part {
  const part = question.toPart(answer.trim());
  const { problems } = checked(part);
  const [problem] = problems;
  if (problem !== undefined) throw new BadInput(`${question.option}: ${problem.text}`);
  return part;
}

/** Asks until the answer can be used. */
async function askedPart(question: Question, answered: string | undefined, io: Io): Promise<Part> {
  if (answered !== undefined || io.ask === null) return partOf(question, answered ?? question.usual);
  for (;;) {
    const shown = question.usual === '' ? '' : ` [${question.usual}]`;
    const answer = await io.ask(`${question.text}${shown}: `);
    if (answer === null)
      throw new BadInput('config init was ended before all was answered: nothing is written');
    try {
      return partOf(question, answer.trim() === '' ? question.usual : answer);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      io.err(error.message);
    }
  }
}

const head = `# What \`cdk deploy\` puts into the account, and what it does there; \`stripewise audit --config\` reads it too. Other keys have their
# defaults. \`stripewise config check\` says what the file means; docs/reference/configuration.md explains each key.
`;

function requireNothingAt(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
  throw new BadInput(`${file} is there already, and is not overwritten: edit it, or give another --out`);
}

interface Options extends Record<string, string | true | undefined> {
  out: string;
  yes?: true;
}

async function init(options: Options, io: Io): Promise<void> {
  requireNothingAt(options.out);
  if (!options.yes && io.ask === null)
    throw new BadInput(
      'config init asks, and standard input is no terminal: give --yes, and options for what is not the default',
    );
  const asking = options.yes ? { ...io, ask: null } : io;
  const parts: Part = {};
  for (const question of questions) {
    const answered = options[keyOf(question)];
    Object.assign(parts, await askedPart(question, answered === true ? undefined : answered, asking));
  }
  const [problem] = checked(parts).problems;
  if (problem !== undefined) throw new BadInput(`${placeText(problem.path)}: ${problem.text}`);
  // It may have come while somebody answered.
  requireNothingAt(options.out);
  writeWhole(options.out, head + stringify(parts));
  io.out(`Written: ${options.out}. Next: ${io.invokedAs} config check ${options.out}`);
}

export function configInitCommand(io: Io, usualFile: string): Command {
  const command = new Command('init').description('Ask what the configuration file must say, and write it.');
  for (const { option, placeholder, text } of questions) command.option(`${option} ${placeholder}`, text);
  return command
    .option('--out <file>', 'where to; a file that is there is not overwritten', usualFile)
    .option('--yes', 'ask nothing: what no option says has its default')
    .addHelpText(
      'after',
      `
What an option says is not asked. Secrets are not asked and do not stand in the file: output ChannelSecrets of the stack.

Examples:
  stripewise config init
  stripewise config init --yes --regions us-east-1,eu-central-1 --alarm-emails ops@example.com
  stripewise config init --yes --channel none --emails dba@example.com --out production.yaml`,
    )
    .action((options: Options) => init(options, io));
}
