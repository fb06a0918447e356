/** What cannot be used is one clear line (what, why, what would be right) and exit code 2; nothing is half done. */
import { runCli } from './run-cli.ts';

export async function expectOneLine(argv: string[], line: RegExp): Promise<void> {
  const { code, out, err } = await runCli(...argv);
  expect(err).toMatch(line);
  expect(err.split('\n')).toHaveLength(1);
  expect(err).toMatch(/^stripewise: /);
  expect(out).toBe('');
  expect(code).toBe(2);
}
