/** The cheapest instance type that carries a need and is otherwise no less than today's. */
import { type EbsFigures, familyOf, type InstanceType } from '../catalogue/instance-type.ts';
import type { Market } from '../catalogue/market.ts';
import { figure, usdText } from '../figures.ts';
import { type Known, known, unknown } from '../known.ts';
import { roundUsd } from '../prices/volume-price.ts';

export interface InstanceNeed {
  /** Do these figures carry the load? Asked of the cheaper types first, until one does. */
  isCarriedBy: (figures: EbsFigures) => boolean;
  /** To attach. */
  volumes: number;
}

/** All the time, without credits. */
export const baselineOf =
  (iops: number, mibps: number): InstanceNeed['isCarriedBy'] =>
  ({ baselineIops, baselineMiBps }) =>
    baselineIops >= iops && baselineMiBps >= mibps;

export interface LargerInstance {
  type: InstanceType;
  monthlyUsd: number;
}

export interface LargerInstances {
  cheapest: LargerInstance;
  /** Of today's family; null where there is none, or where it is the cheapest itself. */
  ofFamily: LargerInstance | null;
  /** The cheapest of today's family that has more than today, where that is cheaper still and not enough. */
  nextOfFamily: LargerInstance | null;
  todayMonthlyUsd: Known<number>;
}

/** Families that are there for other hardware, for clusters or for macOS: a database does not move in or out of them. */
const special = /^(?:p|g|gr|inf|trn|dl|f|vt|hpc|mac)\d|^mac-/;
/** CPU that is there part of the time only, CPU credits or Flex. */
const sharedCpu = /^t\d|-flex$/;
const isMetal = (instanceType: string): boolean => /\.metal/.test(instanceType);

/** The 64-bit ones: no type of today is 32-bit only. */
const architecturesOf = ({ architectures }: InstanceType): string[] =>
  architectures.filter((architecture) => architecture !== 'i386');

const diskGB = ({ instanceStore }: InstanceType): number => instanceStore?.totalGB ?? 0;

function isNoLess(type: InstanceType, today: InstanceType): boolean {
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

const carries = ({ ebs, attachments }: InstanceType, { isCarriedBy, volumes }: InstanceNeed): boolean =>
  ebs !== null && (attachments === null || attachments.most >= volumes) && isCarriedBy(ebs);

const hasMore = ({ ebs }: InstanceType, today: InstanceType): boolean =>
  ebs !== null &&
  today.ebs !== null &&
  ebs.baselineIops >= today.ebs.baselineIops &&
  ebs.baselineMiBps >= today.ebs.baselineMiBps &&
  (ebs.baselineIops > today.ebs.baselineIops || ebs.baselineMiBps > today.ebs.baselineMiBps);

/** Those with a price, the cheapest first. */
const byPrice = (types: readonly InstanceType[], prices: Market['prices']): LargerInstance[] =>
  types
    .flatMap((type) => {
      const usd = prices.instanceMonthlyUsd(type.instanceType);
      return usd.known ? [{ type, monthlyUsd: usd.value }] : [];
    })
    .sort((a, b) => a.monthlyUsd - b.monthlyUsd || a.type.instanceType.localeCompare(b.type.instanceType));

/**
 * Same architecture, vCPUs, memory and instance store at least today's, of today's family or of one that EC2 calls
 * current, and never towards shared CPU or other hardware. Bandwidth weighting is `default`.
 */
export function largerInstances(
  today: InstanceType,
  need: InstanceNeed,
  { instanceTypes, prices, region }: Market,
): Known<LargerInstances> {
  const noLess = instanceTypes.types.filter((type) => isNoLess(type, today));
  const priced = byPrice(noLess, prices);
  const fits = ({ type }: LargerInstance): boolean => carries(type, need);
  const cheapest = priced.find(fits);
  if (cheapest === undefined) {
    const unpriced = noLess.find((type) => carries(type, need));
    if (unpriced === undefined) return unknown('no instance type that is known here carries that');
    const one = prices.instanceMonthlyUsd(unpriced.instanceType);
    return unknown(one.known ? `no price in ${region}` : one.because.code);
  }
  const ofToday = priced.filter(({ type }) => familyOf(type.instanceType) === familyOf(today.instanceType));
  const ofFamily = ofToday.find(fits) ?? null;
  const next = ofToday.find(
    (one) => one.monthlyUsd < cheapest.monthlyUsd && hasMore(one.type, today) && !fits(one),
  );
  const usdToday = prices.instanceMonthlyUsd(today.instanceType);
  const todayMonthlyUsd = usdToday.known ? usdToday : unknown(usdToday.because.code);
  return known({
    cheapest,
    ofFamily: ofFamily === cheapest ? null : ofFamily,
    nextOfFamily: next ?? null,
    todayMonthlyUsd,
  });
}

/** What the cheapest costs more than today's; null where today's price is not known. */
export const monthlyUsdMore = ({ cheapest, todayMonthlyUsd }: LargerInstances): number | null =>
  todayMonthlyUsd.known ? roundUsd(cheapest.monthlyUsd - todayMonthlyUsd.value) : null;

/** "12,000 IOPS, 298 MiB/s all the time, 40,000 and 1,250 for 30 min a day on credits". */
function doesText({ baselineIops, baselineMiBps, maximumIops, maximumMiBps }: EbsFigures): string {
  const steady = `${figure(baselineIops)} IOPS, ${figure(baselineMiBps, 0)} MiB/s`;
  return maximumIops > baselineIops || maximumMiBps > baselineMiBps
    ? `${steady} all the time, ${figure(maximumIops)} and ${figure(maximumMiBps, 0)} for 30 min a day on credits`
    : steady;
}

/** "c7i.8xlarge (+949.00 USD a month; 50,000 IOPS, 1,200 MiB/s)". */
function typeText({ type, monthlyUsd }: LargerInstance, todayMonthlyUsd: Known<number>): string {
  const { ebs, instanceType } = type;
  const more = todayMonthlyUsd.known ? monthlyUsd - todayMonthlyUsd.value : null;
  const price = more === null ? usdText(monthlyUsd) : `${more >= 0 ? '+' : ''}${usdText(roundUsd(more))}`;
  const does = ebs === null ? '' : `; ${doesText(ebs)}`;
  return `${instanceType} (${price} a month${does})`;
}

/** The cheapest and its sibling in the family, each with its price and what it does all the time. */
export function largerText({ cheapest, ofFamily, todayMonthlyUsd }: LargerInstances): string {
  const sibling = ofFamily === null ? '' : `, in its family ${typeText(ofFamily, todayMonthlyUsd)}`;
  const why = todayMonthlyUsd.known ? '' : `; the difference is not known: ${todayMonthlyUsd.because}`;
  return `${typeText(cheapest, todayMonthlyUsd)}${sibling}${why}`;
}

/** A step that is cheaper and not enough; empty where there is none. */
export const nextText = ({ nextOfFamily, todayMonthlyUsd }: LargerInstances): string =>
  nextOfFamily === null
    ? ''
    : ` The next size of its family, ${typeText(nextOfFamily, todayMonthlyUsd)}, has more than today and not all of that.`;
