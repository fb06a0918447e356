/** Stripes: which volumes are one, by tag, by what hosts report, or by loads that are alike. */
import type { Confidence } from '../diagnosis/causes.ts';
import { fixedThresholds } from '../diagnosis/thresholds.ts';
import { sha256Hex } from '../hash.ts';
import { configurationOf, isShared, type Volume } from '../inventory.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { sameTimes } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { UnlikeMember } from '../schemas/evidence.ts';
import type { HostArray, HostEvidence } from './host-evidence.ts';
import type { ArrayKind } from './host-report.ts';

// Volumes of one instance that carry one load, in even parts.

/** Kinds whose members all have the same to do. */
type EvenKind = Exclude<ArrayKind, 'linear' | 'other'>;

/** host: it said so. tag: its owner did. inferred: the volumes are alike and their loads nearly the same. */
type StripeEvidence = 'host' | 'tag' | 'inferred';

export interface Stripe {
  /** Stable: the instance with the name, or with a hash of the members where there is none. */
  stripeId: string;
  /** What it is called on the host or in the tag; null where it is inferred. */
  name: string | null;
  instanceId: string;
  region: string;
  account: string | null;
  /** At least two, by id. */
  volumes: readonly Volume[];
  evidence: StripeEvidence;
  confidence: Confidence;
  /** Null where it is inferred, or where the host has several kinds on the same volumes. */
  kind: EvenKind | null;
  chunkKiB: number | null;
  mountPoints: readonly string[];
  builtWith: 'lvm' | 'mdadm' | null;
}

export const idsOf = ({ volumes }: Pick<Stripe, 'volumes'>): string[] =>
  volumes.map(({ volumeId }) => volumeId);

type MemberConfiguration = UnlikeMember['configuration'];

/** Of a configuration that is not known, its type and size. */
function configurationOfMember(volume: Volume): MemberConfiguration {
  const { volumeType, sizeGiB } = volume;
  const configured = configurationOf(volume);
  if (!configured.known) return { volumeType, sizeGiB, iops: null, throughputMiBps: null };
  const { baselineIops, baselineMiBps } = configured.value.limits;
  return { volumeType, sizeGiB, iops: baselineIops, throughputMiBps: baselineMiBps };
}

const isSame = (a: MemberConfiguration, b: MemberConfiguration): boolean =>
  a.volumeType === b.volumeType &&
  a.sizeGiB === b.sizeGiB &&
  a.iops === b.iops &&
  a.throughputMiBps === b.throughputMiBps;

/**
 * Members that are not as most of them are; where no configuration is that of more than half, all of them. A stripe is as
 * fast as its slowest member allows, and as large as its smallest.
 */
export function unlikeMembers({ volumes }: Pick<Stripe, 'volumes'>): UnlikeMember[] {
  const all = volumes.map(configurationOfMember);
  const usual = all.find((one) => all.filter((other) => isSame(one, other)).length > all.length / 2);
  return volumes.flatMap(({ volumeId }, i) => {
    const configuration = all[i] as MemberConfiguration;
    if (usual !== undefined && isSame(configuration, usual)) return [];
    return [{ volumeId, configuration, othersConfiguration: usual ?? null }];
  });
}

// Do two volumes carry parts of one load? A stripe deals its I/O out chunk by chunk, so over a minute its members have the
// same number of operations and bytes, but for chance. Volumes that something else keeps in balance (data directories of a
// Cassandra or Kafka node, disks of a Ceph node) can look like it, since their load rises and falls together too. What
// guards against taking them for one: many busy periods, a narrow tolerance, neither having more in the long run, a load
// that varies by much more than the two differ (two steady loads may be equal by chance), and no word from periods in
// which a limit makes both equal. What is left of the doubt is said: inferred stripes are labelled, and of low confidence
// unless the parts are as even as dealing out makes them.

/** Numbers of n events that are dealt out at random differ by so many times the root of n, seldom by more. */
const chanceSigmas = 4;

/** On average over the periods that count, their operations differ by so much of the larger. */
interface Likeness {
  spread: number;
}

type LimitFigures = Pick<VolumeLimits, 'burstIops' | 'burstMiBps' | 'baselineIops' | 'baselineMiBps'>;

/** At the limit, with or without credits: what is throttled there is equal whatever it demanded. */
function isPinned(iops: number, mibps: number, limits: LimitFigures): boolean {
  const share = fixedThresholds.atLimitShare;
  return (
    iops >= share * limits.burstIops ||
    mibps >= share * limits.burstMiBps ||
    (iops >= share * limits.baselineIops && iops * share <= limits.baselineIops) ||
    (mibps >= share * limits.baselineMiBps && mibps * share <= limits.baselineMiBps)
  );
}

