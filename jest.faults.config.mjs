/**
 * npm run test:faults: the deployed service on a bad day, three files at a time: each has a local AWS of its own, and waits
 * a good part of its time.
 */
import usual from './jest.config.mjs';

export default {
  ...usual,
  roots: ['<rootDir>/test/faults'],
  testPathIgnorePatterns: [],
  testSequencer: '<rootDir>/test/faults/longest-first.cjs',
  maxWorkers: 3,
  testTimeout: 600_000,
};
