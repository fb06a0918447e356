/** One layout on one instance type: a host of its own. */
import type { InstanceType } from '../../catalog/instance-types.ts';
import { type VolumeConfiguration, type VolumeLimits, volumeLimits } from '../../limits/volume-limits.ts';
import { mibFromGiB } from '../../units.ts';
import type { BenchKind, BenchLayout, BenchRequest } from './request.ts';

/** What everything that a campaign makes carries, so that it can be found and removed whatever became of the campaign. */
export const campaignTag = 'stripewise:campaign';
export const cellTag = 'stripewise:cell';
/** ISO 8601 UTC: from then on it is nobody's. */
export const expiresTag = 'stripewise:expires';

/**
 * EC2 puts it on what is launched from a template, and keeps keys that begin with `aws:` for itself: it tells hosts of a stack
 * from whatever carries the tags above. Source: EC2 user guide, "Tag restrictions", read 2026-11-24.
 */
export const launchTemplateTag = 'aws:ec2launchtemplate:id';

/** Makes the grant by which EC2 uses a key. */
export const grantAction = 'kms:CreateGrant';
/**
 * What launching hosts with a customer's key takes, of its key policy and of the role that launches. Source: EBS user guide,
 * "Requirements for Amazon EBS encryption", read 2026-11-25.
 */
export const keyActions = [
  grantAction,
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
] as const;

export const tagsOf = (
  campaignId: string,
  cellId: string,
  expiresAt: string,
): Readonly<Record<string, string>> => ({
  [campaignTag]: campaignId,
  [cellTag]: cellId,
  [expiresTag]: expiresAt,
  Name: `stripewise ${campaignId} ${cellId}`,
});

export interface Cell {
  /** Of letters, digits and hyphens: it is part of keys, run ids and tags. */
  id: string;
  layout: BenchLayout;
  instanceType: string;
}

/** Instance types side by side for each layout, in the order of the request. */
export const cellsOf = ({ layouts, instanceTypes }: BenchRequest): Cell[] =>
  layouts.flatMap((layout) =>
    instanceTypes.map((instanceType) => ({
      id: `${layout.name}-${instanceType.replaceAll('.', '-')}`,
      ...{ layout, instanceType },
    })),
  );

/** Each member. */
export const memberOf = ({
  volumeType,
  sizeGiB,
  iops,
  throughputMiBps,
}: BenchLayout): VolumeConfiguration => ({
  ...{ volumeType, sizeGiB, iops, throughputMiBps },
  deployment: 'region',
});

/** @throws IllegalConfiguration where EBS would refuse the member. */
export const memberLimits = (layout: BenchLayout): VolumeLimits => volumeLimits(memberOf(layout));

/** Members that work at the same time on what is asked of many places: of volumes joined end to end, as many hold the file. */
const isStriped = (kind: BenchKind): boolean => kind !== 'single' && kind !== 'linear';

export interface ReadCapacity {
  iops: number;
  mibps: number;
}

/**
 * What the layout can do at most with reads, by its members: a file that is measured lies on one member of a linear
 * layout. Copies of RAID10 and the parity of RAID5 take their part of writes only.
 */
export function abilityOf(layout: BenchLayout): ReadCapacity {
  const { burstIops, burstMiBps } = memberLimits(layout);
  const members = isStriped(layout.kind) ? layout.members : 1;
  return { iops: burstIops * members, mibps: burstMiBps * members };
}

/** Member I/O for each write. */
const writePenalties: { readonly [K in BenchKind]: number } = {
  ...{ single: 1, linear: 1, stripe: 1, raid0: 1 },
  ...{ raid5: 4, raid10: 2, 'raid10-far2': 2 },
};

/** MiB a second at which its files are written before anything is measured, by volumes and instance. */
export function prefillMiBpsOf(layout: BenchLayout, type: InstanceType | undefined): number {
  const { mibps } = abilityOf(layout);
  // Whole stripes of RAID5 are written without reading first.
  const penalty =
    layout.kind === 'raid5' ? layout.members / (layout.members - 1) : writePenalties[layout.kind];
  // Copies and parity go through the instance too.
  return Math.min(mibps, type?.ebs?.baselineMiBps ?? Number.POSITIVE_INFINITY) / penalty;
}

/** What it holds: copies and parity take their part. */
export function roomMiBOf({ kind, members, sizeGiB }: BenchLayout): number {
  const copies = kind.startsWith('raid10') ? 2 : 1;
  return mibFromGiB((sizeGiB * (kind === 'raid5' ? members - 1 : members)) / copies);
}

/** Device names that EC2 takes for the members, in the order of the stripe: sdf to sdz, then sdb to sde. */
export const deviceNames: readonly string[] = [...'fghijklmnopqrstuvwxyzbcde'].map(
  (letter) => `/dev/sd${letter}`,
);
