/** Why an option is what it is, in plain words: price, limit, risk, and what to know before taking it. */
import { figure, usdText } from '../figures.ts';
import { gp2Figures, gp3Figures, hddFigures, sizeBoundsGiB } from '../limits/volume-limits.ts';
import { isHdd } from '../limits/volume-types.ts';
import type { Delivered } from './delivered.ts';
import { instanceReasons } from './explain-instance.ts';
import { rateText } from './failure-rate.ts';
import type { PricedInstance } from './instance-choice.ts';
import { dataMembers, type Need, piecesOf, ssdUnitKiB, writePenalty } from './need.ts';
import { type Candidate, sameUsd } from './search.ts';

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
  /** The cheapest instance that carries it, of the current generation and without CPU credits. */
  usualInstance: PricedInstance | null;
  /** Reached by ModifyVolume, and shown for that alone. */
  isInPlace: boolean;
  /** Of what stands today; null where nothing was said of it. */
  presentFailureRate: number | null;
}

/** A price that is not known is after all that are. */
const isPriced = ({ instance }: Candidate): boolean => instance === null || instance.monthlyUsd.known;

/** How it compares with the cheapest in risk, where that is the reason to take it. */
function riskReason(candidate: Candidate, cheapest: Candidate): string {
  const [rate, other] = [candidate, cheapest].map(({ annualFailureRate }) => rateText(annualFailureRate));
  return rate === other ? '' : `, for an annual failure rate of ${rate} instead of ${other}`;
}

function rankReason(ranked: Ranked): string {
  const { candidate, cheapest, isFront, isCheapestSingle, isInPlace, legal } = ranked;
  if (candidate === cheapest) return `the cheapest of ${legal} layouts that are legal and good enough`;
  const dearer = candidate.rank - cheapest.rank;
  const what = isInPlace ? 'in place: ' : isCheapestSingle ? 'the cheapest single volume: ' : '';
  const risk = isFront ? riskReason(candidate, cheapest) : '';
  if (dearer <= sameUsd) {
    const more = candidate.layout.members > cheapest.layout.members ? ', with more members' : '';
    return `${what}the same price as the cheapest${more}${risk}`;
  }
  if (candidate.volumesUsd !== null && isPriced(cheapest) && !isPriced(candidate))
    return `${what}after those with a known price${risk}`;
  const elsewhere = candidate.volumesUsd === null ? ', by the prices of another Region' : '';
  return `${what}${usdText(dearer)} a month more than the cheapest${elsewhere}${risk}`;
}

/** A lower price at a higher risk is no bargain that nobody speaks of. */
function presentRiskReason({ candidate, presentFailureRate }: Ranked): string[] {
  const rate = candidate.annualFailureRate;
  return presentFailureRate !== null && rate > presentFailureRate * 1.01
    ? [`it loses data with ${rateText(rate)} a year, what stands today with ${rateText(presentFailureRate)}`]
    : [];
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
    `what gp2 has all the time is counted (${gp2Figures.iopsPerGiB} IOPS a GiB), not its burst, which ends with its credits`,
  st1: () =>
    `HDD for large sequential I/O: what st1 has all the time is counted (${hddFigures.st1.baselineMiBpsPerTiB} MiB/s a TiB), not its burst`,
  sc1: () =>
    `the cheapest storage, HDD for large sequential I/O: what sc1 has all the time is counted (${hddFigures.sc1.baselineMiBpsPerTiB} MiB/s a TiB), not its burst`,
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

function sizeReason(need: Need, ranked: Ranked): string[] {
  const { layout } = ranked.candidate;
  const held = layout.sizeGiB * dataMembers(layout);
  if (held < need.capacityGiB + layout.members || ranked.isInPlace) return [];
  const smallest = sizeBoundsGiB[layout.volumeType].min;
  return [
    layout.sizeGiB === smallest
      ? `${figure(held)} GiB in all: the smallest ${layout.volumeType} has ${smallest} GiB`
      : `${figure(held)} GiB in all: more than was asked, because ${layout.volumeType} gives so much performance only from this size on`,
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
export function reasonsOf(ranked: Ranked, need: Need, delivered: Delivered): string[] {
  const { candidate } = ranked;
  const typeReason = typeReasons[candidate.layout.volumeType];
  return [
    rankReason(ranked),
    ...(typeReason === undefined ? [] : [typeReason(candidate.layout)]),
    ...presentRiskReason(ranked),
    ...sizeReason(need, ranked),
    bindingReason(delivered),
    ...stripeReasons(need, candidate, delivered),
    ...mergeReason(need, candidate.layout),
    ...instanceReasons(candidate, ranked.usualInstance),
  ];
}
