/** What the volumes of a plan cost a month more or less, by resource. */
import { type Known, known, unknown } from '../known.ts';
import { roundUsd } from '../prices/prices.ts';
import type { NotPricedReason, PricedResource } from '../schemas/check-answer.ts';
import type { CheckedVolume, Configured, Figure } from './checked-volume.ts';
import type { Offers } from './rules/rule.ts';

type Usd = Known<number, NotPricedReason>;

interface PriceChange {
  resources: PricedResource[];
  notPriced: { address: string; device: string | null; reason: NotPricedReason }[];
}

const nothing: Usd = known(0);

/** Of the reasons that figures are not known some are none of a price. */
function reasonOf(figure: Figure<unknown> & { known: false }): Usd {
  const { reason } = figure;
  return reason.code === 'figure-unknown' || reason.code === 'refused'
    ? unknown(reason)
    : unknown({ code: 'refused' });
}

function usdOf(
  configured: Figure<Configured>,
  copies: Figure<number>,
  volume: CheckedVolume,
  offers: Offers,
): Usd {
  if (copies.known && copies.value === 0) return nothing;
  if (!configured.known) return reasonOf(configured);
  if (!copies.known) return reasonOf(copies);
  if (volume.region === null) return unknown({ code: 'region-unknown' });
  const offer = offers.of(volume.region);
  const { config } = configured.value;
  if (!offer.hasPricesOf([config.volumeType])) return unknown({ code: 'no-prices', region: volume.region });
  return known((offer.rankUsd([config]) ?? 0) * copies.value);
}

function sidesOf(volume: CheckedVolume, offers: Offers): { before: Usd; after: Usd } {
  const { action, now, configuredBefore, copies, copiesBefore } = volume;
  const after = (): Usd => usdOf(now, copies, volume, offers);
  switch (action) {
    case 'create':
    case 'declared':
      return { before: nothing, after: after() };
    case 'delete':
      return { before: usdOf(now, copiesBefore, volume, offers), after: nothing };
    default:
      return { before: usdOf(configuredBefore ?? now, copiesBefore, volume, offers), after: after() };
  }
}

/** A volume that stays as it is costs what it cost, known or not. */
const isChange = ({ action, copies, copiesBefore }: CheckedVolume): boolean =>
  action !== 'none' ||
  copies.known !== copiesBefore.known ||
  (copies.known && copiesBefore.known && copies.value !== copiesBefore.value);

/** The dearest first; what costs as much as before is left out. */
export function priceChange(volumes: readonly CheckedVolume[], offers: Offers): PriceChange {
  const found: PriceChange = { resources: [], notPriced: [] };
  for (const volume of volumes) {
    if (volume.kind === 'class' || !isChange(volume)) continue;
    const { address, device, action, copies } = volume;
    const { before, after } = sidesOf(volume, offers);
    if (!before.known || !after.known) {
      const reason = before.known ? (after as Usd & { known: false }).reason : before.reason;
      found.notPriced.push({ address, device, reason });
      continue;
    }
    const [beforeMonthlyUsd, afterMonthlyUsd] = [roundUsd(before.value), roundUsd(after.value)];
    const monthlyUsdDifference = roundUsd(afterMonthlyUsd - beforeMonthlyUsd);
    if (monthlyUsdDifference === 0) continue;
    found.resources.push({
      ...{ address, device, action, copies: copies.known ? copies.value : 1 },
      ...{ beforeMonthlyUsd, afterMonthlyUsd, monthlyUsdDifference },
    });
  }
  found.resources.sort((a, b) => Math.abs(b.monthlyUsdDifference) - Math.abs(a.monthlyUsdDifference));
  return found;
}
