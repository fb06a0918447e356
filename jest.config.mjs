export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // They have commands of their own: npm run test:faults, test:lab, test:bench and test:browser.
  testPathIgnorePatterns: [
    '<rootDir>/test/faults/',
    '<rootDir>/test/lab/',
    '<rootDir>/test/bench-lab/',
    '<rootDir>/test/browser/',
  ],
  transform: {
    // What pages and pictures are made of lies in generated modules; Apache ECharts is ESM alone.
    '^.+(\\.ts|/generated/[^/]+\\.js|/node_modules/(echarts|zrender)/.+\\.js)$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!(echarts|zrender)/)'],
  // Jest leaves one core free by itself: of two that is half.
  maxWorkers: '100%',
  testTimeout: 60_000,
};
