/** The order of the files of test:faults: Jest would begin with the largest, and the longest would run alone at the end. */
const longest = [
  'calls-of-stack',
  'calls-of-account',
  'leftovers',
  'load',
  'permissions',
  'interrupted-demo',
  'bad-runs',
];
const rank = ({ path }) => {
  const at = longest.findIndex((name) => path.endsWith(`/${name}.test.ts`));
  return at === -1 ? longest.length : at;
};

module.exports = class LongestFirst {
  sort(tests) {
    return [...tests].sort((a, b) => rank(a) - rank(b));
  }
  /** Times of earlier runs are of no use here. */
  cacheResults() {}
};
