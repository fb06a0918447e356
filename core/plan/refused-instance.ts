/** The instance that was refused: which of its limits is in the way, and which one would do. */
import { ebsFiguresOf, familyOf, type InstanceType } from '../catalog/instance-types.ts';
import { roundUsd } from '../prices/prices.ts';
import type { InstanceReason, Refused, RefusedNearest, RefusedShapes } from '../schemas/plan-refused.ts';
import { gibFromMiB, mibFromGiB } from '../units.ts';
import { shortfallOf } from './instance-choice.ts';
import { instanceNeed, type Need, type Rates, type Shape, slack } from './layout.ts';
import { type RefusedOf, shapesOf } from './refusal.ts';
import type { Refusal } from './search.ts';

/** What must stay as it is, if it can: software is built for an architecture, and sized for a family. */
interface Alike {
  family: string | null;
  architectures: readonly string[] | null;
  vcpus: number;
  memoryMiB: number;
}

type Carries = Omit<Extract<RefusedNearest, { code: 'instance' }>, 'code'>;

/** Null where EC2 does not tell its limits: whether it carries anything is not known. */
function carriesOf({ instanceType, ebs }: InstanceType, { regionCatalog }: RefusedOf): Carries | null {
  if (ebs === null) return null;
  const price = regionCatalog.prices.instanceMonthlyUsd(instanceType);
  return {
    instanceType,
    baselineIops: ebs.baselineIops,
    baselineMiBps: ebs.baselineMiBps,
    monthlyUsd: price.known ? roundUsd(price.value) : null,
  };
}

/** What would do: the cheapest of the same family, and the cheapest of all that are as large and of its architecture. */
function instanceInstead(
  { family, architectures, vcpus, memoryMiB }: Alike,
  rates: Rates,
  members: number,
  of: RefusedOf,
): RefusedNearest[] {
  const { types } = of.regionCatalog.instanceTypes;
  const usd = ({ instanceType }: InstanceType): number => {
    const price = of.regionCatalog.prices.instanceMonthlyUsd(instanceType);
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
  const chosen = (found.length > 0 || any === undefined ? found : [any]).flatMap(
    (type) => carriesOf(type, of) ?? [],
  );
  if (chosen.length > 0) return chosen.map((one) => ({ code: 'instance', ...one }));
  const strongest = strongestOf(types, rates);
  return [
    {
      code: 'no-instance-carries',
      strongest: strongest === undefined ? null : carriesOf(strongest, of),
    },
  ];
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

/** @param isChosen it is the strongest of several that may be chosen. */
function instanceReason(
  type: InstanceType,
  rates: Rates,
  members: number,
  isChosen: boolean,
): InstanceReason {
  const strongest = isChosen ? type.instanceType : null;
  const figures = ebsFiguresOf(type);
  if (!figures.known) return { code: 'instance-limits-unknown', strongest, reason: figures.reason };
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures.value;
  const exceeded = (asked: number, baseline: number, maximum: number) =>
    asked > baseline * slack ? { asked, maximum, baseline } : null;
  const iops = exceeded(rates.iops, baselineIops, maximumIops);
  const throughputMiBps = exceeded(rates.throughputMiBps, baselineMiBps, maximumMiBps);
  if (iops !== null || throughputMiBps !== null)
    return { code: 'instance-limits', strongest, iops, throughputMiBps };
  if (shortfallOf(type, rates, members) === 'cards')
    return {
      code: 'ebs-cards',
      strongest,
      cards: type.cards.length,
      baselineIopsEach: type.cards[0]?.baselineIops ?? 0,
      volumes: members,
    };
  return { code: 'attachments', strongest, dataVolumes: (type.attachments?.most ?? 1) - 1 };
}

/** Of each kind and type: a stripe of 7 to 8 io2, RAID10 of 4 gp3. */
function eachShape(stopped: readonly Refusal[]): RefusedShapes[] {
  const alike = Map.groupBy(stopped, ({ shape }) => `${shape.kind} ${shape.volumeType}`);
  return [...alike.values()].map(shapesOf);
}

const shapeAskingLeast = (stopped: readonly Refusal[], need: Need): Shape =>
  stopped
    .map(({ shape }) => shape)
    .toSorted(
      (a, b) => instanceNeed(need, a).iops - instanceNeed(need, b).iops || a.members - b.members,
    )[0] as Shape;

/** Nothing is as large: what is the largest? */
function largestInstances({ regionCatalog }: RefusedOf): RefusedNearest {
  const { types } = regionCatalog.instanceTypes;
  const most = (of: (type: InstanceType) => number): InstanceType =>
    types.reduce((best, type) => (of(type) > of(best) ? type : best));
  const byCpu = most(({ vcpus }) => vcpus);
  const byMemory = most(({ memoryMiB }) => memoryMiB);
  return {
    code: 'largest-instances',
    vcpus: { instanceType: byCpu.instanceType, vcpus: byCpu.vcpus },
    memory: { instanceType: byMemory.instanceType, memoryGiB: gibFromMiB(byMemory.memoryMiB) },
  };
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
  const under = found.candidates.length > 0 ? eachShape(stopped) : [];
  if ('instanceType' in asked) {
    const type = allowed[0]?.type;
    if (type === undefined) return [];
    const alike = { ...type, family: familyOf(type.instanceType) };
    return [
      {
        what: [{ code: 'instance-type', instanceType: type.instanceType, under }],
        reason: instanceReason(type, rates, members, false),
        nearest: instanceInstead(alike, rates, members, of),
      },
    ];
  }
  const { vcpus, memoryGiB, architecture } = asked;
  const what: Refused['what'] = [{ code: 'instances', vcpus, memoryGiB, architecture, under }];
  const strongest = strongestOf(
    allowed.map(({ type }) => type),
    rates,
  );
  if (strongest === undefined)
    return [{ what, reason: { code: 'no-such-instance' }, nearest: [largestInstances(of)] }];
  const alike = {
    family: null,
    architectures: architecture === null ? null : [architecture],
    vcpus,
    memoryMiB: mibFromGiB(memoryGiB),
  };
  return [
    {
      what,
      reason: instanceReason(strongest, rates, members, true),
      nearest: instanceInstead(alike, rates, members, of),
    },
  ];
}
