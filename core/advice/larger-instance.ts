/** The cheapest instance type that carries a need all the time and is otherwise no less than today's. */
import { familyOf, type InstanceType } from '../catalogue/instance-type.ts';
import type { Market } from '../catalogue/market.ts';
import { figure } from '../figures.ts';
import { type Known, known, unknown } from '../known.ts';
import { roundUsd } from '../prices/volume-price.ts';

export interface InstanceNeed {
  /** What the baseline must be at least. */
  iops: number;
  mibps: number;
  /** To attach. */
  volumes: number;
}

interface LargerInstance {
  type: InstanceType;
  monthlyUsd: number;
}

export interface LargerInstances {
  cheapest: LargerInstance;
  /** Of today's family; null where there is none, or where it is the cheapest itself. */
  ofFamily: LargerInstance | null;
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

const carries = ({ ebs, attachments }: InstanceType, { iops, mibps, volumes }: InstanceNeed): boolean =>
  ebs !== null &&
  ebs.baselineIops >= iops &&
  ebs.baselineMiBps >= mibps &&
  (attachments === null || attachments.most >= volumes);

/**
 * Same architecture, vCPUs, memory and instance store at least today's, of today's family or of one that EC2 calls
 * current, and never towards shared CPU or other hardware. Bandwidth weighting is `default`.
 */
export function largerInstances(
  today: InstanceType,
  need: InstanceNeed,
  { instanceTypes, prices, region }: Market,
): Known<LargerInstances> {
  const fit = instanceTypes.types.filter((type) => isNoLess(type, today) && carries(type, need));
  if (fit.length === 0) return unknown('no instance type that is known here carries that all the time');
  const priced = fit
    .flatMap((type) => {
      const usd = prices.instanceMonthlyUsd(type.instanceType);
      return usd.known ? [{ type, monthlyUsd: usd.value }] : [];
    })
    .sort((a, b) => a.monthlyUsd - b.monthlyUsd || a.type.instanceType.localeCompare(b.type.instanceType));
  const [cheapest] = priced;
  if (cheapest === undefined) {
    const one = prices.instanceMonthlyUsd((fit[0] as InstanceType).instanceType);
    return unknown(one.known ? `no price in ${region}` : one.because);
  }
  const family = familyOf(today.instanceType);
  const ofFamily = priced.find(({ type }) => familyOf(type.instanceType) === family) ?? null;
  return known({
    cheapest,
    ofFamily: ofFamily === cheapest ? null : ofFamily,
    todayMonthlyUsd: prices.instanceMonthlyUsd(today.instanceType),
  });
}

/** What the cheapest costs more than today's; null where today's price is not known. */
export const monthlyUsdMore = ({ cheapest, todayMonthlyUsd }: LargerInstances): number | null =>
  todayMonthlyUsd.known ? roundUsd(cheapest.monthlyUsd - todayMonthlyUsd.value) : null;

/** "c7i.8xlarge is the cheapest ...", with what it does all the time and its sibling in the family. */
export function largerText(found: LargerInstances): string {
  const { cheapest, ofFamily, todayMonthlyUsd } = found;
  const { ebs, instanceType } = cheapest.type;
  const does =
    ebs === null ? '' : ` (${figure(ebs.baselineIops)} IOPS, ${figure(ebs.baselineMiBps, 0)} MiB/s)`;
  const price = (usd: number): string =>
    todayMonthlyUsd.known
      ? `${usd >= todayMonthlyUsd.value ? '+' : ''}${(usd - todayMonthlyUsd.value).toFixed(2)}`
      : usd.toFixed(2);
  const sibling =
    ofFamily === null
      ? ''
      : `, in its family ${ofFamily.type.instanceType} (${price(ofFamily.monthlyUsd)} USD a month)`;
  const why = todayMonthlyUsd.known ? '' : `; the difference is not known: ${todayMonthlyUsd.because}`;
  return `${instanceType}${does}${sibling}${why}`;
}
