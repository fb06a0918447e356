/** Why an option is what it is, in plain words: price, limit, risk, and what to know before taking it. */
import { figure, usdText } from '../figures.ts';
import { gp3Figures } from '../limits/volume-limits.ts';
import { isHdd } from '../limits/volume-types.ts';
import type { Delivered } from './delivered.ts';
import { rateText } from './failure-rate.ts';
import { spreadOverCards } from './instance-choice.ts';
import { dataMembers, type Need, piecesOf, ssdUnitKiB, writePenalty } from './need.ts';
import { type Candidate, type Constraints, sameUsd } from './search.ts';

/** A stripe was measured to give about 98 % of its members' sum at depth. */
const leastHeadroom = 0.02;

const percent = (share: number): string => `${figure(share * 100, 4)} %`;

export interface Ranked {
  candidate: Candidate;
  cheapest: Candidate;
  /** On the front of price against failure rate. */
  isFront: boolean;
  isCheapestSingle: boolean;
  legal: number;
}

/** A price that is not known is after all that are. */
const isPriced = ({ instance }: Candidate): boolean => instance === null || instance.monthlyUsd.known;

function rankReason({ candidate, cheapest, isFront, isCheapestSingle, legal }: Ranked): string {
  if (candidate === cheapest) return `the cheapest of ${legal} layouts that are legal and good enough`;
  const dearer = candidate.rank - cheapest.rank;
  if (dearer <= sameUsd) return 'the same price as the cheapest, with more members';
  const single = isCheapestSingle ? 'the cheapest single volume: ' : '';
  const elsewhere = candidate.volumesUsd === null ? ', by the prices of another Region' : '';
  const more =
    candidate.volumesUsd !== null && isPriced(cheapest) && !isPriced(candidate)
      ? 'after those with a known price'
      : `${usdText(dearer)} a month more than the cheapest${elsewhere}`;
  return isFront
    ? `${single}${more}, for an annual failure rate of ${rateText(candidate.annualFailureRate)} instead of ${rateText(cheapest.annualFailureRate)}`
    : `${single}${more}`;
}

function gp3Reason({ members, iops, throughputMiBps }: Candidate['layout']): string {
  const each = members === 1 ? 'it brings' : 'each member brings';
  const free = `${each} ${figure(gp3Figures.freeIops)} IOPS and ${gp3Figures.freeMiBps} MiB/s for nothing`;
  const paid = [
    iops > gp3Figures.freeIops ? `${figure(iops - gp3Figures.freeIops)} IOPS` : '',
    throughputMiBps > gp3Figures.freeMiBps ? `${figure(throughputMiBps - gp3Figures.freeMiBps)} MiB/s` : '',
  ].filter((part) => part !== '');
  if (paid.length === 0) return `${free}: storage alone is paid`;
  return `${free}; ${paid.join(' and ')}${members === 1 ? '' : ' a member'} are paid above it`;
}

const typeReasons: Record<string, (layout: Candidate['layout']) => string> = {
  gp3: gp3Reason,
  io2: () =>
    'io2 keeps its performance 99.9 % of the time and is 99.999 % durable, under half a millisecond on average at 16 KiB; gp3 says 99 %, and 99.8 to 99.9 % durable',
  io1: () => 'io1 keeps its performance 99.9 % of the time; it is as durable as gp3',
  gp2: () =>
    'what gp2 has all the time is counted (3 IOPS a GiB), not its burst, which ends with its credits',
  st1: () =>
    'HDD for large sequential I/O: what st1 has all the time is counted (40 MiB/s a TiB), not its burst',
  sc1: () =>
    'the cheapest storage, HDD for large sequential I/O: what sc1 has all the time is counted (12 MiB/s a TiB), not its burst',
};

const figureNames: Record<string, string> = { iops: 'IOPS', throughput: 'throughput' };

/** "its volumes’ IOPS and throughput, the instance’s IOPS". */
function bindingText(bindingLimit: string): string {
  const names = bindingLimit.split('+');
  const figuresOf = (whose: string, isMine: (name: string) => boolean): string[] => {
    const mine = names.filter(isMine).map((name) => figureNames[name.replace('instance-', '')] ?? name);
    return mine.length === 0 ? [] : [`${whose} ${mine.join(' and ')}`];
  };
  const isInstance = (name: string): boolean => name.startsWith('instance-');
  return [
    ...figuresOf('its volumes’', (name) => !isInstance(name)),
    ...figuresOf('the instance’s', isInstance),
  ].join(', ');
}

