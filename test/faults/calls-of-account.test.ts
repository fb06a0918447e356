/** Every call that reads the account, and what comes of it where it fails: once, for ever, late, in parts, refused. */
import { type BadDay, startBadDay } from './bad-day.ts';
import { callOutcomes } from './call-outcomes.ts';
import { hostCalls, readingCalls, rowsOfReading } from './calls.ts';
import { unexpected } from './outcome-table.ts';

let day: BadDay;

beforeAll(async () => {
  day = await startBadDay();
  // It reads the prices and tells everything.
  await day.run();
}, 240_000);
afterAll(() => day?.remove());

test('what reads the account', async () => {
  const rows = readingCalls.flatMap(rowsOfReading);
  const outcomes = await callOutcomes(day, await day.run(), 'Calls that read the account', rows);
  expect(unexpected(outcomes)).toEqual([]);
});

test('what asks hosts', async () => {
  await day.account.askHosts(true);
  const rows = hostCalls.flatMap(rowsOfReading);
  const outcomes = await callOutcomes(day, await day.run(), 'Calls that ask hosts', rows);
  expect(unexpected(outcomes)).toEqual([]);
});
