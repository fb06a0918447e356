/** What a campaign is to prove, for a terminal: the load that was observed, and the two configurations. */
import { figure } from '../../core/figures.ts';
import type { BenchPlanAnswer, Proven } from '../../core/schemas/bench-plan-answer.ts';
import { costText, inert, plural, whole } from './text.ts';

function rateText({ servedIops, wantedIops, wantedUnknownBecause }: Proven['observed']): string {
  const served = `${whole(servedIops)} IOPS were served`;
  if (wantedIops === null)
    return `${served}; what was wanted is not known (${inert(wantedUnknownBecause ?? '')})`;
  return Math.round(wantedIops) > Math.round(servedIops) ? `${served}, ${whole(wantedIops)} wanted` : served;
}

function loadText(observed: Proven['observed'], { request: { work } }: BenchPlanAnswer): string {
  const { during, minutes, ioKiB, readShare, underWay, underWayBy } = observed;
  const load = work.kind === 'load' ? work.load : null;
  const when =
    during === 'held-back'
      ? `In the ${plural(Math.round(minutes), 'minute')} in which it was held back`
      : `In its busiest ${plural(Math.round(minutes), 'minute')}`;
  const access = load === null ? '' : load.access.startsWith('rand') ? ' random' : ' sequential';
  const atOnce =
    underWay === null
      ? 'how many at the same time is not known'
      : `${figure(underWay, 1)} at the same time (by its ${underWayBy})`;
  return `${when}: ${figure(ioKiB, ioKiB < 10 ? 1 : 0)} KiB${access} I/O, ${whole(100 * readShare)} % reads; ${rateText(observed)}; ${atOnce}.`;
}

function measuredText({ request: { work, repeats } }: BenchPlanAnswer): string {
  if (work.kind !== 'load') return '';
  const { users, ioDepth, blockKiB, iops, readPercent, access } = work.load;
  const rate = iops === undefined ? 'as many operations as go' : `${whole(iops)} IOPS at most`;
  const times = repeats === 1 ? '' : `, ${repeats} times`;
  return `Measured: ${access}, ${whole(blockKiB)} KiB, ${readPercent} % reads, ${plural(users, 'user')} with ${whole(ioDepth)} under way each, ${rate}, for ${plural(work.seconds, 'second')}${times}.`;
}

/** Empty where the campaign is to prove no finding. */
export function benchFindingText(answer: BenchPlanAnswer): string[] {
  const { finding } = answer;
  if (finding === undefined) return [];
  const { id, what, problem, observed, present, advised, cost } = finding;
  const read =
    cost.apiCalls === 0
      ? []
      : [
          `Read for this: ${plural(cost.apiCalls, 'call')}, ${plural(cost.metricsRequested, 'metric')}, ${costText(cost.usd)}.`,
        ];
  return [
    `${inert(id)}: ${inert(what)}: ${inert(problem, 500)}`,
    loadText(observed, answer),
    `  present: ${inert(present, 300)}`,
    `  advised: ${inert(advised, 300)}`,
    measuredText(answer),
    ...read,
    '',
  ];
}
