/** Runs a form of the command line as people have it: in a folder of its own, with no PATH and nobody signed in. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { beginningOf, type Example, examples, withoutAccount, writeInputs } from './examples.ts';

const root = join(__dirname, '../..');

/** A step of a build, in the checkout. @throws with what it printed where it fails. */
export function runTool(command: string, args: readonly string[], cwd = root): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${error ?? stderr}`);
  return stdout;
}

/** `npm run build`, `npm run build:single`. */
export const build = (tool: 'build' | 'build-single'): string =>
  runTool(process.execPath, [join(root, `tools/${tool}.mjs`)]);

/** Declares a test for each example. @param commandOf what starts the form; asked when it is built. */
export function describeEachCommand(commandOf: () => readonly string[]): TemporaryDirectory {
  const directory = temporaryDirectory();
  const env = { PATH: '', HOME: directory.path, AWS_EC2_METADATA_DISABLED: 'true' };
  beforeAll(() => writeInputs(directory));

  const run = ({ words, input = '' }: Example) => {
    const [program = '', ...first] = commandOf();
    return spawnSync(program, [...first, ...words], {
      ...{ cwd: directory.path, env, input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    });
  };
  const named = (all: readonly Example[]) => all.map((one) => [one.words.join(' '), one] as const);

  test.each(named(examples))('%s', (_line, one) => {
    const { status, stdout, stderr } = run(one);
    expect({ status, stderr: status === 2 || status === 4 ? stderr : '' }).toEqual({
      status: one.code ?? 0,
      stderr: one.err === undefined ? '' : expect.stringMatching(one.err),
    });
    expect(stdout.trim()).toMatch(one.out);
    // Neither a warning of Node nor one of a library.
    expect(stderr).not.toMatch(/^\(node:|Warning:/m);
    for (const [name, beginning] of Object.entries(one.writes ?? {}))
      expect([name, beginningOf(join(directory.path, name))]).toEqual([
        name,
        expect.stringMatching(beginning),
      ]);
  });

  test.each(named(withoutAccount))('%s: nobody is signed in', (_line, one) => {
    const { status, stdout, stderr } = run(one);
    expect({ status, lines: stderr.split('\n').length }).toEqual({
      status: one.code,
      lines: one.code === 2 ? 2 : 1,
    });
    expect(`${stdout}${stderr}`).toMatch(/[Cc]redentials/);
    expect(stdout).toMatch(one.out);
  });
  return directory;
}
