/** A fault in one call of the deployed audit, and what comes of it. */
import type { DeployedRun } from '../../local/run-audit.ts';
import type { Row } from './calls.ts';
import { seenOf } from './evaluation-outcome.ts';
import type { Incident } from './incident.ts';
import { notifiedInAll, notifyLater } from './notify-later.ts';
import { type Outcome, outcomesOf } from './outcome-table.ts';

/** What was reported of the fleet must be reported once, whatever happened between. */
async function outcomeOf(day: Incident, usual: DeployedRun, row: Row): Promise<Outcome> {
  const { call, kind, times, expected, names, sends = '' } = row;
  const { functionPart, service, operation, onlyAfterCrashAt } = call;
  const isNotifying = functionPart === 'NotifyFindings';
  day.gateway.reset();
  if (functionPart === 'RefreshCatalog') await day.account.forgetRegionCatalog();
  if (isNotifying) await day.account.forgetNotified();
  const before = await day.account.findingsPosted();
  if (onlyAfterCrashAt !== null)
    day.gateway.faults.add({ kind: 'crash', times: 1, operation: onlyAfterCrashAt, functionPart });
  const leastMet = onlyAfterCrashAt === null ? 1 : 2;
  day.gateway.faults.add({ kind, times, service, operation, functionPart, sends });
  const run = await day.run();
  const { ending, reason, wrong } = seenOf(run, usual);
  if (day.gateway.faults.met < leastMet) wrong.push('the fault was never met');
  if (!reason.includes(names)) wrong.push(`the reason does not name ${names}`);
  day.gateway.reset();
  // What somebody who died had begun to send is sent when their lease is over, also where the run was tried again and is whole.
  const isReportedYet = async () => (await day.account.findingsPostedInAll()) > before;
  if (isNotifying && (ending === 'failed' || !(await isReportedYet()))) await notifyLater(day);
  const toNotify = isNotifying ? notifiedInAll : 0;
  const notified = (await day.account.findingsPostedInAll()) - before;
  if (notified !== toNotify) wrong.push(`${notified} findings were posted and not ${toNotify}`);
  return {
    what: [functionPart, `${service}:${operation} ${sends}`.trim(), kind, times === 1 ? 'once' : 'for ever'],
    expected,
    seen: [ending, ...wrong, reason].filter((text) => text !== '').join(': '),
    asExpected: ending === expected && wrong.length === 0,
  };
}

/** @param usual the same run without trouble. */
export const callOutcomes = (
  day: Incident,
  usual: DeployedRun,
  title: string,
  rows: readonly Row[],
): Promise<Outcome[]> =>
  outcomesOf(title, ['function', 'call', 'fault', 'how often'], rows, (row) => outcomeOf(day, usual, row));
