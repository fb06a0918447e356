/** A campaign is one execution, and Step Functions ends one that has noted down 25,000 events: hosts would be left behind. */
import { defaultLimits } from '../search.ts';
import type { Estimate } from './estimate.ts';
import type { BenchRequest } from './request.ts';

/** Some are left for what is tried again. Source: Step Functions developer guide, quotas, read 2026-11-22. */
export const mostEvents = 20_000;

/** Of a cell, launched, waited for and ended: each look at a host that is not there yet is three. */
const ofCell = 120;
/** Of a command that is chosen and run. */
const ofCommand = 13;
/** While one runs, a look every three minutes (lib/bench/workflow.ts): the last is over, this one begun, sent, and waits. */
const ofLook = 4;
const looksPerHour = 20;

/** About how many events a campaign makes. */
export function eventsOf({ work, repeats, prepare }: BenchRequest, { cells }: Estimate): number {
  const runs = work.kind === 'search' ? defaultLimits.mostProbes : repeats;
  const commands = (prepare === 'nothing' ? 1 : 2) + runs + 1;
  const hours = cells.reduce((sum, cell) => sum + cell.hours, 0);
  return cells.length * (ofCell + commands * ofCommand) + hours * looksPerHour * ofLook;
}
