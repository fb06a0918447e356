/** Which volumes of an instance form one stripe: what the host says, then tags, then likeness, each labelled. */
import { createHash } from 'node:crypto';
import { isShared } from '../diagnosis/attached-volumes.ts';
import type { Confidence } from '../diagnosis/causes.ts';
import { fixedThresholds } from '../diagnosis/thresholds.ts';
import type { Volume } from '../inventory.ts';
import { configurationOf } from '../limits/volume-configuration.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { likeness } from './alike.ts';
import type { ArrayKind } from './array-kind.ts';
import type { HostArray, HostEvidence } from './host-evidence.ts';
import type { EvenKind, Stripe } from './stripe.ts';

export interface StripeSources {
  /** Null where the host was not asked, or did not answer. */
  host: HostEvidence | null;
  loads: (volumeId: string) => VolumeLoad | null;
}

type Described = Pick<Stripe, 'evidence' | 'confidence'> & Partial<Stripe>;

/** First 12 hex digits of SHA-256 over the ids: the same members have the same id. */
const hashOf = (ids: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(ids)).digest('hex').slice(0, 12);

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
