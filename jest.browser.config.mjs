/** npm run test:browser: the pages of reports in a Chromium, one at a time. */
import usual from './jest.config.mjs';

export default {
  ...usual,
  roots: ['<rootDir>/test/browser'],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  testTimeout: 600_000,
};
