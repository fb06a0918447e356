/** Every call that reads the account, and what comes of it where it fails: once, for ever, late, in parts, refused. */

import { callOutcomes } from './call-outcomes.ts';
import { hostCalls, readingCalls, rowsOfReading } from './calls.ts';
import { type Incident, startIncident } from './incident.ts';
import { unexpected } from './outcome-table.ts';

let day: Incident;

beforeAll(async () => {
  day = await startIncident();
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
  await day.account.discoverHosts(true);
  const rows = hostCalls.flatMap(rowsOfReading);
  const outcomes = await callOutcomes(day, await day.run(), 'Calls that ask hosts', rows);
  expect(unexpected(outcomes)).toEqual([]);
});
