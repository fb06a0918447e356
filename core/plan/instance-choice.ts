/** Which instance carries a layout all the time, and what it costs. */
import {
  type Architecture,
  byFamilyAndSize,
  dataVolumesAtMost,
  type EbsFigures,
  ebsFiguresOf,
  familyOf,
  type InstanceType,
} from '../catalog/instance-types.ts';
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import type { Known } from '../known.ts';
import type { PriceBook } from '../prices/prices.ts';
import type { PriceReason } from '../schemas/unknown-reasons.ts';
import { mibFromGiB } from '../units.ts';
import { type Rates, slack } from './layout.ts';

/** The instance that is there, or what one must have at least. */
export type InstanceAsked =
  | { instanceType: string }
  | { vcpus: number; memoryGiB: number; architecture: Architecture | null };

export interface PricedInstance {
  type: InstanceType;
  monthlyUsd: Known<number, PriceReason>;
  /** What it is ranked by: its price, or of a Region without prices that of another; far above any where unknown. */
  rank: number;
}

/** More than anything costs: what has no price comes after what has one. */
const unknownPriceRank = 1e9;

const isWithin = ({ iops, throughputMiBps }: Rates, limits: EbsFigures): boolean =>
  iops <= limits.baselineIops * slack && throughputMiBps <= limits.baselineMiBps * slack;

/** Volumes that a card can carry of a load that is spread evenly over `members`. */
function membersOnCard(card: EbsFigures, { iops, throughputMiBps }: Rates, members: number): number {
  const share = Math.min(
    iops === 0 ? 1 : card.baselineIops / iops,
    throughputMiBps === 0 ? 1 : card.baselineMiBps / throughputMiBps,
    1,
  );
  return Math.floor(share * members * slack);
}

export type Shortfall = 'unknown-limits' | 'limits' | 'cards' | 'attachments';

/** Why an instance does not carry a load on so many volumes all the time; null where it does. */
export function shortfallOf(type: InstanceType, rates: Rates, members: number): Shortfall | null {
  const figures = ebsFiguresOf(type);
  if (!figures.known) return 'unknown-limits';
  if (!isWithin(rates, figures.value)) return 'limits';
  const most = dataVolumesAtMost(type);
  if (!most.known || most.value < members) return 'attachments';
  if (type.cards.length === 0) return null;
  const carried = type.cards.reduce((total, card) => total + membersOnCard(card, rates, members), 0);
  return carried >= members ? null : 'cards';
}

/** How many of the members to put on each card; empty where there is one card. */
export function spreadOverCards(type: InstanceType, rates: Rates, members: number): number[] {
  let left = members;
  return type.cards.map((card, i) => {
    const most = membersOnCard(card, rates, members);
    const even = Math.ceil(left / (type.cards.length - i));
    const onIt = Math.min(most, even, left);
    left -= onIt;
    return onIt;
  });
}

const isLargeEnough = (
  type: InstanceType,
  asked: Exclude<InstanceAsked, { instanceType: string }>,
): boolean =>
  type.vcpus >= asked.vcpus &&
  type.memoryMiB >= mibFromGiB(asked.memoryGiB) &&
  (asked.architecture === null || type.architectures.includes(asked.architecture));

/** Types of which a database can be run: the others have macOS. */
const isGeneral = ({ architectures }: InstanceType): boolean =>
  architectures.includes('x86_64') || architectures.includes('arm64');

/** Families that are there for other hardware, for clusters or for macOS: a database does not move in or out of them. */
const special = /^(?:p|g|gr|inf|trn|dl|f|vt|hpc|mac)\d|^mac-/;
/** CPU that is there part of the time only, CPU credits or Flex. */
const sharedCpu = /^t\d|-flex$/;
const isMetal = (instanceType: string): boolean => /\.metal/.test(instanceType);

/** The 64-bit ones: no type of today is 32-bit only. */
export const architecturesOf = ({ architectures }: InstanceType): string[] =>
  architectures.filter((architecture) => architecture !== 'i386');

const diskGB = ({ instanceStore }: InstanceType): number => instanceStore?.totalGB ?? 0;

/**
 * Same architecture, vCPUs, memory and instance store at least today's, of today's family or of one that EC2 calls
 * current, and never towards shared CPU or other hardware.
 */
export function isNoLess(type: InstanceType, today: InstanceType): boolean {
  const [family, familyToday] = [familyOf(type.instanceType), familyOf(today.instanceType)];
  return (
    type.vcpus >= today.vcpus &&
    type.memoryMiB >= today.memoryMiB &&
    diskGB(type) >= diskGB(today) &&
    architecturesOf(today).every((architecture) => type.architectures.includes(architecture)) &&
    (family === familyToday ||
      (type.currentGeneration &&
        type.nitro &&
        !special.test(family) &&
        !special.test(familyToday) &&
        (!sharedCpu.test(family) || sharedCpu.test(familyToday)))) &&
    (!isMetal(type.instanceType) || isMetal(today.instanceType))
  );
}

/** The cheapest first; those without a known price at the end. */
export const priced = (
  types: readonly InstanceType[],
  prices: PriceBook,
  ranking: PriceBook,
): PricedInstance[] =>
  types
    .map((type) => {
      const usd = ranking.instanceMonthlyUsd(type.instanceType);
      return {
        type,
        monthlyUsd: prices.instanceMonthlyUsd(type.instanceType),
        rank: usd.known ? usd.value : unknownPriceRank,
      };
    })
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        Number(b.type.currentGeneration) - Number(a.type.currentGeneration) ||
        byFamilyAndSize(a.type, b.type),
    );

/** What may be taken, the cheapest first; types without a known price at the end. */
export function instancesAllowed(
  { instanceTypes, prices }: RegionCatalog,
  ranking: PriceBook,
  asked: InstanceAsked,
): PricedInstance[] {
  const fit = instanceTypes.types.filter((type) =>
    'instanceType' in asked
      ? type.instanceType === asked.instanceType
      : isGeneral(type) && isLargeEnough(type, asked),
  );
  return priced(fit, prices, ranking);
}

/** The cheapest that carries the load; undefined where none does. Most are left out by their limits alone, which is quick. */
export const firstThatCarries = (
  allowed: readonly PricedInstance[],
  rates: Rates,
  members: number,
): PricedInstance | undefined =>
  allowed.find(
    ({ type }) =>
      type.ebs !== null && isWithin(rates, type.ebs) && shortfallOf(type, rates, members) === null,
  );
