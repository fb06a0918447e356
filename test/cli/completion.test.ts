/** `stripewise completion`: what a shell offers. zsh and fish run where the machine has them. */
import { spawnSync } from 'node:child_process';
import { commandsFor } from '../../cli/main.ts';
import { processIo } from '../../cli/process-io.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const testIn = (shell: string) => (isThere(shell) ? test : test.skip);

async function scriptOf(shell: string): Promise<string> {
  const { code, out, err } = await runCli('completion', shell);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return directory.write(`stripewise.${shell}`, `${out}\n`);
}

/** What bash offers for the last of these words; what readline does first is to split at `=`. */
async function offered(...words: string[]): Promise<string[]> {
  const script = `
    source "$1"; shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _stripewise && printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-euc', script, 'bash', await scriptOf('bash'), 'stripewise', ...words],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').filter((line) => line !== '');
}

describe('bash', () => {
  test('commands, and those below one', async () => {
    const all = await commandsFor([], processIo, () => {});
    expect(await offered('')).toEqual(all.map((command) => command.name()));
    expect(await offered('co')).toEqual(['compare', 'config', 'completion']);
    expect(await offered('bench', '')).toEqual(['plan', 'start', 'status', 'report']);
    expect(await offered('bench', 'st')).toEqual(['start', 'status']);
  });

  test('options of each command, as its help has them', async () => {
    expect(await offered('--')).toEqual(['--version', '--help']);
    expect(await offered('limits', '--')).toEqual([
      ...['--type', '--size-gib', '--iops', '--throughput-mibps', '--deployment', '--io-size-kib'],
      ...['--region', '--prices', '--json', '--help'],
    ]);
    expect(await offered('bench', 'plan', '--work', 'oltp', '--i')).toEqual([
      ...['--instance-types', '--io-depth', '--iops', '--instances'],
    ]);
  });

  test('the words that an option or an argument takes', async () => {
    expect(await offered('plan', '--steps', '')).toEqual(['cli', 'cdk', 'terraform']);
    expect(await offered('audit', '--json', '--fail-on', 'w')).toEqual(['warning']);
    expect(await offered('audit', '--sort', '=', 's')).toEqual(['savings']);
    expect(await offered('audit', '--sort', '=')).toEqual(['impact', 'savings', 'name']);
    expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await offered('schema', 'bench')).toEqual(['bench-plan', 'bench-report']);
  });

  test('of a value that can be anything it offers nothing, so that bash completes files', async () => {
    expect(await offered('audit', '--html', '')).toEqual([]);
    expect(await offered('grade', '')).toEqual([]);
    expect(await offered('limits', '--size-gib', '-')).toEqual([]);
  });
});

testIn('zsh')('zsh takes its script', async () => {
  const check = 'autoload -U compinit; compinit -u; source "$1"; print $_comps[stripewise]';
  const run = spawnSync('zsh', ['-fc', check, 'zsh', await scriptOf('zsh')], {
    ...{ encoding: 'utf8' as const, env: { ...process.env, ZDOTDIR: directory.path } },
  });
  expect(run).toMatchObject({ status: 0, stderr: '', stdout: '_stripewise\n' });
});

testIn('fish')('fish offers commands and words', async () => {
  const ask = `source ${await scriptOf('fish')}; complete -C 'stripewise plan --steps '`;
  expect(spawnSync('fish', ['-Nc', ask], { encoding: 'utf8' }).stdout).toMatch(
    /^cdk\b.*\ncli\b.*\nterraform\b/,
  );
});

test('scripts of zsh and fish name each command and the words of its options', async () => {
  for (const shell of ['zsh', 'fish'] as const) {
    const { out } = await runCli('completion', shell);
    for (const text of ["'bench start'", 'terraform', 'fail-on', 'bench-report']) expect(out).toContain(text);
    // A quote in a description would end the text that it stands in.
    expect(out).not.toMatch(/[^\\']'s /);
  }
});

test('another shell is refused in one line', async () => {
  expect(await runCli('completion', 'tcsh')).toEqual({
    code: 2,
    out: '',
    err: 'stripewise: the shell "tcsh" is not known: give one of bash, zsh, fish',
  });
});
