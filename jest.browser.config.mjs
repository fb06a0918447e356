/** npm run test:browser: the pages of reports in a Chromium, two files at a time. */
import { project, run } from './jest.config.mjs';

export default {
  ...run,
  ...project,
  displayName: 'browser',
  roots: ['<rootDir>/test/browser'],
  testMatch: ['**/*.test.ts'],
  maxWorkers: 2,
  testTimeout: 600_000,
};
