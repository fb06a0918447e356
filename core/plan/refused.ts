/** What was refused, which limit is in the way, and how near one can come. */

import { ebsFiguresOf, familyOf, type InstanceType } from '../catalog/instance-types.ts';
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import { groupBy } from '../group-by.ts';
import { gp3Figures, isHdd, sizeBoundsGiB } from '../limits/volume-limits.ts';
import { roundUsd } from '../prices/prices.ts';
import type {
  InstanceReason,
  Refused,
  RefusedNearest,
  RefusedReason,
  RefusedShapes,
} from '../schemas/plan-refused.ts';
import { gibFromMiB, mibFromGiB, mibFromKiB } from '../units.ts';
import { annualFailureRate, cheapestMember, type OutOfReach, volumeFailureRate } from './cheapest-member.ts';
import { type PricedInstance, shortfallOf } from './instance-choice.ts';
import {
  dataMembers,
  instanceNeed,
  memberNeed,
  minHddIoKiB,
  minMembers,
  type Need,
  type Rates,
  type Shape,
  slack,
} from './layout.ts';
import type { Constraints, Found, InfeasibleReason, Refusal } from './search.ts';

// What a refusal is made from, and which layouts it is about.

export interface RefusedOf {
  need: Need;
  constraints: Constraints;
  regionCatalog: RegionCatalog;
  found: Found;
  /** Null: no instance is part of the plan. */
  allowed: readonly PricedInstance[] | null;
}

/** Of refusals of one kind and type: from how many members to how many. */
function shapesOf(refusals: readonly Refusal[]): RefusedShapes {
  const { kind, volumeType } = (refusals[0] as Refusal).shape;
  const counts = refusals.map(({ shape }) => shape.members);
  return { kind, volumeType, fewest: Math.min(...counts), most: Math.max(...counts) };
}

