/** Instance types as EC2 tells them: what the catalog could not keep is left out and named. */
import { DescribeInstanceTypesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';
import { describeInstanceTypes } from '../../../adapters/aws/describe-instance-types.ts';
import { instanceTypesSchema } from '../../../core/catalog/instance-types.ts';
import { Unreadable } from '../../../core/errors.ts';
import { describedInstanceType as described } from '../../fixtures/described-instance-type.ts';
import { answerInTurn } from './answer-in-turn.ts';

const ec2 = mockClient(EC2Client);
const client = new EC2Client({ region: 'eu-central-1' });
beforeEach(() => {
  ec2.reset();
});

const read = (...InstanceTypes: object[]) => {
  ec2.on(DescribeInstanceTypesCommand).resolves({ InstanceTypes } as never);
  return describeInstanceTypes(client, 'eu-central-1');
};
const figures = {
  ...{ BaselineIops: 4_000, MaximumIops: 20_000 },
  ...{ BaselineThroughputInMBps: 81.25, MaximumThroughputInMBps: 593.75 },
};

test('in the units of this house, sorted by family and size', async () => {
  const { types, leftOut } = await read(
    described('m5.xlarge', { VCpuInfo: { DefaultVCpus: 4 } }),
    described('m5.large', { InstanceStorageInfo: { TotalSizeInGB: 75, Disks: [{ Count: 1, Type: 'ssd' }] } }),
  );
  expect(leftOut).toEqual([]);
  expect(types.map(({ instanceType }) => instanceType)).toEqual(['m5.large', 'm5.xlarge']);
  expect(types[0]).toMatchObject({
    instanceStore: { disks: 1, totalGB: 75, ssd: true },
    ebs: { baselineMiBps: 77.486 }, // 81.25 x 1,000,000 / 1,048,576
  });
});

test.each<[string, object, string]>([
  [
    'an instance store without disks',
    { InstanceStorageInfo: { TotalSizeInGB: 75, Disks: [] } },
    'instanceStore.disks',
  ],
  [
    'an instance store of nothing',
    { InstanceStorageInfo: { TotalSizeInGB: 0, Disks: [{ Count: 1, Type: 'ssd' }] } },
    'instanceStore.totalGB',
  ],
  [
    'EBS limits of nothing',
    { EbsInfo: { NvmeSupport: 'required', EbsOptimizedInfo: { ...figures, BaselineIops: 0 } } },
    'ebs.baselineIops',
  ],
  [
    'EBS limits without end',
    { EbsInfo: { NvmeSupport: 'required', EbsOptimizedInfo: { ...figures, MaximumIops: Infinity } } },
    'EbsInfo.EbsOptimizedInfo.MaximumIops',
  ],
  ['no architecture', { ProcessorInfo: { SupportedArchitectures: [] } }, 'architectures'],
  ['half a vCPU', { VCpuInfo: { DefaultVCpus: 0.5 } }, 'vcpus'],
  ['no memory told', { MemoryInfo: {} }, 'MemoryInfo.SizeInMiB'],
])('one with %s is left out with the reason, the others are there', async (_, odd, where) => {
  const { types, leftOut } = await read(described('m9.large', odd), described('m5.large'));
  expect(types.map(({ instanceType }) => instanceType)).toEqual(['m5.large']);
  expect(leftOut).toEqual([
    {
      instanceType: 'm9.large',
      reason: { code: 'not-as-expected', path: where, message: expect.any(String) },
    },
  ]);
  const catalog = { asOf: '2026-11-20', source: 'a test', types };
  expect(instanceTypesSchema.parse(JSON.parse(JSON.stringify(catalog)))).toEqual(catalog);
});

test.each([
  ['m9_odd.large', 'm9_odd.large', 'instanceType'],
  ['__proto__', '__proto__', 'instanceType'],
  [`${'x'.repeat(70)}.large!`, 'x'.repeat(60), 'instanceType'],
  [undefined, '', 'InstanceType'],
])('one named %s is left out', async (name, instanceType, path) => {
  const { types, leftOut } = await read(described(name as string), described('m5.large'));
  expect(types).toHaveLength(1);
  expect(leftOut).toMatchObject([{ instanceType, reason: { code: 'not-as-expected', path } }]);
});

test('a page that comes again is taken once: its types, and what is left out of it', async () => {
  const [first, last] = [
    { InstanceTypes: [described('m5.xlarge'), described('m9_odd.large')], NextToken: 'two' },
    { InstanceTypes: [described('m5.large')] },
  ];
  answerInTurn(ec2.on(DescribeInstanceTypesCommand), [first, first, last]);
  const { types, leftOut } = await describeInstanceTypes(client, 'eu-central-1');
  expect(types.map(({ instanceType }) => instanceType)).toEqual(['m5.large', 'm5.xlarge']);
  expect(leftOut).toEqual([
    {
      instanceType: 'm9_odd.large',
      reason: {
        ...{ code: 'not-as-expected', path: 'instanceType' },
        message: 'not the name of a type',
      },
    },
  ]);
});

test.each([
  ['one NextToken five times', ['a', 'a', 'a', 'a', 'a'], 5],
  ['two that take turns, the first of them five times', ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b', 'a'], 9],
])('%s: no list, and half of it is not taken as the whole', async (_, tokens, calls) => {
  const asked = answerInTurn(
    ec2.on(DescribeInstanceTypesCommand),
    tokens.map((NextToken) => ({ InstanceTypes: [described('m5.large')], NextToken })),
  );
  const reading = describeInstanceTypes(client, 'eu-central-1');
  await expect(reading).rejects.toThrow(Unreadable);
  await expect(reading).rejects.toThrow(
    `ec2:DescribeInstanceTypes in eu-central-1 failed: Error: the same NextToken came 5 times in ${calls} pages: its list has no end`,
  );
  expect(asked).toHaveLength(calls);
});
