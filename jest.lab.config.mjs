/** npm run test:lab: SSM documents and scenarios on a Linux under QEMU, two guests at a time. */
import { project, run } from './jest.config.mjs';

export default {
  ...run,
  ...project,
  displayName: 'lab',
  roots: ['<rootDir>/test/lab'],
  testMatch: ['**/*.test.ts'],
  testSequencer: '<rootDir>/test/lab/order.cjs',
  maxWorkers: 2,
  testTimeout: 600_000,
};
