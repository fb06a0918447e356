/** npm run test:faults: the deployed service on a bad day, two files at a time: each has a local AWS of its own. */
import usual from './jest.config.mjs';

export default {
  ...usual,
  roots: ['<rootDir>/test/faults'],
  testPathIgnorePatterns: [],
  maxWorkers: 2,
  testTimeout: 600_000,
};
