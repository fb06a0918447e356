/** What the rules about savings need to know of a volume: its load, its neighbours, what its instance can take. */
import { observedNeed } from '../advice/savings/observed-need.ts';
import { type Saving, volumeSavings } from '../advice/savings/volume-savings.ts';
import type { AuditWindow } from '../diagnosis/audit-window.ts';
import type { Volume } from '../inventory.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { VolumeVerdict } from '../schemas/audit-result.ts';
import type { JudgeContext, Judging } from './judging.ts';

interface Seen {
  load: VolumeLoad;
  window: AuditWindow;
  figures: Pick<VolumeVerdict, 'heldBackMinutesByCause'>;
}

const sameFigures = (a: Volume, b: Volume): boolean =>
  a.volumeType === b.volumeType &&
  a.sizeGiB === b.sizeGiB &&
  a.iops === b.iops &&
  a.throughputMiBps === b.throughputMiBps;

/** What its instance takes beside the other volumes that it has; null where that is not known. */
function freeAttachments(volume: Volume, { instances, markets, volumesOf }: JudgeContext): number | null {
  const [attachment] = volume.attachments;
  const instanceType = attachment && instances.get(attachment.instanceId)?.instanceType;
  const type = instanceType && markets(volume.region).instanceTypes.get(instanceType);
  if (!attachment || !type || type.attachments === null) return null;
  return type.attachments.most - (volumesOf(attachment.instanceId).length - 1);
}

/** None where prices are not known. */
export function savingsOf(
  judging: Judging,
  { load, window, figures }: Seen,
  context: JudgeContext,
): Saving[] {
  const { volume, prices, config, limits } = judging;
  if (!prices.known) return [];
  const heldBackMinutes = Object.values(figures.heldBackMinutesByCause).reduce(
    (sum, minutes) => sum + minutes,
    0,
  );
  const neighbours = volume.attachments.flatMap(({ instanceId }) => context.volumesOf(instanceId));
  return volumeSavings({
    volume,
    present: { config, limits, prices: prices.value },
    seen: observedNeed(load, window, heldBackMinutes),
    atItsLimit: ['volume-iops', 'volume-throughput'].some(
      (cause) => (figures.heldBackMinutesByCause[cause] ?? 0) > 0,
    ),
    alike: neighbours
      .filter((other) => other.volumeId !== volume.volumeId && sameFigures(other, volume))
      .map(({ volumeId }) => volumeId),
    freeAttachments: freeAttachments(volume, context),
  });
}
