/** What is refused before anything is launched, and what the result will not show. */
import { preflight } from '../../../../core/benchmark/campaign/preflight.ts';
import { BadInput, IllegalConfiguration } from '../../../../core/errors.ts';
import { aMarket, anInstanceType, ebs } from '../../../fixtures/market.ts';
import { aLayout, aRequest } from './requests.ts';

const prices = { 'm1.large': 0.1 };
/** Room for 12,000 IOPS and 500 MiB/s: what four gp3 have. */
const roomy = anInstanceType({ ebs: ebs(12_000, 500) });
const market = aMarket([roomy], prices);

test('what can be is estimated, and has no notes where nothing holds the volumes back', () => {
  const { estimate, notes } = preflight(aRequest(), market);
  expect(estimate.cells).toHaveLength(1);
  expect(notes).toEqual([]);
});

test.each([
  [
    'a type that is not there',
    { instanceTypes: ['m9.large'] },
    market,
    /^m9\.large is not known in us-east-1/,
  ],
  [
    'a type without NVMe',
    {},
    aMarket([anInstanceType({ nitro: false })], prices),
    /m1\.large does not show its volumes as NVMe disks, .*: give a type on Nitro/,
  ],
  [
    'more volumes than it takes',
    {},
    // Four, one of them the root volume.
    aMarket([anInstanceType({ attachments: { most: 4, shared: true } })], prices),
    /stripe has 4 volumes, and m1\.large takes 3 beside its root volume/,
  ],
  [
    'a file that does not fit',
    { layouts: [aLayout({ sizeGiB: 1 })] }, // 4,096 MiB, of which 3,277 may be the file
    market,
    /stripe holds 4,096 MiB, too little for a file of 4,000: give larger volumes, or a smaller fileSizeMiB/,
  ],
  [
    'an unknown price',
    {},
    aMarket([roomy], null),
    /what it costs is not known, so no ceiling can be kept: instance prices of us-east-1 are not known/,
  ],
  [
    'too dear',
    { ceilingUsd: 0.01 }, // it costs 0.04: see estimate.test.ts
    market,
    /it would cost about 0\.04 USD, above the ceiling of 0\.01 USD: ask for less, or raise ceilingUsd/,
  ],
  [
    'too long',
    { hoursAtMost: 0.25 }, // 973 s are 0.27 hours
    market,
    /stripe-m1-large would take about 0\.27 hours, above hoursAtMost \(0\.25\): ask for less, or raise it/,
  ],
])('refused: %s', (_name, request, where, message) => {
  const refused = (): unknown => preflight(aRequest(request), where);
  expect(refused).toThrow(BadInput);
  expect(refused).toThrow(message);
});

test('what EBS would refuse is refused by its rule', () => {
  const layouts = [aLayout({ iops: 90_000 })];
  expect(() => preflight(aRequest({ layouts }), market)).toThrow(IllegalConfiguration);
});

test('an instance that ends it before the volumes do is said to', () => {
  const small = anInstanceType({ ebs: ebs(10_000, 400, { maximumIops: 12_000, maximumMiBps: 500 }) });
  const { notes } = preflight(aRequest(), aMarket([small], prices));
  expect(notes).toEqual([
    'stripe on m1.large: the instance is the limit, not the volumes (12,000 IOPS against 10,000, 500 MiB/s against 400; it bursts to 12,000 IOPS and 500 MiB/s for half an hour a day)',
  ]);
});

test('where EC2 tells no limits of the instance, that is a note too', () => {
  const { notes } = preflight(aRequest(), aMarket([anInstanceType({ ebs: null })], prices));
  expect(notes).toEqual(['no-ebs-limits: whether it holds stripe back is not known']);
});
