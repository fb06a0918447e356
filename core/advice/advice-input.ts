/** What advice on a volume is made from. */
import type { Draft } from '../diagnosis/draft.ts';
import type { Volume } from '../inventory.ts';
import type { Known } from '../known.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import type { EbsPrices } from '../prices/price-book.ts';
import type { Advice } from '../schemas/finding.ts';
import type { Wanted } from './held-back/wanted.ts';

export interface AdviceInput {
  draft: Draft;
  /** Every finding of the same volume. */
  siblings: readonly Draft[];
  volume: Volume;
  config: VolumeConfiguration;
  limits: VolumeLimits;
  prices: Known<EbsPrices>;
  usd: Known<number>;
  /** What its load wanted; null where there is no load to replay. */
  wanted: Wanted | null;
  /** Volumes that its instance takes beside those that it has; null where that is not known. */
  freeAttachments: number | null;
}

/** A way without a size: no price, no replay. */
export const way = (action: string, how: string[] = []): Advice => ({
  action,
  monthlyUsdDelta: null,
  throttledMinutesBefore: null,
  throttledMinutesAfter: null,
  how,
});