// The instance that was refused: which of its limits is in the way, and which one would do.

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
  const alike = groupBy(stopped, ({ shape }) => `${shape.kind} ${shape.volumeType}`);
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
function refusedInstance(of: RefusedOf): Refused[] {
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

const scaled = (need: Need, share: number): Need => ({
  ...need,
  iops: need.iops * share,
  throughputMiBps: need.throughputMiBps * share,
});

/** What a shape can have of what is asked: all of it smaller by one share, or the capacity that it holds. */
function reachedWith(shape: Shape, need: Need, { deployment }: Constraints): RefusedNearest[] {
  const { volumeType, members } = shape;
  if (volumeType === 'standard') return [];
  const tryNeed = (one: Need) => cheapestMember(volumeType, memberNeed(one, shape), deployment);
  const empty = tryNeed(scaled(need, 0));
  if ('outOfReach' in empty) {
    const capacityGiB = Math.floor(empty.outOfReach.atMost * dataMembers(shape));
    return [{ code: 'capacity', capacityGiB, members, volumeType }];
  }
  let [can, cannot] = [0, 1];
  for (let step = 0; step < 60; step++) {
    const middle = (can + cannot) / 2;
    if ('outOfReach' in tryNeed(scaled(need, middle))) cannot = middle;
    else can = middle;
  }
  const { iops, throughputMiBps } = scaled(need, can * (1 + 1e-12));
  return [
    {
      code: 'rates',
      iops: iops > 0 ? Math.floor(iops) : null,
      throughputMiBps: throughputMiBps > 0 ? Math.floor(throughputMiBps * 100) / 100 : null,
      members,
      volumeType,
    },
  ];
}

/** The most members that the ceiling on failure allows, of those refused. */
function largestAllowed(refusals: readonly Refusal[], { maxAnnualFailureRate }: Constraints): Shape {
  const shapes = refusals.map(({ shape }) => shape);
  const allowed = shapes.findLast(
    ({ kind, members, volumeType }) => annualFailureRate(kind, members, volumeType) <= maxAnnualFailureRate,
  );
  return allowed ?? (shapes[0] as Shape);
}

/** The fewest members of the same kind and type that are legal. */
function legalInstead(refusals: readonly Refusal[], { candidates }: Found): RefusedNearest[] {
  const { kind, volumeType } = (refusals[0] as Refusal).shape;
  const counts = candidates
    .filter(({ layout }) => layout.volumeType === volumeType && (layout.kind === kind || kind === 'single'))
    .map(({ layout }) => layout.members);
  return counts.length === 0 ? [] : [{ code: 'members', members: Math.min(...counts) }];
}

type Asked = Pick<Extract<RefusedReason, { code: 'volume-limit' }>, 'asked' | 'countedFrom'>;

function askedOf(
  { iops, throughputMiBps, capacityGiB, ioSizeKiB }: Need,
  obstacle: OutOfReach,
  { volumeType }: Shape,
): Asked {
  if (obstacle.limit === 'iops') return { asked: iops, countedFrom: null };
  if (obstacle.limit === 'capacity') return { asked: capacityGiB, countedFrom: null };
  const byIops = mibFromKiB(iops * ioSizeKiB);
  return isHdd(volumeType) && byIops > throughputMiBps
    ? { asked: byIops, countedFrom: { iops, ioSizeKiB } }
    : { asked: throughputMiBps, countedFrom: null };
}

const layoutsOf = (refusals: readonly Refusal[]): Refused['what'] => [
  { code: 'layouts', ...shapesOf(refusals) },
];

function outOfReach(
  refusals: readonly Refusal[],
  obstacle: OutOfReach,
  { need, constraints, found }: RefusedOf,
): Refused {
  const shape = largestAllowed(refusals, constraints);
  const { volumeType } = shape;
  const { limit, atMost } = obstacle;
  const { deployment } = constraints;
  return {
    what: layoutsOf(refusals),
    reason: {
      code: 'volume-limit',
      limit,
      volumeType,
      deployment,
      ...askedOf(need, obstacle, shape),
      atMost,
    },
    nearest: [...reachedWith(shape, need, constraints), ...legalInstead(refusals, found)],
  };
}

function tooRisky(
  refusals: readonly Refusal[],
  obstacle: InfeasibleReason & { limit: 'failure-rate' },
  { found: { candidates } }: RefusedOf,
): Refused {
  const { volumeType, members } = (refusals[0] as Refusal).shape;
  const lowest = obstacle.atMost;
  const offered = Math.min(...candidates.map((one) => one.annualFailureRate));
  return {
    what: layoutsOf(refusals),
    reason: {
      code: 'failure-rate',
      annualFailureRate: lowest,
      ceiling: obstacle.asked,
      volumeAnnualFailureRate: volumeFailureRate(volumeType),
    },
    nearest: [
      candidates.length === 0
        ? { code: 'failure-rate', annualFailureRate: lowest, members, volumeType }
        : { code: 'failure-rate-offered', annualFailureRate: offered },
    ],
  };
}

const simple = {
  'hdd-access': (refusals: readonly Refusal[], { need }: RefusedOf): Refused => ({
    what: [{ code: 'volume-type', volumeType: (refusals[0] as Refusal).shape.volumeType }],
    reason:
      need.access === 'random'
        ? { code: 'hdd-random' }
        : { code: 'hdd-small-io', ioSizeKiB: need.ioSizeKiB, minKiB: minHddIoKiB },
    nearest: [{ code: 'sequential', minKiB: minHddIoKiB }],
  }),
  'no-promise': (): Refused => ({
    what: [{ code: 'volume-type', volumeType: 'standard' }],
    reason: { code: 'no-promise' },
    nearest: [{ code: 'gp3', iops: gp3Figures.freeIops, fromGiB: sizeBoundsGiB.gp3.min }],
  }),
};

/** Refusals that say the same: of one type and kind, by the same limit. */
function groups(refusals: readonly Refusal[]): Refusal[][] {
  const byKey = new Map<string, Refusal[]>();
  for (const refusal of refusals) {
    const { shape, obstacle } = refusal;
    const isWhole = obstacle.limit === 'hdd-access' || obstacle.limit === 'no-promise';
    const key = `${shape.volumeType} ${isWhole ? '' : shape.kind} ${obstacle.limit}`;
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [refusal]);
    else group.push(refusal);
  }
  return [...byKey.values()];
}

function refusedGroup(refusals: readonly Refusal[], of: RefusedOf): Refused | null {
  const { obstacle } = refusals[0] as Refusal;
  switch (obstacle.limit) {
    case 'instance':
      return null;
    case 'failure-rate':
      return tooRisky(refusals, obstacle, of);
    case 'hdd-access':
    case 'no-promise':
      return simple[obstacle.limit](refusals, of);
    default:
      return outOfReach(refusals, obstacle, of);
  }
}

/** What is refused for the same reason is one entry. */
function joined(refused: readonly Refused[]): Refused[] {
  const byReason = new Map<string, Refused>();
  for (const one of refused) {
    const key = JSON.stringify([one.reason, one.nearest]);
    const before = byReason.get(key);
    byReason.set(key, before === undefined ? one : { ...one, what: [...before.what, ...one.what] });
  }
  return [...byReason.values()];
}

/** Kinds that were not tried, because so many members are not allowed. */
const tooSmall = ({ kinds, maxMembers }: Constraints): Refused[] =>
  kinds
    .filter((kind) => minMembers[kind] > maxMembers)
    .map((kind) => ({
      what: [{ code: 'layouts', kind, volumeType: null, fewest: minMembers[kind], most: null }],
      reason: { code: 'max-members', maxMembers },
      nearest: [{ code: 'allow-members', members: minMembers[kind] }],
    }));

/** Everything that was refused, the instance first. */
export const refusedOf = (of: RefusedOf): Refused[] =>
  joined([
    ...refusedInstance(of),
    ...groups(of.found.refusals).flatMap((group) => refusedGroup(group, of) ?? []),
    ...tooSmall(of.constraints),
  ]);
