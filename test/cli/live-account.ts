/**
 * An account for `audit` without files, in this process: EC2 and STS answer through the SDK's mock, CloudWatch is the
 * local one, and nothing of the machine's own AWS configuration is seen. Nothing is deployed in it.
 */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DescribeInstancesCommand, DescribeVolumesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { type AwsClientStub, mockClient } from 'aws-sdk-client-mock';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { type CloudWatchFixture, cloudWatchFixture } from '../local/cloudwatch-fixture.ts';

/** A profile with a Region and credentials of its own. */
const profiles = '[profile there]\nregion = eu-west-1\naws_access_key_id = 1\naws_secret_access_key = test\n';

interface RegionReply {
  describeVolumes: object;
  describeInstances: object;
}

export interface LiveAccount {
  cloudWatch: CloudWatchFixture;
  ec2: AwsClientStub<EC2Client>;
  sts: AwsClientStub<STSClient>;
  cloudFormation: AwsClientStub<CloudFormationClient>;
  /** What EC2 has in each Region; an Error is thrown by every call there. */
  regions: Record<string, RegionReply | Error>;
  /** The same of other accounts, whose keys begin with ASIA and their number. */
  members: Record<string, Record<string, RegionReply | Error>>;
  environment(values: Record<string, string | undefined>): void;
}

export function liveAccount(): LiveAccount {
  const directory = temporaryDirectory();
  const cloudWatch = cloudWatchFixture();
  const ec2 = mockClient(EC2Client);
  const sts = mockClient(STSClient);
  const cloudFormation = mockClient(CloudFormationClient);
  const before = { ...process.env };
  const account: LiveAccount = {
    cloudWatch,
    ec2,
    sts,
    cloudFormation,
    regions: {},
    members: {},
    environment(values) {
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    },
  };
  const regionReply = async (client: EC2Client): Promise<RegionReply> => {
    const { accessKeyId } = await client.config.credentials();
    const of = accessKeyId.startsWith('ASIA') ? account.members[accessKeyId.slice(4)] : account.regions;
    const reply = of?.[await client.config.region()];
    if (reply instanceof Error) throw reply;
    return reply ?? { describeVolumes: { Volumes: [] }, describeInstances: { Reservations: [] } };
  };
  beforeEach(() => {
    ec2.reset();
    sts.reset();
    cloudFormation.reset();
    account.regions = {};
    account.members = {};
    const message = 'Stack with id Stripewise does not exist';
    cloudFormation
      .on(DescribeStacksCommand)
      .rejects(Object.assign(new Error(message), { name: 'ValidationError' }));
    sts.on(GetCallerIdentityCommand).resolves({ Account: '111122223333' });
    ec2
      .on(DescribeVolumesCommand)
      .callsFake(async (_, client) => (await regionReply(client())).describeVolumes);
    ec2
      .on(DescribeInstancesCommand)
      .callsFake(async (_, client) => (await regionReply(client())).describeInstances);
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
    account.environment({
      AWS_ACCESS_KEY_ID: '111122223333',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_CONFIG_FILE: directory.write('config', profiles),
      AWS_SHARED_CREDENTIALS_FILE: directory.write('credentials', ''),
      AWS_ENDPOINT_URL_CLOUDWATCH: cloudWatch.server.url,
    });
  });
  afterAll(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
    ec2.restore();
    sts.restore();
    cloudFormation.restore();
  });
  return account;
}
