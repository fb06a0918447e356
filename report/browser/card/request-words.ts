/** What a campaign was asked, in words. */
import type { BenchLayout, BenchRequest, Load, Work } from '../../../core/benchmark/campaign/request.ts';
import { figure, usdText } from '../../../core/figures.ts';
import { goalText, volumeFigures } from '../../wording/campaign.ts';
import { loadText, usersText } from '../../wording/report-card.ts';

function layoutWords({ kind, members, volumeType, chunkKiB, fileSystem, ...figures }: BenchLayout): string {
  const each = volumeFigures(figures);
  const isStriped = kind !== 'single' && kind !== 'linear';
  const of = members === 1 ? `one ${volumeType} volume` : `${kind} of ${members} ${volumeType} volumes`;
  return `${of} of ${each}${members === 1 ? '' : ' each'}${isStriped ? `, chunks of ${chunkKiB} KiB` : ''}, ${fileSystem}`;
}

function mixText({ access, readPercent }: Pick<Load, 'access' | 'readPercent'>): string {
  return access === 'rw' || access === 'randrw' ? ` (${readPercent} % reads)` : '';
}

function workWords(work: Work): string {
  if (work.kind === 'profile')
    return `the profile ${work.profile}, ${work.variant === 'full' ? 'in full' : 'in short'}`;
  const { load, seconds } = work;
  if (work.kind === 'search')
    return `a search for the ${goalText(work.goal)}: ${loadText(load)}${mixText(load)}, more and more at once, ${figure(seconds)} s each time`;
  const { users, ioDepth, iops } = work.load;
  const asked = iops === undefined ? 'as many as go' : `${figure(iops)} IOPS of all together`;
  return `${loadText(load)}${mixText(load)} by ${usersText(users)}, ${figure(ioDepth)} of each at once, ${asked}, for ${figure(seconds)} s`;
}

function repeatsWords({ work, repeats }: BenchRequest): string {
  if (work.kind === 'search') return 'what it finds, by itself';
  return repeats === 1 ? 'none: measured once' : `measured ${repeats} times`;
}

const prepareWords: Readonly<Record<BenchRequest['prepare'], string>> = {
  nothing: 'nothing',
  initialize: 'every block was read once',
  'drain-credits': 'burst credits were spent',
};

export interface Said {
  what: string;
  words: string;
}

export const requestWords = (request: BenchRequest): Said[] => [
  ...request.layouts.map((layout) => ({ what: `Layout ${layout.name}`, words: layoutWords(layout) })),
  { what: 'Instance types', words: request.instanceTypes.join(', ') },
  { what: 'Measured', words: workWords(request.work) },
  { what: 'Repeats', words: repeatsWords(request) },
  { what: 'Before it', words: prepareWords[request.prepare] },
  {
    what: 'Ended at the latest',
    words: `before it costs ${usdText(request.ceilingUsd)}, or after ${figure(request.hoursAtMost)} h`,
  },
  { what: 'Hosts at once', words: `${request.hostsAtOnce} at most` },
];
