/** npm run test:lab: SSM documents and scenarios on a Linux under QEMU, one guest at a time. */
import usual from './jest.config.mjs';

export default {
  ...usual,
  roots: ['<rootDir>/test/lab'],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  testTimeout: 600_000,
};
