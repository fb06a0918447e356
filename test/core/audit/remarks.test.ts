/** What is said of a run beside its results: to know, or what makes it partial. */
import { allRemarks, remarkOn } from '../../../core/audit/remarks.ts';
import { AccessDenied, Throttled, Unavailable, Unreadable } from '../../../core/errors.ts';

const noPrices = { code: 'ebs-prices-unknown', region: 'us-east-1' } as const;
const noHosts = { code: 'hosts-denied', reason: 'no' } as const;
const noChecks = { code: 'checks-not-listed', reason: 'no' } as const;
const cost = { code: 'cost-is-at-least' } as const;

test('what is not allowed makes the run partial', () => {
  expect(remarkOn(new AccessDenied('no'), noPrices)).toEqual({ notices: [], incomplete: [noPrices] });
});

test.each([
  new Unreadable('odd'),
  new Throttled('slow down'),
  new Unavailable('try later'),
  new Error('odd'),
])('%s is a notice, and the run is complete all the same', (error) => {
  expect(remarkOn(error, noPrices)).toEqual({ notices: [noPrices], incomplete: [] });
});

test('remarks of several are put together in their order, each in its place', () => {
  const remarks = [
    { notices: [noPrices], incomplete: [noHosts] },
    { notices: [], incomplete: [noChecks] },
    { notices: [cost], incomplete: [] },
  ];
  expect(allRemarks(remarks)).toEqual({ notices: [noPrices, cost], incomplete: [noHosts, noChecks] });
  expect(allRemarks([])).toEqual({ notices: [], incomplete: [] });
});
