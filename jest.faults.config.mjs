/** npm run test:faults: the deployed service on a bad day, file after file: each has a local AWS of its own. */
import usual from './jest.config.mjs';

export default {
  ...usual,
  roots: ['<rootDir>/test/faults'],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  testTimeout: 600_000,
};
