/** npm run test:lab: SSM documents and scenarios on a Linux under QEMU, two guests at a time. */
import usual from './jest.config.mjs';

export default {
  ...usual,
  roots: ['<rootDir>/test/lab'],
  testPathIgnorePatterns: [],
  testSequencer: '<rootDir>/test/lab/order.cjs',
  maxWorkers: 2,
  testTimeout: 600_000,
};
