/** A fault in one call of the deployed audit, and what comes of it. */
import type { DeployedRun } from '../../local/run-audit.ts';
import type { BadDay } from './bad-day.ts';
import type { Row } from './calls.ts';
import { seenOf } from './judge-outcome.ts';
import { type Outcome, outcomesOf } from './outcome-table.ts';
import { tellLater, toldInAll } from './tell-later.ts';

/** What was told of the fleet must be told once, whatever happened between. */
async function outcomeOf(day: BadDay, usual: DeployedRun, row: Row): Promise<Outcome> {
  const { call, kind, times, expected, names, sends = '' } = row;
  const { functionPart, service, operation, onlyAfterCrashAt } = call;
  const isTelling = functionPart === 'TellFindings';
  day.gateway.reset();
  if (functionPart === 'RefreshMarket') await day.account.forgetMarket();
  if (isTelling) await day.account.forgetTold();
  const before = await day.account.findingsPosted();
  if (onlyAfterCrashAt !== null)
    day.gateway.faults.add({ kind: 'crash', times: 1, operation: onlyAfterCrashAt, functionPart });
  const leastMet = onlyAfterCrashAt === null ? 1 : 2;
  day.gateway.faults.add({ kind, times, service, operation, functionPart, sends });
  const run = await day.run();
  const { ending, because, wrong } = seenOf(run, usual);
  if (day.gateway.faults.met < leastMet) wrong.push('the fault was never met');
  if (!because.includes(names)) wrong.push(`the reason does not name ${names}`);
  day.gateway.reset();
  // What somebody who died had begun to send is sent when their lease is over, also where the run was tried again and is whole.
  const isToldYet = async () => (await day.account.findingsPostedInAll()) > before;
  if (isTelling && (ending === 'failed' || !(await isToldYet()))) await tellLater(day);
  const toTell = isTelling ? toldInAll : 0;
  const told = (await day.account.findingsPostedInAll()) - before;
  if (told !== toTell) wrong.push(`${told} findings were posted and not ${toTell}`);
  return {
    what: [functionPart, `${service}:${operation} ${sends}`.trim(), kind, times === 1 ? 'once' : 'for ever'],
    expected,
    seen: [ending, ...wrong, because].filter((text) => text !== '').join(': '),
    asExpected: ending === expected && wrong.length === 0,
  };
}

/** @param usual the same run without trouble. */
export const callOutcomes = (
  day: BadDay,
  usual: DeployedRun,
  title: string,
  rows: readonly Row[],
): Promise<Outcome[]> =>
  outcomesOf(title, ['function', 'call', 'fault', 'how often'], rows, (row) => outcomeOf(day, usual, row));
