/** The Python that the local AWS runs on: a virtual environment in the checkout, made when it is first needed. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { release, spawnOwned } from './owned-process.ts';
import { findPython, venvOf, whyNotMade } from './venv.cjs';

/** @returns the version of the Python that the local AWS runs on, or would be installed on. @throws where there is none that fits. */
export function pythonVersion(root: string): string {
  const installed = venvOf(root).python;
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
  const { directory, python, isInstalled, makerArguments } = venvOf(root);
  if (isInstalled) return python;
  const made = spawnOwned(findPython(), makerArguments, {
    // Proxies and indexes are for pip to read there.
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
  throw new Error(whyNotMade(directory, status, trouble));
}
