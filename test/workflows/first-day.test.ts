/**
 * The first day in an account of a landing zone, emulated: no default VPC, a key of the customer's for EBS, and a policy of the
 * organization against public addresses. `doctor` says so before, the service is deployed without what is forbidden, and then
 * nothing is left to say.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  CreateSubnetCommand,
  CreateVpcCommand,
  type EC2Client,
  ModifyEbsDefaultKmsKeyIdCommand,
  ResetEbsDefaultKmsKeyIdCommand,
} from '@aws-sdk/client-ec2';
import { GetParameterCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { vcpuQuota } from '../../core/benchmark/campaign/preflight.ts';
import { metricCallsQuota } from '../../core/doctor/account-checks.ts';
import { bootstrapParameter } from '../../core/doctor/deploy-checks.ts';
import { type DoctorAnswer, doctorAnswerSchema } from '../../core/schemas/doctor-answer.ts';
import { bootstrap, clientSettings, deployBootstrapped } from '../../local/deploy.ts';
import { createHostNetwork, deleteDefaultVpc, type HostNetwork, localEc2 } from '../../local/host-network.ts';
import { localRegion, recordingIn, requestsIn, type Services, startServices } from '../../local/services.ts';
import { describeInstances, describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { root } from '../lib/synthesized.ts';
import { series } from '../local/cloudwatch-fixture.ts';
import { validate } from '../requests/check-requests.ts';

const directory = temporaryDirectory();
const key = 'arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const noPublicUrls = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Action: '*', Resource: '*' },
    {
      ...{ Sid: 'NoPublicUrls', Effect: 'Deny', Resource: '*' },
      Action: ['lambda:CreateFunctionUrlConfig', 'lambda:UpdateFunctionUrlConfig'],
      Condition: { StringEquals: { 'lambda:FunctionUrlAuthType': 'NONE' } },
    },
  ],
};

let services: Services;
let ec2: EC2Client;
let ssm: SSMClient;
let cloudFormation: CloudFormationClient;
let network: HostNetwork;

async function send(method: string, url: string, body?: object): Promise<void> {
  const reply = await fetch(url, {
    ...{ method, headers: { 'content-type': 'application/json', connection: 'close' } },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status} ${await reply.text()}`);
}

const volumeId = 'vol-0123456789abcdef0';
/** The newest minute of the only volume ended so many minutes ago. */
async function metricsUntil(minutesAgo: number): Promise<void> {
  const { cloudWatch } = services.urls;
  const startSeconds = Math.floor(Date.now() / 60_000) * 60 - (minutesAgo + 8) * 60;
  await send('DELETE', `${cloudWatch}/_stripewise/series?region=${localRegion}`);
  await send('POST', `${cloudWatch}/_stripewise/series?region=${localRegion}`, {
    series: ['VolumeReadOps', 'VolumeWriteOps'].map((metric) =>
      series(volumeId, Array(8).fill(60), { metric, startSeconds }),
    ),
  });
}

beforeAll(async () => {
  services = await startServices({
    ...{ root, directory: join(directory.path, 'services') },
    say: (line) => process.stderr.write(`${line}\n`),
    recordsRequests: true,
    forFunctions: () => ({ STRIPEWISE_ORGANIZATION_POLICIES: JSON.stringify(noPublicUrls) }),
  });
  ec2 = localEc2(services);
  ssm = new SSMClient({ ...clientSettings(services), endpoint: services.urls.ssm });
  cloudFormation = new CloudFormationClient(clientSettings(services));
  await deleteDefaultVpc(ec2);
  await ec2.send(new ModifyEbsDefaultKmsKeyIdCommand({ KmsKeyId: key }));
  await send('PUT', `${services.urls.ec2}/_stripewise/inventory?region=${localRegion}`, {
    ...describeVolumes({ VolumeId: volumeId }),
    ...describeInstances({}),
  });
}, 600_000);
afterAll(async () => {
  for (const client of [ec2, ssm, cloudFormation]) client?.destroy();
  await services?.stop();
});

const configFile = (config: object): string =>
  directory.write('stripewise.yaml', { regions: [localRegion], ...config });

