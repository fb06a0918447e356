/**
 * npm run test:resilience: the deployed service under faults, four files at a time: each has a local AWS of its own, and waits
 * a good part of its time.
 */
import { project, run } from './jest.config.mjs';

export default {
  ...run,
  ...project,
  displayName: 'resilience',
  roots: ['<rootDir>/test/resilience'],
  testMatch: ['**/*.test.ts'],
  // By itself, and where all is asked for: it takes both cores for many minutes (.ci/run --all).
  testPathIgnorePatterns: process.env['LOAD_ACCOUNTS'] === undefined ? ['load-accounts'] : [],
  testSequencer: '<rootDir>/test/resilience/longest-first.cjs',
  maxWorkers: 4,
  // For what hangs alone: beside a busy loop and another run of tests the longest test took 600 s. What tests cost is their budget.
  testTimeout: 1_200_000,
};