const differs = (a: number, b: number, within: number): boolean => Math.abs(a - b) > within * Math.max(a, b);

/** What the periods say in which at least one of the two is busy and no limit decides. */
class Tally {
  counted = 0;
  missed = 0;
  /** Of periods in which they agree: that one of them alone is busy now and then makes no load that they share. */
  private sum = 0;
  private squares = 0;
  /** By how much of the larger the two differ, and by how much more the first has, added up. */
  private differences = 0;
  private firstMore = 0;

  add(a: number, b: number, isMiss: boolean): void {
    this.counted++;
    const most = Math.max(a, b);
    if (isMiss) this.missed++;
    else {
      this.sum += most;
      this.squares += most * most;
    }
    this.differences += Math.abs(a - b) / most;
    this.firstMore += (a - b) / most;
  }

  get likeness(): Likeness | null {
    const { counted, missed, sum, squares } = this;
    if (counted < fixedThresholds.stripeBusyPeriods) return null;
    if (missed > (1 - fixedThresholds.stripeAlikeShare) * counted) return null;
    if (Math.abs(this.firstMore) > fixedThresholds.stripeMostBias * counted) return null;
    const agreed = counted - missed;
    const mean = sum / agreed;
    const variation = Math.sqrt(Math.max(0, squares / agreed - mean * mean)) / mean;
    const spread = this.differences / counted;
    const isTogether =
      variation >= fixedThresholds.stripeLeastVariation &&
      variation >= fixedThresholds.stripeVariationTimes * spread;
    return isTogether ? { spread } : null;
  }
}

/** Above so many operations chance decides nothing. */
const sureOps = (chanceSigmas / fixedThresholds.stripeAlikeWithin) ** 2;

/** Rates that no limit decides for sure: below the baseline, or between that and the burst. */
interface Free {
  below: number;
  above: number;
  belowBurst: number;
}

function freeOf(baseline: number, burst: number): Free {
  const share = 0.999 * fixedThresholds.atLimitShare;
  return { below: share * Math.min(baseline, burst), above: baseline / share, belowBurst: share * burst };
}

const isFree = (rate: number, { below, above, belowBurst }: Free): boolean =>
  rate < below || (rate > above && rate < belowBurst);

/** Most pairs are other loads: on one time axis that is seen without a division. Busy, not at a limit, and not alike so often. */
function isPlainlyOther(a: VolumeLoad, b: VolumeLoad, limits: LimitFigures, maxMisses: number): boolean {
  if (!sameTimes(a.epochSeconds, b.epochSeconds)) return false;
  const [byNumber, byBytes] = [
    freeOf(limits.baselineIops, limits.burstIops),
    freeOf(limits.baselineMiBps, limits.burstMiBps),
  ];
  const { periodSeconds } = a;
  const leastAlike = 0.999 * (1 - fixedThresholds.stripeAlikeWithin);
  const sureIops = (1.001 * sureOps) / periodSeconds;
  let misses = 0;
  for (let i = 0; i < a.iops.length && misses <= maxMisses; i++) {
    const iopsA = a.iops[i] as number;
    const iopsB = b.iops[i] as number;
    const more = iopsA > iopsB ? iopsA : iopsB;
    const less = iopsA > iopsB ? iopsB : iopsA;
    if (!(more >= sureIops && less < leastAlike * more && isFree(more, byNumber))) continue;
    const mibA = a.mibps[i] as number;
    const mibB = b.mibps[i] as number;
    if (mibA + mibB >= 0 && isFree(Math.max(mibA, mibB), byBytes)) misses++;
  }
  return misses > maxMisses;
}

/**
 * Whether operations (reads and writes) and bytes of two volumes are nearly the same in nearly all busy periods.
 * @param limits of both: they are configured alike.
 * @returns null where they are not, or where too few periods tell.
 */
