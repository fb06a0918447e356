/** The unit tests first, then the longest suites: else the longest would run alone at the end. */
const { existsSync, readFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const budgetsFile = join(__dirname, 'budgets.json');
const root = join(__dirname, '../..');

module.exports = class {
  sort(tests) {
    const { suites } = existsSync(budgetsFile)
      ? JSON.parse(readFileSync(budgetsFile, 'utf8'))
      : { suites: {} };
    const rank = ({ path, context }) => ({
      isUnit: context.config.displayName?.name === 'unit',
      seconds: suites[relative(root, path)] ?? 0,
      path,
    });
    return tests
      .map((test) => ({ test, ...rank(test) }))
      .sort((a, b) => b.isUnit - a.isUnit || b.seconds - a.seconds || (a.path < b.path ? -1 : 1))
      .map(({ test }) => test);
  }

  /** Times of earlier runs are of no use here. */
  cacheResults() {}
};
