/** npm run test:bench: hosts of campaigns as guests of the lab. */
import usual from './jest.config.mjs';

export default {
  ...usual,
  roots: ['<rootDir>/test/bench-lab'],
  testPathIgnorePatterns: [],
  testTimeout: 600_000,
};
