/** The configurations that are tried for a load that was throttled: in place, grown in place, as a stripe. */

import type { Thresholds } from '../diagnosis/thresholds.ts';
import {
  gp3Figures,
  hddFigures,
  isHdd,
  provisionedFigures,
  sizeBoundsGiB,
  ssdMiBPerIo,
  topIops,
  type VolumeConfiguration,
  type VolumeLimits,
  type VolumeType,
  volumeLimits,
} from '../limits/volume-limits.ts';
import { annualFailureRate, cheapestMember } from '../plan/cheapest-member.ts';
import { type Layout, minHddIoKiB, type Rates } from '../plan/layout.ts';
import { type EbsPrices, exactMonthlyUsd, isPriced } from '../prices/prices.ts';
import type { Limit } from '../schemas/finding.ts';
import type { PriceUnknown } from '../schemas/recommendation.ts';
import { gibPerTiB } from '../units.ts';
import { type Demand, isOpen, type RecommendationInput, type Sized } from './recommendation.ts';

// Configurations of one volume for rates that it shall have: in place, or as a stripe.

export interface Current {
  config: VolumeConfiguration;
  limits: VolumeLimits;
  /** With a price of its type; candidates of a type without one are left out. */
  prices: EbsPrices;
}

export interface Cheaper {
  layout: Layout;
  monthlyUsd: number;
}

/** AWS sees diminishing returns beyond eight; the chance to lose the data stays below 2 % a year. */
export const maxStripeMembers = 8;
const maxFailureRate = 0.02;

export const currentUsd = ({ config, prices }: Current): number => exactMonthlyUsd(config, prices).total;

/** With what all its members cost together; null where the type has no price. */
function priced(layout: Layout, { config, prices }: Current): Cheaper | null {
  if (!isPriced(layout.volumeType, prices)) return null;
  const { volumeType, sizeGiB, iops, throughputMiBps, members } = layout;
  const paid = { volumeType, sizeGiB, deployment: config.deployment, iops, throughputMiBps };
  return { layout, monthlyUsd: exactMonthlyUsd(paid, prices).total * members };
}

/** What it can do at its best today, credits and all. */
export const bestOf = ({ limits }: Pick<Current, 'limits'>): Rates => ({
  iops: limits.burstIops,
  throughputMiBps: limits.burstMiBps,
});

const lowerOf = (a: Rates, b: Rates): Rates => ({
  iops: Math.min(a.iops, b.iops),
  throughputMiBps: Math.min(a.throughputMiBps, b.throughputMiBps),
});

/** What must be served: what was seen with headroom, and never more than it can do today. */
export const toServe = (current: Current, seen: Rates): Rates => lowerOf(bestOf(current), seen);

/** One volume of a type with these rates, its size unchanged; null where that is not to be had. */
export function sameSize(
  { sizeGiB, deployment }: Pick<VolumeConfiguration, 'sizeGiB' | 'deployment'>,
  volumeType: VolumeType,
  rates: Rates,
): Layout | null {
  if (volumeType === 'standard') return null;
  const found = cheapestMember(volumeType, { ...rates, sizeGiB }, deployment);
  // A larger volume could never be made smaller again: that is not in place and back.
  if ('outOfReach' in found || found.member.sizeGiB !== sizeGiB) return null;
  return { kind: 'single', members: 1, volumeType, ...found.member };
}

/** The same volume with another type or other figures, its size unchanged; null where that is not to be had, or has no price. */
export function inPlace(
  current: Current,
  volumeType: Exclude<VolumeType, 'standard'>,
  rates: Rates,
): Cheaper | null {
  const layout = sameSize(current.config, volumeType, rates);
  return layout === null ? null : priced(layout, current);
}

/** The cheapest stripe of gp3 of so many members at most; null where none is legal. */
export function stripe(current: Current, rates: Rates, freeAttachments: number): Cheaper | null {
  const { sizeGiB, deployment } = current.config;
  let best: Cheaper | null = null;
  for (let members = 2; members <= Math.min(maxStripeMembers, freeAttachments); members++) {
    if (annualFailureRate('stripe', members, 'gp3') > maxFailureRate) break;
    const each = {
      iops: rates.iops / members,
      throughputMiBps: rates.throughputMiBps / members,
      sizeGiB: sizeGiB / members,
    };
    const found = cheapestMember('gp3', each, deployment);
    if ('outOfReach' in found) continue;
    const option = priced({ kind: 'stripe', members, volumeType: 'gp3', ...found.member }, current);
    if (option !== null && (best === null || option.monthlyUsd < best.monthlyUsd - 1e-6)) best = option;
  }
  return best;
}

