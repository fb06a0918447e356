/** What the pulse advises: what is right without a replay. The rest is the audit's, and the record keeps what it advised. */
import type { AdviceInput } from '../advice/advice-input.ts';
import { firstAdvice } from '../advice/first-advice.ts';
import type { RememberedFinding } from '../advisory/finding-record.ts';
import { type Known, unknown } from '../known.ts';
import { configurationOf } from '../limits/volume-configuration.ts';
import type { EbsPrices } from '../prices/price-book.ts';
import type { PriceReason } from '../prices/price-reason.ts';
import { isOfCredits } from './watch.ts';
import type { Watched } from './watched.ts';

/** The prices of volumes by Region. */
export type Advising = (region: string) => Known<EbsPrices, PriceReason>;

/** Credits that are gone and credits that will be have one answer. */
export function adviceOn(
  { volume, thresholds }: Pick<Watched, 'volume' | 'thresholds'>,
  draft: AdviceInput['draft'],
  advising: Advising,
): Pick<RememberedFinding, 'recommendations'> {
  const prices = advising(volume.region);
  const configured = configurationOf(volume);
  if (!isOfCredits(draft.kind) || !configured.known) return { recommendations: [] };
  const { recommendations } = firstAdvice(
    {
      ...{ draft: { ...draft, kind: 'credits-will-exhaust' }, siblings: [], volume, ...configured.value },
      ...{
        prices,
        usd: unknown({ code: 'no-ebs-prices' as const, region: volume.region }),
        wanted: null,
        freeAttachments: null,
      },
    },
    thresholds,
  );
  return { recommendations };
}
