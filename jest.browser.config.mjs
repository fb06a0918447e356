/** npm run test:browser: the pages of reports in a Chromium, one at a time. */
import { project, run } from './jest.config.mjs';

export default {
  ...run,
  ...project,
  displayName: 'browser',
  roots: ['<rootDir>/test/browser'],
  testMatch: ['**/*.test.ts'],
  maxWorkers: 1,
  testTimeout: 600_000,
};
