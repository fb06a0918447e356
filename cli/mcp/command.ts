/** Commands as tools ask them: arguments become options, and what is printed a document. */
import { type Command, CommanderError } from 'commander';
import { BadInput } from '../../core/errors.ts';
import { commandLine } from '../../report/wording/plan-names.ts';
import type { Io } from '../io.ts';

const { architecture: arch, ...names } = commandLine.names;
const options = {
  ...{ ...names, arch, readShare: '--read-share', volumeIds: '--volume-ids', top: '--top' },
  ...{ region: '--region', type: '--type', sizeGiB: '--size-gib', balancePercent: '--balance-percent' },
};

const argumentOf = new Map(Object.entries(options).map(([argument, option]) => [option, argument]));

type Given = Partial<Record<keyof typeof options, string | number | boolean | string[] | undefined>>;

/** Each value is bound to its option: none can be taken for another. Lists have passed their pattern. */
export const wordsOf = (given: Given): string[] =>
  Object.entries(options).flatMap(([argument, option]) => {
    const value = given[argument as keyof typeof options];
    if (value === undefined || value === false) return [];
    if (value === true) return [option];
    return Array.isArray(value) ? [option, ...value] : [`${option}=${value}`];
  });

/** What a command refuses names its options: here the arguments. A command that is cited stays as it is to be run. */
const refusedText = (message: string): string =>
  message
    .replace(/^error: /, '')
    .replaceAll(/`[^`]*`|--[a-z-]+/g, (option) => argumentOf.get(option) ?? option);

/** The document that a command prints with --json; nothing of it reaches standard output. */
export async function documentOf(
  make: (io: Io) => Command,
  words: readonly string[],
  io: Io,
  operands: readonly string[] = [],
): Promise<unknown> {
  const out: string[] = [];
  const command = make({ ...io, out: (line) => out.push(line) })
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} });
  try {
    await command.parseAsync(['--json', ...words, '--', ...operands], { from: 'user' });
  } catch (error) {
    if (error instanceof BadInput || error instanceof CommanderError)
      throw new BadInput(refusedText(error.message), { cause: error });
    throw error;
  }
  return JSON.parse(out.join('\n'));
}
