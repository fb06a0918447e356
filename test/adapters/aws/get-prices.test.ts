/** Prices out of the rows of the Price List: the right row, in the right unit; or unknown, with what was missing. */
import { GetProductsCommand, PricingClient } from '@aws-sdk/client-pricing';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { getPrices } from '../../../adapters/aws/get-prices.ts';
import { volumeTypes } from '../../../core/limits/volume-limits.ts';
import {
  type EbsPrices,
  exactMonthlyUsd,
  isPriced,
  regionPricesSchema,
  unpricedTypes,
} from '../../../core/prices/prices.ts';
import { ebsRowTexts, instanceRowText, priceRowText, type RowOptions } from '../../fixtures/price-rows.ts';

const pricing = mockClient(PricingClient);
const client = new PricingClient({ region: 'us-east-1' });
beforeEach(() => {
  pricing.reset();
});

interface Rows {
  virtual?: readonly string[];
  metal?: readonly string[];
  /** All in one family: which figure is in which is not looked at. */
  ebs?: readonly string[];
}

const large = instanceRowText('m7i.large', '0.1008000000');

/** Answers each question with its rows; no page after the first. */
function answer({ virtual = [large], metal = [], ebs = ebsRowTexts() }: Rows): void {
  pricing.on(GetProductsCommand).callsFake(({ Filters = [] }) => {
    const family = Filters.find(({ Field }: { Field: string }) => Field === 'productFamily')?.Value;
    const rows = { 'Compute Instance': virtual, 'Compute Instance (bare metal)': metal, Storage: ebs };
    return { PriceList: rows[family as keyof typeof rows] ?? [] };
  });
}

const read = async (rows: Rows = {}) => {
  answer(rows);
  return getPrices(client, 'us-east-2');
};
const instancesOf = async (rows: Rows) => (await read(rows)).prices.instances?.usdPerHour;

test('a page that comes again says nothing twice: prices are as if each had come once', async () => {
  const once = await read();
  const calls = new Map<string, number>();
  pricing.on(GetProductsCommand).callsFake(({ Filters = [] }) => {
    const family: string = Filters.find(({ Field }: { Field: string }) => Field === 'productFamily')?.Value;
    const call = (calls.get(family) ?? 0) + 1;
    calls.set(family, call);
    const rows = { 'Compute Instance': [large], Storage: ebsRowTexts() };
    const PriceList = rows[family as keyof typeof rows] ?? [];
    return call < 3 ? { PriceList, NextToken: 'two' } : { PriceList: [] };
  });
  expect(await getPrices(client, 'us-east-2')).toEqual(once);
  expect(new Set(calls.values())).toEqual(new Set([3]));
});

