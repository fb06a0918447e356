/** npm run test:package: the installed form, the single file and the image, built and run as people do: Node 20, no network, no checkout. */
import { project, run } from './jest.config.mjs';

export default {
  ...run,
  ...project,
  displayName: 'package',
  roots: ['<rootDir>/test/package'],
  testMatch: ['**/*.test.ts'],
  // They share what is built.
  maxWorkers: 1,
  testTimeout: 300_000,
};
