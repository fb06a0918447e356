/** A request is looked at before anything is launched. */
import { campaignSchema } from '../../../core/benchmark/campaign/campaign.ts';
import { AccessDenied, BadInput } from '../../../core/errors.ts';
import { known, unknown } from '../../../core/known.ts';
import { type CheckFrom, checkCampaign } from '../../../lambdas/check-campaign/check-campaign.ts';
import { asked } from '../../core/benchmark/campaign/requests.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../fixtures/region-catalog.ts';

const roomy = { ebs: ebs(100_000, 4_000) };
const regionCatalog = aRegionCatalog(
  [
    anInstanceType(roomy),
    anInstanceType({ ...roomy, instanceType: 'm1.xlarge' }),
    anInstanceType({ ...roomy, instanceType: 'a1.large', architectures: ['arm64'] }),
    anInstanceType({ ...roomy, instanceType: 'm1.mac', architectures: ['x86_64_mac'] }),
  ],
  { 'm1.large': 0.1, 'm1.xlarge': 0.2, 'a1.large': 0.1, 'm1.mac': 1 },
);
const instanceTypes = ['m1.*', 'm9.large', 'a1.large'];
const options = { campaignId: 'c1', region: 'us-east-1', maxCostUsd: 20, instanceTypes, label: null };

function from(more: Partial<CheckFrom> = {}): CheckFrom {
  return {
    readRegionCatalog: async () => ({ regionCatalog, notices: [], incomplete: [] }),
    findSubnets: async () => ['subnet-1', 'subnet-2'],
    readQuota: async () => known(1_000),
    now: () => new Date('2026-11-22T12:00:00Z'),
    ...more,
  };
}

test('what can be is a campaign, with its subnets in order, its price and the time', async () => {
  const campaign = await checkCampaign(options, asked(), from());
  expect(campaignSchema.parse(campaign)).toEqual(campaign);
  expect(campaign).toMatchObject({
    ...{ campaignId: 'c1', region: 'us-east-1', checkedAt: '2026-11-22T12:00:00.000Z', label: null },
    ...{ subnetIds: ['subnet-1', 'subnet-2'], notes: [] },
    // 973 s: 0.10 + 0.005 USD an hour and 408 GiB of gp3
    estimatedUsd: expect.closeTo((0.105 + 32.64 / 730) * (973 / 3_600), 9),
  });
});

test('each cell says the architecture of its host', async () => {
  const types = ['m1.large', 'a1.large', 'm1.xlarge'];
  const { cells } = await checkCampaign(options, asked({ instanceTypes: types }), from());
  expect(cells.map(({ architecture }) => architecture)).toEqual(['x86_64', 'arm64', 'x86_64']);
});

test('a label goes with it, and what was said of prices', async () => {
  const readRegionCatalog = async () => ({
    regionCatalog,
    notices: ['prices are old'],
    incomplete: ['no permission'],
  });
  const campaign = await checkCampaign(
    { ...options, label: 'emulated' },
    asked(),
    from({ readRegionCatalog }),
  );
  expect([campaign.label, campaign.notes]).toEqual([
    'emulated',
    ['prices are old', 'no permission'].map((text) => ({ code: 'of-region-catalog', text })),
  ]);
});

test('quotas that cannot be read are a note, and the campaign goes on', async () => {
  const readQuota = async () => unknown('nobody answers');
  const { notes } = await checkCampaign(options, asked(), from({ readQuota }));
  expect(notes).toEqual([{ code: 'quotas-not-read', reason: 'nobody answers' }]);
});

test.each<[string, unknown, Partial<CheckFrom>, RegExp]>([
  ['no request', null, {}, /^the request: as a whole: /],
  ['a field that is wrong', asked({ ceilingUsd: -1 }), {}, /^the request: ceilingUsd: /],
  [
    'more than a campaign may cost here',
    asked({ ceilingUsd: 21 }),
    {},
    /^ceilingUsd 21 is above what a campaign may cost here \(20\.00 USD\): ask for less, or raise benchmark\.maxCostUsd/,
  ],
  [
    'what the preflight refuses',
    asked({ instanceTypes: ['m9.large'] }),
    {},
    /^m9\.large is not known in us-east-1/,
  ],
  [
    'a type that hosts may not be of',
    asked({ instanceTypes: ['m1.large', 'a1.xlarge'] }),
    {},
    /^a1\.xlarge is none of the types that hosts may be here: give one of m1\.\*, m9\.large, a1\.large, or name it in benchmark\.instanceTypes of the configuration, beside these, and deploy again$/,
  ],
  [
    'an instance without an image',
    asked({ instanceTypes: ['m1.mac'] }),
    {},
    /^m1\.mac runs neither x86_64 nor arm64/,
  ],
  [
    'more than the quota',
    asked(),
    { readQuota: async ({ serviceCode }) => known(serviceCode === 'ec2' ? 2 : 50) },
    /need up to 4 On-Demand Standard vCPUs, .* is 2 \(L-1216C47A\)/,
  ],
])('refused in one line: %s', async (_, request, more, line) => {
  const check = checkCampaign(options, request, from(more));
  await expect(check).rejects.toThrow(BadInput);
  await expect(check).rejects.toThrow(line);
  await expect(check).rejects.not.toThrow(/\n/);
});

test('what may not be read is said, and nothing is begun', async () => {
  const findSubnets = async () => {
    throw new AccessDenied('ec2:DescribeSubnets in us-east-1 failed: no');
  };
  await expect(checkCampaign(options, asked(), from({ findSubnets }))).rejects.toThrow(AccessDenied);
});
