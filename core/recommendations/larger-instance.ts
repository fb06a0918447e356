/** The cheapest instance type that carries a need and is otherwise no less than today's. */
import { type EbsFigures, familyOf, type InstanceType } from '../catalog/instance-type.ts';
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import { type Known, known, unknown } from '../known.ts';
import { roundUsd } from '../prices/volume-price.ts';
import type { PriceUnknown, Recommendation } from '../schemas/recommendation.ts';

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
  todayMonthlyUsd: Known<number, PriceUnknown>;
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
const byPrice = (types: readonly InstanceType[], prices: RegionCatalog['prices']): LargerInstance[] =>
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
  { instanceTypes, prices, region }: RegionCatalog,
): Known<LargerInstances, PriceUnknown> {
  const noLess = instanceTypes.types.filter((type) => isNoLess(type, today));
  const priced = byPrice(noLess, prices);
  const fits = ({ type }: LargerInstance): boolean => carries(type, need);
  const cheapest = priced.find(fits);
  if (cheapest === undefined) {
    const unpriced = noLess.find((type) => carries(type, need));
    if (unpriced === undefined) return unknown({ code: 'no-type-is-enough' });
    return unknown({ code: 'no-instance-price', instanceType: unpriced.instanceType, region });
  }
  const ofToday = priced.filter(({ type }) => familyOf(type.instanceType) === familyOf(today.instanceType));
  const ofFamily = ofToday.find(fits) ?? null;
  const next = ofToday.find(
    (one) => one.monthlyUsd < cheapest.monthlyUsd && hasMore(one.type, today) && !fits(one),
  );
  const { instanceType } = today;
  const usdToday = prices.instanceMonthlyUsd(instanceType);
  return known({
    cheapest,
    ofFamily: ofFamily === cheapest ? null : ofFamily,
    nextOfFamily: next ?? null,
    todayMonthlyUsd: usdToday.known ? usdToday : unknown({ code: 'no-instance-price', instanceType, region }),
  });
}

/** Another type in the place of today's, with the price of it; the difference where today's price is known. */
export const instanceChange = (
  from: string | null,
  { type, monthlyUsd }: LargerInstance,
  { todayMonthlyUsd }: LargerInstances,
): Pick<Recommendation, 'change' | 'monthlyUsdDelta' | 'priceUnknownReason'> => ({
  change: { of: 'instance', from, to: type.instanceType, monthlyUsd: roundUsd(monthlyUsd) },
  monthlyUsdDelta: todayMonthlyUsd.known ? roundUsd(monthlyUsd - todayMonthlyUsd.value) : null,
  priceUnknownReason: todayMonthlyUsd.known ? null : todayMonthlyUsd.reason,
});
