/** The local Price List: filters, pages and refusals as the Price List Query API documents them. */
import { GetProductsCommand, type GetProductsCommandInput, PricingClient } from '@aws-sdk/client-pricing';
import { z } from 'zod';
import type { RunningServer } from '../../local/http.ts';
import { startPricing } from '../../local/pricing/server.ts';

let nowMs = 0;
let server: RunningServer;
let clients: PricingClient[] = [];
beforeEach(async () => {
  nowMs = 0;
  server = await startPricing({ monotonicMs: () => nowMs });
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients = [];
  await server.stop();
});

const from = (region: string): PricingClient => {
  const client = new PricingClient({
    ...{ endpoint: server.url, region, maxAttempts: 1 },
    credentials: { accessKeyId: '111122223333', secretAccessKey: 'test' },
  });
  clients.push(client);
  return client;
};

const rowSchema = z.looseObject({
  product: z.looseObject({ attributes: z.record(z.string(), z.string()) }),
});

type Asked = Partial<Omit<GetProductsCommandInput, 'Filters'>> & {
  filters?: Record<string, string>;
  type?: string;
};

interface Answer {
  rows: z.infer<typeof rowSchema>[];
  NextToken: string | undefined;
}

async function ask(
  { filters = {}, type = 'TERM_MATCH', ...others }: Asked = {},
  endpoint = 'us-east-1',
): Promise<Answer> {
  const Filters = Object.entries(filters).map(([Field, Value]) => ({
    Type: type as 'TERM_MATCH',
    Field,
    Value,
  }));
  const request = { ServiceCode: 'AmazonEC2', Filters, ...others };
  const { PriceList = [], NextToken } = await from(endpoint).send(new GetProductsCommand(request));
  return { rows: PriceList.map((text: unknown) => rowSchema.parse(JSON.parse(String(text)))), NextToken };
}

const steer = async (method: string, path: string, body?: object): Promise<unknown> => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await fetch(`${server.url}/_stripewise/${path}`, { method, ...sent })).json();
};

const gp3 = { regionCode: 'us-east-1', usagetype: 'EBS:VolumeUsage.gp3' };

test('a row has the shape of aws_v1, and says that it is emulated', async () => {
  const { rows } = await ask({ filters: gp3 });
  expect(rows).toEqual([
    {
      product: {
        productFamily: 'Storage',
        attributes: expect.objectContaining({ locationType: 'AWS Region', usagetype: 'EBS:VolumeUsage.gp3' }),
        sku: expect.any(String),
      },
      serviceCode: 'AmazonEC2',
      terms: { OnDemand: expect.any(Object) },
      version: expect.stringContaining('emulated'),
      publicationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  ]);
});

test('every filter must match, exactly', async () => {
  expect((await ask({ filters: { ...gp3, regionCode: 'eu-central-1' } })).rows).toEqual([]);
  expect((await ask({ filters: { ...gp3, usagetype: 'VolumeUsage.gp3' } })).rows).toEqual([]);
  expect(
    (await ask({ filters: { regionCode: 'eu-central-1', usagetype: 'EUC1-EBS:VolumeUsage.gp3' } })).rows,
  ).toHaveLength(1);
});

test('zones, Windows, reserved and dedicated hosts are there for who does not leave them out', async () => {
  const { rows } = await ask({ filters: { regionCode: 'us-east-1', instanceType: 'm5.large' } });
  const named = ['operatingSystem', 'capacitystatus', 'marketoption', 'tenancy'];
  const seen = rows.map(({ product: { attributes } }) => named.map((name) => attributes[name]).join(' '));
  expect(seen.sort()).toEqual([
    'Linux UnusedCapacityReservation OnDemand Shared',
    'Linux Used CapacityBlock Shared',
    'Linux Used OnDemand Dedicated',
    'Linux Used OnDemand Shared',
    'Windows Used OnDemand Shared',
  ]);
  const storage = await ask({ filters: { regionCode: 'us-east-1', productFamily: 'Storage' } });
  const places = storage.rows.map(({ product }) => product.attributes['locationType']);
  expect(new Set(places)).toEqual(new Set(['AWS Region', 'AWS Local Zone', 'AWS Outposts']));
});

test('pages of at most 100, or fewer where asked, hold every row once', async () => {
  const filters = { regionCode: 'us-east-1', productFamily: 'Compute Instance (bare metal)' };
  const seen: string[] = [];
  const sizes: number[] = [];
  let NextToken: string | undefined;
  do {
    const page = await ask({ filters, MaxResults: 60, ...(NextToken === undefined ? {} : { NextToken }) });
    seen.push(...page.rows.map(({ product }) => product.attributes['instanceType'] ?? ''));
    sizes.push(page.rows.length);
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  expect(sizes).toEqual([60, 60, 21]); // 141 metal types
  expect(new Set(seen).size).toBe(141);
});

test.each<[string, Asked, string]>([
  ['of a page above 100', { MaxResults: 101 }, 'InvalidParameterException'],
  ['with another kind of filter', { filters: gp3, type: 'CONTAINS' }, 'InvalidParameterException'],
  ['with a token of nobody', { filters: gp3, NextToken: 'abc' }, 'InvalidNextTokenException'],
  ['for another service', { ServiceCode: 'AmazonRDS' }, 'NotFoundException'],
])('a question %s is refused', async (_, asked, name) => {
  await expect(ask(asked)).rejects.toMatchObject({ name });
});

test('a token belongs to its own question', async () => {
  const { NextToken } = await ask({ MaxResults: 1 });
  await expect(ask({ filters: gp3, NextToken: NextToken ?? '' })).rejects.toMatchObject({
    name: 'InvalidNextTokenException',
  });
});

test('ten questions at once and five a second, at each endpoint', async () => {
  for (let i = 0; i < 10; i++) await ask({ filters: gp3 });
  await expect(ask({ filters: gp3 })).rejects.toMatchObject({ name: 'ThrottlingException' });
  expect((await ask({ filters: gp3 }, 'eu-central-1')).rows).toHaveLength(1);
  nowMs += 200;
  expect((await ask({ filters: gp3 })).rows).toHaveLength(1);
  await expect(ask({ filters: gp3 })).rejects.toMatchObject({ name: 'ThrottlingException' });
});

test('counts what is asked, and fails to order', async () => {
  await steer('POST', 'faults', { error: 'InternalErrorException', status: 500 });
  await expect(ask()).rejects.toMatchObject({ name: 'InternalErrorException' });
  await ask();
  expect(await steer('GET', 'counts')).toEqual({ calls: { GetProducts: 2 } });
  await steer('DELETE', 'counts');
  expect(await steer('GET', 'counts')).toEqual({ calls: {} });
});

test('what is not signed for pricing is denied', async () => {
  const reply = await fetch(server.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'AWSPriceListService.GetProducts' },
    body: '{}',
  });
  expect([reply.status, await reply.json()]).toMatchObject([
    403,
    { __type: expect.stringContaining('AccessDenied') },
  ]);
});
