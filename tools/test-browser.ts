/**
 * npm run test:browser [-- JEST-ARGUMENTS]: tests that open the pages of reports in a Chromium. Where there can be none it says
 * SKIPPED and why, and exits with 77: neither a pass nor a failure of what it tests.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ChromiumUnavailable, ensureChromium } from '../test/browser/chromium.ts';

const skipped = 77;
const root = join(import.meta.dirname, '..');
function chromium(): string {
  try {
    return ensureChromium((line) => console.error(line));
  } catch (error) {
    if (!(error instanceof ChromiumUnavailable)) throw error;
    console.error(`SKIPPED: ${error.message}. No page was tested.`);
    process.exit(skipped);
  }
}
const env = { ...process.env, CHROMIUM: chromium() };
const run = (file: string, ...args: string[]): number =>
  spawnSync(process.execPath, [join(root, file), ...args], { cwd: root, stdio: 'inherit', env }).status ?? 1;
process.exit(
  run('test/browser/write-pages.ts') ||
    run(
      'node_modules/jest/bin/jest.js',
      '--config',
      join(root, 'jest.browser.config.mjs'),
      ...process.argv.slice(2),
    ),
);
