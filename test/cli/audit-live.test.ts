/** `audit --region`: the simulated fleet as a live account, read through the SDK and evaluated. */
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { fleetSeries } from '../../local/cloudwatch/fleet-series.ts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { compareWithTruth } from '../compare-with-truth.ts';
import { describeInstances, describeVolumes } from '../fixtures/aws-cli.ts';
import { endSeconds, series } from '../local/cloudwatch-fixture.ts';
import { simulateFleet } from '../simulator/fleet.ts';
import { liveAccount } from './live-account.ts';
import { runCli } from './run-cli.ts';

const account = liveAccount();
const until = ['--until', '2026-11-20T00:00Z'];
const day = ['--lookback-days', '1', ...until];

async function auditJson(...options: string[]): Promise<{ code: number; result: AuditResult; err: string }> {
  const { code, out, err } = await runCli('audit', '--json', ...options);
  if (out === '') throw new Error(`the audit ended with ${code}: ${err}`);
  return { code, result: auditResultSchema.parse(JSON.parse(out)), err };
}

const vol = 'vol-0123456789abcdef0';
const oneVolume = { describeVolumes: describeVolumes({}), describeInstances: describeInstances({}) };
/** A day of one-minute points of a calm volume: 60 operations of 16 KiB a minute. */
const calmDay = () =>
  [
    ['VolumeReadOps', 60],
    ['VolumeWriteOps', 0],
    ['VolumeReadBytes', 60 * 16_384],
    ['VolumeWriteBytes', 0],
  ].map(([metric, value]) =>
    series(
      vol,
      Array.from({ length: 1_440 }, () => value as number),
      { metric: metric as string, startSeconds: endSeconds - 86_400 },
    ),
  );

test('the simulated fleet in two Regions: the troubles that are there are found, and nothing healthy is accused', async () => {
  const fleet = simulateFleet();
  for (const region of fleet.regions) {
    account.regions[region.region] = region;
    await account.cloudWatch.load(fleetSeries(region), region.region);
  }
  const { result } = await auditJson(
    ...['--region', 'us-east-1', 'eu-central-1', 'us-east-1', '--period-seconds', '60'],
    ...['--lookback-days', String(26 / 24), ...until],
  );
  const { found, falseWarnings, missed } = compareWithTruth(fleet, result);
  expect(falseWarnings).toEqual([]);
  expect(missed.filter(({ reason }) => reason === null)).toEqual([]);
  expect(found.length).toBeGreaterThanOrEqual(0.95 * fleet.troubles.length);
  expect(result.coverage.incomplete).toEqual([]);
  // A Region that is named twice is read once.
  expect(new Set(result.volumes.map(({ volumeId }) => volumeId)).size).toBe(result.volumes.length);
  expect(result.coverage.volumes).toBe(result.coverage.evaluated + result.coverage.unknown.length);
  expect(result.window).toEqual({ start: '2026-11-18T22:00:00Z', end: '2026-11-20T00:00:00Z' });
}, 120_000);

test('a calm volume is healthy, exit 0; 8 + 0 + 8 metrics cost 0.00016 USD', async () => {
  account.regions['us-east-1'] = oneVolume;
  await account.cloudWatch.load(calmDay());
  const { code, result } = await auditJson('--region', 'us-east-1', ...day);
  expect(result.volumes.map(({ volumeId, status }) => [volumeId, status])).toEqual([[vol, 'healthy']]);
  // 8 metrics of the volume and 8 of its instance; no check is published, so none is asked for.
  expect(result.cost).toMatchObject({ metricsRequested: 16, usd: 0.000_16 });
  // Three checks listed, one page each; its queue, a check of its instance, the rest of both. EC2 and STS are mocked.
  expect(result.cost.apiCalls).toBe(3 + 3);
  expect(code).toBe(0);
});

/** The same with its queue, half a millisecond an operation, and checks that say no. */
const calmDayWithChecks = () => [
  ...calmDay(),
  ...Object.entries({
    VolumeQueueLength: 0.0005,
    VolumeIOPSExceededCheck: 0,
    VolumeThroughputExceededCheck: 0,
  }).map(([metric, value]) =>
    series(
      vol,
      Array.from({ length: 1_440 }, () => value),
      { metric, startSeconds: endSeconds - 86_400 },
    ),
  ),
];