type Ssd = 'gp3' | 'io1' | 'io2';
type Hdd = 'st1' | 'sc1';

/** For what something is tried. */
export interface ToTry {
  volume: RecommendationInput['volume'];
  freeAttachments: number | null;
  current: Current;
  /** As it stands. */
  now: Layout;
  /** What throttles it. */
  limit: Limit | null;
  demand: Demand;
  thresholds: Thresholds;
}

/** With what cannot be said of it. */
export interface Tried extends ToTry {
  /** Where its demand is not known closely no minutes are promised: then what it is sized by. Null where it is known. */
  doubt: 'twice-served' | 'twice-served-or-burst' | null;
  /** Why what a change to a type costs cannot be known; null where it can. */
  priceUnknown(to: VolumeType): PriceUnknown | null;
}

const isSame = (a: Layout, b: Layout): boolean =>
  a.volumeType === b.volumeType &&
  a.members === b.members &&
  a.sizeGiB === b.sizeGiB &&
  a.iops === b.iops &&
  a.throughputMiBps === b.throughputMiBps;

/** The most that a volume of this type and size can have; of a size that is too small for the type, the least that is not. */
function topOf(volumeType: Ssd, { config: { deployment, ...config } }: Current): Rates {
  const sizeGiB = Math.max(config.sizeGiB, sizeBoundsGiB[volumeType].min);
  const iops = topIops({ volumeType, sizeGiB, deployment }) ?? 0;
  const throughputMiBps =
    volumeType === 'gp3'
      ? Math.min(gp3Figures[deployment].maxMiBps, iops * ssdMiBPerIo)
      : volumeLimits({ volumeType, sizeGiB, deployment, iops }).burstMiBps;
  return { iops, throughputMiBps };
}

/** The most that any volume of this type can have. */
function topOfAny(volumeType: Ssd, { config }: Current): Rates {
  const { maxIops, maxMiBps } =
    volumeType === 'gp3' ? gp3Figures[config.deployment] : provisionedFigures[volumeType];
  return { iops: maxIops, throughputMiBps: maxMiBps };
}

/** A figure is provisioned whole; the last digits of a quotient are no reason for one more. */
const whole = (rate: number): number => Math.ceil(rate * (1 - 1e-9));

const within = (rates: Rates, top: Rates): Rates => ({
  iops: Math.min(top.iops, whole(rates.iops)),
  throughputMiBps: Math.min(top.throughputMiBps, whole(rates.throughputMiBps)),
});

const single = (
  volumeType: VolumeType,
  member: Pick<Layout, 'sizeGiB' | 'iops' | 'throughputMiBps'>,
): Layout => ({
  kind: 'single',
  members: 1,
  volumeType,
  ...member,
});

/** The same volume, larger: EBS volumes grow in place. Null where its size is enough, or no size is. */
function grown(current: Current, volumeType: Ssd, rates: Rates): Cheaper | null {
  const { sizeGiB, deployment } = current.config;
  const found = cheapestMember(volumeType, { ...rates, sizeGiB }, deployment);
  if ('outOfReach' in found || found.member.sizeGiB <= sizeGiB) return null;
  return priced(single(volumeType, found.member), current);
}

/** At its size, and larger where its size is what ends it. */
const ssdOf = (current: Current, volumeType: Ssd, rates: Rates): (Cheaper | null)[] => [
  inPlace(current, volumeType, within(rates, topOf(volumeType, current))),
  grown(current, volumeType, within(rates, topOfAny(volumeType, current))),
];

/** HDD of at least this size that does so much all the time, or as much as any does. */
function hddFor(
  volumeType: Hdd,
  sizeGiB: number,
  mibps: number,
  { deployment }: Current['config'],
): Layout | null {
  const { baselineMiBpsPerTiB, maxMiBps } = hddFigures[volumeType];
  const most = Math.min(maxMiBps, (baselineMiBpsPerTiB * sizeBoundsGiB[volumeType].max) / gibPerTiB);
  const rates = { iops: 0, throughputMiBps: Math.min(mibps, most) };
  const found = cheapestMember(volumeType, { ...rates, sizeGiB }, deployment);
  return 'outOfReach' in found ? null : single(volumeType, found.member);
}

/**
 * HDD as large as throttles nothing all the time, and as much smaller as its credits allow: the smallest size that
 * throttles the same load with headroom for no longer.
 */