describe('EBS', () => {
  test('each figure is of its own row, in USD a month and unit', async () => {
    const { prices, notices } = await read();
    expect(prices.ebs).toEqual({
      asOf: '2026-09-30',
      source: 'AWS Price List, AmazonEC2, version 20260930181451',
      storagePerGiB: { gp2: 0.1, gp3: 0.08, io1: 0.125, io2: 0.125, st1: 0.045, sc1: 0.015, standard: 0.05 },
      gp3PerIops: 0.005,
      gp3PerMiBps: 0.04, // 40.96 a GiB/s / 1,024
      io1PerIops: 0.065,
      io2PerIops: [
        { upTo: 32_000, usd: 0.065 },
        { upTo: 64_000, usd: 0.0455 },
        { upTo: null, usd: 0.03185 },
      ],
      standardPerMillionIo: 0.05, // 0.00000005 each x 1,000,000
    });
    expect(notices).toEqual([]);
    expect(regionPricesSchema.parse(prices)).toEqual(prices);
  });

  test.each<[string, RowOptions, number]>([
    ['per MiB/s is as it is', { unit: 'MiBps-mo', usd: '0.0400000000' }, 0.04],
    ['of Tokyo: 49.152 / 1,024', { usd: '49.1520000000' }, 0.048],
  ])('throughput quoted %s', async (_, row, usd) => {
    const { prices } = await read({ ebs: ebsRowTexts({ 'EBS:VolumeP-Throughput.gp3': row }) });
    expect(prices.ebs?.gp3PerMiBps).toBe(usd);
  });

  test('where a first part is free the price is that of the part without end', async () => {
    const parts = [
      ['3000', '0.0000000000'],
      ['Inf', '0.0050000000'],
    ] as const;
    const { prices } = await read({ ebs: ebsRowTexts({ 'EBS:VolumeP-IOPS.gp3': { parts } }) });
    expect(prices.ebs?.gp3PerIops).toBe(0.005);
  });

  test.each<[string, RowOptions]>([
    ['a local zone', { attributes: { locationType: 'AWS Local Zone' }, usage: 'USE2-EBS:VolumeUsage.gp3' }],
    ['a local zone by its usage type', { usage: 'USE2-CMH1-EBS:VolumeUsage.gp3' }],
    ['Outposts', { attributes: { locationType: 'AWS Outposts' } }],
    ['a variant', { usage: 'USE2-EBS:VolumeUsage.gp3.outposts' }],
    ['another Region', { region: 'us-east-1', usage: 'EBS:VolumeUsage.gp3' }],
  ])('a dearer row of %s is not taken', async (_, other) => {
    const stray = priceRowText({ ...other, usd: '0.0960000000' });
    const { prices } = await read({ ebs: [stray, ...ebsRowTexts(), stray] });
    expect(prices.ebs?.storagePerGiB.gp3).toBe(0.08);
  });

  test.each<[string, string]>([
    ['gp2', 'EBS:VolumeUsage.gp2'],
    ['gp3', 'EBS:VolumeUsage.gp3'],
    ['gp3', 'EBS:VolumeP-IOPS.gp3'],
    ['gp3', 'EBS:VolumeP-Throughput.gp3'],
    ['io1', 'EBS:VolumeP-IOPS.piops'],
    ['io2', 'EBS:VolumeP-IOPS.io2.tier2'],
    ['st1', 'EBS:VolumeUsage.st1'],
    ['standard', 'EBS:VolumeIOUsage'],
  ])('%s alone has no price without its row %s', async (volumeType, usage) => {
    const { prices, notices } = await read({ ebs: ebsRowTexts({ [usage]: null }) });
    expect(regionPricesSchema.parse(prices)).toEqual(prices);
    expect(unpricedTypes(prices.ebs as EbsPrices)).toEqual([volumeType]);
    expect(notices).toEqual([
      {
        ...{ code: 'price-list-incomplete', region: 'us-east-2', part: 'ebs', volumeTypes: [volumeType] },
        ...{ reason: `not known: ${usage} (there is no such row)`, usedInstead: [] },
      },
    ]);
  });

  test('any figure that is missing is unknown and named, and every other one is as it was', async () => {
    const whole = (await read()).prices.ebs as EbsPrices;
    const usages = ebsRowTexts().map((text) =>
      JSON.parse(text).product.attributes.usagetype.slice('USE2-'.length),
    );
    await fc.assert(
      fc.asyncProperty(fc.subarray(usages, { minLength: 1 }), async (missing) => {
        const { prices, notices } = await read({
          ebs: ebsRowTexts(Object.fromEntries(missing.map((usage) => [usage, null]))),
        });
        for (const volumeType of volumeTypes) {
          const config = { volumeType, sizeGiB: 1_000, iops: 70_000, deployment: 'region' } as const;
          if (prices.ebs !== null && isPriced(volumeType, prices.ebs))
            expect(exactMonthlyUsd(config, prices.ebs)).toEqual(exactMonthlyUsd(config, whole));
        }
        expect(prices.instances).not.toBeNull();
        expect(notices).toHaveLength(1);
        if (missing.length < usages.length)
          for (const usage of missing)
            expect(notices[0]).toMatchObject({
              ...{ code: 'price-list-incomplete', part: 'ebs' },
              reason: expect.stringContaining(`${usage} (there is no such row)`),
            });
      }),
      { numRuns: 30 },
    );
  });

  test.each<[string, RowOptions, string]>([
    ['in another unit', { unit: 'TB-Mo' }, 'its unit is "TB-Mo"'],
    ['in another currency', { currency: 'CNY' }, 'it is quoted in CNY, not in USD'],
    ['at zero', { usd: '0.0000000000' }, 'its price is "0.0000000000"'],
    ['that is no number', { usd: 'free' }, 'its price is "free"'],
    ['of no plain decimal', { usd: '0x10' }, 'its price is "0x10"'],
    ['without end', { usd: '1e999' }, 'its price is "1e999"'],
    ['of Infinity', { usd: 'Infinity' }, 'its price is "Infinity"'],
    ['next to nothing', { usd: '1e-300' }, 'its price is "1e-300"'],
    ['of more than there is', { usd: '1000000.0000000000' }, 'its price is "1000000.0000000000"'],
    ['in a unit that every object has', { unit: 'constructor' }, 'its unit is "constructor"'],
    ['without On-Demand price', { parts: [] }, 'it has no On-Demand price'],
  ])('a price %s is none', async (_, row, reason) => {
    const { prices, notices } = await read({ ebs: ebsRowTexts({ 'EBS:VolumeUsage.gp3': row }) });
    expect(unpricedTypes(prices.ebs as EbsPrices)).toEqual(['gp3']);
    expect(notices).toEqual([
      {
        ...{ code: 'price-list-incomplete', region: 'us-east-2', part: 'ebs', volumeTypes: ['gp3'] },
        ...{ reason: `not known: EBS:VolumeUsage.gp3 (${reason})`, usedInstead: [] },
      },
    ]);
  });

  test('two prices of one thing are none; twice the same is one', async () => {
    const another = priceRowText({ usd: '0.0960000000' });
    expect((await read({ ebs: [...ebsRowTexts(), another] })).notices[0]).toMatchObject({
      reason: expect.stringContaining('there are several prices'),
    });
    expect((await read({ ebs: [...ebsRowTexts(), priceRowText()] })).prices.ebs?.storagePerGiB.gp3).toBe(
      0.08,
    );
  });
});

