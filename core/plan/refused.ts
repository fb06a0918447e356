/** What was refused, which limit is in the way, and how near one can come. */
import { figure } from '../figures.ts';
import { isHdd, type VolumeType } from '../limits/volume-types.ts';
import { mibFromKiB } from '../units.ts';
import { cheapestMember, type OutOfReach } from './cheapest-member.ts';
import { annualFailureRate, rateText, volumeFailureRate } from './failure-rate.ts';
import { dataMembers, leastHddIoKiB, memberNeed, type Need, type Shape } from './need.ts';
import { kindNames, type Refused, type RefusedOf, whatText } from './refusal.ts';
import { refusedInstance } from './refused-instance.ts';
import { type Constraints, type Found, leastMembers, type Obstacle, type Refusal } from './search.ts';

const units = { iops: 'IOPS', throughput: 'MiB/s', capacity: 'GiB' } as const;
/** gp3 is read "gee", st1 "ess". */
const withArticle = (volumeType: VolumeType): string =>
  `${volumeType.startsWith('gp') ? 'a' : 'an'} ${volumeType}`;

const scaled = (need: Need, share: number): Need => ({
  ...need,
  iops: need.iops * share,
  throughputMiBps: need.throughputMiBps * share,
});

/** What a shape can have of what is asked, in words: all of it smaller by one share, or the capacity that it holds. */
function reachedWith(shape: Shape, need: Need, { deployment }: Constraints): string | null {
  const { volumeType, members } = shape;
  if (volumeType === 'standard') return null;
  const tryNeed = (one: Need) => cheapestMember(volumeType, memberNeed(one, shape), deployment);
  const empty = tryNeed(scaled(need, 0));
  if ('outOfReach' in empty)
    return `${figure(Math.floor(empty.outOfReach.atMost * dataMembers(shape)))} GiB with ${members} x ${volumeType}`;
  let [can, cannot] = [0, 1];
  for (let step = 0; step < 60; step++) {
    const middle = (can + cannot) / 2;
    if ('outOfReach' in tryNeed(scaled(need, middle))) cannot = middle;
    else can = middle;
  }
  const { iops, throughputMiBps } = scaled(need, can * (1 + 1e-12));
  const rates = [
    ...(iops > 0 ? [`${figure(Math.floor(iops))} IOPS`] : []),
    ...(throughputMiBps > 0 ? [`${figure(Math.floor(throughputMiBps * 100) / 100)} MiB/s`] : []),
  ];
  return `${rates.join(' and ')} with ${members} x ${volumeType}`;
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
function legalInstead(refusals: readonly Refusal[], { candidates }: Found): string | null {
  const { kind, volumeType } = (refusals[0] as Refusal).shape;
  const counts = candidates
    .filter(({ layout }) => layout.volumeType === volumeType && (layout.kind === kind || kind === 'single'))
    .map(({ layout }) => layout.members);
  return counts.length === 0 ? null : `${Math.min(...counts)} members can`;
}

function askedOf(
  { iops, throughputMiBps, capacityGiB, ioSizeKiB }: Need,
  obstacle: OutOfReach,
  shape: Shape,
): string {
  if (obstacle.limit === 'iops') return `${figure(iops)} IOPS are asked`;
  if (obstacle.limit === 'capacity') return `${figure(capacityGiB)} GiB are asked`;
  const byIops = mibFromKiB(iops * ioSizeKiB);
  return isHdd(shape.volumeType) && byIops > throughputMiBps
    ? `${figure(iops)} IOPS of ${figure(ioSizeKiB)} KiB are asked, which count as ${figure(byIops)} MiB/s`
    : `${figure(throughputMiBps)} MiB/s are asked`;
}

function outOfReach(
  refusals: readonly Refusal[],
  obstacle: OutOfReach,
  { need, constraints, found }: RefusedOf,
): Refused {
  const shape = largestAllowed(refusals, constraints);
  const { volumeType } = shape;
  const where = constraints.deployment === 'outposts' ? ' on Outposts' : '';
  const reached = reachedWith(shape, need, constraints);
  const nearest = [reached, legalInstead(refusals, found)].filter((text) => text !== null);
  return {
    what: whatText(refusals),
    because: `${askedOf(need, obstacle, shape)}; ${withArticle(volumeType)} volume${where} has at most ${figure(obstacle.atMost)} ${units[obstacle.limit]}`,
    nearest: nearest.join('; '),
  };
}

function tooRisky(
  refusals: readonly Refusal[],
  obstacle: Obstacle & { limit: 'failure-rate' },
  { found }: RefusedOf,
): Refused {
  const first = refusals[0] as Refusal;
  const { volumeType } = first.shape;
  const instead =
    found.candidates.length === 0 ? null : Math.min(...found.candidates.map((one) => one.annualFailureRate));
  const lowest = obstacle.atMost;
  return {
    what: whatText(refusals),
    because: `its annual failure rate is ${rateText(lowest)} or more, above the ceiling of ${rateText(obstacle.asked)} (${rateText(volumeFailureRate(volumeType))} a volume)`,
    nearest:
      instead === null
        ? `${rateText(lowest)} with ${first.shape.members} x ${volumeType}`
        : `${rateText(instead)} with an option that is offered`,
  };
}

const simple = {
  'hdd-access': (refusals: readonly Refusal[], { need }: RefusedOf): Refused => ({
    what: (refusals[0] as Refusal).shape.volumeType,
    because:
      need.access === 'random'
        ? 'HDD is for large sequential I/O: each random I/O counts as a whole MiB there, and takes the time of a seek'
        : `HDD is for sequential I/O of ${leastHddIoKiB} KiB and more; ${figure(need.ioSizeKiB)} KiB was asked`,
    nearest: `--access sequential with --io-size-kib ${leastHddIoKiB} or more`,
  }),
  'no-promise': (): Refused => ({
    what: 'standard (magnetic)',
    because: 'AWS promises no figure: about 100 IOPS on average, 40 to 200, unfit for most databases',
    nearest: 'gp3: 3,000 IOPS from 1 GiB on',
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
    const key = `${one.because} ${one.nearest}`;
    const before = byReason.get(key);
    byReason.set(key, before === undefined ? one : { ...one, what: `${before.what}, ${one.what}` });
  }
  return [...byReason.values()];
}

/** Kinds that were not tried, because so many members are not allowed. */
const tooSmall = ({ kinds, maxMembers }: Constraints): Refused[] =>
  kinds
    .filter((kind) => leastMembers[kind] > maxMembers)
    .map((kind) => ({
      what: `${kindNames[kind]} ${leastMembers[kind]} or more`,
      because: `at most ${maxMembers} ${maxMembers === 1 ? 'member is' : 'members are'} allowed`,
      nearest: `--max-members ${leastMembers[kind]}`,
    }));

/** Everything that was refused, the instance first. */
export const refusedOf = (of: RefusedOf): Refused[] =>
  joined([
    ...refusedInstance(of),
    ...groups(of.found.refusals).flatMap((group) => refusedGroup(group, of) ?? []),
    ...tooSmall(of.constraints),
  ]);
