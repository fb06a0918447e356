/**
 * The order of the files of test:resilience: Jest would begin with the largest, and the longest would run alone at the end. Last are
 * those whose functions have few seconds.
 */
module.exports = require('../in-order.cjs')(
  [
    'calls-of-stack',
    'calls-of-account',
    'orphans',
    'load',
    'permissions',
    'campaign-permissions',
    'campaigns',
    'campaigns-interrupted',
    'interrupted-demo',
    'bad-runs',
  ],
  ['deliveries', 'deliveries-dying', 'deliveries-of-others'],
);
