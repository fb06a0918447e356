/** Whether the quotas of an account let a campaign be at all. */
import { checkQuotas, needsOf } from '../../../../core/benchmark/campaign/preflight.ts';
import { BadInput } from '../../../../core/errors.ts';
import { known, unknown } from '../../../../core/known.ts';
import { anInstanceType, aRegionCatalog } from '../../../fixtures/region-catalog.ts';
import { aLayout, aRequest } from './requests.ts';

const types = ['m1.large', 'm1.xlarge', 'g5.xlarge'];
const regionCatalog = aRegionCatalog([
  anInstanceType({ vcpus: 4 }),
  anInstanceType({ instanceType: 'm1.xlarge', vcpus: 8 }),
  anInstanceType({ instanceType: 'g5.xlarge', vcpus: 4 }),
]);
const codes = (request: object): [string, number][] =>
  needsOf(aRequest(request), regionCatalog).map(({ quota, amount }) => [quota.quotaCode, amount]);

test('of hosts that may be there at the same time the largest count', () => {
  const instanceTypes = types.slice(0, 2);
  // 8 and 4 vCPUs; twice 4 x 100 GiB = 0.78125 TiB of gp3
  expect(codes({ instanceTypes, hostsAtOnce: 2 })).toEqual([
    ['L-1216C47A', 12],
    ['L-7A658B76', 0.78125],
  ]);
  expect(codes({ instanceTypes, hostsAtOnce: 1 })).toEqual([
    ['L-1216C47A', 8],
    ['L-7A658B76', 0.390625],
  ]);
});

test('each volume type has its own quota, those with provisioned IOPS one for these too', () => {
  const layouts = [
    aLayout({ name: 'a', volumeType: 'io2', sizeGiB: 256, iops: 10_000 }), // 4 x 256 GiB = 1 TiB
    aLayout({ name: 'b', volumeType: 'st1', sizeGiB: 512 }), // 2 TiB
  ];
  expect(codes({ layouts })).toEqual([
    ['L-1216C47A', 8],
    ['L-09BD8365', 1],
    ['L-82ACEF56', 2],
    ['L-8D977E7E', 40_000],
  ]);
});

test('instances of other families have other quotas: they are not looked at, and that is said', () => {
  const request = aRequest({ instanceTypes: ['g5.xlarge'] });
  const needs = needsOf(request, regionCatalog);
  expect(needs.map(({ quota }) => quota.serviceCode)).toEqual(['ebs']);
  expect(checkQuotas(request, needs, [known(50)])).toEqual([
    { code: 'quotas-not-looked-at', instanceTypes: ['g5.xlarge'] },
  ]);
});

test.each(['im4gn.large', 'is4gen.large', 't3.large', 'z1d.large', 'c6gn.large'])(
  '%s is a Standard one',
  (type) => {
    const others = aRegionCatalog([anInstanceType({ instanceType: type })]);
    const request = aRequest({ instanceTypes: [type] });
    expect(needsOf(request, others)[0]).toMatchObject({ quota: { quotaCode: 'L-1216C47A' }, amount: 4 });
  },
);

test.each([
  'inf1.xlarge',
  'hpc6a.48xlarge',
  'dl1.24xlarge',
  'trn1.2xlarge',
  'x2idn.16xlarge',
  'u-6tb1.metal',
])('%s is none', (type) => {
  const others = aRegionCatalog([anInstanceType({ instanceType: type })]);
  expect(needsOf(aRequest({ instanceTypes: [type] }), others)[0]?.quota.serviceCode).toBe('ebs');
});

describe('held against the account', () => {
  const request = aRequest({ instanceTypes: ['m1.xlarge'] });
  const needs = needsOf(request, regionCatalog); // 8 vCPUs, 0.39 TiB

  test('what is just enough is enough', () => {
    expect(checkQuotas(request, needs, [known(8), known(50)])).toEqual([]);
  });

  test('what is not is refused in one line', () => {
    const check = () => checkQuotas(request, needs, [known(5), known(50)]);
    expect(check).toThrow(BadInput);
    expect(check).toThrow(
      /^4 hosts at once need up to 8 On-Demand Standard vCPUs, and the quota of the account is 5 \(L-1216C47A\): give fewer hostsAtOnce or smaller ones, or ask AWS for more$/,
    );
  });

  test('what cannot be read is one note, whichever they are', () => {
    const reason = 'servicequotas:GetServiceQuota of L-1216C47A in us-east-1 failed: no';
    expect(checkQuotas(request, needs, [unknown(reason), unknown('another')])).toEqual([
      { code: 'quotas-not-read', reason },
    ]);
  });

  test('a quota of nothing is a quota', () => {
    expect(() => checkQuotas(request, needs, [known(0), known(50)])).toThrow(/is 0 \(L-1216C47A\)/);
  });
});