test('without a period it is read in two passes: three metrics clear it, and what each pass took is reported', async () => {
  account.regions['us-east-1'] = oneVolume;
  await account.cloudWatch.load(calmDayWithChecks());
  const { code, result } = await auditJson('--region', 'us-east-1', ...day);
  expect(result.volumes).toMatchObject([{ volumeId: vol, status: 'healthy', evaluatedBy: 'coarse' }]);
  expect(
    result.cost.passes?.map(({ pass, metricsRequested, apiCalls }) => [pass, metricsRequested, apiCalls]),
  ).toEqual([
    ['coarse', 3, 1], // five minutes of checks and minutes of the queue in one call
    ['second-look', 0, 0],
    ['fine', 0, 0],
  ]);
  expect(result.cost).toMatchObject({ metricsRequested: 3, usd: 0.000_03 });
  expect(code).toBe(0);
});

test('--resource reads what it names and what shares its instance, in the Region that has it', async () => {
  const [other, elsewhere] = ['vol-0123456789abcdef1', 'vol-0123456789abcdef2'];
  const attached = (InstanceId: string) => ({ Attachments: [{ InstanceId, State: 'attached' }] });
  account.regions['us-east-1'] = {
    describeVolumes: describeVolumes(
      {},
      { VolumeId: other },
      { VolumeId: elsewhere, ...attached('i-0123456789abcdef9') },
    ),
    describeInstances: describeInstances({}, { InstanceId: 'i-0123456789abcdef9' }),
  };
  account.regions['eu-central-1'] = {
    describeVolumes: describeVolumes(),
    describeInstances: describeInstances(),
  };
  await account.cloudWatch.load(calmDay());
  const one = ['--region', 'us-east-1', 'eu-central-1', ...day, '--resource', vol];
  const { result } = await auditJson(...one);
  expect(result.volumes).toMatchObject([{ volumeId: vol, evaluatedBy: 'fine' }]);
  expect(result.wholeRegions).toEqual([]); // of others it says nothing
  expect(result.cost.passes).toBeUndefined();
  expect(result.cost.metricsRequested).toBe(2 * 8 + 8); // two volumes and their instance; no check is published
  const all = await auditJson('--region', 'us-east-1', '--period-seconds', '60', ...day);
  expect(all.result.cost.metricsRequested).toBe(3 * 8 + 2 * 8);
});

test('--resource of what no Region has: nothing is read, and one line says so', async () => {
  account.regions['us-east-1'] = oneVolume;
  const { code, out, err } = await runCli(
    'audit',
    '--region',
    'us-east-1',
    ...day,
    '--resource',
    'vol-0fedcba9876543210',
  );
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^stripewise: --resource vol-0fedcba9876543210: there is no such volume/);
  const { regions } = (await account.cloudWatch.send('GET', 'counts')) as {
    regions: Record<string, { metricsRequested: number }>;
  };
  expect(regions['us-east-1']?.metricsRequested).toBe(0);
});

test('--resource where a Region could not be read: it may be there, so exit 3 with both lines and no all-clear', async () => {
  account.regions['us-east-1'] = awsError('UnauthorizedOperation', 'You are not authorized.', 403);
  const { code, out, err } = await runCli('audit', '--region', 'us-east-1', ...day, '--resource', vol);
  expect(code).toBe(3);
  expect(out).toContain('ec2:DescribeVolumes in us-east-1 failed');
  expect(err.split('\n')).toEqual([
    `stripewise: --resource ${vol}: not found in what could be read`,
    expect.stringMatching(
      /^stripewise: Partial, exit code 3\. \d reads? of metrics or inventory incomplete\. Not found: --resource \(vol-\w+\)\. Listed above under "Not read, or not in whole"\.$/,
    ),
  ]);
  expect(out).toContain('No volume of it was evaluated.');
});

