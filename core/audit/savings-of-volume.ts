/** What the rules about savings need to know of a volume: its load, its neighbours, what its instance can take. */

import { attachedCount, type Volume } from '../inventory.ts';
import { type Known, known } from '../known.ts';
import { isPriced, rankingPrices } from '../prices/prices.ts';
import {
  noSavings,
  type ObservedNeed,
  type Saving,
  type SavingsAndSchedule,
  type SavingsBeside,
  type SavingsOf,
  savingsAndSchedule,
  volumeSavings,
} from '../recommendations/savings.ts';
import type { VolumeEvaluation } from '../schemas/audit-result.ts';
import type { NeedUnknown } from '../schemas/load-codes.ts';
import { idsOf } from '../stripes/stripes.ts';
import type { Evaluating, EvaluationContext } from './observed.ts';
import type { VolumeReplay } from './volume-replay.ts';

/** What there is around a volume. */
export type SavingsContext = Pick<
  EvaluationContext,
  'instances' | 'regionCatalogs' | 'volumesOf' | 'thresholds'
>;

interface Seen {
  need: Known<ObservedNeed, NeedUnknown>;
  figures: Pick<VolumeEvaluation, 'throttledMinutesByCause'>;
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
  { instances, regionCatalogs, volumesOf }: SavingsContext,
): number | null {
  const [attachment] = volume.attachments;
  const instance = attachment && instances.get(attachment.instanceId);
  const instanceType = instance?.instanceType;
  const type = instanceType && regionCatalogs(volume.region).instanceTypes.get(instanceType);
  if (!attachment || !instance || !type || type.attachments === null) return null;
  return type.attachments.most - attachedCount(instance, volumesOf(attachment.instanceId));
}

/** Null where its type has no price: then none is looked for. */
export function savingsBeside(
  { volume, prices, config, limits }: Pick<Evaluating, 'volume' | 'prices' | 'config' | 'limits'>,
  around: SavingsContext,
): SavingsBeside | null {
  if (!prices.known || !isPriced(config.volumeType, prices.value)) return null;
  const neighbours = volume.attachments.flatMap(({ instanceId }) => around.volumesOf(instanceId));
  return {
    volume,
    current: { config, limits, prices: prices.value },
    alike: neighbours
      .filter((other) => other.volumeId !== volume.volumeId && sameFigures(other, volume))
      .map(({ volumeId }) => volumeId),
    freeAttachments: freeAttachments(volume, around),
    thresholds: around.thresholds,
  };
}

/** What a volume did on an instance that nobody described may be all that the instance let it do. */
const isOnKnownInstances = ({ volume }: Evaluating, { instances }: EvaluationContext): boolean =>
  volume.attachments.every(({ instanceId }) => instances.has(instanceId));

/**
 * Where the Region's prices are not known: what would cost less with those of us-east-1. That is an order of prices, no sum of
 * money. Without stripes and schedules: whether one costs less depends on the prices themselves.
 */
export function likelySavings(evaluating: Evaluating, seen: Seen, context: EvaluationContext): Saving[] {
  if (evaluating.prices.known) return [];
  const ranked = { ...evaluating, prices: known(rankingPrices(evaluating.prices)) };
  const of = askedOf(ranked, seen, context);
  if (of === null) return [];
  return volumeSavings({ ...of, scheduled: null }).filter(({ draft: { kind } }) => kind !== 'cheaper-stripe');
}

/** None where the price or an instance of the volume is not known. */
export function savingsOf(
  evaluating: Evaluating,
  seen: Seen,
  context: EvaluationContext,
): SavingsAndSchedule {
  const of = askedOf(evaluating, seen, context);
  return of === null ? noSavings : savingsAndSchedule(of);
}

function askedOf(
  evaluating: Evaluating,
  { need, figures, replay }: Seen,
  context: EvaluationContext,
): SavingsOf | null {
  const beside = savingsBeside(evaluating, context);
  if (beside === null || !isOnKnownInstances(evaluating, context)) return null;
  const [attachment] = evaluating.volume.attachments;
  const stripes = attachment === undefined ? [] : context.observed.stripesOn(attachment.instanceId);
  // Of a stripe that is known as one all members are reported together: nobody needs to be told that others look alike.
  const isKnown = stripes.some(
    (stripe) => stripe.evidence !== 'inferred' && idsOf(stripe).includes(evaluating.volume.volumeId),
  );
  return {
    ...beside,
    ...(isKnown ? { alike: [] } : {}),
    seen: need,
    throttledMinutesWith:
      replay === null ? null : (layout, times) => replay.throttledMinutesWith(layout, times),
    scheduled:
      replay === null
        ? null
        : replay.forSchedule(context.modifications?.get(evaluating.volume.volumeId) ?? null),
    atItsLimit: ['volume-iops', 'volume-throughput'].some(
      (cause) => (figures.throttledMinutesByCause[cause] ?? 0) > 0,
    ),
  };
}
