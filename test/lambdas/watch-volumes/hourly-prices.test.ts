/** Prices for what is recommended: read once an hour. */
import { unknown } from '../../../core/known.ts';
import type { PriceBook } from '../../../core/prices/prices.ts';
import { hourlyPrices, type PricesRead } from '../../../lambdas/watch-volumes/hourly-prices.ts';

const start = 1_795_132_800;
/** Distinguished by why they are not known. */
const prices = (name: string): PriceBook['ebs'] => unknown({ code: 'no-ebs-prices', region: name });

test('are read once an hour for each Region', async () => {
  const read: PricesRead = new Map();
  const asked: string[] = [];
  const at = (now: number, ...regions: string[]) =>
    hourlyPrices(regions, read, now, async (region) => {
      asked.push(region);
      return prices(`${region} at ${now}`);
    });
  const first = await at(start, 'us-east-1', 'eu-west-1');
  expect(first('eu-west-1')).toEqual(prices(`eu-west-1 at ${start}`));
  const second = await at(start + 3_599, 'us-east-1', 'ap-south-1');
  expect(second('us-east-1')).toEqual(prices(`us-east-1 at ${start}`));
  expect(asked).toEqual(['us-east-1', 'eu-west-1', 'ap-south-1']);
  const third = await at(start + 3_600, 'us-east-1');
  expect(third('us-east-1')).toEqual(prices(`us-east-1 at ${start + 3_600}`));
});

test('a Region that nobody watches has none', async () => {
  const advising = await hourlyPrices(['us-east-1'], new Map(), start, async () => prices('any'));
  expect(advising('eu-west-1')).toEqual(prices('eu-west-1'));
});

test('prices that cannot be read are not taken for read', async () => {
  const read: PricesRead = new Map();
  const failing = hourlyPrices(['us-east-1'], read, start, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(read.size).toBe(0);
});
