/** Every call of the deployed audit, and what comes of it where it fails: once, for ever, late, in parts, refused. */
import type { DeployedRun } from '../../local/run-audit.ts';
import { type BadDay, startBadDay } from './bad-day.ts';
import {
  hostCalls,
  ownCalls,
  type Row,
  readingCalls,
  rowsOfCrashes,
  rowsOfOwn,
  rowsOfReading,
} from './calls.ts';
import { seenOf } from './judge-outcome.ts';
import { type Outcome, printOutcomes, unexpected } from './outcome-table.ts';
import { tellLater, toldInAll } from './tell-later.ts';

let day: BadDay;
let usual: DeployedRun;

beforeAll(async () => {
  day = await startBadDay();
  // The first one reads the prices and tells everything.
  await day.run();
  usual = await day.run();
}, 240_000);
afterAll(() => day?.remove());

/** What was told of the fleet must be told once, whatever happened between. */
async function outcomeOf(row: Row): Promise<Outcome> {
  const { call, kind, times, expected, names } = row;
  const { functionPart, service, operation } = call;
  const isTelling = functionPart === 'TellFindings';
  day.gateway.reset();
  if (functionPart === 'RefreshMarket') await day.account.forgetMarket();
  if (isTelling) await day.account.forgetTold();
  const before = await day.account.findingsPosted();
  day.gateway.faults.add({ kind, times, service, operation, functionPart });
  const run = await day.run();
  const { ending, because, wrong } = seenOf(run, usual);
  if (day.gateway.faults.met === 0) wrong.push('the fault was never met');
  if (!because.includes(names)) wrong.push(`the reason does not name ${names}`);
  day.gateway.reset();
  if (isTelling && ending === 'failed') await tellLater(day);
  const toTell = isTelling ? toldInAll : 0;
  const told = (await day.account.findingsPostedUpTo(before + toTell)) - before;
  if (told !== toTell) wrong.push(`${told} findings were posted and not ${toTell}`);
  return {
    what: [functionPart, `${service}:${operation}`, kind, times === 1 ? 'once' : 'for ever'],
    expected,
    seen: [ending, ...wrong, because].filter((text) => text !== '').join(': '),
    asExpected: ending === expected && wrong.length === 0,
  };
}

async function table(title: string, rows: readonly Row[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const row of rows) outcomes.push(await outcomeOf(row));
  printOutcomes(title, ['function', 'call', 'fault', 'how often'], outcomes);
  return outcomes;
}

test('what reads the account', async () => {
  expect(unexpected(await table('Calls that read the account', readingCalls.flatMap(rowsOfReading)))).toEqual(
    [],
  );
});

test('what asks hosts', async () => {
  await day.account.askHosts(true);
  usual = await day.run();
  expect(unexpected(await table('Calls that ask hosts', hostCalls.flatMap(rowsOfReading)))).toEqual([]);
  await day.account.askHosts(false);
  usual = await day.run();
});

test('what the stack has itself', async () => {
  expect(unexpected(await table("Calls of the stack's own resources", ownCalls.flatMap(rowsOfOwn)))).toEqual(
    [],
  );
});

test('functions that die', async () => {
  const rows = rowsOfCrashes([...ownCalls, ...readingCalls]);
  expect(unexpected(await table('Functions that die at a call', rows))).toEqual([]);
});
