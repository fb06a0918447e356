/** A present layout as people type it: `gp2:500`, `gp3:1000:15000:625`, `4xio2:200:8000`. */
import { BadInput } from '../core/errors.ts';
import { volumeLimits } from '../core/limits/volume-limits.ts';
import { type Deployment, isVolumeType } from '../core/limits/volume-types.ts';
import type { Present } from '../core/plan/steps.ts';

const form = /^(?:(\d+)x)?([a-z0-9]+):(\d+)(?::(\d+))?(?::(\d+))?$/;
const expected = 'give [Nx]TYPE:GIB[:IOPS[:MIBPS]], like gp2:500 or 4xgp3:250:3000:125';

/**
 * Several volumes are taken for a stripe.
 * @throws BadInput where it is none, IllegalConfiguration where EBS would refuse it.
 */
export function parsePresent(text: string, volumeIds: readonly string[], deployment: Deployment): Present {
  const [, count, volumeType = '', gib, iops, mibps] = form.exec(text) ?? [];
  if (gib === undefined || !isVolumeType(volumeType))
    throw new BadInput(`--present "${text}" is not a layout: ${expected}`);
  const members = Number(count ?? 1);
  if (members < 1) throw new BadInput(`--present "${text}" has no volume: ${expected}`);
  const limits = volumeLimits({
    volumeType,
    sizeGiB: Number(gib),
    iops: iops === undefined ? undefined : Number(iops),
    throughputMiBps: mibps === undefined ? undefined : Number(mibps),
    deployment,
  });
  const strange = volumeIds.find((id) => !/^vol-[0-9a-f]{8,17}$/.test(id));
  if (strange !== undefined)
    throw new BadInput(`--volume-ids "${strange}" is not a volume id: give ids like vol-0123456789abcdef0`);
  if (volumeIds.length > members)
    throw new BadInput(
      `--volume-ids names ${volumeIds.length} volumes, --present has ${members}: give as many`,
    );
  return {
    layout: {
      kind: members === 1 ? 'single' : 'stripe',
      members,
      volumeType,
      sizeGiB: limits.sizeGiB,
      iops: limits.baselineIops,
      throughputMiBps: limits.baselineMiBps,
    },
    volumeIds,
  };
}
