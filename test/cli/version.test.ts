import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from './run-cli.ts';

test('--version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  expect(await runCli('--version')).toMatchObject({ code: 0, out: version });
});

test.each(['limits', 'burst', 'demand', 'audit', 'compare', 'schema'])(
  '%s --help shows an example',
  async (command) => {
    const { code, out } = await runCli(command, '--help');
    expect(out).toMatch(new RegExp(`Examples?:[^]*stripewise ${command} `));
    expect(code).toBe(0);
  },
);
