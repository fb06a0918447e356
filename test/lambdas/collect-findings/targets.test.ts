/** A Region as the workflow hands it to the last step, whatever became of it. */
import { targetOf, targetSchema } from '../../../lambdas/collect-findings/targets.ts';

const discovered = { account: '111122223333', region: 'us-east-1', apiCalls: 3, incomplete: [] };
const old = { code: 'ebs-prices-unknown', region: 'us-east-1' };
const noPrices = { code: 'stored-prices-denied', region: 'us-east-1', reason: 'no' };
const noInstances = { code: 'instances-not-read', reason: 'no' };
const notRead = { code: 'region-not-read', region: 'us-east-1', reason: 'AccessDenied: no' };
const failure = { Error: 'AccessDenied', Cause: '{"errorMessage":"no"}' };
const read = (target: object) => targetOf(targetSchema.parse(target));

test('what refreshing the prices said and took is added', () => {
  expect(read({ ...discovered, refresh: { notices: [old], apiCalls: 4 } })).toMatchObject({
    ...{ region: 'us-east-1', failed: false, notices: [old] },
    apiCalls: 7, // 3 + 4
  });
});

test('one of an execution that began before prices were refreshed has nothing of it', () => {
  expect(read(discovered)).toMatchObject({ failed: false, apiCalls: 3, notices: [] });
  expect(read({ region: 'us-east-1', failure })).toMatchObject({ failed: true, apiCalls: 0, notices: [] });
});

test('what refreshing the prices was not allowed to do stands with what is incomplete, after that of the Region', () => {
  const refresh = { notices: [], incomplete: [noPrices], apiCalls: 1 };
  expect(read({ ...discovered, incomplete: [noInstances], refresh })).toMatchObject({
    ...{ failed: false, notices: [], incomplete: [noInstances, noPrices] },
    apiCalls: 4, // 3 + 1
  });
  expect(read({ region: 'us-east-1', refresh, failure })).toMatchObject({
    failed: true,
    incomplete: [notRead, noPrices],
  });
});

test('a step of before that told nothing incomplete has nothing', () => {
  expect(read({ ...discovered, refresh: { notices: [], apiCalls: 4 } })).toMatchObject({ incomplete: [] });
});

test('what failed is said, each under its name', () => {
  expect(read({ ...discovered, refresh: { failure } }).notices).toEqual([
    {
      code: 'prices-not-refreshed',
      ...{ region: 'us-east-1', reason: 'AccessDenied: no', used: 'those-of-before', asOf: null },
    },
  ]);
  expect(read({ region: 'us-east-1', refresh: { notices: [], apiCalls: 1 }, failure }).incomplete).toEqual([
    notRead,
  ]);
});

test('a Region is whole where its resources were all listed, whatever became of its prices', () => {
  const refresh = { notices: [], incomplete: [noPrices], apiCalls: 1 };
  expect(read({ ...discovered, refresh }).whole).toBe(true);
  expect(read({ ...discovered, incomplete: [noInstances] }).whole).toBe(false);
  expect(read({ region: 'us-east-1', failure }).whole).toBe(false);
});
