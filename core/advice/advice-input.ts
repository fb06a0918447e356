/** What advice on a volume is made from. */
import type { Draft } from '../diagnosis/draft.ts';
import type { Volume } from '../inventory.ts';
import type { Known } from '../known.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import type { Layout } from '../plan/layout.ts';
import type { EbsPrices } from '../prices/price-book.ts';
import type { PriceReason } from '../prices/price-reason.ts';
import type { Limit, Recommendation } from '../schemas/finding.ts';
import type { Wanted } from './held-back/wanted.ts';

export interface AdviceInput {
  draft: Draft;
  /** Every finding of the same volume. */
  siblings: readonly Draft[];
  volume: Volume;
  config: VolumeConfiguration;
  limits: VolumeLimits;
  prices: Known<EbsPrices, PriceReason>;
  usd: Known<number, PriceReason>;
  /** What its load wanted; null where there is no load to replay. */
  wanted: Wanted | null;
  /** Volumes that its instance takes beside those that it has; null where that is not known. */
  freeAttachments: number | null;
}

/** Why nobody can say what a change there costs. */
export const outpostIsBilled = 'an Outpost is billed by its rack';

export const unknownEffect: Recommendation['effect'] = {
  method: 'unknown',
  throttledMinutesBefore: null,
  throttledMinutesAfter: null,
  limitBefore: null,
  limitAfter: null,
};

/** A way without a size: no price, no replay. */
export const way = (
  action: Recommendation['action'],
  purpose: Recommendation['purpose'],
  text: string,
  steps: string[] = [],
): Recommendation => ({
  ...{ action, purpose, inPlace: false, change: null, effect: unknownEffect },
  ...{ monthlyUsdDelta: null, priceUnknownReason: null, sizedBy: null, risks: [], steps, text },
});

/** The limit that a layout has in the unit of another one, of all members together. */
export const limitOfLayout = (
  { members, iops, throughputMiBps }: Layout,
  before: Limit | null,
): Limit | null =>
  before && {
    ...{ what: 'maximum', unit: before.unit, scope: 'volume' },
    value: members * (before.unit === 'IOPS' ? iops : throughputMiBps),
  };