async function doctor(config: object, ...options: string[]): Promise<DoctorAnswer & { code: number }> {
  const args = ['doctor', '--region', localRegion, '--config', configFile(config), ...options, '--json'];
  const run = await promisify(execFile)(process.execPath, [join(root, 'bin/stripewise.ts'), ...args], {
    env: { ...services.env, ...recordingIn(root, services.directory) },
  }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string; stderr: string }) => {
      if (error.stdout === '') throw new Error(`doctor ended with ${error.code}: ${error.stderr}`);
      return error;
    },
  );
  return { ...doctorAnswerSchema.parse(JSON.parse(run.stdout)), code: run.code };
}
const everything = ['--deploy', '--benchmark'];
const notOk = ({ checks }: DoctorAnswer): string[] =>
  checks.flatMap(({ check, status, fact }) => (status === 'ok' ? [] : [`${check}: ${status}, ${fact.code}`]));
const inPlace = (): object => ({ benchmark: { ...network, kmsKeyArn: key } });

/** In one order: each finds what the one before left. */
test('before the bootstrap, each thing that the account lacks is a line of its own', async () => {
  await metricsUntil(2);
  const answer = await doctor({ report: { links: true } }, ...everything);
  expect(answer.code).toBe(1);
  expect(notOk(answer)).toEqual([
    'bootstrap: trouble, not-bootstrapped',
    'cdk-roles: trouble, roles-refused',
    'execution-role: trouble, no-execution-role',
    'vpc: trouble, no-default-vpc',
    'subnets: trouble, no-default-subnets',
    'egress: unknown, egress-not-seen',
    'ebs-key: trouble, key-of-customer',
    'launch: unknown, launch-not-tried',
  ]);
}, 120_000);

test('with links the policy of the organization is named before, and refuses the deployment', async () => {
  await bootstrap(root, services);
  const answer = await doctor({ report: { links: true } }, '--deploy');
  expect(notOk(answer)).toEqual(['execution-role: trouble, actions-denied']);
  expect(answer.checks.find(({ check }) => check === 'execution-role')?.fact).toEqual({
    ...{ code: 'actions-denied' },
    denied: [{ action: 'lambda:CreateFunctionUrlConfig', by: 'organization' }],
  });
  await expect(deployBootstrapped(root, services, configFile({ report: { links: true } }))).rejects.toThrow(
    /explicit\s+deny\s+in\s+a\s+service\s+control\s+policy/,
  );
  const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: 'Stripewise' }));
  expect(Stacks?.[0]?.StackStatus).toMatch(/^ROLLBACK_COMPLETE$/);
}, 300_000);

test('without them, in a VPC and with the key that are named, all of it is deployed, and says what it is without', async () => {
  network = await createHostNetwork(ec2);
  const outputs = await deployBootstrapped(root, services, configFile(inPlace()));
  expect(outputs.BenchStateMachine).toMatch(/^arn:aws:states:/);
  expect(outputs.ReportLinks).toBeUndefined();
  expect(outputs.NotIncluded).toBe('report.links, archive, changes');
}, 300_000);

test('then doctor has nothing to say', async () => {
  await metricsUntil(2);
  const answer = await doctor(inPlace(), ...everything);
  expect(notOk(answer)).toEqual([]);
  expect(answer).toMatchObject({ code: 0, counts: { ok: 17, warning: 0, trouble: 0, unknown: 0 } });
}, 120_000);

const setQuotas = (values: object) => send('PUT', `${services.urls.pricing}/_stripewise/quotas`, values);
const refuse = (operation: string, code: string) =>
  send('POST', `${services.urls.ec2}/_stripewise/faults`, { operation, code, status: 403, times: -1 });
const refuseNothing = () => send('DELETE', `${services.urls.ec2}/_stripewise/faults`);
const inClosedSubnet = async (): Promise<object> => {
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.30.0.0/16' }));
  const { Subnet } = await ec2.send(
    new CreateSubnetCommand({ VpcId: Vpc?.VpcId, CidrBlock: '10.30.1.0/24' }),
  );
  return { benchmark: { vpcId: Vpc?.VpcId, subnetIds: [Subnet?.SubnetId], kmsKeyArn: key } };
};

