// Imports point one way: bin -> cli -> adapters, report -> core. `core` imports nothing but itself and small
// pure libraries (node:crypto is the one built-in: the hash behind a finding's id).
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

export default {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }, 'A cycle means two rooms that are one.'),
    forbid('no-unresolved', {}, { couldNotResolve: true }, 'An import that does not exist.'),
    forbid(
      'core-is-pure',
      { path: '^core/' },
      { pathNot: ['^core/', '^node_modules/(zod|simple-statistics)/', '^crypto$'] },
      'The engine: data in, verdict out. No SDK, no clock, no files.',
    ),
    forbid(
      'adapters-know-core-only',
      { path: '^adapters/' },
      { path: '^(bin|cli|report|tools|test)/' },
      'Adapters speak the types of core; nobody above them.',
    ),
    forbid(
      'report-draws-core-values',
      { path: '^report/' },
      { path: '^(bin|cli|adapters|tools|test)/' },
      'Reports are made from values of core alone.',
    ),
    forbid(
      'cli-below-bin',
      { path: '^cli/' },
      { path: '^(bin|tools|test)/' },
      'Commands do not know who calls them.',
    ),
    forbid(
      'bin-only-wires',
      { path: '^bin/' },
      { path: '^(core|adapters|report|tools|test)/' },
      'Entry points, nothing else.',
    ),
    forbid(
      'tests-stay-outside',
      { path: '^(bin|cli|core|adapters|report)/' },
      { path: '^(test|tools)/' },
      'What ships does not import what tests it.',
    ),
    forbid(
      'simulator-is-independent',
      { path: '^test/simulator/' },
      {
        path: '^(bin|cli|adapters|report|core)/',
        pathNot: ['^core/limits/', '^core/units.ts$'],
      },
      'Known truth shares nothing with the engine but the limits, or it would repeat its mistakes.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'types'],
    },
  },
};
