/**
 * The order of the files of test:resilience: Jest would begin with the largest, and the longest would run alone at the end. Last are
 * those whose functions have few seconds.
 */
module.exports = require('../in-order.cjs')(
  [
    'load',
    'calls-of-stack',
    'calls-of-account',
    'orphans',
    'permissions',
    'campaign-permissions',
    'campaigns',
    'campaigns-interrupted',
    'interrupted-demo',
    'bad-runs',
  ],
  ['deliveries-of-others', 'deliveries', 'deliveries-dying'],
);