function hddOf(
  { current, now, demand, thresholds }: ToTry,
  volumeType: Hdd,
  { throughputMiBps }: Rates,
): Cheaper | null {
  const { config } = current;
  let best = hddFor(volumeType, config.sizeGiB, throughputMiBps, config);
  if (best === null || isSame(best, now)) return null;
  const minutesWith = (layout: Layout): number =>
    demand.throttledMinutesWith(layout, { times: 1 + thresholds.savingHeadroom });
  const least = minutesWith(best);
  let [tooSmall, enough] = [config.sizeGiB - 1, best.sizeGiB];
  while (enough - tooSmall > 1) {
    const sizeGiB = Math.floor((tooSmall + enough) / 2);
    const layout = hddFor(volumeType, sizeGiB, 0, config);
    if (layout === null || minutesWith(layout) > least) tooSmall = sizeGiB;
    else [best, enough] = [layout, sizeGiB];
  }
  return priced(best, current);
}

/** Of HDD a larger one, or one that is for more at all. */
const typesInstead: Record<VolumeType, readonly (Ssd | Hdd)[]> = {
  gp3: ['gp3', 'io2'],
  gp2: ['gp3', 'io2'],
  standard: ['gp3', 'io2'],
  io1: ['io1', 'io2', 'gp3'],
  io2: ['io2', 'gp3'],
  st1: ['st1', 'gp3'],
  sc1: ['sc1', 'st1', 'gp3'],
};

/** With Multi-Attach, which is for io1 and io2 alone, the type stays; of an Outpost nobody knows that it has io2. */
function typesFor({ volume, current: { config } }: ToTry): readonly (Ssd | Hdd)[] {
  const { volumeType, deployment } = config;
  return typesInstead[volumeType].filter((type) => {
    if (type === volumeType) return true;
    return !volume.multiAttach && (deployment === 'region' || type === 'gp3');
  });
}

/** A migration is not for a guess, nor for an Outpost, which has no prices that would make it worth one. */
const mayStripe = ({ volume, demand, current: { config } }: ToTry): boolean =>
  !volume.multiAttach &&
  !demand.isMember &&
  !isOpen(demand) &&
  config.deployment === 'region' &&
  striped.includes(config.volumeType);

/** Types whose data a stripe of gp3 keeps as safely, but for the number of its members, at a like price a GiB. */
const striped: readonly VolumeType[] = ['gp2', 'gp3', 'io1'];

/** Nothing beyond what its instance does at its best is worth its money; nor is less than today. */
function reachable(rates: Rates, { instance }: Demand, current: Current): Rates {
  if (instance === null) return rates;
  const best = bestOf(current);
  return {
    iops: Math.min(rates.iops, Math.max(best.iops, instance.iops)),
    throughputMiBps: Math.min(
      rates.throughputMiBps,
      Math.max(best.throughputMiBps, instance.throughputMiBps),
    ),
  };
}

/**
 * As demanded; and what did not throttle is not cut to the bone: it keeps the headroom of a saving, as far as there is so much
 * today. Where nothing bounds some of the demand, averages hide the other figure too: then none is below today's best.
 */
function ratesFor({ rates }: Sized, { demand: { openMinutes }, current, thresholds }: ToTry): Rates {
  const best = bestOf(current);
  const isOpen = openMinutes > 0 && !isHdd(current.config.volumeType);
  const atLeast = (rate: number, today: number): number =>
    isOpen ? today : Math.min(today, (1 + thresholds.savingHeadroom) * rate);
  return {
    iops: Math.max(rates.iops, atLeast(rates.iops, best.iops)),
    throughputMiBps: Math.max(rates.throughputMiBps, atLeast(rates.throughputMiBps, best.throughputMiBps)),
  };
}

/**
 * Each once.
 * @param known layouts that need not be tried again; what stands there already never is.
 */
export function candidatesFor(tried: ToTry, sized: Sized, known: readonly Layout[] = []): Cheaper[] {
  const { freeAttachments, current, now, demand } = tried;
  const rates = reachable(ratesFor(sized, tried), demand, current);
  const hddWillDo = !(demand.ioKiB < minHddIoKiB);
  const alone = typesFor(tried).flatMap((type) => {
    if (type !== 'st1' && type !== 'sc1') return ssdOf(current, type, rates);
    return hddWillDo ? [hddOf(tried, type, rates)] : [];
  });
  const several =
    mayStripe(tried) && freeAttachments !== null
      ? stripe(current, { ...rates, iops: Math.max(rates.iops, sized.cutIops) }, freeAttachments)
      : null;
  const found: Cheaper[] = [];
  for (const one of [...alone, several]) {
    const before = [now, ...known, ...found.map(({ layout }) => layout)];
    if (one !== null && !before.some((other) => isSame(other, one.layout))) found.push(one);
  }
  return found;
}