function bindingReason({ bindingLimit, headroom }: Delivered): string {
  if (bindingLimit === 'capacity') return 'nothing but capacity was asked for';
  const room =
    headroom < 0.0005
      ? 'without room above what was asked'
      : `with room for ${percent(Math.floor(headroom * 1000) / 1000)} more`;
  return `what a growing load meets first: ${bindingText(bindingLimit)}, ${room}`;
}

function stripeReasons(need: Need, { layout, shape }: Candidate, delivered: Delivered): string[] {
  const { kind, members } = layout;
  if (members === 1) return [];
  const pieces = piecesOf(need, shape);
  const penalty = writePenalty(kind);
  const risk = {
    stripe: 'it is lost when any member is',
    raid10:
      'it is lost when both volumes of a pair are; half of the capacity is the second copy, and every write is two I/Os',
    raid5: 'it is lost when two members are; a write costs four I/Os (read data and parity, write both)',
    single: '',
  }[kind];
  return [
    risk,
    ...(penalty > 1
      ? [
          `with ${percent(1 - need.readShare)} writes, 100 I/Os are ${figure(100 * (need.readShare + (1 - need.readShare) * penalty))} on the members`,
        ]
      : []),
    ...(pieces > 1 && !isHdd(layout.volumeType)
      ? [
          `an I/O of ${figure(need.ioSizeKiB)} KiB is ${pieces} I/Os of the members at a chunk of ${figure(shape.chunkKiB)} KiB`,
        ]
      : []),
    ...(shape.stripeEfficiency === 1 && delivered.headroom < leastHeadroom
      ? [
          'a stripe was measured to give about 98 % of its members’ sum, and this one has less than 2 % of room: --stripe-efficiency 0.98 plans for that',
        ]
      : []),
  ];
}

function sizeReason(need: Need, { layout }: Candidate): string[] {
  const held = layout.sizeGiB * dataMembers(layout);
  return held >= need.capacityGiB + layout.members
    ? [
        `${figure(held)} GiB in all: more than was asked, because ${layout.volumeType} gives so much performance only from this size on`,
      ]
    : [];
}

function instanceReasons({ instance, instanceRates, layout }: Candidate): string[] {
  if (instance === null || instance.type.ebs === null) return [];
  const { type, monthlyUsd } = instance;
  const { baselineIops, maximumIops, baselineMiBps } = instance.type.ebs;
  const cards = spreadOverCards(type, instanceRates, layout.members);
  return [
    `${type.instanceType} carries ${figure(baselineIops)} IOPS and ${figure(baselineMiBps, 0)} MiB/s all the time (its baseline)${maximumIops > baselineIops ? `; its maximum of ${figure(maximumIops)} is only promised for 30 minutes in 24 h` : ''}`,
    ...(type.currentGeneration ? [] : [`${type.instanceType} is of a previous generation`]),
    ...(cards.length > 1
      ? [
          `put ${cards.map((count, i) => `${count} on EBS card ${i}`).join(', ')}: each card has limits of its own`,
        ]
      : []),
    ...(monthlyUsd.known ? [] : [`its price is unknown: ${monthlyUsd.because}`]),
  ];
}

/** AWS counts sequential I/O that it merges as one; whether it does depends on what is queued together. */
function mergeReason({ access, ioSizeKiB }: Need, { volumeType }: Candidate['layout']): string[] {
  const merged = Math.floor(ssdUnitKiB / ioSizeKiB);
  return access === 'sequential' && merged > 1 && !isHdd(volumeType)
    ? [
        `up to ${merged} sequential I/Os of ${figure(ioSizeKiB)} KiB can count as one of ${ssdUnitKiB} KiB: this plan does not rely on it`,
      ]
    : [];
}

/** Sentences, the most important first. */
export function reasonsOf(
  ranked: Ranked,
  need: Need,
  delivered: Delivered,
  constraints: Constraints,
): string[] {
  const { candidate } = ranked;
  const typeReason = typeReasons[candidate.layout.volumeType];
  return [
    rankReason(ranked),
    ...(typeReason === undefined ? [] : [typeReason(candidate.layout)]),
    ...sizeReason(need, candidate),
    bindingReason(delivered),
    ...stripeReasons(need, candidate, delivered),
    ...mergeReason(need, candidate.layout),
    ...instanceReasons(candidate),
    ...(constraints.deployment === 'outposts' && candidate.layout.volumeType === 'gp3'
      ? ['on Outposts gp3 stops at 16 TiB, 16,000 IOPS and 1,000 MiB/s']
      : []),
  ];
}
