/** `stripewise history trend`: from the minutes of an archive to the day on which demand meets the limit. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayStart } from '../../core/archive/keys.ts';
import { volumeTrendSchema } from '../../core/schemas/history-trend.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson, runCli } from './run-cli.ts';
import { writeArchive } from './written-archive.ts';

const directory = temporaryDirectory();
const archive = join(directory.path, 'archive');
const volumes = join(directory.path, 'volumes.json');
const growing = 'vol-0000000000000aaaa';
const days = 40;
const first = dayStart('2026-10-01');

/** Ten minutes are a point here: 1,000 IOPS on the first day, 20 more each day, and 10 less on each second one; of MiB/s always 10. */
beforeAll(async () => {
  const epochSeconds = Array.from({ length: days * 144 }, (_, i) => first + i * 600);
  const dayOf = (minute: number): number => Math.floor(minute / 1_440);
  await writeArchive(
    archive,
    { account: '111122223333', region: 'us-east-1' },
    [
      {
        id: growing,
        epochSeconds,
        metrics: {
          VolumeReadOps: (minute) => 600 * (1_000 + 20 * dayOf(minute) - 10 * (dayOf(minute) % 2)),
          VolumeWriteOps: () => 0,
          VolumeReadBytes: () => 600 * 10 * 1_048_576,
          VolumeWriteBytes: () => 0,
        },
      },
    ],
    { fromSeconds: first, endSeconds: first + days * 86_400 },
  );
  const described = { VolumeId: growing, VolumeType: 'gp3', Size: 100, Iops: 3_000, Throughput: 125 };
  const more = { State: 'in-use', AvailabilityZone: 'us-east-1a', Attachments: [] };
  writeFileSync(volumes, JSON.stringify({ Volumes: [{ ...described, ...more }] }));
});

const here = (...more: string[]): string[] => ['history', 'trend', growing, '--archive', archive, ...more];

test('demand that grows meets the limit of the volume: a day, and its interval', async () => {
  const { code, out, err } = await runCli(...here('--volumes', volumes));
  expect({ code, err }).toEqual({ code: 0, err: '' });
  // The last day, 9 November, has 1,770; (3,000 - 1,775) / 20 = 61 days later is 9 January.
  expect(out.split('\n').slice(0, 2)).toEqual([
    `${growing}, account 111122223333, us-east-1`,
    '  window     2026-10-01 00:00 to 2026-11-10 00:00 UTC: 40 days known',
  ]);
  expect(out.replaceAll(/\n +/g, ' ')).toMatch(
    /IOPS +growing: 1,775 IOPS at the end, \+20 IOPS a day .*; it meets 3,000 IOPS on 2027-01-\d\d \(95 %/,
  );
  expect(out).toMatch(/MiB\/s +no trend: 10 MiB\/s/);
});

test('as data: the limits, the days, and why no day is told', async () => {
  const found = volumeTrendSchema.parse(await cliJson(...here('--limit-iops', '3000')));
  const [iops, mibps] = found.figures;
  expect(iops).toMatchObject({ figure: 'iops', limit: 3_000, state: 'growing', daysKnown: days });
  expect(iops?.days.slice(0, 3)).toEqual([
    { day: '2026-10-01', value: 1_000 },
    { day: '2026-10-02', value: 1_010 },
    { day: '2026-10-03', value: 1_040 },
  ]);
  const { on = '', earliest = '', latest } = iops?.meetsLimit ?? {};
  expect([earliest <= '2027-01-09', on.slice(0, 7), (latest ?? '') >= '2027-01-09']).toEqual([
    true,
    '2027-01',
    true,
  ]);
  expect(mibps).toMatchObject({ figure: 'mibps', limit: null, state: 'none', reason: 'no-trend' });
});

test('20 days are too few', async () => {
  const { out } = await runCli(...here('--to', '2026-10-20', '--limit-iops', '3000'));
  expect(out).toMatch(/IOPS +unknown: 20 days known, a trend needs 30/);
});

test('a file of volumes without it is said before the archive is read', async () => {
  await expectOneLine(
    ['history', 'trend', 'vol-1', '--archive', '/nowhere', '--volumes', volumes],
    /--volumes: vol-1 is not in it/,
  );
});
