/** A Region's market: what is stored comes back, and a Region without a table has no prices rather than another's. */
import { builtInMarket, marketOf, storedMarketSchema } from '../../../core/catalogue/market.ts';
import { aStoredMarket, somePrices } from '../../fixtures/markets.ts';

test('what is stored comes back through JSON as a market with its day', () => {
  const stored = storedMarketSchema.parse(JSON.parse(JSON.stringify(aStoredMarket())));
  const { region, refreshedAt, prices, instanceTypes } = marketOf(stored);
  expect([region, refreshedAt]).toEqual(['eu-central-1', '2026-11-18T00:00:00.000Z']);
  expect(prices.ebs).toMatchObject({ known: true, value: { gp3PerIops: 0.005 } });
  expect(prices.instanceMonthlyUsd('m7i.large')).toEqual({ known: true, value: 87.6 }); // 0.12 x 730
  expect(prices.instanceMonthlyUsd('m7i.xlarge')).toEqual({
    known: false,
    because: 'no price of m7i.xlarge in eu-central-1 (2026-11-15)',
  });
  expect(instanceTypes.get('m7i.large')).toMatchObject({ vcpus: 2 });
  expect(instanceTypes.get('m7i.xlarge')).toBeUndefined();
});

test('a part that is not known is unknown with its reason, and has no source', () => {
  const { prices } = marketOf(aStoredMarket({ prices: somePrices({ ebs: null, instances: null }) }));
  expect(prices.ebs).toEqual({ known: false, because: 'EBS prices of eu-central-1 are not known' });
  expect(prices.instanceMonthlyUsd('m7i.large').known).toBe(false);
  expect(prices.sources).toEqual([]);
});

test('what comes with stripewise has prices of its own Region alone', () => {
  expect(builtInMarket('us-east-1')).toMatchObject({ refreshedAt: null, prices: { ebs: { known: true } } });
  const elsewhere = builtInMarket('eu-central-1');
  expect(elsewhere.prices.ebs.known).toBe(false);
  expect(elsewhere.instanceTypes.get('m7i.large')).toBeDefined();
});
