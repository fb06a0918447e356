/**
 * The order of the files of test:lab: the longest first, and last what is measured with the least of a margin. RAID5 needs a
 * processor to write; at the end of its scenario no other guest is left that wants one.
 */
module.exports = require('../in-order.cjs')(
  [
    'build-stripe',
    'run-fio',
    'teardown-stripe',
    'hostile-parameters',
    'initialize-volumes',
    'scenario-linear-against-stripe',
  ],
  ['scenario-raid-comparison'],
);
