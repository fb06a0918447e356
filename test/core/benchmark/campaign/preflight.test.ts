/** What is refused before anything is launched, and what the result will not show. */
import { preflight } from '../../../../core/benchmark/campaign/preflight.ts';
import { BadInput, IllegalConfiguration } from '../../../../core/errors.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../../fixtures/region-catalog.ts';
import { aLayout, aRequest } from './requests.ts';

const prices = { 'm1.large': 0.1 };
/** Room for 12,000 IOPS and 500 MiB/s: what four gp3 have. */
const roomy = anInstanceType({ ebs: ebs(12_000, 500) });
const regionCatalog = aRegionCatalog([roomy], prices);

test('what can be is estimated, and has no notes where nothing throttles the volumes', () => {
  const { estimate, notes } = preflight(aRequest(), regionCatalog);
  expect(estimate.cells).toHaveLength(1);
  expect(notes).toEqual([]);
});

test.each([
  [
    'a type that is not there',
    { instanceTypes: ['m9.large'] },
    regionCatalog,
    /^m9\.large is not known in us-east-1/,
  ],
  [
    'a type without NVMe',
    {},
    aRegionCatalog([anInstanceType({ nitro: false })], prices),
    /m1\.large does not show its volumes as NVMe disks, .*: give a type on Nitro/,
  ],
  [
    'more volumes than it takes',
    {},
    // Four, one of them the root volume.
    aRegionCatalog([anInstanceType({ attachments: { most: 4, shared: true } })], prices),
    /stripe has 4 volumes, and m1\.large takes 3 beside its root volume/,
  ],
  [
    'a file that does not fit',
    { layouts: [aLayout({ sizeGiB: 1 })] }, // 4,096 MiB, of which 3,277 may be the file
    regionCatalog,
    /stripe holds 4,096 MiB, too little for a file of 4,000: give larger volumes, or a smaller fileSizeMiB/,
  ],
  [
    'an unknown price',
    {},
    aRegionCatalog([roomy], null),
    /what it costs is not known, so no ceiling can be kept: instance prices of us-east-1 are not known/,
  ],
  [
    'too dear',
    { ceilingUsd: 0.01 }, // it costs 0.04: see estimate.test.ts
    regionCatalog,
    /it would cost about 0\.04 USD, above the ceiling of 0\.01 USD: ask for less, or raise ceilingUsd/,
  ],
  [
    'too long',
    { hoursAtMost: 0.25 }, // 973 s are 0.27 hours
    regionCatalog,
    /stripe-m1-large would take about 0\.27 hours, above hoursAtMost \(0\.25\): ask for less, or raise it/,
  ],
])('refused: %s', (_name, request, where, message) => {
  const refused = (): unknown => preflight(aRequest(request), where);
  expect(refused).toThrow(BadInput);
  expect(refused).toThrow(message);
});

test('what EBS would refuse is refused by its rule', () => {
  const layouts = [aLayout({ iops: 90_000 })];
  expect(() => preflight(aRequest({ layouts }), regionCatalog)).toThrow(IllegalConfiguration);
});

test('an instance that ends it before the volumes do is a note, with what each can do', () => {
  const small = anInstanceType({ ebs: ebs(10_000, 400, { maximumIops: 12_000, maximumMiBps: 500 }) });
  const { notes } = preflight(aRequest(), aRegionCatalog([small], prices));
  expect(notes).toEqual([
    {
      ...{ code: 'instance-is-limit', layout: 'stripe', instanceType: 'm1.large' },
      iops: { layout: 12_000, instance: 10_000 },
      mibps: { layout: 500, instance: 400 },
      bursts: { iops: 12_000, mibps: 500 },
    },
  ]);
});

test('what is enough of one of the two is not reported', () => {
  const narrow = anInstanceType({ ebs: ebs(12_000, 400) });
  const { notes } = preflight(aRequest(), aRegionCatalog([narrow], prices));
  expect(notes).toMatchObject([{ iops: null, mibps: { layout: 500, instance: 400 }, bursts: null }]);
});

test('where EC2 tells no limits of the instance, that is a note too', () => {
  const { notes } = preflight(aRequest(), aRegionCatalog([anInstanceType({ ebs: null })], prices));
  expect(notes).toEqual([{ code: 'instance-limits-unknown', layout: 'stripe', instanceType: 'm1.large' }]);
});