describe('instances', () => {
  test('by type, sorted, of both families', async () => {
    const virtual = [large, instanceRowText('c7g.large', '0.0723000000')];
    const metal = [instanceRowText('m7i.metal-24xl', '4.8384000000')];
    expect(Object.entries((await instancesOf({ virtual, metal })) ?? {})).toEqual([
      ['c7g.large', 0.0723],
      ['m7i.large', 0.1008],
      ['m7i.metal-24xl', 4.8384],
    ]);
  });

  test('a metal type that is listed as Dedicated alone has that price; with Shared it has that', async () => {
    const dedicated = { attributes: { tenancy: 'Dedicated' } };
    const metal = [
      instanceRowText('i3.metal', '4.9920000000', dedicated),
      instanceRowText('c5.metal', '4.4880000000', dedicated),
      instanceRowText('c5.metal', '4.0800000000'),
      instanceRowText('c5.metal', '0.0000000000', { attributes: { tenancy: 'Host' } }),
    ];
    expect(await instancesOf({ virtual: [], metal })).toEqual({ 'i3.metal': 4.992, 'c5.metal': 4.08 });
  });

  test('a type that rows do not agree on, or at zero, is left out and named', async () => {
    const twice = [
      instanceRowText('c7g.large', '0.0723000000'),
      instanceRowText('c7g.large', '0.0800000000'),
    ];
    const { prices, notices } = await read({
      virtual: [large, ...twice, instanceRowText('p5.48xlarge', '0.0000000000')],
    });
    expect(prices.instances?.usdPerHour).toEqual({ 'm7i.large': 0.1008 });
    expect(notices).toEqual([
      {
        ...{ code: 'instance-prices-unclear', region: 'us-east-2', usedInstead: [] },
        ...{ instanceTypes: ['c7g.large', 'p5.48xlarge'], count: 2 },
      },
    ]);
  });

  test.each(['1e999', '-1.0000000000', '0x10', ' 1', '1e300', '1000000.0000000000', '0.0000000000'])(
    'a price of "%s" is none',
    async (usd) => {
      const rows = { virtual: [large, instanceRowText('c7g.large', usd)] };
      expect(await instancesOf(rows)).toEqual({ 'm7i.large': 0.1008 });
    },
  );

  test.each(['constructor', '__proto__', 'C7G.large', 'c7g_large', ''])(
    'a price of "%s" is of no type: left out and named',
    async (type) => {
      const { prices, notices } = await read({ virtual: [large, instanceRowText(type, '1.0000000000')] });
      expect(prices.instances?.usdPerHour).toEqual({ 'm7i.large': 0.1008 });
      expect(notices[0]).toMatchObject({ code: 'instance-prices-unclear', instanceTypes: [`"${type}"`] });
    },
  );

  test('none is unknown, not an empty table', async () => {
    const { prices, notices } = await read({ virtual: [] });
    expect(prices.instances).toBeNull();
    expect(notices).toEqual([
      {
        ...{ code: 'price-list-incomplete', region: 'us-east-2', part: 'instances' },
        ...{ reason: 'no price can be used', usedInstead: [] },
      },
    ]);
  });
});

test('asks for plain Linux in use, On-Demand, on shared hosts; 5 questions, each with FormatVersion aws_v1', async () => {
  await read();
  const asked = pricing.commandCalls(GetProductsCommand).map(({ args: [{ input }] }) => input);
  expect(asked).toHaveLength(5);
  for (const { ServiceCode, FormatVersion, MaxResults, Filters = [] } of asked) {
    expect([ServiceCode, FormatVersion, MaxResults]).toEqual(['AmazonEC2', 'aws_v1', 100]);
    expect(new Set(Filters.map(({ Type }) => Type))).toEqual(new Set(['TERM_MATCH']));
  }
  expect(Object.fromEntries((asked[0]?.Filters ?? []).map(({ Field, Value }) => [Field, Value]))).toEqual({
    ...{
      regionCode: 'us-east-2',
      productFamily: 'Compute Instance',
      operatingSystem: 'Linux',
      tenancy: 'Shared',
    },
    ...{ preInstalledSw: 'NA', capacitystatus: 'Used', marketoption: 'OnDemand' },
  });
});

test('the day is that of the newest publication', async () => {
  const newer = { publicationDate: '2026-10-02T00:00:00Z' };
  const { prices } = await read({ ebs: ebsRowTexts({ 'EBS:VolumeUsage.gp2': newer }) });
  expect(prices.ebs?.asOf).toBe('2026-10-02');
});
