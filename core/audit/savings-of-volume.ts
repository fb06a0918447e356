/** What the rules about savings need to know of a volume: its load, its neighbours, what its instance can take. */
import type { ObservedNeed } from '../advice/savings/observed-need.ts';
import { type Saving, volumeSavings } from '../advice/savings/volume-savings.ts';
import type { Volume } from '../inventory.ts';
import type { Known } from '../known.ts';
import type { VolumeVerdict } from '../schemas/audit-result.ts';
import type { JudgeContext, Judging } from './judging.ts';

interface Seen {
  need: Known<ObservedNeed>;
  figures: Pick<VolumeVerdict, 'heldBackMinutesByCause'>;
}

const sameFigures = (a: Volume, b: Volume): boolean =>
  a.volumeType === b.volumeType &&
  a.sizeGiB === b.sizeGiB &&
  a.iops === b.iops &&
  a.throughputMiBps === b.throughputMiBps;

/** Volumes that its instance takes beside those that it has: new ones stand beside the old; null where it is not known. */
function freeAttachments(volume: Volume, { instances, markets, volumesOf }: JudgeContext): number | null {
  const [attachment] = volume.attachments;
  const instanceType = attachment && instances.get(attachment.instanceId)?.instanceType;
  const type = instanceType && markets(volume.region).instanceTypes.get(instanceType);
  if (!attachment || !type || type.attachments === null) return null;
  return type.attachments.most - volumesOf(attachment.instanceId).length;
}

/** None where prices are not known. */
export function savingsOf(judging: Judging, { need, figures }: Seen, context: JudgeContext): Saving[] {
  const { volume, prices, config, limits } = judging;
  if (!prices.known) return [];
  const neighbours = volume.attachments.flatMap(({ instanceId }) => context.volumesOf(instanceId));
  return volumeSavings({
    volume,
    present: { config, limits, prices: prices.value },
    seen: need,
    atItsLimit: ['volume-iops', 'volume-throughput'].some(
      (cause) => (figures.heldBackMinutesByCause[cause] ?? 0) > 0,
    ),
    alike: neighbours
      .filter((other) => other.volumeId !== volume.volumeId && sameFigures(other, volume))
      .map(({ volumeId }) => volumeId),
    freeAttachments: freeAttachments(volume, context),
  });
}
