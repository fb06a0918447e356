/** Prices for what is recommended: those of an hour ago are right. */
import { unknown } from '../../core/known.ts';
import type { PricesOf } from '../../core/monitoring/say.ts';
import type { PriceBook } from '../../core/prices/prices.ts';
import { secondsPerHour } from '../../core/units.ts';

/** By Region, as long as a function keeps them between two ticks. */
export type PricesRead = Map<string, { atEpochSeconds: number; prices: PriceBook['ebs'] }>;

export async function hourlyPrices(
  regions: readonly string[],
  read: PricesRead,
  nowEpochSeconds: number,
  pricesOf: (region: string) => Promise<PriceBook['ebs']>,
): Promise<PricesOf> {
  const old = regions.filter((region) => {
    const before = read.get(region);
    return before === undefined || nowEpochSeconds - before.atEpochSeconds >= secondsPerHour;
  });
  await Promise.all(
    old.map(async (region) => {
      read.set(region, { atEpochSeconds: nowEpochSeconds, prices: await pricesOf(region) });
    }),
  );
  return (region) => read.get(region)?.prices ?? unknown({ code: 'no-ebs-prices', region });
}
