/**
 * npm run test:lab [-- JEST-ARGUMENTS]: the documents and scenarios on the lab's guest. Where there can be no lab it says
 * SKIPPED and why, and exits with 77: neither a pass nor a failure of what it tests.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureImage, LabUnavailable } from '../local/lab/image.ts';
import { labDirectory } from '../local/lab/lab.ts';

const skipped = 77;
const root = join(import.meta.dirname, '..');
try {
  ensureImage(labDirectory(root), (line) => console.error(line));
} catch (error) {
  if (!(error instanceof LabUnavailable)) throw error;
  console.error(`SKIPPED: ${error.message}. Nothing of the lab was tested.`);
  process.exit(skipped);
}
const jest = join(root, 'node_modules/jest/bin/jest.js');
const args = [jest, '--config', join(root, 'jest.lab.config.mjs'), ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
