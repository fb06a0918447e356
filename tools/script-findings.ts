/** What ShellCheck finds in the scripts that run on hosts. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
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

/** Paths below the checkout of what runs by itself. The other files are looked at where these read them. */
export const hostScripts = (root: string): string[] =>
  globSync('ssm-documents/**/*.sh', { cwd: root })
    .filter((path) => readFileSync(join(root, path), 'utf8').startsWith('#!'))
    .sort();

/**
 * One line a finding, hints about style too, also in the files that a script reads: on their own they would lack what the
 * script gives them. @throws where there is nothing to look at, or it cannot be read.
 */
export async function shellcheckFindings(root: string, scripts: readonly string[]): Promise<string[]> {
  if (scripts.length === 0) throw new Error('shellcheck: there is no script to look at');
  const python = await ensurePython({ root, say: (line) => process.stderr.write(`${line}\n`) });
  const check = spawnSync(
    join(dirname(python), 'shellcheck'),
    [
      // Without the configuration of whoever runs it: here and in CI it says the same.
      ...['--norc', '--format', 'json1'],
      ...['--external-sources', '--check-sourced', '--source-path', 'SCRIPTDIR'],
      ...['--', ...scripts],
    ],
    { cwd: root, encoding: 'utf8' },
  );
  // 0: nothing; 1: findings; above: a file could not be read, or an option was wrong.
  if (check.status !== 0 && check.status !== 1) {
    throw new Error(`shellcheck failed: ${check.stderr || check.error?.message}`);
  }
  const lines = commentsSchema
    .parse(JSON.parse(check.stdout))
    // Parameters come with the document: lib/shared/command-document.ts refuses one that it does not have.
    .comments.filter(({ code, message }) => code !== 2154 || !/^SSM_[a-z]/.test(message))
    .map(
      ({ file, line, column, level, code, message }) =>
        `shellcheck SC${code} (${level}): ${message} at ${normalize(file)}:${line}:${column}`,
    );
  // A file that several scripts read is looked at with each.
  return [...new Set(lines)];
}
