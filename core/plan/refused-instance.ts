/** The instance that was refused: which of its limits is in the way, and which one would do. */
import { ebsFiguresOf, familyOf, type InstanceType } from '../catalogue/instance-type.ts';
import { figure, usdText } from '../figures.ts';
import { gibFromMiB, mibFromGiB } from '../units.ts';
import { shortfallOf } from './instance-choice.ts';
import { instanceNeed, type Need, type Rates, type Shape, slack } from './need.ts';
import { type Refused, type RefusedOf, whatText } from './refusal.ts';
import type { Refusal } from './search.ts';

/** What must stay as it is, if it can: software is built for an architecture, and sized for a family. */
interface Alike {
  family: string | null;
  architectures: readonly string[] | null;
  vcpus: number;
  memoryMiB: number;
}

/** "m5.8xlarge (30,000 IOPS and 811 MiB/s all the time, 1,121.28 USD a month)". */
function typeText({ instanceType, ebs }: InstanceType, { market }: RefusedOf): string {
  const price = market.prices.instanceMonthlyUsd(instanceType);
  const usd = price.known ? `${usdText(price.value)} a month` : 'price unknown';
  return ebs === null
    ? instanceType
    : `${instanceType} (${figure(ebs.baselineIops)} IOPS and ${figure(ebs.baselineMiBps, 0)} MiB/s all the time, ${usd})`;
}

/** What would do: the cheapest of the same family, and the cheapest of all that are as large and of its architecture. */
function instanceInstead(
  { family, architectures, vcpus, memoryMiB }: Alike,
  rates: Rates,
  members: number,
  of: RefusedOf,
): string {
  const { types } = of.market.instanceTypes;
  const usd = ({ instanceType }: InstanceType): number => {
    const price = of.market.prices.instanceMonthlyUsd(instanceType);
    return price.known ? price.value : Number.MAX_VALUE;
  };
  const carries = types
    .filter((other) => shortfallOf(other, rates, members) === null)
    .toSorted((a, b) => usd(a) - usd(b));
  const isAlike = (other: InstanceType): boolean =>
    other.architectures.some((one) => architectures?.includes(one) ?? true);
  const ofFamily = carries.find((other) => familyOf(other.instanceType) === family);
  const asLarge = carries.find(
    (other) => isAlike(other) && other.vcpus >= vcpus && other.memoryMiB >= memoryMiB,
  );
  const found = [...new Set([asLarge, ofFamily])].filter((type) => type !== undefined);
  const [any] = carries;
  if (found.length > 0) return found.map((type) => typeText(type, of)).join(', or ');
  if (any !== undefined) return typeText(any, of);
  const strongest = strongestOf(types, rates);
  return strongest === undefined
    ? 'no instance type carries it'
    : `no instance type carries it; the most has ${typeText(strongest, of)}`;
}

/** The type that carries the largest share of a load. */
export function strongestOf(
  types: readonly InstanceType[],
  { iops, throughputMiBps }: Rates,
): InstanceType | undefined {
  const share = ({ ebs }: InstanceType): number =>
    ebs === null
      ? 0
      : Math.min(ebs.baselineIops / Math.max(1, iops), ebs.baselineMiBps / Math.max(1, throughputMiBps));
  return types.reduce<InstanceType | undefined>(
    (best, type) => (best === undefined || share(type) > share(best) ? type : best),
    undefined,
  );
}

