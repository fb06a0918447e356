/**
 * npm run test:lab, npm run test:bench [-- JEST-ARGUMENTS]: tests that need guests of the lab. Where there can be no lab it says
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
const [config = 'jest.lab.config.mjs', ...others] = process.argv.slice(2);
const args = [jest, '--config', join(root, config), ...others];
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