test.each(['60', '300'])('with a period of %s s one pass reads everything', async (period) => {
  account.regions['us-east-1'] = oneVolume;
  await account.cloudWatch.load(calmDayWithChecks());
  const { result } = await auditJson('--region', 'us-east-1', '--period-seconds', period, ...day);
  expect(result.volumes).toMatchObject([{ volumeId: vol, status: 'healthy', evaluatedBy: 'fine' }]);
  expect(result.cost.passes).toBeUndefined();
  // Two of its three checks are listed; the third is asked for as it is expected.
  expect(result.cost.metricsRequested).toBe(8 + 3 + 8);
});

test('the text says what reading cost', async () => {
  account.regions['us-east-1'] = oneVolume;
  await account.cloudWatch.load(calmDay());
  const { out, code } = await runCli('audit', '--region', 'us-east-1', ...day);
  expect(out).toMatch(/16 metrics/);
  expect(out).toMatch(/0\.00 USD|0\.00012 USD|less than 0\.01 USD/);
  expect(code).toBe(0);
});

test('an empty account is done, with nothing to say', async () => {
  const { code, result } = await auditJson('--region', 'us-east-1', ...day);
  expect(result.coverage.volumes).toBe(0);
  // What was there before is gone: it was read in whole.
  expect(result).toMatchObject({ wholeRegions: ['us-east-1'], accounts: ['111122223333'] });
  expect(code).toBe(0);
});

test('a Region that is denied: the others are evaluated, its line is in the coverage, exit 3', async () => {
  account.regions['us-east-1'] = oneVolume;
  account.regions['eu-central-1'] = awsError('UnauthorizedOperation', 'You are not authorized.', 403);
  await account.cloudWatch.load(calmDay());
  const { code, result } = await auditJson('--region', 'us-east-1', 'eu-central-1', ...day);
  expect(result.coverage.incomplete).toEqual([
    {
      ...{ code: 'region-not-read', region: 'eu-central-1' },
      reason: 'ec2:DescribeVolumes in eu-central-1 failed: UnauthorizedOperation: You are not authorized.',
    },
  ]);
  expect(result.volumes).toHaveLength(1);
  expect(result.wholeRegions).toEqual(['us-east-1']);
  expect(code).toBe(3);
});

test('metrics that are denied: the volume is unknown with the reason, exit 3', async () => {
  account.regions['us-east-1'] = oneVolume;
  await account.cloudWatch.send('POST', 'faults', {
    operation: 'GetMetricData',
    error: 'AccessDenied',
    status: 403,
    message: 'not authorized to perform: cloudwatch:GetMetricData',
    times: -1,
  });
  const { code, result } = await auditJson('--region', 'us-east-1', ...day);
  expect(result.coverage.unknown).toMatchObject([
    {
      volumeId: vol,
      reason: {
        code: 'metrics-not-read',
        reason: expect.stringContaining('not authorized to perform: cloudwatch:GetMetricData'),
      },
    },
  ]);
  expect(code).toBe(3);
});

test('without --region the Region of AWS_REGION is read, or that of the profile', async () => {
  account.environment({ AWS_REGION: 'ap-south-1' });
  account.regions['ap-south-1'] = oneVolume;
  account.regions['eu-west-1'] = oneVolume;
  const regionsOf = async (...options: string[]) =>
    (await auditJson(...options, ...day)).result.volumes.map(({ region }) => region);
  expect(await regionsOf()).toEqual(['ap-south-1']);
  account.environment({
    AWS_REGION: undefined,
    AWS_ACCESS_KEY_ID: undefined,
    AWS_SECRET_ACCESS_KEY: undefined,
  });
  expect(await regionsOf('--profile', 'there')).toEqual(['eu-west-1']);
});

test('the window of now ends three minutes ago', async () => {
  const { result } = await auditJson('--region', 'us-east-1');
  // 12:34:56 - 180 s, in whole five minutes; 14 days before it.
  expect(result.window).toEqual({ start: '2026-11-06T12:30:00Z', end: '2026-11-20T12:30:00Z' });
});
