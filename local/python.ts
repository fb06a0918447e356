/** The Python that the local AWS runs on: a virtual environment in the checkout, made when it is first needed. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { release, spawnOwned } from './owned-process.ts';

const oldestMinor = 11;
const names = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];

/** What a command answers to "which Python 3 are you?": its minor version, or undefined if there is none. */
function minorVersion(command: string): number | undefined {
  const asked = spawnSync(
    command,
    ['-c', 'import sys; print(sys.version_info[1] if sys.version_info[0] == 3 else 0)'],
    { encoding: 'utf8' },
  );
  return asked.status === 0 ? Number(asked.stdout) : undefined;
}

function findPython(): string {
  const found = names.map((command) => ({ command, minor: minorVersion(command) }));
  const fit = found.find(({ minor }) => minor !== undefined && minor >= oldestMinor);
  if (fit !== undefined) return fit.command;
  const old = found.find(({ minor }) => minor !== undefined);
  const why = old === undefined ? 'there is no python3 on PATH' : `${old.command} is 3.${old.minor}`;
  throw new Error(
    `the local AWS needs Python 3.${oldestMinor} or newer, and ${why}: install one that PATH reaches as python3.`,
  );
}

const venvOf = (root: string): string => join(root, '.local-aws', 'venv');

/** @returns the version of the Python that the local AWS runs on, or would be installed on. @throws where there is none that fits. */
export function pythonVersion(root: string): string {
  const installed = join(venvOf(root), 'bin', 'python');
  const asked = spawnSync(existsSync(installed) ? installed : findPython(), ['--version'], {
    encoding: 'utf8',
  });
  if (asked.status !== 0) throw new Error(`${installed} does not say its version`);
  return asked.stdout.trim();
}

interface EnsurePython {
  /** The checkout. */
  root: string;
  /** Called with in one line when something takes time. */
  say: (line: string) => void;
}

/** @returns the path of a Python that has exactly what local/requirements.txt lists. */
export async function ensurePython({ root, say }: EnsurePython): Promise<string> {
  const requirements = join(root, 'local', 'requirements.txt');
  const venv = venvOf(root);
  const python = join(venv, 'bin', 'python');
  const stamp = join(venv, 'installed');
  const desired = createHash('sha256')
    .update(`${process.platform}-${process.arch} ${venv}\n`) // a virtual environment cannot be moved
    .update(readFileSync(requirements))
    .digest('hex');
  // `python` is a link: it is there only while the Python it was made from is.
  if (existsSync(python) && existsSync(stamp) && readFileSync(stamp, 'utf8') === desired) return python;

  const maker = join(root, 'local', 'make_venv.py');
  const made = spawnOwned(findPython(), [maker, venv, requirements, desired], {
    // Whatever pip is reported of proxies and indexes.
    env: process.env as Record<string, string>,
    output: 'pipe',
  });
  createInterface(made.stdout as Readable).on('line', say);
  let trouble = '';
  (made.stderr as Readable).setEncoding('utf8').on('data', (text: string) => {
    trouble += text;
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    made.on('error', reject);
    made.on('close', resolve);
  });
  if (made.pid !== undefined) release(made.pid);
  if (status === 0) return python;
  const why = trouble.trim().split('\n').at(-1) || `it ended with status ${status}`;
  throw new Error(`the Python packages of the local AWS could not be installed into ${venv}: ${why}`);
}
