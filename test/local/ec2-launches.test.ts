/** The local EC2 launches from a template as EC2 does, and forgets with an instance what goes with it. */
import {
  CreateLaunchTemplateCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeNetworkInterfacesCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  type EC2Client,
  type Filter,
  type ResourceType,
  RunInstancesCommand,
  type RunInstancesCommandInput,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { type LocalEc2, startEc2 } from './ec2.ts';

const directory = temporaryDirectory();
/** Amazon Linux 2023; its root device is /dev/xvda. */
const ImageId = 'ami-03c3da4cfa8e8943a';
const tagged: ResourceType[] = ['instance', 'volume', 'network-interface'];

let local: LocalEc2;
let ec2: EC2Client;
let LaunchTemplateId: string;
let SubnetId: string;
beforeAll(async () => {
  local = await startEc2(directory.path);
  ec2 = local.client('us-east-1');
  const { Subnets } = await ec2.send(new DescribeSubnetsCommand({}));
  SubnetId = Subnets?.[1]?.SubnetId ?? '';
  const { LaunchTemplate } = await ec2.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: 'host',
      LaunchTemplateData: {
        InstanceType: 't3.micro',
        MetadataOptions: { HttpTokens: 'required' },
        InstanceInitiatedShutdownBehavior: 'terminate',
        TagSpecifications: tagged.map((of) => ({
          ResourceType: of,
          Tags: [{ Key: 'from', Value: 'template' }],
        })),
      },
    }),
  );
  LaunchTemplateId = LaunchTemplate?.LaunchTemplateId ?? '';
}, 300_000);
afterAll(() => local?.stop());

const launched = async (campaign: string, more: Partial<RunInstancesCommandInput> = {}) => {
  const { Instances } = await ec2.send(
    new RunInstancesCommand({
      LaunchTemplate: { LaunchTemplateId, Version: '$Latest' },
      ...{ ImageId, SubnetId, MinCount: 1, MaxCount: 1, InstanceType: 'c6in.xlarge', ClientToken: campaign },
      BlockDeviceMappings: [
        {
          DeviceName: '/dev/sdf',
          Ebs: {
            ...{ VolumeType: 'gp3', VolumeSize: 100, Iops: 4_000, Throughput: 250 },
            ...{ DeleteOnTermination: true, Encrypted: true },
          },
        },
        {
          DeviceName: '/dev/sdg',
          Ebs: {
            VolumeType: 'io2',
            VolumeSize: 50,
            Iops: 5_000,
            DeleteOnTermination: false,
            Encrypted: true,
          },
        },
      ],
      TagSpecifications: tagged.map((of) => ({
        ResourceType: of,
        Tags: [{ Key: 'stripewise:campaign', Value: campaign }],
      })),
      ...more,
    }),
  );
  return Instances?.[0]?.InstanceId ?? '';
};

const found = async (...Filters: Filter[]) => {
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ Filters }));
  const { Volumes = [] } = await ec2.send(new DescribeVolumesCommand({ Filters }));
  const asked = new DescribeNetworkInterfacesCommand({ Filters });
  const { NetworkInterfaces = [] } = await ec2.send(asked);
  return { instances: Reservations.flatMap(({ Instances = [] }) => Instances), Volumes, NetworkInterfaces };
};
const ofCampaign = (campaign: string): Filter => ({ Name: 'tag:stripewise:campaign', Values: [campaign] });

test('an instance has what the request says, and of the template what it does not', async () => {
  const InstanceId = await launched('c1');
  const { instances, Volumes, NetworkInterfaces } = await found(ofCampaign('c1'));
  const Tags = expect.arrayContaining([
    { Key: 'from', Value: 'template' },
    { Key: 'stripewise:campaign', Value: 'c1' },
  ]);
  expect(instances).toEqual([
    expect.objectContaining({
      ...{ InstanceId, ImageId, SubnetId, InstanceType: 'c6in.xlarge', RootDeviceName: '/dev/xvda', Tags },
      MetadataOptions: expect.objectContaining({ HttpTokens: 'required' }),
    }),
  ]);
  const attached = (Device: string, DeleteOnTermination: boolean) => ({
    Attachments: [expect.objectContaining({ InstanceId, Device, DeleteOnTermination, State: 'attached' })],
    ...{ State: 'in-use', Tags },
  });
  const root = { VolumeType: 'gp3', Size: 8, Iops: 3_000, Throughput: 125, Encrypted: false };
  const gp3 = { VolumeType: 'gp3', Size: 100, Iops: 4_000, Throughput: 250, Encrypted: true };
  const io2 = { VolumeType: 'io2', Size: 50, Iops: 5_000, Encrypted: true };
  expect(Volumes).toEqual([
    expect.objectContaining({ ...attached('/dev/xvda', true), ...root }),
    expect.objectContaining({ ...attached('/dev/sdf', true), ...gp3 }),
    expect.objectContaining({ ...attached('/dev/sdg', false), ...io2 }),
  ]);
  expect(NetworkInterfaces).toHaveLength(1);
  const byKey = await found({ Name: 'tag-key', Values: ['stripewise:campaign'] });
  expect([byKey.instances.length, byKey.Volumes.length]).toEqual([1, 3]);
});

