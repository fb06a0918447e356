// Imports point one way: bin -> cli, lib; cli and the edges of lambdas -> use cases, adapters, report -> core. `core`
// imports nothing but itself and small pure libraries (two built-ins: node:crypto for signatures, node:zlib for what a variable holds).
import { builtinModules } from 'node:module';

const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

export default {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }, 'A cycle means two rooms that are one.'),
    forbid('no-unresolved', {}, { couldNotResolve: true }, 'An import that does not exist.'),
    forbid(
      'core-is-pure',
      { path: '^core/' },
      {
        pathNot: ['^core/', '^node_modules/(zod|simple-statistics|jstat|@noble/hashes)/', '^(crypto|zlib)$'],
      },
      'The engine: data in, evaluation out. No SDK, no clock, no files.',
    ),
    forbid(
      'adapters-know-core-only',
      { path: '^adapters/' },
      { path: '^(bin|cli|lambdas|lib|local|planner|report|tools|test)/' },
      'Adapters speak the types of core; nobody above them.',
    ),
    forbid(
      'report-draws-core-values',
      { path: '^report/' },
      { path: '^(bin|cli|adapters|lambdas|lib|local|planner|tools|test)/' },
      'Reports are made from values of core alone.',
    ),
    forbid(
      'pages-run-in-a-browser',
      { path: '^report/browser/' },
      { path: '^report/', pathNot: ['^report/(browser|charts|wording)/'] },
      'The client of a page is made of core, of charts, of the wording and of itself.',
    ),
    forbid(
      'pages-and-charts-know-no-node',
      { path: '^report/(browser|charts|wording)/', pathNot: ['^report/charts/picture\\.ts$'] },
      { dependencyTypes: ['core'] },
      'A browser has no built-in modules of Node.',
    ),
    forbid(
      'planner-is-a-page',
      { path: '^planner/' },
      {
        path: '^(bin|cli|adapters|lambdas|lib|local|tools|test)/|^report/',
        pathNot: ['^adapters/(files|archive)/', '^report/(browser|charts|wording|steps)/'],
      },
      'The planner is made of core, of readers of files, and of what the pages of reports are made of.',
    ),
    forbid(
      'planner-knows-no-node',
      { path: '^planner/' },
      { path: `^(node:)?(${builtinModules.join('|')})$`, reachable: true },
      'A browser has no built-in modules of Node: neither the planner nor anything that it reaches may import one.',
    ),
    forbid(
      'pictures-are-made-in-node',
      { path: '^report/(browser|charts)/', pathNot: ['^report/charts/picture\\.ts$'] },
      { path: '^report/charts/(picture\\.ts$|generated/)' },
      'What makes pictures brings 2 MB that no page needs.',
    ),
    forbid(
      'clients-of-pages-are-bundled',
      { pathNot: ['^(report/browser|planner)/', '^test/(report|planner)/'] },
      { path: '^(report/browser|planner)/' },
      'A client comes into its page as one text (tools/build-generated.mjs); nothing in Node imports it.',
    ),
    forbid(
      'cli-below-bin',
      { path: '^cli/' },
      { path: '^(bin|lib|local|planner|tools|test)/|^lambdas/[^/]+/(index|env)\\.ts$' },
      'Commands do not know who calls them; of the functions they call the use cases alone.',
    ),
    forbid(
      'use-cases-know-no-edge',
      { path: '^lambdas/', pathNot: ['/(index|env)\\.ts$', '^lambdas/[^/]+/handler/', '^lambdas/shared/'] },
      {
        path: '^(bin|cli|adapters|lib|local|tools|test)/|^lambdas/[^/]+/((index|env)\\.ts$|handler/)|^lambdas/shared/',
      },
      'A use case gets what it needs as functions: it runs in a function, on the command line and in a test.',
    ),
    forbid(
      'functions-do-not-know-the-house',
      { path: '^lambdas/' },
      { path: '^(bin|cli|lib|local|tools|test)/' },
      'What runs in the account is made of lambdas, adapters, report and core.',
    ),
    forbid(
      'stacks-know-contracts-only',
      { path: '^lib/' },
      {
        path: '^(bin|cli|adapters|report|local|tools|test)/|^lambdas/',
        pathNot: ['^lambdas/[^/]+/env\\.ts$', '^adapters/files/config-file\\.ts$'],
      },
      'Stacks know of a function its environment; and they read the file that says what to deploy.',
    ),
    forbid(
      'bin-only-wires',
      { path: '^bin/' },
      { path: '^(core|adapters|report|lambdas|local|tools|test)/' },
      'Entry points, nothing else.',
    ),
    forbid(
      'tests-stay-outside',
      { path: '^(bin|cli|core|adapters|report|lambdas|lib|planner)/' },
      { path: '^(test|tools|local)/' },
      'What ships does not import what tests it.',
    ),
    forbid(
      'simulator-is-independent',
      { path: '^test/simulator/' },
      {
        path: '^(bin|cli|adapters|report|core)/',
        pathNot: ['^core/limits/', '^core/units.ts$'],
      },
      'Ground truth shares nothing with the engine but the limits, or it would repeat its mistakes.',
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
