import { readFileSync } from 'node:fs';
import { describeInstances, describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { cliJson, runCli } from './run-cli.ts';

interface Answer {
  window: { start: string; end: string };
  metrics: number;
  usd: number;
  files: { path: string; metrics: number; region: string }[];
  commands: string[];
}

interface Request {
  StartTime: string;
  EndTime: string;
  MetricDataQueries: {
    Id: string;
    Label: string;
    MetricStat: {
      Metric: { Namespace: string; MetricName: string; Dimensions: { Name: string; Value: string }[] };
      Period: number;
      Stat: string;
    };
  }[];
}

const directory = temporaryDirectory();
const instances = directory.write('instances.json', describeInstances({}));
const out = `${directory.path}/queries`;

async function ask(
  volumes: Record<string, unknown>[],
  ...more: string[]
): Promise<{ answer: Answer; requests: Request[] }> {
  const file = directory.write('volumes.json', describeVolumes(...volumes));
  const answer = await cliJson<Answer>('audit', 'queries', '--volumes', file, '--out', out, ...more);
  return {
    answer,
    requests: answer.files.map(({ path }) => JSON.parse(readFileSync(path, 'utf8')) as Request),
  };
}

const namesOf = (request: Request | undefined): string[] =>
  (request?.MetricDataQueries ?? []).map(({ MetricStat }) => MetricStat.Metric.MetricName);

test('each metric is asked with its own statistic, dimensions and a label that is read back', async () => {
  const { answer, requests } = await ask(
    [{}],
    '--instances',
    instances,
    '--period-seconds',
    '60',
    '--lookback-days',
    '1',
  );
  // now is 12:34:56: the last whole minute, and a day before it
  expect(answer.window).toEqual({ start: '2026-11-19T12:34:00Z', end: '2026-11-20T12:34:00Z' });
  const queries = requests[0]?.MetricDataQueries ?? [];
  const find = (name: string) => queries.find(({ Label }) => Label === name)?.MetricStat;
  expect(find('vol-0123456789abcdef0 VolumeReadOps')).toEqual({
    Metric: {
      Namespace: 'AWS/EBS',
      MetricName: 'VolumeReadOps',
      Dimensions: [{ Name: 'VolumeId', Value: 'vol-0123456789abcdef0' }],
    },
    Period: 60,
    Stat: 'Sum',
  });
  expect(find('vol-0123456789abcdef0 VolumeIOPSExceededCheck')?.Metric.Dimensions).toEqual([
    { Name: 'VolumeId', Value: 'vol-0123456789abcdef0' },
    { Name: 'InstanceId', Value: 'i-0123456789abcdef0' },
  ]);
  expect(find('i-0123456789abcdef0 EBSIOBalance%')).toMatchObject({
    Period: 300,
    Stat: 'Minimum',
    Metric: { Namespace: 'AWS/EC2' },
  });
  expect(new Set(queries.map(({ Id }) => Id)).size).toBe(queries.length);
  // gp3 on Nitro: 4 of load, 2 of time, idle, queue, 3 checks; the instance: 2 checks, 4 sums, 2 balances
  expect(answer.metrics).toBe(11 + 8);
  expect(answer.usd).toBeCloseTo(19 * 0.00001, 10);
  expect(find('i-0123456789abcdef0 EBSReadOps')).toMatchObject({
    Period: 60,
    Stat: 'Sum',
    Metric: { Namespace: 'AWS/EC2', Dimensions: [{ Name: 'InstanceId', Value: 'i-0123456789abcdef0' }] },
  });
});

test.each([
  [{ VolumeType: 'gp2', Size: 100 }, 'BurstBalance', true],
  [{ VolumeType: 'gp2', Size: 1_000 }, 'BurstBalance', false], // never bursts
  [{ VolumeType: 'gp3' }, 'BurstBalance', false],
  [{ VolumeType: 'st1', Size: 500 }, 'BurstBalance', true],
  [{ VolumeType: 'standard' }, 'VolumeIOPSExceededCheck', false],
  [{ OutpostArn: 'arn:aws:outposts:us-east-1:111122223333:outpost/op-1' }, 'VolumeIOPSExceededCheck', false],
  [{ VolumeType: 'io2', MultiAttachEnabled: true }, 'VolumeIdleTime', false],
  [{ VolumeType: 'io2' }, 'VolumeIdleTime', true],
])('%j is asked for %s: %s', async (volume, metric, asked) => {
  expect(namesOf((await ask([volume])).requests[0]).includes(metric)).toBe(asked);
});

test('what has no metrics is not paid for: unattached volumes and unknown types', async () => {
  const { answer } = await ask([
    { State: 'available', Attachments: [] },
    { VolumeId: 'vol-0bbbbbbbbbbbbbbbb', VolumeType: 'gp9' },
  ]);
  expect(answer).toMatchObject({ metrics: 0, files: [] });
});

test('500 queries a file, one Region a file', async () => {
  const many = Array.from({ length: 100 }, (_, i) => ({
    VolumeId: `vol-0${String(i).padStart(16, '0')}`,
    AvailabilityZone: i < 80 ? 'us-east-1a' : 'eu-central-1b',
  }));
  // 80 x 11 = 880 and 20 x 11 = 220
  expect((await ask(many)).answer.files.map(({ region, metrics }) => [region, metrics])).toEqual([
    ['eu-central-1', 220],
    ['us-east-1', 500],
    ['us-east-1', 380],
  ]);
});

test('a file asks for no more points than one reply can hold: 14 days of minutes are 198 metrics', async () => {
  const many = Array.from({ length: 40 }, (_, i) => ({ VolumeId: `vol-0${String(i).padStart(16, '0')}` }));
  const { answer } = await ask(many, '--period-seconds', '60');
  // 4,000,000 / 20,160 = 198.4; 40 x 11 = 440
  expect(answer.files.map(({ metrics }) => metrics)).toEqual([198, 198, 44]);
});

test('a directory that cannot be written is one line', async () => {
  const file = directory.write('volumes.json', describeVolumes({}));
  const { code, err } = await runCli('audit', 'queries', '--volumes', file, '--out', file);
  expect(err).toMatch(/cannot be written: a file is there; give a directory/);
  expect(code).toBe(2);
});

test('the printed commands name each file once and quote what a shell would split', async () => {
  const file = directory.write('volumes.json', describeVolumes({}));
  const { out: printed } = await runCli(
    'audit',
    'queries',
    '--volumes',
    file,
    '--out',
    `${directory.path}/a b; touch x`,
  );
  expect(printed).toContain(
    `--cli-input-json 'file://${directory.path}/a b; touch x/queries-us-east-1-001.json'`,
  );
  expect(printed).toContain('costs less than 0.01 USD (');
});
