export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // They have commands of their own: npm run test:faults, test:lab and test:bench.
  testPathIgnorePatterns: ['<rootDir>/test/faults/', '<rootDir>/test/lab/', '<rootDir>/test/bench-lab/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
  // Jest leaves one core free by itself: of two that is half.
  maxWorkers: '100%',
  testTimeout: 60_000,
};
