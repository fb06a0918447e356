/** What the rules about savings need to know of a volume: its load, its neighbours, what its instance can take. */
import type { ObservedNeed } from '../advice/savings/observed-need.ts';
import { type Saving, type SavingsBeside, volumeSavings } from '../advice/savings/volume-savings.ts';
import { attachedCount, type Volume } from '../inventory.ts';
import type { Known } from '../known.ts';
import type { VolumeVerdict } from '../schemas/audit-result.ts';
import type { NeedUnknown } from '../schemas/load-codes.ts';
import { idsOf } from '../stripes/stripe.ts';
import type { JudgeContext, Judging } from './judging.ts';
import type { VolumeReplay } from './volume-replay.ts';

/** What there is around a volume. */
export type Surroundings = Pick<JudgeContext, 'instances' | 'markets' | 'volumesOf' | 'thresholds'>;

interface Seen {
  need: Known<ObservedNeed, NeedUnknown>;
  figures: Pick<VolumeVerdict, 'heldBackMinutesByCause'>;
  /** Null where its load was not read. */
  replay: VolumeReplay | null;
}

const sameFigures = (a: Volume, b: Volume): boolean =>
  a.volumeType === b.volumeType &&
  a.sizeGiB === b.sizeGiB &&
  a.iops === b.iops &&
  a.throughputMiBps === b.throughputMiBps;

/** Volumes that its instance takes beside those that it has: new ones stand beside the old; null where it is not known. */
export function freeAttachments(
  volume: Volume,
  { instances, markets, volumesOf }: Surroundings,
): number | null {
  const [attachment] = volume.attachments;
  const instance = attachment && instances.get(attachment.instanceId);
  const instanceType = instance?.instanceType;
  const type = instanceType && markets(volume.region).instanceTypes.get(instanceType);
  if (!attachment || !instance || !type || type.attachments === null) return null;
  return type.attachments.most - attachedCount(instance, volumesOf(attachment.instanceId));
}

/** Null where prices are not known: then none is looked for. */
export function savingsBeside(
  { volume, prices, config, limits }: Pick<Judging, 'volume' | 'prices' | 'config' | 'limits'>,
  around: Surroundings,
): SavingsBeside | null {
  if (!prices.known) return null;
  const neighbours = volume.attachments.flatMap(({ instanceId }) => around.volumesOf(instanceId));
  return {
    volume,
    present: { config, limits, prices: prices.value },
    alike: neighbours
      .filter((other) => other.volumeId !== volume.volumeId && sameFigures(other, volume))
      .map(({ volumeId }) => volumeId),
    freeAttachments: freeAttachments(volume, around),
    thresholds: around.thresholds,
  };
}

/** What a volume did on an instance that nobody described may be all that the instance let it do. */
const isOnKnownInstances = ({ volume }: Judging, { instances }: JudgeContext): boolean =>
  volume.attachments.every(({ instanceId }) => instances.has(instanceId));

/** None where prices or an instance of the volume are not known. */
export function savingsOf(
  judging: Judging,
  { need, figures, replay }: Seen,
  context: JudgeContext,
): Saving[] {
  const beside = savingsBeside(judging, context);
  if (beside === null || !isOnKnownInstances(judging, context)) return [];
  const [attachment] = judging.volume.attachments;
  const stripes = attachment === undefined ? [] : context.observed.stripesOn(attachment.instanceId);
  // Of a stripe that is known as one all members are told together: nobody needs to be told that others look alike.
  const isKnown = stripes.some(
    (stripe) => stripe.evidence !== 'inferred' && idsOf(stripe).includes(judging.volume.volumeId),
  );
  return volumeSavings({
    ...beside,
    ...(isKnown ? { alike: [] } : {}),
    seen: need,
    heldBackMinutesWith:
      replay === null ? null : (layout, times) => replay.heldBackMinutesWith(layout, times),
    atItsLimit: ['volume-iops', 'volume-throughput'].some(
      (cause) => (figures.heldBackMinutesByCause[cause] ?? 0) > 0,
    ),
  });
}
