/** What a finding is proved by: the volumes as they are against what is recommended instead. */
import { z } from 'zod';
import type { RegionCatalog } from '../../catalog/region-catalog.ts';
import { configurationOf, type Instance, type Volume } from '../../inventory.ts';
import { type Known, known, unknown } from '../../known.ts';
import type { VolumeConfiguration } from '../../limits/volume-limits.ts';
import { type Layout, provisioned } from '../../plan/layout.ts';
import type { AuditResult } from '../../schemas/audit-result.ts';
import type { Finding, Recommendation } from '../../schemas/finding.ts';
import { instanceTypeOf, layoutOf as recommendedLayout } from '../../schemas/finding-kinds.ts';
import type { ConfigurationReason } from '../../schemas/unknown-reasons.ts';
import { memberLimits } from '../campaign/cells.ts';
import { type BenchKind, type BenchLayout, benchKinds, maxMembers } from '../campaign/request.ts';
import { type HostUnknown, hostNotes, nitroHost } from './host-type.ts';

/** A finding with what it is about. */
export interface FindingInAccount {
  finding: Finding;
  /** That it is on; null: on a volume or an instance. */
  stripe: AuditResult['stripes'][number] | null;
  /** With load: its volume, the members of its stripe, or those of its instance that carry what it is throttled with. */
  volumes: readonly Volume[];
  instance: Instance | null;
}

/** How the two are called in a campaign, and in its report. */
export const currentName = 'current';
export const recommendedName = 'recommended';
/** Of an instance: the same volumes on two types, today's first. */
const volumesName = 'volumes';

/** What of the two is taken and was not seen. */
export const comparedNotes = [
  z
    .object({ code: z.literal('measured-as-one-stripe') })
    .meta({ description: 'the volumes of an instance: a stripe spreads the load evenly over them' }),
  z.object({ code: z.literal('stripe-assumed') }),
  z.object({ code: z.literal('chunk-assumed'), chunkKiB: z.number() }),
  ...hostNotes,
] as const;
type ComparedNote = z.infer<(typeof comparedNotes)[number]>;

/** What new volumes on a new host cannot show. */
const notMeasurable = [
  ...(['idle', 'unattached', 'stalled', 'stripe-straggler', 'ebs-card-imbalance', 'uninitialized'] as const),
  ...(['unreachable-performance', 'instance-credits-exhausted'] as const),
] as const satisfies readonly Finding['kind'][];
type NotMeasurableKind = (typeof notMeasurable)[number];

/** Why two configurations cannot be compared. */
export type NotComparable =
  | { code: 'kind-not-measurable'; kind: NotMeasurableKind }
  | { code: 'array-not-built'; kind: string }
  | { code: 'volume-unknown'; volumeId: string; reason: ConfigurationReason }
  | { code: 'no-volume-with-load' }
  | { code: 'on-outpost' }
  | { code: 'too-many-volumes'; volumes: number; most: number }
  | { code: 'volumes-not-alike' }
  | { code: 'members-not-alike' }
  | { code: 'no-instance-type-recommended' }
  | { code: 'no-configuration-recommended' }
  | { code: 'not-on-nitro'; instanceType: string }
  | HostUnknown;

type Comparable<T> = Known<T, NotComparable>;

/** A layout and the instance type that it is measured on. */
interface Configuration {
  layout: BenchLayout;
  instanceType: string;
}

export interface Compared {
  layouts: [BenchLayout, ...BenchLayout[]];
  instanceTypes: string[];
  current: Configuration;
  recommended: Configuration;
  notes: ComparedNote[];
}

const chunksKiB = [4, 8, 16, 32, 64, 128, 256, 512, 1024] as const;
const usualChunkKiB = 128;

const isBenchKind = (kind: string): kind is BenchKind => (benchKinds as readonly string[]).includes(kind);

interface Array {
  kind: BenchKind;
  chunkKiB: BenchLayout['chunkKiB'];
  notes: ComparedNote[];
}

function arrayOf({ stripe, volumes }: FindingInAccount): Comparable<Array> {
  if (volumes.length === 1) return known({ kind: 'single', chunkKiB: usualChunkKiB, notes: [] });
  const kind = stripe?.kind ?? null;
  if (kind !== null && !isBenchKind(kind)) return unknown({ code: 'array-not-built', kind });
  const chunkKiB = chunksKiB.find((one) => one === stripe?.chunkKiB);
  return known({
    kind: kind ?? 'stripe',
    chunkKiB: chunkKiB ?? usualChunkKiB,
    notes: [
      ...(stripe === null ? [{ code: 'measured-as-one-stripe' as const }] : []),
      ...(stripe !== null && kind === null ? [{ code: 'stripe-assumed' as const }] : []),
      ...(stripe !== null && chunkKiB === undefined
        ? [{ code: 'chunk-assumed' as const, chunkKiB: usualChunkKiB }]
        : []),
    ],
  });
}

/** What gp3 has where nothing is said is said: EC2 gives a new one the same. */
function layoutOf(
  name: string,
  members: number,
  { kind, chunkKiB }: Array,
  { volumeType, sizeGiB, iops, throughputMiBps }: VolumeConfiguration,
): BenchLayout {
  return {
    ...{ name, kind, members, volumeType, sizeGiB },
    ...(iops === undefined ? {} : { iops: Math.ceil(iops) }),
    ...(throughputMiBps === undefined ? {} : { throughputMiBps: Math.ceil(throughputMiBps) }),
    ...{ chunkKiB, fileSystem: 'xfs' },
  };
}

