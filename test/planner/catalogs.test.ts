/** Prices of files in the planner: the same as the command line has with `--prices`. */
import { catalogsOf, readPricesFile, withFile } from '../../planner/catalogs.ts';
import { isOfEbs, page, rowsOf } from '../fixtures/price-list-file.ts';
import { aStoredCatalog } from '../fixtures/region-catalog.ts';

const fileOf = (text: string, name = 'prices.json') => ({ name, text: () => text });
const gp3PerGiB = (regionCatalog: ReturnType<ReturnType<typeof catalogsOf>['regionCatalogs']>) => {
  const { ebs } = regionCatalog.prices;
  return ebs.known ? ebs.value.storagePerGiB.gp3 : null;
};

test('without files there are the prices of us-east-1', () => {
  const { regions, regionCatalogs } = catalogsOf([]);
  expect(regions).toEqual(['us-east-1']);
  expect(gp3PerGiB(regionCatalogs('us-east-1'))).toBe(0.08);
  expect(gp3PerGiB(regionCatalogs('eu-central-1'))).toBeNull();
});

test('a price list of several Regions gives each of them, and says its file', () => {
  const text = page([...rowsOf('us-east-1', isOfEbs), ...rowsOf('eu-central-1', isOfEbs)]);
  const { regions, regionCatalogs } = catalogsOf([readPricesFile(fileOf(text))]);
  expect(regions).toEqual(['us-east-1', 'eu-central-1']);
  expect(gp3PerGiB(regionCatalogs('eu-central-1'))).toBeCloseTo(0.0952, 6); // 0.08 x 1.19
  expect(regionCatalogs('eu-central-1').prices.sources[0]).toMatchObject({ fromFile: 'prices.json' });
});

test('what `catalog refresh` wrote gives its Region', () => {
  const stored = aStoredCatalog();
  const { regions, regionCatalogs } = catalogsOf([readPricesFile(fileOf(JSON.stringify(stored)))]);
  expect(regions).toContain(stored.region);
  expect(gp3PerGiB(regionCatalogs(stored.region))).toBe(stored.prices.ebs?.storagePerGiB.gp3);
});

test('what a file lacks is noted', () => {
  const text = page(rowsOf('eu-central-1', (row) => isOfEbs(row) && !row.includes('VolumeUsage.st1')));
  const { notices } = catalogsOf([readPricesFile(fileOf(text))]);
  expect(notices.map(({ name, notice }) => [name, notice.code])).toContainEqual([
    'prices.json',
    'price-list-incomplete',
  ]);
});

test('a file of the same name replaces the one before', () => {
  const file = readPricesFile(fileOf(page(rowsOf('eu-central-1', isOfEbs))));
  expect(withFile([file], file)).toHaveLength(1);
});

test.each([
  ['empty', ''],
  ['half a document', '{"PriceList": ['],
  ['another document', '{"Volumes": []}'],
  ['a list', '[1]'],
  ['a text', 'hello'],
  ['a price list of nothing', '{"PriceList": []}'],
  ['a catalog that is none', '{"instanceTypes": 5, "refreshedAt": "<b>"}'],
])('%s is one line that begins with the file', (_, text) => {
  expect(() => readPricesFile(fileOf(text))).toThrow(/^prices\.json: [^\n]+$/);
});
