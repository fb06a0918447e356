/** What a finding is proved by: the volumes as they are against what is advised instead. */
import type { Market } from '../../catalogue/market.ts';
import { figure } from '../../figures.ts';
import type { Instance, Volume } from '../../inventory.ts';
import { type Known, known, unknown } from '../../known.ts';
import { configurationOf } from '../../limits/volume-configuration.ts';
import type { VolumeConfiguration } from '../../limits/volume-types.ts';
import { type Layout, provisioned } from '../../plan/layout.ts';
import type { AuditResult } from '../../schemas/audit-result.ts';
import { type Finding, isSaving, type Recommendation } from '../../schemas/finding.ts';
import { instanceTypeOf, layoutOf as recommendedLayout } from '../../schemas/finding-kinds.ts';
import { memberLimits } from '../campaign/cells.ts';
import { type BenchKind, type BenchLayout, benchKinds, mostMembers } from '../campaign/request.ts';
import { type HostType, nitroHost } from './host-type.ts';

/** A finding with what it is about. */
export interface FindingInAccount {
  finding: Finding;
  /** That it is on; null: on a volume or an instance. */
  stripe: AuditResult['stripes'][number] | null;
  /** With load: its volume, the members of its stripe, or those of its instance that carry what it is held back with. */
  volumes: readonly Volume[];
  instance: Instance | null;
}

/** How the two are called in a campaign, and in its report. */
export const presentName = 'present';
export const advisedName = 'advised';
/** Of an instance: the same volumes on two types, today's first. */
const volumesName = 'volumes';

export interface Compared {
  layouts: [BenchLayout, ...BenchLayout[]];
  instanceTypes: string[];
  /** Both, in words. */
  present: string;
  advised: string;
  notes: string[];
}

const chunksKiB = [4, 8, 16, 32, 64, 128, 256, 512, 1024] as const;
const usualChunkKiB = 128;

const isBenchKind = (kind: string): kind is BenchKind => (benchKinds as readonly string[]).includes(kind);

interface Array {
  kind: BenchKind;
  chunkKiB: BenchLayout['chunkKiB'];
  notes: string[];
}

function arrayOf({ stripe, volumes }: FindingInAccount): Known<Array> {
  if (volumes.length === 1) return known({ kind: 'single', chunkKiB: usualChunkKiB, notes: [] });
  const kind = stripe?.kind ?? null;
  if (kind !== null && !isBenchKind(kind)) return unknown(`a campaign builds no ${kind}`);
  const chunkKiB = chunksKiB.find((one) => one === stripe?.chunkKiB);
  return known({
    kind: kind ?? 'stripe',
    chunkKiB: chunkKiB ?? usualChunkKiB,
    notes: [
      ...(stripe === null
        ? ['its volumes are measured as one stripe, which spreads the load evenly over them']
        : kind === null
          ? ['how its volumes are joined is not known: a stripe is taken']
          : []),
      ...(stripe !== null && chunkKiB === undefined
        ? [`its chunk is not known: ${usualChunkKiB} KiB are taken`]
        : []),
    ],
  });
}

const textOfFigures = (config: Omit<VolumeConfiguration, 'deployment'>): string =>
  [
    config.volumeType,
    `${figure(config.sizeGiB)} GiB`,
    ...(config.iops === undefined ? [] : [`${figure(config.iops)} IOPS`]),
    ...(config.throughputMiBps === undefined ? [] : [`${figure(config.throughputMiBps)} MiB/s`]),
  ].join(', ');

/** "gp3, 100 GiB, 3,000 IOPS, 125 MiB/s", "a stripe of 4, each gp3, ...". */
const textOf = ({ kind, members, ...member }: BenchLayout): string =>
  members === 1 ? textOfFigures(member) : `${kind} of ${members}, each ${textOfFigures(member)}`;

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

function presentMember({ volumes, finding }: FindingInAccount): Known<VolumeConfiguration> {
  const configs: VolumeConfiguration[] = [];
  for (const volume of volumes) {
    const configured = configurationOf(volume);
    if (!configured.known) return unknown(`${volume.volumeId}: ${configured.because.code}`);
    configs.push(configured.value.config);
  }
  const [first] = configs;
  if (first === undefined) return unknown('no volume of it had any load');
  if (first.deployment === 'outposts') return unknown('a campaign runs in the Region, not on an Outpost');
  if (configs.length > mostMembers)
    return unknown(`it is about ${configs.length} volumes, and a host of a campaign takes ${mostMembers}`);
  if (configs.every((one) => sameFigures(one, first))) return known(first);
  return unknown(
    finding.resource.type !== 'stripe'
      ? 'its volumes with load are not configured alike: take a finding of one of them'
      : 'its members are not configured alike: give them the same figures first',
  );
}

