/** What a campaign that was checked knows: where its parts are, and how long each host may live. */
import {
  campaignIdSchema,
  campaignKeys,
  campaignOf,
  campaignSchema,
  cellIdSchema,
  cellOfCampaign,
  findingIdOfValidation,
  hoursBetween,
  validationKey,
} from '../../../../core/benchmark/campaign/campaign.ts';
import { cellsOf } from '../../../../core/benchmark/campaign/cells.ts';
import { known, unknown } from '../../../../core/known.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../../fixtures/region-catalog.ts';
import { aCampaign, aCampaignRegionCatalog } from './campaigns.ts';
import { aLayout, aRequest } from './requests.ts';

test('it is what is read again', () => {
  const campaign = aCampaign();
  expect(campaignSchema.parse(JSON.parse(JSON.stringify(campaign)))).toEqual(campaign);
});

test('a cell has its price an hour, what its volumes cost a month, and the time that its host may live', () => {
  const [cell] = aCampaign({ ceilingUsd: 0.1 }).cells;
  // 0.10 + 0.005 for its address + 408 GiB x 0.08 / 730 h = 0.1497 USD an hour
  expect(cell?.usdPerHour).toBeCloseTo(0.105 + 32.64 / 730, 9);
  expect(cell?.volumesMonthlyUsd).toBeCloseTo(4 * 100 * 0.08, 9); // without the root volume's 0.64
  // As long as 0.10 USD last.
  expect(cell?.hoursToLive).toBeCloseTo(0.1 / (0.105 + 32.64 / 730), 9);
});

test('a host may never live longer than the request allows', () => {
  expect(aCampaign({ ceilingUsd: 10, hoursAtMost: 2 }).cells[0]?.hoursToLive).toBe(2);
});

test('cells are in the order of the request, each found by its id', () => {
  const layouts = [aLayout(), aLayout({ name: 'one', kind: 'single', members: 1 })];
  const campaign = aCampaign({ layouts });
  expect(campaign.cells.map(({ id }) => id)).toEqual(['stripe-m1-large', 'one-m1-large']);
  expect(cellOfCampaign(campaign, 'one-m1-large')).toMatchObject({
    ...{ id: 'one-m1-large', instanceType: 'm1.large', architecture: 'arm64' },
    layout: { name: 'one', members: 1 },
  });
  expect(() => cellOfCampaign(campaign, 'two-m1-large')).toThrow('c1 has no cell two-m1-large');
});

test('EBS cards are counted: of one or none volumes go nowhere else', () => {
  expect(aCampaign().cells[0]?.cards).toBe(0);
  const cards = [ebs(10_000, 500), ebs(10_000, 500)];
  const regionCatalog = aRegionCatalog([anInstanceType({ cards })], { 'm1.large': 0.1 });
  const request = aRequest();
  const estimate = { cells: [], hours: 0, totalUsd: known(1) };
  const [id] = cellsOf(request).map((cell) => cell.id);
  const cell = {
    ...{ id: id as string, hours: 1, addressUsd: 0.005 },
    ...{ instanceUsd: known(0.1), volumesUsd: known(0.1), totalUsd: known(0.205) },
  };
  const place = {
    ...{ campaignId: 'c1', region: 'us-east-1', checkedAt: '2026-11-22T12:00:00Z', label: null },
    ...{ subnetIds: [], architectureOf: () => 'arm64' as const },
  };
  const checked = { estimate: { ...estimate, cells: [cell] }, notes: [] };
  expect(campaignOf(request, checked, regionCatalog, place).cells[0]?.cards).toBe(2);
  const withoutPrice = {
    ...estimate,
    totalUsd: unknown({ code: 'no-ebs-prices' as const, region: 'us-east-1' }),
  };
  expect(() =>
    campaignOf(request, { estimate: withoutPrice, notes: [] }, aCampaignRegionCatalog, place),
  ).toThrow('without a price');
});

test('all of it is below one folder, and hosts write below results of their cell', () => {
  const keys = campaignKeys('c1');
  expect([keys.campaign, keys.report, keys.host('a-m1-large'), keys.result('a-m1-large', 'r1')]).toEqual([
    'campaigns/c1/campaign.json',
    'campaigns/c1/report.json',
    'campaigns/c1/hosts/a-m1-large.json',
    'campaigns/c1/results/a-m1-large/r1.json',
  ]);
  expect(keys.result('a-m1-large', 'r1')).toMatch(keys.results('a-m1-large'));
});

test('what was measured for a finding is found again by the finding', () => {
  expect(findingIdOfValidation(validationKey('0123456789abcdef'))).toBe('0123456789abcdef');
  expect(findingIdOfValidation('validations/readme.txt')).toBeNull();
});

test.each(['', '-a', '../c2', 'a/b', 'a b', 'a'.repeat(65)])('%j is no name of a campaign', (id) => {
  expect(campaignIdSchema.safeParse(id).success).toBe(false);
});

test('ids of cells are names of cells', () => {
  const layouts = [aLayout({ name: 'a'.repeat(24) })];
  for (const instanceType of ['m5.large', 'u7inh-32tb.480xlarge', 'r8gd.metal-48xl'])
    for (const { id } of cellsOf(aRequest({ layouts, instanceTypes: [instanceType] })))
      expect(cellIdSchema.safeParse(id).success).toBe(true);
});

test('hours between two times', () => {
  expect(hoursBetween('2026-11-22T12:00:00Z', '2026-11-22T13:30:00Z')).toBe(1.5);
});
