/** What a campaign takes and costs, added up by hand. */
import { estimateOf, fileSizeMiBOf, hoursToLive } from '../../../../core/benchmark/campaign/estimate.ts';
import { known } from '../../../../core/known.ts';
import { anInstanceType, aRegionCatalog } from '../../../fixtures/region-catalog.ts';
import { aLayout, aRequest, asked } from './requests.ts';

/** 0.10 USD an hour; 500 MiB/s. */
const regionCatalog = aRegionCatalog([anInstanceType()], { 'm1.large': 0.1 });

test('the price of a cell, by hand', () => {
  // 240 s to start + 60 to build + 60 to end; 4,000 MiB at 500 MiB/s = 8; 593 + 2 ramp + 5 command = 600; 5 for the step.
  const seconds = 240 + 60 + 60 + 8 + 600 + 5;
  const hours = seconds / 3_600;
  const [cell] = estimateOf(aRequest(), regionCatalog).cells;
  expect(cell?.id).toBe('stripe-m1-large');
  expect(cell?.hours).toBeCloseTo(hours, 9);
  expect(cell?.instanceUsd).toEqual({ known: true, value: expect.closeTo(0.1 * hours, 9) });
  // 4 x 100 GiB and 8 GiB of root at 0.08 USD a month: 408 x 0.08 = 32.64, of 730 hours.
  expect(cell?.volumesUsd).toEqual({ known: true, value: expect.closeTo((32.64 / 730) * hours, 9) });
  expect(cell?.addressUsd).toBeCloseTo(0.005 * hours, 9);
  const total = (0.1 + 32.64 / 730 + 0.005) * hours; // 0.0404 USD
  expect(cell?.totalUsd).toEqual({ known: true, value: expect.closeTo(total, 9) });
});

test('provisioned figures are paid', () => {
  const layouts = [aLayout({ iops: 4_000, throughputMiBps: 225 })];
  const [cell] = estimateOf(aRequest({ layouts }), regionCatalog).cells;
  // Each member: 8 USD, 1,000 IOPS x 0.005 = 5, 100 MiB/s x 0.04 = 4: 17; four of them 68, root 0.64.
  // Its file is written at 500 MiB/s, as the instance takes it: the same 973 s.
  expect(cell?.volumesUsd).toEqual({ known: true, value: expect.closeTo((68.64 / 730) * (973 / 3_600), 9) });
});

test('the work is done again and again on the same host', () => {
  const once = estimateOf(aRequest(), regionCatalog).hours;
  const thrice = estimateOf(aRequest({ repeats: 3 }), regionCatalog).hours;
  expect((thrice - once) * 3_600).toBeCloseTo(2 * (8 + 600 + 5), 6);
});

test('a search is 14 runs at most, on one file', () => {
  const work = {
    ...{ kind: 'search', goal: { percentile: 'p95', limitMs: 2 }, seconds: 20, fileSizeMiB: 4_000 },
    load: { access: 'randread', blockKiB: 8 },
  };
  // 360 + 8 for the file + 14 x (20 + 2 + 5) + 5
  expect(estimateOf(aRequest({ work }), regionCatalog).hours * 3_600).toBeCloseTo(751, 6);
});

test('credits are spent before: a full bucket of gp2', () => {
  const gp2 = { layouts: [aLayout({ volumeType: 'gp2' })] };
  const hours = (request: object) => estimateOf(aRequest({ ...gp2, ...request }), regionCatalog).hours;
  // 5,400,000 / (3,000 - 300) = 2,000 s, and 5 for the command.
  expect((hours({ prepare: 'drain-credits' }) - hours({})) * 3_600).toBeCloseTo(2_005, 6);
});

test('a profile takes its steps and its files', () => {
  const work = { kind: 'profile', profile: 'report-card', variant: 'short' };
  const request = aRequest({ work });
  expect(fileSizeMiBOf(request)).toBe(64);
  // 8 steps of 3 s; 64 / 500 s for the file.
  expect(estimateOf(request, regionCatalog).hours * 3_600).toBeCloseTo(360 + 5 + 24 + 0.128, 6);
});

test('hosts at once: each begins when one before it has ended', () => {
  const layouts = ['a', 'b', 'c', 'd', 'e'].map((name) => aLayout({ name }));
  const each = 973 / 3_600;
  // Five of the same, two at once: three rounds.
  expect(estimateOf(aRequest({ layouts, hostsAtOnce: 2 }), regionCatalog).hours).toBeCloseTo(3 * each, 9);
  expect(estimateOf(aRequest({ layouts, hostsAtOnce: 10 }), regionCatalog).hours).toBeCloseTo(each, 9);
});

test('one price that is not known makes the whole unknown', () => {
  const types = [anInstanceType(), anInstanceType({ instanceType: 'm2.large' })];
  const request = aRequest({ instanceTypes: ['m1.large', 'm2.large'] });
  const { cells, totalUsd } = estimateOf(request, aRegionCatalog(types, { 'm1.large': 0.1 }));
  expect(cells.map((cell) => cell.totalUsd.known)).toEqual([true, false]);
  expect(totalUsd).toMatchObject({
    known: false,
    reason: { code: 'no-instance-price', instanceType: 'm2.large' },
  });
});

test('the whole is the sum of its cells', () => {
  const request = aRequest({ layouts: [aLayout(), aLayout({ name: 'other' })] });
  const { cells, totalUsd } = estimateOf(request, regionCatalog);
  const [one] = cells;
  expect(totalUsd).toEqual(known((one?.totalUsd.known ? one.totalUsd.value : Number.NaN) * 2));
});

test.each([
  // It may cost twice what is expected, so it may take twice as long.
  { ceilingUsd: 2, hoursAtMost: 12, expected: 4 },
  { ceilingUsd: 20, hoursAtMost: 12, expected: 12 },
])('of 2 hours at 1 USD, with $ceilingUsd USD and $hoursAtMost hours: $expected', (given) => {
  const { expected, ...limits } = given;
  expect(hoursToLive(2, 1, aRequest(asked(limits)))).toBe(expected);
});
