/** Every option that takes a number takes the same kind of number, and none without bounds. */
import type { Command, Option } from 'commander';
import { commandsFor } from '../../cli/main.ts';
import { processIo } from '../../cli/process-io.ts';
import { BadInput } from '../../core/errors.ts';
import { importer } from '../../tools/importer.ts';
import { expectOneLine } from './expect-one-line.ts';
import { runCli } from './run-cli.ts';

/** The value, or why there is none. */
function parsed({ parseArg }: Option, text: string): unknown {
  try {
    return parseArg?.(text, undefined);
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
}

const isOfNumbers = (option: Option): boolean =>
  ['1', '64'].some((text) => typeof parsed(option, text) === 'number');
const withChildren = (command: Command): Command[] => [command, ...command.commands.flatMap(withChildren)];

const options = new Map<string, Option>();

beforeAll(async () => {
  const commands = [...(await commandsFor([], processIo, () => {})), importer('import', 'of recordings')];
  for (const command of commands.flatMap(withChildren))
    for (const option of command.options.filter(isOfNumbers))
      options.set(`${command.name()} ${option.long}`, option);
});

/** What each option says to a text. */
const each = (text: string): [string, unknown][] =>
  [...options].map(([name, option]) => [name, parsed(option, text)]);

test('there are many', () => {
  expect(options.size).toBeGreaterThan(40);
});

test.each(['0x10', '0x40', '0b1', '1_000', 'Infinity', 'NaN', '1e999', '1n', '٣', '', ' ', '1;', '64 GiB'])(
  '%j is not a number to any',
  (text) => {
    for (const [name, said] of each(text)) {
      const line = `${name.split(' ').at(-1)} "${text}" is not a number: give `;
      expect([name, said]).toEqual([name, expect.stringContaining(line)]);
    }
  },
);

test.each(['1e308', '1e16', `${Number.MAX_SAFE_INTEGER}`, '-1', '-1e308'])(
  '%s is out of the bounds of each',
  (text) => {
    for (const [name, said] of each(text))
      expect([name, said]).toEqual([name, expect.stringMatching(/ cannot be .*: give /)]);
  },
);

test('-0 is 0, or refused as 0 is', () => {
  const zeros = new Map(each('0'));
  for (const [name, minusZero] of each('-0')) {
    const expected = zeros.get(name) === 0 ? 0 : expect.stringContaining('cannot be 0');
    expect([name, minusZero]).toEqual([name, expected]);
  }
});

test('what overflows is one line, and what is nothing has no sign', async () => {
  await expectOneLine(
    ['demand', '--reads', '1e308', '--writes', '1e308', '--redo-writes', '0'],
    /--reads "1e308" cannot be 1e\+308: give I\/O requests per second, 0 or more, at most 1,000,000,000/,
  );
  const { out } = await runCli('burst', '--type', 'gp2', '--size-gib', '100', '--balance-percent', '-0');
  expect(out).toContain('balance      0 I/O credits');
  expect(out).not.toMatch(/-0\b/);
});
