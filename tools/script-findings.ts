/** What ShellCheck finds in the scripts that run on hosts. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ensurePython } from '../local/python.ts';

const commentsSchema = z.object({
  comments: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      column: z.number(),
      level: z.string(),
      code: z.number(),
      message: z.string(),
    }),
  ),
});

/** Paths below the checkout. */
export const hostScripts = (root: string): string[] =>
  globSync('ssm-documents/**/*.sh', { cwd: root }).sort();

/** One line a finding, hints about style too. @throws where there is nothing to look at, or it cannot be read. */
export async function shellcheckFindings(root: string, scripts: readonly string[]): Promise<string[]> {
  if (scripts.length === 0) throw new Error('shellcheck: there is no script to look at');
  const python = await ensurePython({ root, say: (line) => process.stderr.write(`${line}\n`) });
  const check = spawnSync(
    join(dirname(python), 'shellcheck'),
    // Without the configuration of whoever runs it: here and in CI it says the same.
    ['--norc', '--format', 'json1', '--', ...scripts],
    { cwd: root, encoding: 'utf8' },
  );
  // 0: nothing; 1: findings; above: a file could not be read, or an option was wrong.
  if (check.status !== 0 && check.status !== 1) {
    throw new Error(`shellcheck failed: ${check.stderr || check.error?.message}`);
  }
  return commentsSchema
    .parse(JSON.parse(check.stdout))
    .comments.map(
      ({ file, line, column, level, code, message }) =>
        `shellcheck SC${code} (${level}): ${message} at ${file}:${line}:${column}`,
    );
}