interface Planted {
  /** What doctor says then, and nothing else. */
  says: string[];
  /** @returns the configuration, and what makes it right again. */
  plant: () => Promise<{ config?: object; undo?: () => Promise<unknown> }>;
}
const planted: Record<string, Planted> = {
  'no volumes': {
    says: ['volumes: warning, no-volumes', 'metric-delay: unknown, no-recent-metrics'],
    plant: async () => ({ config: { ...inPlace(), regions: ['eu-central-1'] } }),
  },
  'a Region that is none': {
    says: [
      'region: trouble, regions-not-there',
      'permissions: unknown, not-read',
      'volumes: unknown, not-read',
      'cost: unknown, not-read',
    ],
    plant: async () => ({ config: { ...inPlace(), regions: [localRegion, 'us-east-9'] } }),
  },
  'metrics that come late': {
    says: ['metric-delay: warning, delay-long'],
    plant: async () => {
      await metricsUntil(9);
      return { undo: () => metricsUntil(2) };
    },
  },
  'calls that are refused': {
    says: [
      'permissions: trouble, calls-refused',
      'volumes: unknown, not-read',
      'cost: unknown, not-read',
      'metric-delay: unknown, no-recent-metrics',
    ],
    plant: async () => {
      await refuse('DescribeVolumes', 'UnauthorizedOperation');
      return { undo: refuseNothing };
    },
  },
  'small quotas': {
    says: ['metric-quota: warning, metric-calls-few', 'vcpu-quota: trouble, vcpus-too-few'],
    plant: async () => {
      await setQuotas({ [metricCallsQuota.quotaCode]: 10, [vcpuQuota.quotaCode]: 0 });
      return { undo: () => setQuotas({}) };
    },
  },
  'an old bootstrap': {
    says: ['bootstrap: trouble, bootstrap-too-old'],
    plant: async () => {
      const { Parameter } = await ssm.send(new GetParameterCommand({ Name: bootstrapParameter }));
      const put = (Value: string | undefined) =>
        ssm.send(
          new PutParameterCommand({ Name: bootstrapParameter, Value, Type: 'String', Overwrite: true }),
        );
      await put('5');
      return { undo: () => put(Parameter?.Value) };
    },
  },
  'a subnet without a way out': {
    says: ['egress: trouble, egress-closed'],
    plant: async () => ({ config: await inClosedSubnet() }),
  },
  'a subnet that is not there': {
    says: ['subnets: trouble, subnets-not-there'],
    plant: async () => ({
      config: {
        benchmark: {
          ...{ ...network, kmsKeyArn: key },
          subnetIds: [...network.subnetIds, 'subnet-0123456789abcdef0'],
        },
      },
    }),
  },
  'the key of the account, and none of the configuration': {
    says: ['ebs-key: trouble, key-of-customer'],
    plant: async () => ({ config: { benchmark: network } }),
  },
  'the key of AWS': {
    says: [],
    plant: async () => {
      await ec2.send(new ResetEbsDefaultKmsKeyIdCommand({}));
      return { config: { benchmark: network } };
    },
  },
  'a launch that is refused': {
    says: ['launch: trouble, launch-refused'],
    plant: async () => {
      await refuse('RunInstances', 'UnauthorizedOperation');
      return { undo: refuseNothing };
    },
  },
};

test.each(Object.keys(planted))(
  'planted: %s',
  async (name) => {
    const { says, plant } = planted[name] as Planted;
    const { config = inPlace(), undo } = await plant();
    try {
      const answer = await doctor(config, ...everything);
      expect(notOk(answer).toSorted()).toEqual(says.toSorted());
      const isTrouble = says.some((one) => one.includes('trouble'));
      const isUnknown = says.some((one) => one.includes('unknown'));
      expect(answer.code).toBe(isTrouble ? 1 : isUnknown ? 3 : 0);
    } finally {
      await undo?.();
    }
  },
  120_000,
);

test('each request that doctor and the service sent is one that AWS takes', async () => {
  const { kinds, refused } = await validate(requestsIn(services.directory));
  expect(kinds.map(({ call }) => call)).toEqual(
    expect.arrayContaining([
      'ec2:RunInstances',
      'iam:SimulatePrincipalPolicy',
      'servicequotas:GetServiceQuota',
    ]),
  );
  expect(refused).toEqual([]);
});
