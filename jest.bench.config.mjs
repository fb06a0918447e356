/** npm run test:bench: what campaigns need of the lab: its guests as instances, and the document that measures one load. */
import { project, run } from './jest.config.mjs';

export default {
  ...run,
  ...project,
  displayName: 'guests',
  roots: ['<rootDir>/test/bench-lab'],
  testMatch: ['**/*.test.ts'],
  testTimeout: 600_000,
};
