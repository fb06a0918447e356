/** `audit --config` of the account: Regions, lookback and passes of the file, and what it excludes is not asked about. */
import { DescribeVolumesCommand } from '@aws-sdk/client-ec2';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { describeInstances, describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { endSeconds, series } from '../local/cloudwatch-fixture.ts';
import { liveAccount } from './live-account.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const account = liveAccount();
const vol = 'vol-0123456789abcdef0';
const scratch = 'vol-00000000000000002';

const calmDay = (id: string) =>
  [
    ['VolumeReadOps', 60],
    ['VolumeWriteOps', 0],
    ['VolumeReadBytes', 60 * 16_384],
    ['VolumeWriteBytes', 0],
  ].map(([metric, value]) =>
    series(
      id,
      Array.from({ length: 1_440 }, () => value as number),
      {
        metric: metric as string,
        startSeconds: endSeconds - 86_400,
      },
    ),
  );

async function audited(config: string, ...options: string[]) {
  const file = directory.write('config.yaml', config);
  const until = ['--until', '2026-11-20T00:00Z'];
  const { out, err } = await runCli('audit', '--config', file, ...until, '--json', ...options);
  if (out === '') throw new Error(err);
  return auditResultSchema.parse(JSON.parse(out));
}

const regionsAsked = async (): Promise<string[]> => {
  const calls = account.ec2.commandCalls(DescribeVolumesCommand);
  return Promise.all(calls.map(({ thisValue }) => thisValue.config.region()));
};

beforeEach(async () => {
  const replies = {
    describeVolumes: describeVolumes(
      { Tags: [{ Key: 'team', Value: 'payments' }] },
      { VolumeId: scratch, Tags: [{ Key: 'environment', Value: 'test' }] },
    ),
    describeInstances: describeInstances({}),
  };
  account.regions = { 'us-east-1': replies };
  await account.cloudWatch.load([...calmDay(vol), ...calmDay(scratch)]);
});

const oneDay = 'audit: { lookbackDays: 1, periodSeconds: 60 }\n';

test('Regions, lookback and the one pass of the file; 8 metrics of one volume and 8 of its instance: the other is excluded', async () => {
  const result = await audited(
    `regions: [us-east-1, eu-central-1]\n${oneDay}exclude: { tags: { environment: test } }`,
  );
  expect(await regionsAsked()).toEqual(['us-east-1', 'eu-central-1']);
  expect(result.window).toEqual({ start: '2026-11-19T00:00:00Z', end: '2026-11-20T00:00:00Z' });
  expect(result.coverage).toMatchObject({ volumes: 1, excluded: 1, incomplete: [] });
  expect(result.cost).toMatchObject({ metricsRequested: 16 });
  expect(result.cost.passes).toBeUndefined();
});

test('what stands on the command line goes before the file', async () => {
  const result = await audited(
    `regions: [eu-central-1]\n${oneDay}`,
    ...['--region', 'us-east-1', '--lookback-days', '0.5'],
  );
  expect(await regionsAsked()).toEqual(['us-east-1']);
  expect(result.window?.start).toBe('2026-11-19T12:00:00Z');
  expect(result.coverage.volumes).toBe(2);
});

test('a file that says nothing of passes means two', async () => {
  const { cost } = await audited('regions: [us-east-1]\naudit: { lookbackDays: 1 }');
  expect(cost.passes?.map(({ pass }) => pass)).toContain('coarse');
});

test('a smaller part of the quota is a smaller call: 14 metrics of 7,200 points and 2 of 1,440', async () => {
  const callsWith = async (quota: string): Promise<number> => {
    const { cost } = await audited(
      `regions: [us-east-1]\naudit: { lookbackDays: 5, periodSeconds: 60${quota} }\nexclude: { tags: { environment: test } }`,
    );
    expect(cost.metricsRequested).toBe(16);
    return cost.apiCalls;
  };
  // 99,000 a call are 2 calls at most: one request, whose few points come in one page.
  const usual = await callsWith('');
  // 396,000 x 5 % = 19,800: 7 calls of 2 x 7,200, and 2 x 1,440 in the last
  expect(await callsWith(', batchesAtOnce: 1, maxQuotaPercent: 5')).toBe(usual - 1 + 7);
});