const sameFigures = (a: VolumeConfiguration, b: VolumeConfiguration): boolean =>
  a.volumeType === b.volumeType &&
  a.sizeGiB === b.sizeGiB &&
  a.iops === b.iops &&
  a.throughputMiBps === b.throughputMiBps;

function currentMember({ volumes, finding }: FindingInAccount): Comparable<VolumeConfiguration> {
  const configs: VolumeConfiguration[] = [];
  for (const volume of volumes) {
    const configured = configurationOf(volume);
    const { volumeId } = volume;
    if (!configured.known) return unknown({ code: 'volume-unknown', volumeId, reason: configured.reason });
    configs.push(configured.value.config);
  }
  const [first] = configs;
  if (first === undefined) return unknown({ code: 'no-volume-with-load' });
  if (first.deployment === 'outposts') return unknown({ code: 'on-outpost' });
  if (configs.length > maxMembers)
    return unknown({ code: 'too-many-volumes', volumes: configs.length, most: maxMembers });
  if (configs.every((one) => sameFigures(one, first))) return known(first);
  return unknown({
    code: finding.resource.type === 'stripe' ? 'members-not-alike' : 'volumes-not-alike',
  });
}

/** Recommended in place of one member, or of the one volume. */
function recommendedBenchLayout(array: Array, members: number, layout: Layout): BenchLayout {
  const config = provisioned(layout, 'region');
  if (layout.members === 1) return layoutOf(recommendedName, members, array, config);
  // What a single volume would move to.
  const kind = layout.kind === 'single' ? 'stripe' : layout.kind;
  return layoutOf(recommendedName, layout.members, { kind, chunkKiB: usualChunkKiB, notes: [] }, config);
}

function onTwoTypes(
  found: FindingInAccount,
  recommendation: Recommendation,
  array: Array,
  regionCatalog: RegionCatalog,
): Comparable<Compared> {
  const { instance, volumes } = found;
  const member = currentMember(found);
  if (!member.known) return member;
  const today = instance?.instanceType ?? null;
  const instanceType = instanceTypeOf(recommendation);
  if (today === null || instanceType === null) return unknown({ code: 'no-instance-type-recommended' });
  const old = [today, instanceType].find((type) => !regionCatalog.instanceTypes.get(type)?.nitro);
  if (old !== undefined) return unknown({ code: 'not-on-nitro', instanceType: old });
  const layout = layoutOf(volumesName, volumes.length, array, member.value);
  return known({
    layouts: [layout],
    instanceTypes: [today, instanceType],
    current: { layout, instanceType: today },
    recommended: { layout, instanceType },
    notes: array.notes,
  });
}

const needOfHost = ({ members, ...layout }: BenchLayout) => {
  const { burstIops, burstMiBps } = memberLimits({ members, ...layout });
  return { iops: burstIops * members, mibps: burstMiBps * members, volumes: members };
};

function twoLayouts(
  found: FindingInAccount,
  recommended: Layout,
  array: Array,
  regionCatalog: RegionCatalog,
): Comparable<Compared> {
  const member = currentMember(found);
  if (!member.known) return member;
  const members = found.volumes.length;
  const layouts: [BenchLayout, BenchLayout] = [
    layoutOf(currentName, members, array, member.value),
    recommendedBenchLayout(array, members, recommended),
  ];
  const most = layouts.map(needOfHost).reduce((a, b) => ({
    iops: Math.max(a.iops, b.iops),
    mibps: Math.max(a.mibps, b.mibps),
    volumes: Math.max(a.volumes, b.volumes),
  }));
  const host = nitroHost(found.instance?.instanceType ?? null, most, regionCatalog);
  if (!host.known) return host;
  const { instanceType, note } = host.value;
  const [current, then] = layouts;
  return known({
    layouts,
    instanceTypes: [instanceType],
    current: { layout: current, instanceType },
    recommended: { layout: then, instanceType },
    notes: [...array.notes, ...(note === null ? [] : [note])],
  });
}

/** A host of a benchmark has the default bandwidth weighting. */
const typeToMeasure = (one: Recommendation): string | null =>
  one.change?.of === 'instance' && one.change.bandwidthWeighting !== undefined ? null : instanceTypeOf(one);

/** Unknown, and why, where no benchmark can show it. */
export function comparedFor(found: FindingInAccount, regionCatalog: RegionCatalog): Comparable<Compared> {
  const { finding } = found;
  const kind = notMeasurable.find((one) => one === finding.kind);
  if (kind !== undefined) return unknown({ code: 'kind-not-measurable', kind });
  const array = arrayOf(found);
  if (!array.known) return array;
  const isOfInstance = finding.kind.startsWith('throttled-instance-');
  const recommendation = finding.recommendations.find(
    (one) => (isOfInstance ? typeToMeasure(one) : recommendedLayout(one)) !== null,
  );
  if (recommendation === undefined) return unknown({ code: 'no-configuration-recommended' });
  return isOfInstance
    ? onTwoTypes(found, recommendation, array.value, regionCatalog)
    : twoLayouts(found, recommendedLayout(recommendation) as Layout, array.value, regionCatalog);
}
