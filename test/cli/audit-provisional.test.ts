/** What makes a volume smaller rests on 30 days and the end of a month, or it says what it rests on. */
import { join } from 'node:path';
import { dayStart } from '../../core/archive/keys.ts';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { describeInstances, describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { vol } from './one-volume.ts';
import { runCli } from './run-cli.ts';
import { writeArchive } from './written-archive.ts';

const directory = temporaryDirectory();
const archive = join(directory.path, 'archive');
const first = dayStart('2026-10-12');
const days = 40;
/** 19 days later: 8,000 IOPS for the first hour of 31 October; 100 all else. */
const monthEnd = 19 * 1_440;

beforeAll(async () => {
  const isBusy = (minute: number): boolean => minute >= monthEnd && minute < monthEnd + 60;
  const operations = (minute: number): number => (isBusy(minute) ? 480_000 : 6_000);
  await writeArchive(
    archive,
    { account: '111122223333', region: 'us-east-1' },
    [
      {
        id: vol,
        epochSeconds: Array.from({ length: days * 1_440 }, (_, i) => first + i * 60),
        metrics: {
          VolumeReadOps: operations,
          VolumeWriteOps: () => 0,
          VolumeReadBytes: (minute) => operations(minute) * 16_384,
          VolumeWriteBytes: () => 0,
          VolumeIdleTime: (minute) => (isBusy(minute) ? 0 : 30),
          VolumeQueueLength: () => 0.1,
          VolumeIOPSExceededCheck: () => 0,
          VolumeThroughputExceededCheck: () => 0,
        },
      },
    ],
    { fromSeconds: first, endSeconds: first + days * 86_400 },
  );
  directory.write('volumes.json', describeVolumes({ Size: 100, Iops: 16_000, Throughput: 250 }));
  directory.write('instances.json', describeInstances({}));
});

const audit = (...more: string[]) =>
  runCli(
    ...['audit', '--archive', archive],
    ...['--volumes', join(directory.path, 'volumes.json')],
    ...['--instances', join(directory.path, 'instances.json')],
    ...more,
  );

async function smaller(...more: string[]) {
  const { findings } = auditResultSchema.parse(JSON.parse((await audit('--json', ...more)).out));
  const [recommendation] = findings.find(({ kind }) => kind === 'over-provisioned')?.recommendations ?? [];
  return {
    to: recommendation?.change?.of === 'volume' ? recommendation.change.to.iops : null,
    provisional: recommendation?.risks.find(({ code }) => code === 'provisional') ?? null,
  };
}

test('14 days do not see the end of the month: 3,000 IOPS would do, provisionally', async () => {
  expect(await smaller('--lookback-days', '14')).toEqual({
    to: 3_000,
    provisional: {
      ...{ code: 'provisional', days: 14, hasMonthEnd: false },
      ...{ from: '2026-11-07T00:00:00Z', to: '2026-11-21T00:00:00Z' },
    },
  });
  const { out } = await audit('--lookback-days', '14');
  expect(out.replaceAll(/\s+/g, ' ')).toContain('Provisional: rests on 14 days without the end of a month.');
});

test('40 days see it: 8,000 x 1.25 = 10,000 IOPS, and nothing is provisional', async () => {
  expect(await smaller('--lookback-days', '40')).toEqual({ to: 10_000, provisional: null });
  expect((await audit('--lookback-days', '40')).out).not.toContain('rovisional');
});

test('the end of a month in 28 days is too little', async () => {
  expect((await smaller('--lookback-days', '28')).provisional).toMatchObject({ days: 28, hasMonthEnd: true });
  const { out } = await audit('--lookback-days', '28');
  expect(out.replaceAll(/\s+/g, ' ')).toContain('Provisional: rests on 28 days.');
});
