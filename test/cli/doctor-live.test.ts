/** `doctor` against the local CloudWatch: its delay is measured, and the calls that it gets are counted. */
import { DescribeRegionsCommand } from '@aws-sdk/client-ec2';
import { GetServiceQuotaCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { doctorAnswerSchema } from '../../core/schemas/doctor-answer.ts';
import { describeInstances, describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { series } from '../local/cloudwatch-fixture.ts';
import { liveAccount } from './live-account.ts';
import { runCli } from './run-cli.ts';

const account = liveAccount();
const directory = temporaryDirectory();
const quotas = mockClient(ServiceQuotasClient);
/** As runCli has the time. */
const nowSeconds = new Date('2026-11-20T12:34:56Z').getTime() / 1_000;

test('the newest minute of a volume, in two calls', async () => {
  account.sts
    .on(GetCallerIdentityCommand)
    .resolves({ Account: '111122223333', Arn: 'arn:aws:iam::1:user/a' });
  account.ec2
    .on(DescribeRegionsCommand)
    .resolves({ Regions: [{ RegionName: 'us-east-1', OptInStatus: 'opt-in-not-required' }] });
  account.regions['us-east-1'] = {
    ...{ describeVolumes: describeVolumes({}), describeInstances: describeInstances({}) },
  };
  quotas.on(GetServiceQuotaCommand).resolves({ Quota: { Value: 500 } });
  await account.cloudWatch.setClock(nowSeconds);
  const startSeconds = Math.floor(nowSeconds / 60) * 60 - 600; // eight points: the last one ends two minutes and 56 s ago
  await account.cloudWatch.load([
    series('vol-0123456789abcdef0', Array(8).fill(60), { metric: 'VolumeReadOps', startSeconds }),
  ]);
  const run = await runCli(
    ...['doctor', '--region', 'us-east-1', '--config', directory.write('stripewise.yaml', '{}'), '--json'],
  );
  const answer = doctorAnswerSchema.parse(JSON.parse(run.out));
  expect(answer.checks.find(({ check }) => check === 'metric-delay')).toMatchObject({
    ...{ status: 'ok', fact: { code: 'delay-usual', seconds: 176, volumes: 1 } },
  });
  // ListMetrics and GetMetricData; what the mocks answer is not sent.
  expect(answer.cost).toEqual({ apiCalls: 2, metricsRequested: 2, usd: 0.00002 });
  expect(run.code).toBe(0);
});
