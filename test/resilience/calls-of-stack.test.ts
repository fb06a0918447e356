/** Every call of what the stack has itself, and what comes of it where it fails; and functions that die at a call. */
import type { DeployedRun } from '../../local/run-audit.ts';
import { callOutcomes } from './call-outcomes.ts';
import { ownCalls, readingCalls, rowsOfCrashes, rowsOfNotifying, rowsOfOwn } from './calls.ts';
import { type Incident, startIncident } from './incident.ts';
import { unexpected } from './outcome-table.ts';

let day: Incident;
let usual: DeployedRun;

beforeAll(async () => {
  day = await startIncident();
  // The first one reads the prices and tells everything.
  await day.run();
  usual = await day.run();
}, 240_000);
afterAll(() => day?.remove());

test('what the stack has itself', async () => {
  const title = "Calls of the stack's own resources";
  expect(unexpected(await callOutcomes(day, usual, title, rowsOfOwn(ownCalls)))).toEqual([]);
});

test('functions that die', async () => {
  const rows = rowsOfCrashes([...ownCalls, ...readingCalls]);
  expect(unexpected(await callOutcomes(day, usual, 'Functions that die at a call', rows))).toEqual([]);
});

test('the notify function dies between any two of its steps: each finding is reported once all the same', async () => {
  const title = 'Notifying that dies between two steps';
  expect(unexpected(await callOutcomes(day, usual, title, rowsOfNotifying))).toEqual([]);
});
