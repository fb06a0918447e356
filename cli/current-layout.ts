/** A present layout as people type it: `gp2:500`, `gp3:1000:15000:625`, `4xio2:200:8000`, `raid10:4xgp3:250`. */
import { BadInput } from '../core/errors.ts';
import { isVolumeId } from '../core/ids.ts';
import { type Deployment, isVolumeType, volumeLimits } from '../core/limits/volume-limits.ts';
import type { LayoutKind } from '../core/plan/layout.ts';
import { type Current, maxMembers } from '../core/plan/step-commands.ts';

export const builtWith = ['lvm', 'mdadm'] as const;

interface Given {
  text: string;
  volumeIds: readonly string[];
  deployment: Deployment;
  builtWith?: (typeof builtWith)[number] | undefined;
}

const form = /^(?:(raid10|raid5):)?(?:(\d{1,6})x)?([a-z0-9]+):(\d{1,9})(?::(\d{1,9}))?(?::(\d{1,9}))?$/;
const expected =
  'give [raid10:|raid5:][Nx]TYPE:GIB[:IOPS[:MIBPS]], like gp2:500 or 4xgp3:250:3000:125, figures of each volume';

function kindOf(raid: string | undefined, members: number, text: string): LayoutKind {
  const least = { raid10: 4, raid5: 3 }[raid ?? ''] ?? 1;
  if (members < least || members > maxMembers || (raid === 'raid10' && members % 2 === 1))
    throw new BadInput(
      `--current "${text}" has ${members} volumes: ${raid === undefined ? `give 1 to ${maxMembers}` : raid === 'raid10' ? 'RAID10 has 4, 6, 8 and so on' : 'RAID5 has 3 or more'}`,
    );
  return (raid as LayoutKind | undefined) ?? (members === 1 ? 'single' : 'stripe');
}

function requireIds({ text, volumeIds }: Given, members: number): void {
  const strange = volumeIds.find((id) => !isVolumeId(id));
  if (strange !== undefined)
    throw new BadInput(`--volume-ids "${strange}" is not a volume id: give ids like vol-0123456789abcdef0`);
  const twice = volumeIds.find((id, i) => volumeIds.indexOf(id) !== i);
  if (twice !== undefined) throw new BadInput(`--volume-ids names ${twice} twice: give each volume once`);
  if (volumeIds.length > 0 && volumeIds.length !== members)
    throw new BadInput(
      `--volume-ids names ${volumeIds.length} volumes, --current "${text}" has ${members}: give as many, or none`,
    );
}

/**
 * Several volumes are taken for a stripe where no RAID is named.
 * @throws BadInput where it is none, IllegalConfiguration where EBS would refuse it.
 */
export function parseCurrent(given: Given): Current {
  const { text, deployment } = given;
  const [, raid, count, volumeType = '', gib, iops, mibps] = form.exec(text) ?? [];
  if (gib === undefined || !isVolumeType(volumeType))
    throw new BadInput(`--current "${text}" is not a layout: ${expected}`);
  const members = Number(count ?? 1);
  const kind = kindOf(raid, members, text);
  requireIds(given, members);
  if (given.builtWith !== undefined && kind === 'single')
    throw new BadInput('--current-built-with is what joins several volumes: --current has one');
  const limits = volumeLimits({
    volumeType,
    sizeGiB: Number(gib),
    iops: iops === undefined ? undefined : Number(iops),
    throughputMiBps: mibps === undefined ? undefined : Number(mibps),
    deployment,
  });
  return {
    layout: {
      kind,
      members,
      volumeType,
      sizeGiB: limits.sizeGiB,
      iops: limits.baselineIops,
      throughputMiBps: limits.baselineMiBps,
    },
    volumeIds: given.volumeIds,
    builtWith: given.builtWith,
  };
}
