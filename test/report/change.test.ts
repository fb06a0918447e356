/** A finding that changed: its title, its id, its urgency. */
import { byUrgency, changeIdOf, isPlainId, newsTitle, plainIdOf } from '../../report/change.ts';
import { aFinding, aNotification } from '../fixtures/findings.ts';

const [notified] = aNotification([aFinding()]).notified;
if (notified === undefined) throw new Error('there is one');

test.each([
  ['opened', 'New: throttled volume IOPS on vol-1 "db"'],
  ['worse', 'Worse: throttled volume IOPS on vol-1 "db"'],
  ['better', 'Better: throttled volume IOPS on vol-1 "db"'],
  ['resolved', 'Resolved: throttled volume IOPS on vol-1 "db"'],
  ['reopened', 'Back: throttled volume IOPS on vol-1 "db"'],
  ['validated', 'Benchmarked: throttled volume IOPS on vol-1 "db"'],
] as const)('%s', (change, title) => {
  expect(newsTitle({ ...notified, change })).toBe(title);
});

test('the id of a change is that of the message and that of the finding', () => {
  expect(changeIdOf({ id: 'run-1' }, { id: '0123456789abcdef' })).toBe('run-1:0123456789abcdef');
});

test.each([
  ['is longer than any of ours', 'x'.repeat(201)],
  ['is half a character', '\ud83d'],
  ['holds a space', 'a b'],
  ['is empty', ''],
])('an id that %s is hashed: the same again, and another for another one', (_, id) => {
  expect(isPlainId(id)).toBe(false);
  expect(plainIdOf(id)).toMatch(/^[0-9a-f]{64}$/);
  expect(plainIdOf(id)).toBe(plainIdOf(id));
  expect(plainIdOf(id)).not.toBe(plainIdOf(`${id} x`));
});

test('most urgent first, what is resolved last, and else in the order in which they were reported', () => {
  const some = [
    { ...notified, id: 'a', severity: 'info' },
    { ...notified, id: 'b', severity: 'critical', change: 'resolved' },
    { ...notified, id: 'c', severity: 'warning' },
    { ...notified, id: 'd', severity: 'critical' },
    { ...notified, id: 'e', severity: 'warning' },
  ] as const;
  expect(byUrgency(some).map(({ id }) => id)).toEqual(['d', 'c', 'e', 'a', 'b']);
});