function likeness(a: VolumeLoad, b: VolumeLoad, limits: LimitFigures): Likeness | null {
  if (a.periodSeconds !== b.periodSeconds) return null;
  const maxMisses = (1 - fixedThresholds.stripeAlikeShare) * Math.min(a.iops.length, b.iops.length);
  if (isPlainlyOther(a, b, limits, maxMisses)) return null;
  const { periodSeconds } = a;
  const tally = new Tally();
  let i = 0;
  let j = 0;
  while (i < a.ops.length && j < b.ops.length && tally.missed <= maxMisses) {
    const step = (a.epochSeconds[i] as number) - (b.epochSeconds[j] as number);
    if (step < 0) i++;
    else if (step > 0) j++;
    else {
      const opsA = a.ops[i] as number;
      const opsB = b.ops[j] as number;
      const mibA = a.mibps[i] as number;
      const mibB = b.mibps[j] as number;
      const most = Math.max(opsA, opsB);
      // Not with NaN: what is unknown says nothing.
      const isBusy = most >= fixedThresholds.stripeLeastOps && mibA + mibB >= 0;
      if (isBusy && !isPinned(most / periodSeconds, Math.max(mibA, mibB), limits)) {
        const within = Math.max(fixedThresholds.stripeAlikeWithin, chanceSigmas / Math.sqrt(most));
        tally.add(opsA, opsB, differs(opsA, opsB, within) || differs(mibA, mibB, within));
      }
      i++;
      j++;
    }
  }
  return tally.likeness;
}

// Which volumes of an instance form one stripe: what the host says, then tags, then likeness, each labelled.

export interface StripeSources {
  /** Null where the host was not asked, or did not answer. */
  host: HostEvidence | null;
  loads: (volumeId: string) => VolumeLoad | null;
}

type Described = Pick<Stripe, 'evidence' | 'confidence'> & Partial<Stripe>;

/** First 12 hex digits of SHA-256 over the ids: the same members have the same id. */
const hashOf = (ids: readonly string[]): string => sha256Hex(JSON.stringify(ids)).slice(0, 12);

function stripeOf(instanceId: string, unordered: readonly Volume[], described: Described): Stripe {
  const volumes = [...unordered].sort((a, b) => (a.volumeId < b.volumeId ? -1 : 1));
  const { region, account } = volumes[0] as Volume;
  const name = described.name ?? null;
  const ids = volumes.map(({ volumeId }) => volumeId);
  return {
    stripeId: `${instanceId}/${name ?? hashOf(ids)}`,
    instanceId,
    region,
    account,
    volumes,
    kind: null,
    chunkKiB: null,
    mountPoints: [],
    builtWith: null,
    ...described,
    name,
  };
}

const isEven = (kind: ArrayKind): kind is EvenKind => kind !== 'linear' && kind !== 'other';
const keyOf = ({ memberVolumeIds }: HostArray): string => memberVolumeIds.join(' ');

/** Logical volumes over the same disks are one stripe: the volumes carry what all of them do. */
function overTheSame(arrays: readonly HostArray[]): HostArray[][] {
  const byMembers = new Map<string, HostArray[]>();
  for (const array of arrays) byMembers.set(keyOf(array), [...(byMembers.get(keyOf(array)) ?? []), array]);
  return [...byMembers.values()];
}

/** All of the same kind, or none is said; of the names the first, so that another logical volume changes no identity. */
function fromHost(together: readonly HostArray[]): Partial<Stripe> {
  const only = <T>(of: (array: HostArray) => T): T | null => {
    const values = new Set(together.map(of));
    return values.size === 1 ? of(together[0] as HostArray) : null;
  };
  return {
    name: together.map(({ name }) => name).sort()[0] ?? null,
    kind: only(({ kind }) => kind) as EvenKind | null,
    chunkKiB: only(({ chunkKiB }) => chunkKiB),
    builtWith: only(({ builtWith }) => builtWith),
    mountPoints: together.flatMap(({ mountPoints }) => mountPoints).sort(),
  };
}

/** By the host. Of arrays that share some volumes but not all, the largest: the sharing makes its loads less even. */
function byHost(
  instanceId: string,
  volumes: ReadonlyMap<string, Volume>,
  { arrays }: HostEvidence,
): Stripe[] {
  const taken = new Set<string>();
  const groups = overTheSame(arrays.filter(({ kind }) => isEven(kind)));
  const size = (group: readonly HostArray[]): number => group[0]?.memberVolumeIds.length ?? 0;
  return groups
    .sort((a, b) => size(b) - size(a))
    .flatMap((together) => {
      const ids = together[0]?.memberVolumeIds ?? [];
      const members = ids.flatMap((id) => volumes.get(id) ?? []);
      // A member that the inventory does not know cannot be evaluated: then the others are not the whole.
      if (ids.length < 2 || members.length < ids.length || ids.some((id) => taken.has(id))) return [];
      for (const id of ids) taken.add(id);
      const isAlone = arrays.every(
        (other) => keyOf(other) === ids.join(' ') || !other.memberVolumeIds.some((id) => ids.includes(id)),
      );
      const confidence: Confidence = isAlone ? 'high' : 'medium';
      return [stripeOf(instanceId, members, { evidence: 'host', confidence, ...fromHost(together) })];
    });
}

