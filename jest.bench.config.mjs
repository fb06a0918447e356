/** npm run test:bench: what campaigns need of the lab: its guests as instances, and the document that measures one load. */
import usual from './jest.config.mjs';

export default {
  ...usual,
  roots: ['<rootDir>/test/bench-lab'],
  testPathIgnorePatterns: [],
  testTimeout: 600_000,
};