/** Advised in place of one member, or of the one volume. */
function advisedLayout(array: Array, members: number, layout: Layout): BenchLayout {
  const config = provisioned(layout, 'region');
  if (layout.members === 1) return layoutOf(advisedName, members, array, config);
  // What a single volume would move to.
  const kind = layout.kind === 'single' ? 'stripe' : layout.kind;
  return layoutOf(advisedName, layout.members, { kind, chunkKiB: usualChunkKiB, notes: [] }, config);
}

function onTwoTypes(
  found: FindingInAccount,
  advice: Recommendation,
  array: Array,
  market: Market,
): Known<Compared> {
  const { instance, volumes } = found;
  const member = presentMember(found);
  if (!member.known) return member;
  const today = instance?.instanceType ?? null;
  const instanceType = instanceTypeOf(advice);
  if (today === null || instanceType === null) return unknown('which type is advised instead is not known');
  const old = [today, instanceType].find((type) => !market.instanceTypes.get(type)?.nitro);
  if (old !== undefined) return unknown(`a campaign runs on Nitro instances, and ${old} is none`);
  const layout = layoutOf(volumesName, volumes.length, array, member.value);
  const on = (type: string): string => `${textOf(layout)}; on ${type}`;
  return known({
    layouts: [layout],
    instanceTypes: [today, instanceType],
    ...{ present: on(today), advised: on(instanceType), notes: array.notes },
  });
}

const needOfHost = ({ members, ...layout }: BenchLayout) => {
  const { burstIops, burstMiBps } = memberLimits({ members, ...layout });
  return { iops: burstIops * members, mibps: burstMiBps * members, volumes: members };
};

function twoLayouts(found: FindingInAccount, advised: Layout, array: Array, market: Market): Known<Compared> {
  const member = presentMember(found);
  if (!member.known) return member;
  const members = found.volumes.length;
  const layouts: [BenchLayout, BenchLayout] = [
    layoutOf(presentName, members, array, member.value),
    advisedLayout(array, members, advised),
  ];
  const most = layouts.map(needOfHost).reduce((a, b) => ({
    iops: Math.max(a.iops, b.iops),
    mibps: Math.max(a.mibps, b.mibps),
    volumes: Math.max(a.volumes, b.volumes),
  }));
  const host: Known<HostType> = nitroHost(found.instance?.instanceType ?? null, most, market);
  if (!host.known) return host;
  const { instanceType, note } = host.value;
  const [present, then] = layouts.map((layout) => `${textOf(layout)}; on ${instanceType}`) as [
    string,
    string,
  ];
  return known({
    layouts,
    instanceTypes: [instanceType],
    ...{ present, advised: then, notes: [...array.notes, ...(note === null ? [] : [note])] },
  });
}

const cannot: Partial<Record<Finding['kind'], string>> = {
  idle: 'nothing used it: there is no load to repeat',
  unattached: 'it is attached to nothing: there is no load to repeat',
  stalled: 'what stalled it is nothing that a new volume shows',
  'stripe-straggler': 'that one member is slower than its siblings is nothing that new volumes show',
  'ebs-card-imbalance': 'its volumes stay as they are and only move to other cards',
  uninitialized: 'new volumes have nothing to read from a snapshot',
  'unreachable-performance': 'it is about what is paid for and cannot be used, not about how fast it is',
  'instance-credits-exhausted':
    'a new host begins with full EBS credits, which last for half an hour: what comes after them would not be measured',
};

/** Unknown, and why, where no benchmark can show it. */
export function comparedFor(found: FindingInAccount, market: Market): Known<Compared> {
  const { finding } = found;
  const because = cannot[finding.kind];
  if (because !== undefined) return unknown(because);
  const array = arrayOf(found);
  if (!array.known) return array;
  const isOfInstance = finding.kind.startsWith('throttled-instance-');
  const advice = finding.recommendations.find(
    (one) => (isOfInstance ? instanceTypeOf(one) : recommendedLayout(one)) !== null,
  );
  if (advice === undefined)
    return unknown(
      isSaving(finding) ? 'it names no configuration' : 'its advice names no other configuration to measure',
    );
  return isOfInstance
    ? onTwoTypes(found, advice, array.value, market)
    : twoLayouts(found, recommendedLayout(advice) as Layout, array.value, market);
}