function byTag(instanceId: string, volumes: readonly Volume[]): Stripe[] {
  const byName = new Map<string, Volume[]>();
  for (const volume of volumes) {
    const { stripeTag } = volume;
    if (stripeTag !== null) byName.set(stripeTag, [...(byName.get(stripeTag) ?? []), volume]);
  }
  return [...byName].flatMap(([name, members]) =>
    members.length < 2
      ? []
      : [stripeOf(instanceId, members, { evidence: 'tag', confidence: 'medium', name, kind: 'stripe' })],
  );
}

interface Cluster {
  members: { volume: Volume; load: VolumeLoad }[];
  worstSpread: number;
}

/** Tags of other names: their owner says that they are not one. */
const isDistinct = (a: Volume, b: Volume): boolean =>
  a.stripeTag !== null && b.stripeTag !== null && a.stripeTag !== b.stripeTag;

/** Null where it is not like every one of them. */
function spreadTo(
  { members }: Cluster,
  { volume, load }: Cluster['members'][number],
  limits: VolumeLimits,
): number | null {
  let worst = 0;
  for (const member of members) {
    const found = isDistinct(member.volume, volume) ? null : likeness(member.load, load, limits);
    if (found === null) return null;
    worst = Math.max(worst, found.spread);
  }
  return worst;
}

/** Each volume joins the first whose members it is like: among so few there is hardly ever a second. */
function clustersOf(volumes: readonly Volume[], limits: VolumeLimits, { loads }: StripeSources): Cluster[] {
  const clusters: Cluster[] = [];
  for (const volume of volumes) {
    const load = loads(volume.volumeId);
    if (load === null) continue;
    let isIn = false;
    for (const cluster of clusters) {
      const spread = spreadTo(cluster, { volume, load }, limits);
      if (spread === null) continue;
      cluster.members.push({ volume, load });
      cluster.worstSpread = Math.max(cluster.worstSpread, spread);
      isIn = true;
      break;
    }
    if (!isIn) clusters.push({ members: [{ volume, load }], worstSpread: 0 });
  }
  return clusters;
}

function inferred(instanceId: string, volumes: readonly Volume[], sources: StripeSources): Stripe[] {
  const byFigures = new Map<string, Volume[]>();
  for (const volume of volumes) {
    const { volumeType, sizeGiB, iops, throughputMiBps, deployment } = volume;
    const figures = JSON.stringify([volumeType, sizeGiB, iops, throughputMiBps, deployment]);
    byFigures.set(figures, [...(byFigures.get(figures) ?? []), volume]);
  }
  return [...byFigures.values()].flatMap((alike) => {
    const configured = alike.length < 2 ? null : configurationOf(alike[0] as Volume);
    if (configured === null || !configured.known) return [];
    return clustersOf(alike, configured.value.limits, sources).flatMap(({ members, worstSpread }) => {
      if (members.length < 2) return [];
      const confidence: Confidence = worstSpread <= fixedThresholds.stripeEvenWithin ? 'medium' : 'low';
      const found = members.map(({ volume }) => volume);
      return [stripeOf(instanceId, found, { evidence: 'inferred', confidence })];
    });
  });
}

/**
 * The stripes among the volumes of one instance, at least two volumes in each and no volume in two. What the host says
 * comes first: volumes that it has joined in any way, or that it uses alone, are neither tagged nor inferred into one.
 * A shared (Multi-Attach) volume is in none. Loads are compared only where nothing better is known (see alike.ts).
 */
export function stripesOf(instanceId: string, volumes: readonly Volume[], sources: StripeSources): Stripe[] {
  const own = volumes.filter((volume) => volume.state === 'in-use' && !isShared(volume));
  const { host } = sources;
  const notified =
    host === null ? [] : byHost(instanceId, new Map(own.map((one) => [one.volumeId, one])), host);
  const decided = new Set([
    ...(host?.singleVolumeIds ?? []),
    ...(host?.arrays ?? []).flatMap(({ memberVolumeIds }) => memberVolumeIds),
  ]);
  const open = own.filter(({ volumeId }) => !decided.has(volumeId));
  const tagged = byTag(instanceId, open);
  const named = new Set(tagged.flatMap((stripe) => stripe.volumes));
  const left = open.filter((volume) => !named.has(volume));
  return [...notified, ...tagged, ...inferred(instanceId, left, sources)];
}
