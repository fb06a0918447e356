/**
 * The order of the files of test:lab: the longest first, and at the end what RAID5 is measured in. Its writes need a processor:
 * while it comes to them, the two short ones after it end, and no other guest is left that wants one.
 */
module.exports = require('../in-order.cjs')(
  [
    'build-stripe',
    'run-fio',
    'teardown-stripe',
    'untrusted-parameters',
    'initialize-volumes',
    'scenario-linear-against-stripe',
  ],
  ['scenario-raid-comparison', 'scenario-straggler', 'scenario-gp2-burst'],
);
