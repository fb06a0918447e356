/** What is said of a run beside its results: to know, or what makes it partial. */
import { allRemarks, remarkOn } from '../../../core/audit/remarks.ts';
import { AccessDenied, Throttled, Unavailable, Unreadable } from '../../../core/errors.ts';

test('what is not allowed makes the run partial', () => {
  expect(remarkOn(new AccessDenied('no'), 'no prices')).toEqual({ notices: [], incomplete: ['no prices'] });
});

test.each([
  new Unreadable('odd'),
  new Throttled('slow down'),
  new Unavailable('try later'),
  new Error('odd'),
])('%s is a notice, and the run is complete all the same', (error) => {
  expect(remarkOn(error, 'no prices')).toEqual({ notices: ['no prices'], incomplete: [] });
});

test('remarks of several are put together in their order, each in its place', () => {
  const remarks = [
    { notices: ['one'], incomplete: ['two'] },
    { notices: [], incomplete: ['three'] },
    { notices: ['four'], incomplete: [] },
  ];
  expect(allRemarks(remarks)).toEqual({ notices: ['one', 'four'], incomplete: ['two', 'three'] });
  expect(allRemarks([])).toEqual({ notices: [], incomplete: [] });
});
