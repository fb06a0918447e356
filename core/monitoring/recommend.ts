/** What monitoring recommends: what is right without a replay. The rest is the audit's, and the record keeps what it recommended. */

import { configurationOf } from '../inventory.ts';
import { type Known, unknown } from '../known.ts';
import type { RememberedFinding } from '../lifecycle/finding-record.ts';
import type { EbsPrices } from '../prices/prices.ts';
import type { RecommendationInput } from '../recommendations/recommendation.ts';
import { topRecommendation } from '../recommendations/top-recommendation.ts';
import type { PriceReason } from '../schemas/unknown-reasons.ts';
import { isOfCredits } from './watch.ts';
import type { Watched } from './watched.ts';

/** The prices of volumes by Region. */
export type Advising = (region: string) => Known<EbsPrices, PriceReason>;

/** Credits that are gone and credits that will be have one answer. */
export function recommendationOn(
  { volume, thresholds }: Pick<Watched, 'volume' | 'thresholds'>,
  draft: RecommendationInput['draft'],
  advising: Advising,
): Pick<RememberedFinding, 'recommendations'> {
  const prices = advising(volume.region);
  const configured = configurationOf(volume);
  if (!isOfCredits(draft.kind) || !configured.known) return { recommendations: [] };
  const { recommendations } = topRecommendation(
    {
      ...{ draft: { ...draft, kind: 'credits-will-exhaust' }, siblings: [], volume, ...configured.value },
      ...{
        prices,
        usd: unknown({ code: 'no-ebs-prices' as const, region: volume.region }),
        demand: null,
        freeAttachments: null,
      },
    },
    thresholds,
  );
  return { recommendations };
}
