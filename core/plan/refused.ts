/** What was refused, which limit is in the way, and how near one can come. */
import { gp3Figures, isHdd, sizeBoundsGiB } from '../limits/volume-limits.ts';
import type { Refused, RefusedNearest, RefusedReason } from '../schemas/plan-refused.ts';
import { mibFromKiB } from '../units.ts';
import { annualFailureRate, cheapestMember, type OutOfReach, volumeFailureRate } from './cheapest-member.ts';
import { dataMembers, leastHddIoKiB, memberNeed, type Need, type Shape } from './layout.ts';
import { type RefusedOf, shapesOf } from './refusal.ts';
import { refusedInstance } from './refused-instance.ts';
import { type Constraints, type Found, leastMembers, type Obstacle, type Refusal } from './search.ts';

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
  obstacle: Obstacle & { limit: 'failure-rate' },
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
        : { code: 'hdd-small-io', ioSizeKiB: need.ioSizeKiB, leastKiB: leastHddIoKiB },
    nearest: [{ code: 'sequential', leastKiB: leastHddIoKiB }],
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
    .filter((kind) => leastMembers[kind] > maxMembers)
    .map((kind) => ({
      what: [{ code: 'layouts', kind, volumeType: null, fewest: leastMembers[kind], most: null }],
      reason: { code: 'max-members', maxMembers },
      nearest: [{ code: 'allow-members', members: leastMembers[kind] }],
    }));

/** Everything that was refused, the instance first. */
export const refusedOf = (of: RefusedOf): Refused[] =>
  joined([
    ...refusedInstance(of),
    ...groups(of.found.refusals).flatMap((group) => refusedGroup(group, of) ?? []),
    ...tooSmall(of.constraints),
  ]);
