/** --prices: what the AWS CLI prints of the Price List, with figures that are added by hand. */
import type { LimitsAnswer } from '../../core/schemas/answers.ts';
import type { PlanAnswer } from '../../core/schemas/plan-answer.ts';
import { isOfEbs, page, rowsOf } from '../fixtures/price-list-file.ts';
import { aStoredCatalog } from '../fixtures/region-catalog.ts';
import { catalogAccount } from './catalog-account.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson, runCli } from './run-cli.ts';

const region = 'eu-central-1';
const { cached, directory } = catalogAccount();
const file = (text: string): string => directory.write('prices.json', text);

/** Prices of the local eu-central-1 are those of us-east-1 times 1.19. */
const of = (type: string, more: string[], prices: string, where = region) =>
  cliJson<LimitsAnswer>(
    ...['limits', '--type', type, '--size-gib', '500', ...more],
    ...['--region', where, '--prices', prices],
  );

test.each<[string, string[], number, string]>([
  [
    'gp3',
    ['--iops', '6000', '--throughput-mibps', '250'],
    71.4,
    '500 x 0.0952 + 3,000 x 0.00595 + 125 x 0.0476',
  ],
  [
    'io2',
    ['--iops', '70000'],
    4_509.62,
    '500 x 0.14875 + (32,000 x 0.065 + 32,000 x 0.0455 + 6,000 x 0.03185) x 1.19',
  ],
  ['st1', [], 26.78, '500 x 0.045 x 1.19 = 26.775'],
])('%s %j costs %d USD a month: %s', async (type, more, usd) => {
  const { monthlyUsd, priceSource } = await of(type, more, file(page(rowsOf(region))));
  expect(monthlyUsd).toBeCloseTo(usd, 1);
  expect(priceSource).toMatchObject({ asOf: '2026-09-30', fromFile: expect.stringContaining('prices.json') });
});

describe('rows may be', () => {
  const rows = rowsOf(region, isOfEbs);
  const half = Math.floor(rows.length / 2);
  test.each<[string, string]>([
    ['objects', page(rows.map((row) => JSON.parse(row) as object))],
    ['in several pages, one after the other', `${page(rows.slice(0, half))}\n${page(rows.slice(half))}`],
    ['of several Regions', page([...rowsOf('us-east-1', isOfEbs), ...rows])],
    ['there twice', page([...rows, ...rows])],
  ])('%s', async (_, text) => {
    expect((await of('gp3', [], file(text))).monthlyUsd).toBe(47.6); // 500 x 0.08 x 1.19
  });
});

test('a file goes before what this machine has, whatever its day', async () => {
  cached(aStoredCatalog()); // of 2026-11-15: 0.08 a GiB
  expect((await of('gp3', [], file(page(rowsOf(region, isOfEbs))))).monthlyUsd).toBe(47.6);
});

describe('what the file lacks', () => {
  const withoutSt1 = page(rowsOf(region, (text) => isOfEbs(text) && !text.includes('VolumeUsage.st1')));

  test('is unknown where this machine has nothing, and said', async () => {
    const { err } = await runCli(
      'limits',
      '--type',
      'st1',
      '--size-gib',
      '500',
      '--region',
      region,
      '--prices',
      file(withoutSt1),
    );
    expect(err).toContain('EBS:VolumeUsage.st1 (there is no such row). EBS prices of st1 are unknown.');
    expect(err).toContain('Instance prices are unknown.');
    expect((await of('st1', [], file(withoutSt1))).priceUnknownReason).toEqual({
      ...{ code: 'no-ebs-price', volumeType: 'st1', region },
    });
  });

  test('is that of this machine, with its day', async () => {
    cached(aStoredCatalog());
    const { monthlyUsd, priceSource } = await of('st1', [], file(withoutSt1));
    expect(monthlyUsd).toBe(22.5); // 500 x 0.045
    expect(priceSource).toMatchObject({ asOf: '2026-11-15', volumeTypes: ['st1'] });
    expect((await of('gp3', [], file(withoutSt1))).monthlyUsd).toBe(47.6);
  });
});

test('a plan takes instances from it', async () => {
  const { options } = await cliJson<PlanAnswer>(
    ...['plan', '--iops', '3000', '--capacity-gib', '100', '--kinds', 'single', '--types', 'gp3'],
    ...['--instance-type', 'm5.large', '--region', region, '--prices', file(page(rowsOf(region)))],
  );
  // 100 x 0.08 x 1.19 = 9.52; m5.large 0.096 x 1.19 x 730 = 83.40
  expect(options[0]?.monthlyUsd).toMatchObject({ storage: 9.52, instance: 83.4 });
});

describe('a file that is of no use is one line', () => {
  const argv = (path: string, where = region): string[] => [
    ...['limits', '--type', 'gp3', '--size-gib', '500', '--region', where, '--prices', path],
  ];
  test('of other Regions: it names them', () =>
    expectOneLine(
      argv(file(page([...rowsOf(region, isOfEbs), ...rowsOf('us-east-1', isOfEbs)])), 'eu-west-1'),
      /there are no prices of eu-west-1, but of eu-central-1, us-east-1; filter by .*Value=eu-west-1/,
    ));
  test.each<[string, string, RegExp]>([
    [
      'no list',
      '{"Products": []}',
      /PriceList is not as expected: .*; expected what `aws pricing get-products/,
    ],
    ['a row that is no JSON', '{"PriceList": ["{]"]}', /PriceList\[0\] is not as expected/],
    [
      'a row of another shape',
      '{"PriceList": [{"product": {}}]}',
      /PriceList\[0\]\.product\.attributes is not/,
    ],
    ['of the second page', `${page([])}\n{"PriceList": [{}]}`, /page 2: PriceList\[0\]\.product is not/],
    ['cut short', page(rowsOf(region, isOfEbs)).slice(0, -9), /not whole JSON/],
    ['empty', '', /it has no price of EBS or of Linux instances; expected/],
    [
      'rows of something else',
      page(rowsOf(region, (text) => text.includes('directAPI'))),
      /it has no price of EBS or of Linux instances among its rows of eu-central-1/,
    ],
  ])('%s', (_, text, why) => expectOneLine(argv(file(text)), why));
});
