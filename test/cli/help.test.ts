/** The help of each command: short sentences, and examples. */
import type { Command } from 'commander';
import { commandsFor } from '../../cli/main.ts';
import { tooLong } from '../fixtures/sentences.ts';

/** Lines that are set apart, such as examples and exit codes, end no sentence of the lines before them. */
const paragraphs = (text: string): string[] =>
  text.split(/\n\n|\n(?= {2})|(?<=^ {2}.*)\n(?! )/m).map((one) => one.replaceAll(/\s+/g, ' '));

interface Help {
  name: string;
  /** Each description, and what stands below the options. */
  texts: string[];
}

function helpOf(command: Command, path = ''): Help[] {
  const name = `${path}${command.name()}`;
  let whole = '';
  command.configureOutput({ writeOut: (text) => (whole += text) }).outputHelp();
  const below = whole.replace(command.helpInformation(), '');
  const described = [command, ...command.options, ...command.registeredArguments];
  const descriptions = described.map(({ description }) =>
    typeof description === 'string' ? description : command.description(),
  );
  const texts = [...descriptions, below].flatMap(paragraphs);
  return [{ name, texts }, ...command.commands.flatMap((child) => helpOf(child, `${name} `))];
}

const io = { out: () => {}, err: () => {}, columns: 80 } as unknown as Parameters<typeof commandsFor>[1];

test('no sentence of a help is longer than 25 words', async () => {
  const all = (await commandsFor([], io, () => {})).flatMap((command) => helpOf(command));
  expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['audit', 'audit queries', 'grade']));
  expect(all.every(({ texts }) => texts.length > 1)).toBe(true);
  expect(all.flatMap(({ name, texts }) => tooLong(texts).map((one) => `${name}: ${one}`))).toEqual([]);
});

test('each that has no commands of its own shows an example', async () => {
  const all = (await commandsFor([], io, () => {})).flatMap((command) => helpOf(command));
  const without = all.filter(
    ({ name, texts }) =>
      !texts.some((text) => text.includes(`stripewise ${name} `) || text.endsWith(`stripewise ${name}`)),
  );
  const parents = ['bench', 'changes', 'history', 'report', 'demand', 'catalog', 'config'];
  expect(without.map(({ name }) => name).filter((name) => !parents.includes(name))).toEqual([]);
});
