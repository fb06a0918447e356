export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // They have a command of their own: npm run test:faults.
  testPathIgnorePatterns: ['<rootDir>/test/faults/'],
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