function instanceBecause(type: InstanceType, rates: Rates, members: number): string {
  const figures = ebsFiguresOf(type);
  if (!figures.known) return `${figures.because.code}: whether it carries the load is unknown`;
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures.value;
  const parts = [
    ...(rates.iops > baselineIops * slack
      ? [
          `${figure(rates.iops)} IOPS are asked; its EBS limit is ${figure(maximumIops)} IOPS at most and ${figure(baselineIops)} all the time (baseline)`,
        ]
      : []),
    ...(rates.throughputMiBps > baselineMiBps * slack
      ? [
          `${figure(rates.throughputMiBps)} MiB/s are asked; its EBS limit is ${figure(maximumMiBps, 0)} MiB/s at most and ${figure(baselineMiBps, 0)} all the time (baseline)`,
        ]
      : []),
  ];
  if (parts.length > 0) return parts.join('; ');
  if (shortfallOf(type, rates, members) === 'cards')
    return `its ${type.cards.length} EBS cards carry ${figure(type.cards[0]?.baselineIops ?? 0)} IOPS each, and ${members === 1 ? 'one volume is' : `${members} volumes are`} on one or few of them`;
  return `it takes ${(type.attachments?.most ?? 1) - 1} volumes beside its root volume`;
}

/** "a stripe of 7 to 8 io2, RAID10 of 4 gp3". */
function eachShape(stopped: readonly Refusal[]): string {
  const alike = new Map<string, Refusal[]>();
  for (const refusal of stopped) {
    const key = `${refusal.shape.kind} ${refusal.shape.volumeType}`;
    alike.set(key, [...(alike.get(key) ?? []), refusal]);
  }
  return [...alike.values()].map(whatText).join(', ');
}

const shapeAskingLeast = (stopped: readonly Refusal[], need: Need): Shape =>
  stopped
    .map(({ shape }) => shape)
    .toSorted(
      (a, b) => instanceNeed(need, a).iops - instanceNeed(need, b).iops || a.members - b.members,
    )[0] as Shape;

/** Nothing is as large: what is the largest? */
function largestText({ market }: RefusedOf): string {
  const { types } = market.instanceTypes;
  const most = (of: (type: InstanceType) => number): InstanceType =>
    types.reduce((best, type) => (of(type) > of(best) ? type : best));
  const byCpu = most(({ vcpus }) => vcpus);
  const byMemory = most(({ memoryMiB }) => memoryMiB);
  return `the most vCPU has ${byCpu.instanceType} (${figure(byCpu.vcpus)}), the most memory ${byMemory.instanceType} (${figure(gibFromMiB(byMemory.memoryMiB))} GiB)`;
}

/** One entry for the instance: the layout that asks the least of it decides. */
export function refusedInstance(of: RefusedOf): Refused[] {
  const { constraints, allowed, found, need } = of;
  const stopped = found.refusals.filter(({ obstacle }) => obstacle.limit === 'instance');
  const { instance: asked } = constraints;
  if (allowed === null || asked === null || stopped.length === 0) return [];
  const shape = shapeAskingLeast(stopped, need);
  const { members } = shape;
  const rates = instanceNeed(need, shape);
  const under = found.candidates.length > 0 ? ` under ${eachShape(stopped)}` : '';
  if ('instanceType' in asked) {
    const type = allowed[0]?.type;
    if (type === undefined) return [];
    const alike = { ...type, family: familyOf(type.instanceType) };
    return [
      {
        what: `instance ${type.instanceType}${under}`,
        because: instanceBecause(type, rates, members),
        nearest: instanceInstead(alike, rates, members, of),
      },
    ];
  }
  const { vcpus, memoryGiB, architecture } = asked;
  const what = `any instance with ${figure(vcpus)} vCPU, ${figure(memoryGiB)} GiB${architecture === null ? '' : ` and ${architecture}`}${under}`;
  const strongest = strongestOf(
    allowed.map(({ type }) => type),
    rates,
  );
  if (strongest === undefined)
    return [{ what, because: 'there is no such instance type', nearest: largestText(of) }];
  const alike = {
    family: null,
    architectures: architecture === null ? null : [architecture],
    vcpus,
    memoryMiB: mibFromGiB(memoryGiB),
  };
  return [
    {
      what,
      because: `the strongest of them is ${strongest.instanceType}: ${instanceBecause(strongest, rates, members)}`,
      nearest: instanceInstead(alike, rates, members, of),
    },
  ];
}
