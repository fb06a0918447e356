/**
 * npm test: five tiers, each a project of Jest. `npm test -- --selectProjects unit` runs one of them, `npm test -- test/core/plan` what
 * lies there. What a tier may cost: test/tiers.
 */
import { availableParallelism } from 'node:os';

const below = (...folders) => folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`);

// Off Lambda nothing is traced, and X-Ray's automatic mode would watch each promise of a worker for good.
process.env['AWS_XRAY_MANUAL_MODE'] ??= 'true';

/** What every project of every configuration has. */
export const project = {
  testEnvironment: '<rootDir>/test/tiers/environment.cjs',
  // Without this a global costs a call into the context of the suite at each use: simulations take twice as long. No `Map`: a
  // class of the CDK has that name.
  sandboxInjectedGlobals: [
    ...['Array', 'JSON', 'Math', 'Number', 'Object', 'Set', 'String'],
    ...['Float64Array', 'Int32Array', 'Uint32Array', 'Uint8Array'],
  ],
  transform: {
    // What pages and pictures are made of lies in generated modules; Apache ECharts and hyparquet are ESM alone.
    '^.+(\\.ts|/generated/[^/]+\\.js|/node_modules/(echarts|zrender|hyparquet|hyparquet-writer)/.+\\.js)$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
  // What `npm run build` leaves there is a package of the same name.
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  transformIgnorePatterns: ['/node_modules/(?!(echarts|zrender|hyparquet|hyparquet-writer)/)'],
};

/** What a run has, whatever it runs. */
export const run = {
  reporters: ['default', '<rootDir>/test/tiers/reporter.cjs'],
  // A worker whose heap grew beyond this begins anew before its next suite: suites leave some of theirs behind.
  workerIdleMemoryLimit: '400MB',
  // A worker that loaded the SDK of AWS takes a third of a second to end, and on a busy machine longer than the usual half.
  workerGracefulExitTimeout: 5_000,
  // Suites that deploy wait a third of their time: three for two cores keep both busy.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  testTimeout: 60_000,
};

const tiers = {
  stacks: below('lib'),
  deployed: below('workflows'),
  emulator: below('local'),
  truth: below('simulator', 'ground-truth'),
};

/** What is no unit test: the other tiers, and what has a command of its own (npm run test:resilience, test:lab, test:bench, test:browser,
 * test:package). */
const elsewhere = [
  '<rootDir>/test/(lib|workflows|local|simulator|ground-truth|resilience|lab|bench-lab|browser|package)/',
];

export default {
  ...run,
  testSequencer: '<rootDir>/test/tiers/order.cjs',
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: elsewhere,
    },
    ...Object.entries(tiers).map(([displayName, testMatch]) => ({ ...project, displayName, testMatch })),
  ],
};
