/** Prices from the local Price List, over HTTP: pages are read to their end, and its traps are stepped over. */
import { PricingClient } from '@aws-sdk/client-pricing';
import { CallCounter } from '../../../adapters/aws/call-counter.ts';
import { getPrices } from '../../../adapters/aws/get-prices.ts';
import { builtInPrices } from '../../../core/prices/prices.ts';
import type { RunningServer } from '../../../local/http.ts';
import { startPricing } from '../../../local/pricing/server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startPricing({ quota: { perSecond: 1_000, size: 1_000 } });
});
afterAll(() => server.stop());

const fromServer = async (region: string) => {
  const counter = new CallCounter();
  const connected = new PricingClient({
    ...{ endpoint: server.url, region: 'us-east-1', maxAttempts: 1 },
    credentials: { accessKeyId: '111122223333', secretAccessKey: 'test' },
  });
  connected.middlewareStack.use(counter.plugin());
  const prices = await getPrices(connected, region);
  connected.destroy();
  return { ...prices, calls: counter.total };
};

test('us-east-1 has the figures of the table that comes with stripewise, all 1,340 instance types too', async () => {
  const { prices, notices, calls } = await fromServer('us-east-1');
  const table = builtInPrices('us-east-1');
  expect(prices.instances?.usdPerHour).toEqual(table.instances?.usdPerHour);
  expect({ ...prices.ebs, source: '' }).toEqual({ ...table.ebs, source: '' });
  expect(prices.ebs?.source).toContain('emulated');
  expect(notices).toEqual([]);
  const metal = Object.keys(prices.instances?.usdPerHour ?? {}).filter((type) =>
    type.includes('.metal'),
  ).length;
  const virtual = Object.keys(prices.instances?.usdPerHour ?? {}).length - metal;
  // Pages of 100 for each kind of instance, and one for each of three families of EBS.
  expect(calls).toBe(Math.ceil(virtual / 100) + Math.ceil(metal / 100) + 3);
});

test('eu-central-1 has those times 1.19, with usage types of its own', async () => {
  const { prices } = await fromServer('eu-central-1');
  expect(prices.ebs).toMatchObject({ gp3PerIops: 0.00595, gp3PerMiBps: 0.0476 }); // 0.005 x 1.19, 0.04 x 1.19
  expect(prices.ebs?.source).toBe('AWS Price List, AmazonEC2, version emulated-from-us-east-1-times-1.19');
  const { usdPerHour = {} } = builtInPrices('us-east-1').instances ?? {};
  for (const [type, usd] of Object.entries(usdPerHour))
    expect(prices.instances?.usdPerHour[type]).toBeCloseTo(usd * 1.19, 9);
});

test('a Region that it does not have has no prices, and says so', async () => {
  const { prices, notices } = await fromServer('eu-west-3');
  expect(prices).toEqual({ region: 'eu-west-3', ebs: null, instances: null });
  expect(notices).toHaveLength(2);
});
