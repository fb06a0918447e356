/** What a campaign is to prove, for a terminal: the load that was observed, and the two configurations. */
import { figure } from '../../core/figures.ts';
import type { BenchedFinding, BenchPlanAnswer } from '../../core/schemas/bench-plan-answer.ts';
import {
  configurationText,
  demandUnknownText,
  findingName,
  inFlightSourceWords,
} from '../wording/benchmark.ts';
import { problemInShort } from '../wording/finding-lines.ts';
import { costText, plural, sanitize, whole } from './text.ts';

function rateText({ servedIops, demandIops, demandUnknownReason }: BenchedFinding['observed']): string {
  const served = `${whole(servedIops)} IOPS served`;
  if (demandUnknownReason !== null) return `${served}; ${demandUnknownText(demandUnknownReason)}`;
  return demandIops !== null && Math.round(demandIops) > Math.round(servedIops)
    ? `${served}, demand ${whole(demandIops)} IOPS`
    : served;
}

function loadText(observed: BenchedFinding['observed'], { request: { work } }: BenchPlanAnswer): string {
  const { during, minutes, ioKiB, readShare, underWay, underWayBy } = observed;
  const load = work.kind === 'load' ? work.load : null;
  const when =
    during === 'throttled'
      ? `In its ${plural(Math.round(minutes), 'throttled minute')}`
      : `In its busiest ${plural(Math.round(minutes), 'minute')}`;
  const access = load === null ? '' : load.access.startsWith('rand') ? ' random' : ' sequential';
  const atOnce =
    underWay === null || underWayBy === null
      ? 'how many in flight is not known'
      : `${figure(underWay, 1)} in flight (by ${inFlightSourceWords[underWayBy]})`;
  return `${when}: ${figure(ioKiB, ioKiB < 10 ? 1 : 0)} KiB${access} I/O, ${whole(100 * readShare)} % reads; ${rateText(observed)}; ${atOnce}.`;
}

function measuredText({ request: { work, repeats } }: BenchPlanAnswer): string {
  if (work.kind !== 'load') return '';
  const { users, ioDepth, blockKiB, iops, readPercent, access } = work.load;
  const rate = iops === undefined ? 'as many operations as go' : `${whole(iops)} IOPS at most`;
  const times = repeats === 1 ? '' : `, ${repeats} times`;
  return `Measured: ${access}, ${whole(blockKiB)} KiB, ${readPercent} % reads, ${plural(users, 'user')} with ${whole(ioDepth)} in flight each, ${rate}, for ${plural(work.seconds, 'second')}${times}.`;
}

/** Empty where the campaign is to prove no finding. */
export function benchFindingText(answer: BenchPlanAnswer): string[] {
  const { validates } = answer;
  if (validates === undefined) return [];
  const { finding, observed, current, recommended, cost } = validates;
  const read =
    cost.apiCalls === 0
      ? []
      : [
          `Read for this: ${plural(cost.apiCalls, 'call')}, ${plural(cost.metricsRequested, 'metric')}, ${costText(cost.usd)}.`,
        ];
  return [
    `${sanitize(finding.id)}: ${findingName(finding)}: ${problemInShort(finding)}`,
    loadText(observed, answer),
    `  present: ${configurationText(current)}`,
    `  recommended: ${configurationText(recommended)}`,
    measuredText(answer),
    ...read,
    '',
  ];
}