test('with its instance goes what is to go with it, and what is not stays', async () => {
  const InstanceId = await launched('c2');
  const end = () => ec2.send(new TerminateInstancesCommand({ InstanceIds: [InstanceId] }));
  // Who ends it once more, or at the same time, hears of no error.
  await Promise.all([end(), end(), end()]);
  await end();
  const { instances, Volumes, NetworkInterfaces } = await found(ofCampaign('c2'));
  expect(instances.map(({ State }) => State?.Name)).toEqual(['terminated']);
  expect(Volumes).toMatchObject([{ VolumeType: 'io2', State: 'available' }]);
  expect(NetworkInterfaces).toEqual([]);
});

test('a client token has one instance, whatever became of it', async () => {
  const atOnce = await Promise.all([launched('c3'), launched('c3'), launched('c3')]);
  const [InstanceId = '', ...others] = atOnce;
  expect(others).toEqual([InstanceId, InstanceId]);
  expect((await found(ofCampaign('c3'))).Volumes).toHaveLength(3);
  await ec2.send(new TerminateInstancesCommand({ InstanceIds: [InstanceId] }));
  expect(await launched('c3')).toBe(InstanceId);
  expect(await launched('c3', { ClientToken: 'c3-again' })).not.toBe(InstanceId);
  await expect(launched('c3', { InstanceType: 'c6in.large' })).rejects.toMatchObject({
    name: 'IdempotentParameterMismatch',
  });
});

test.each(['x86_64', 'arm64'])(
  'an image is what its public parameter names at the launch: %s',
  async (cpu) => {
    const launchFrom = async (image: string) => {
      const { LaunchTemplate } = await ec2.send(
        new CreateLaunchTemplateCommand({
          LaunchTemplateName: image.replaceAll(/[^\w-]/g, '-'),
          LaunchTemplateData: { ImageId: image },
        }),
      );
      const given = { LaunchTemplateId: LaunchTemplate?.LaunchTemplateId ?? '' };
      return launched(`image-${cpu}`, { LaunchTemplate: given, ImageId: undefined, ClientToken: image });
    };
    const parameter = `/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-6.1-${cpu}`;
    await launchFrom(`resolve:ssm:${parameter}`);
    const { instances } = await found(ofCampaign(`image-${cpu}`));
    expect(instances).toMatchObject([{ Architecture: cpu, RootDeviceName: '/dev/xvda' }]);
    const { Images } = await ec2.send(new DescribeImagesCommand({ ImageIds: [instances[0]?.ImageId ?? ''] }));
    expect(Images).toMatchObject([
      { Architecture: cpu, Name: expect.stringMatching(/^al2023-ami-2023\..*-kernel-6\.1-/) },
    ]);
    await expect(launchFrom(`resolve:ssm:${parameter}-of-nobody`)).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  },
);

test('devices are those of the image, of the template and of the request, by their names', async () => {
  const root = { VolumeSize: 20, VolumeType: 'gp3' as const, Encrypted: true };
  const { LaunchTemplate } = await ec2.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: 'with-root',
      LaunchTemplateData: { ImageId, BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: root }] },
    }),
  );
  const given = { LaunchTemplateId: LaunchTemplate?.LaunchTemplateId ?? '' };
  await launched('c4', { LaunchTemplate: given, ImageId: undefined });
  const { Volumes, instances } = await found(ofCampaign('c4'));
  expect(instances[0]?.ImageId).toBe(ImageId);
  expect(Volumes).toMatchObject([
    { Size: 20, Encrypted: true, Attachments: [{ Device: '/dev/xvda', DeleteOnTermination: true }] },
    { Size: 100, Attachments: [{ Device: '/dev/sdf' }] },
    { Size: 50, Attachments: [{ Device: '/dev/sdg' }] },
  ]);
});
