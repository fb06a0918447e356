/** `stripewise history`: what an archive says of a volume, of the highest ones, and in SQL. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayStart } from '../../core/archive/keys.ts';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import {
  sqlAnswerSchema,
  topVolumesSchema,
  volumeHistorySchema,
} from '../../core/schemas/history-answers.ts';
import { volumeHistoryText } from '../../report/terminal/history.ts';
import { describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson, runCli } from './run-cli.ts';
import { writeArchive } from './written-archive.ts';

const directory = temporaryDirectory();
const archive = join(directory.path, 'archive');
const monday = dayStart('2026-11-23');
const busy = 'vol-0000000000000aaaa';
const calm = 'vol-0000000000000bbbb';
const coarse = 'vol-0000000000000cccc';
const mib = 1_048_576;
const minutes = (from: number, end: number): number[] =>
  Array.from({ length: end - from }, (_, i) => monday + (from + i) * 60);

/**
 * Two days. Busy: 6,000 operations a minute are 100 IOPS, but 180,000 in minutes 100 to 102, which are 3,000; no row in minutes 200
 * to 259. Calm: an hour of 10 IOPS in another account. Coarse: points of five minutes.
 */
beforeAll(async () => {
  const peak = (minute: number): boolean => minute >= 100 && minute < 103;
  const window = { fromSeconds: monday, endSeconds: monday + 2 * 86_400 };
  await writeArchive(
    archive,
    { account: '111122223333', region: 'us-east-1' },
    [
      {
        id: busy,
        epochSeconds: [...minutes(0, 200), ...minutes(260, 2_880)],
        metrics: {
          VolumeReadOps: (minute) => (peak(minute) ? 180_000 : 6_000),
          VolumeWriteOps: () => 0,
          VolumeReadBytes: () => 60 * mib,
          VolumeWriteBytes: () => 60 * mib,
          VolumeQueueLength: (minute) => (peak(minute) ? 64 : 1),
          VolumeIOPSExceededCheck: (minute) => (peak(minute) ? 1 : 0),
          VolumeThroughputExceededCheck: () => 0,
          BurstBalance: (minute) => (minute === 1_500 ? 12.5 : 99),
        },
      },
      {
        id: coarse,
        epochSeconds: minutes(0, 60).filter((_, i) => i % 5 === 0),
        metrics: { VolumeReadOps: () => 30_000, VolumeWriteOps: () => 0 },
      },
    ],
    window,
  );
  await writeArchive(
    archive,
    { account: '444455556666', region: 'eu-central-1' },
    [
      {
        id: calm,
        epochSeconds: minutes(0, 60),
        metrics: { VolumeReadOps: () => 600, VolumeWriteOps: () => 0 },
      },
    ],
    window,
  );
});

const here = ['--archive', archive];
const sql = async (text: string, ...more: string[]) =>
  sqlAnswerSchema.parse(await cliJson('history', 'sql', text, ...here, ...more));

describe('history volume', () => {
  test('totals first, then a line a day', async () => {
    const { code, out, err } = await runCli('history', 'volume', busy, ...here);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.split('\n');
    expect(lines.slice(0, 8)).toEqual([
      `${busy}, account 111122223333, us-east-1`,
      '  window     2026-11-23 00:00 to 2026-11-25 00:00 UTC: 2,880 minutes',
      '  days       2 of 2 have points',
      '  points     2,820 minutes (97.91 %)',
      '  holes      1 hole, 60 minutes without points',
      '             2026-11-23 03:20 to 2026-11-23 04:20: 60 min, CloudWatch had no points',
      '  highest    IOPS 3,000 at 2026-11-23 01:40; MiB/s 2 at 2026-11-23 00:00; queue 64 at 2026-11-23 01:40',
      '  throttled  unknown: no minute was evaluated; exceeded checks alone are no throttling',
    ]);
    const cells = lines
      .filter((line) => /│ 2026-11/.test(line))
      .map((line) =>
        line
          .split('│')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    // (1,377 x 100 + 3 x 3,000) / 1,380 = 106.3; queue (1,377 + 3 x 64) / 1,380 = 1.14
    expect(cells).toEqual([
      ['2026-11-23', '1,380', '-', '106', '3,000', '2', '2', '1.14', '64', '99 %', '3 min', '0 min'],
      ['2026-11-24', '1,440', '-', '100', '100', '2', '2', '1', '1', '12.5 %', '0 min', '0 min'],
    ]);
  });

  test('a terminal of 80 columns gets two tables, and no line that is longer', async () => {
    const found = volumeHistorySchema.parse(await cliJson('history', 'volume', busy, ...here));
    const lines = volumeHistoryText(found, 80).flatMap((text) => text.split('\n'));
    expect(lines.filter((line) => line.startsWith('│ day '))).toHaveLength(2);
    expect(lines.filter(({ length }) => length > 80)).toEqual([]);
  });

  test('--from and --to are its window: what was never read is a hole of another kind', async () => {
    const window = ['--from', '2026-11-24', '--to', '2026-11-25'];
    const found = volumeHistorySchema.parse(await cliJson('history', 'volume', busy, ...here, ...window));
    expect(found).toMatchObject({ minutesInWindow: 2_880, minutesWithPoints: 1_440, daysInWindow: 2 });
    expect(found.days.map(({ day }) => day)).toEqual(['2026-11-24']);
    expect(found.holes).toEqual([
      {
        start: '2026-11-25T00:00:00Z',
        end: '2026-11-26T00:00:00Z',
        minutes: 1_440,
        wasRead: false,
        isUnreadable: false,
      },
    ]);
  });

  test('30,000 operations in five minutes are 100 IOPS; a metric without points is unknown, not zero', async () => {
    const { days, periodSeconds, holes } = volumeHistorySchema.parse(
      await cliJson('history', 'volume', coarse, ...here, '--to', '2026-11-23T01:00Z'),
    );
    expect(periodSeconds).toBe(300);
    expect(holes).toEqual([]);
    expect(days).toMatchObject([{ minutes: 12, maxIops: 100, maxMiBps: null, iopsExceededMinutes: null }]);
  });

  test('minutes that were evaluated are counted: 2 of 3 throttled', async () => {
    const place = join(directory.path, 'evaluated');
    const window = { fromSeconds: monday, endSeconds: monday + 240 };
    await writeArchive(
      place,
      { account: '111122223333', region: 'us-east-1' },
      [
        {
          id: busy,
          epochSeconds: minutes(0, 4),
          metrics: { VolumeReadOps: () => 60, VolumeWriteOps: () => 0 },
          status: (minute) => (minute === 3 ? null : minute < 2 ? 'throttled' : 'normal'),
        },
      ],
      window,
    );
    const { out } = await runCli('history', 'volume', busy, '--archive', place);
    expect(out).toContain('  throttled  2 of 3 evaluated minutes');
    const { rows } = sqlAnswerSchema.parse(
      await cliJson(
        'history',
        'sql',
        'SELECT evaluated_minutes, throttled_minutes FROM volume_hours',
        ...['--archive', place],
      ),
    );
    expect(rows).toEqual([[3, 2]]);
  });
});

describe('history top', () => {
  test('the highest first, with its account; a coarse one last, since its rates are unknown', async () => {
    const found = topVolumesSchema.parse(await cliJson('history', 'top', ...here));
    expect(found.volumesWithPoints).toBe(3);
    expect(found.volumes.map(({ volumeId, maxIops, account }) => [volumeId, maxIops, account])).toEqual([
      [busy, 3_000, '111122223333'],
      [calm, 10, '444455556666'],
      [coarse, null, '111122223333'],
    ]);
    expect(found.volumes.map(({ exceededMinutes }) => exceededMinutes)).toEqual([3, null, null]);
  });

  test('as a table, with what the figures are not', async () => {
    const { code, out } = await runCli('history', 'top', ...here, '--by', 'exceeded-minutes', '--top', '1');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^1 of 3 volumes with points, all days, by minutes that a check reports as exceeded\n/,
    );
    expect(out).toMatch(new RegExp(`│ ${busy} +│ 3,000 `));
    expect(out).toContain('A check alone is no truth of throttling.');
    expect(out).toContain('Throttled minutes are unknown');
  });

  test('of one Region, of one account, of a time', async () => {
    const ids = async (...more: string[]) =>
      topVolumesSchema
        .parse(await cliJson('history', 'top', ...here, ...more))
        .volumes.map(({ volumeId }) => volumeId);
    expect(await ids('--region', 'eu-central-1')).toEqual([calm]);
    expect(await ids('--account', '444455556666')).toEqual([calm]);
    expect(await ids('--from', '2026-11-24')).toEqual([busy]);
    expect(await ids('--from', '2026-11-23T00:59Z', '--to', '2026-11-23T01:00Z')).toEqual([busy, calm]);
  });
});

describe('history sql', () => {
  test('a row a resource and minute, in UTC, with its units', async () => {
    const { rows, columns } = await sql(
      `SELECT account, minute, day, iops, mibps, queue_length, iops_exceeded_check, status FROM minutes
       WHERE resource_id = '${busy}' ORDER BY minute LIMIT 1 OFFSET 100`,
    );
    expect(columns.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['VARCHAR', 'TIMESTAMP', 'DATE', 'DOUBLE']),
    );
    expect(rows).toEqual([['111122223333', '2026-11-23 01:40:00', '2026-11-23', 3_000, 2, 64, 1, null]]);
  });

  test('an hour is avg and max of its minutes: (57 x 100 + 3 x 3,000) / 60 = 245', async () => {
    const { rows } = await sql(
      `SELECT hour, minutes, avg_iops, max_iops, iops_exceeded_minutes, throttled_minutes FROM volume_hours
       WHERE volume_id = '${busy}' ORDER BY hour LIMIT 1 OFFSET 1`,
    );
    expect(rows).toEqual([['2026-11-23 01:00:00', 60, 245, 3_000, 3, null]]);
  });

  test('--from and --to bound all views', async () => {
    const { rows } = await sql('SELECT count(*) FROM minutes', '--from', '2026-11-24', '--to', '2026-11-24');
    expect(rows).toEqual([[1_440]]);
  });

  test('as a table: what is null is -, and how many rows there are', async () => {
    const { out } = await runCli('history', 'sql', "SELECT 1 AS one, NULL AS none, 'a' AS text", ...here);
    expect(out.split('\n').slice(-3)).toEqual([
      expect.stringMatching(/│ 1 +│ - +│ a +│/),
      expect.any(String),
      '1 row.',
    ]);
    const many = await runCli('history', 'sql', 'SELECT minute FROM minutes', ...here);
    expect(many.out.split('\n').at(-1)).toBe(
      'The first 1,000 rows: there are more; add LIMIT, or give --json.',
    );
  });

  test('text that moves a cursor is shown, not done', async () => {
    const { out } = await runCli('history', 'sql', 'SELECT chr(27) || \'[2J\' AS "a\u202eb"', ...here);
    expect(out).toContain('\\u{1b}[2J');
    expect(out).toContain('a\\u{202e}b');
    for (const character of ['\u001b', '\u202e']) expect(out).not.toContain(character);
  });
});

describe('the SQL of somebody else', () => {
  const file = (): string => {
    const [first] = readdirSync(archive, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.parquet'));
    return join(archive, first as string);
  };
  const outside = (name: string): string => join(directory.path, name);

  const attacks: [string, () => string][] = [
    ['reads a file', () => "SELECT * FROM read_text('/etc/passwd')"],
    ['reads a file by its name alone', () => `SELECT * FROM '${outside('secret.csv')}'`],
    ['reads another Parquet file', () => `SELECT * FROM read_parquet('${outside('*.parquet')}')`],
    ['lists files', () => "SELECT * FROM glob('/etc/*')"],
    ['asks the network', () => "SELECT * FROM read_text('http://127.0.0.1:1/x')"],
    ['writes a file', () => `COPY (SELECT 1) TO '${outside('written.csv')}'`],
    ['writes a file of the archive', () => `COPY (SELECT 1) TO '${file()}' (FORMAT parquet)`],
    ['writes while it explains', () => `EXPLAIN ANALYZE COPY (SELECT 1) TO '${file()}' (FORMAT parquet)`],
    ['exports', () => `EXPORT DATABASE '${outside('exported')}'`],
    ['attaches a database', () => `ATTACH '${outside('attached.db')}'`],
    ['installs an extension', () => 'INSTALL httpfs'],
    ['loads an extension', () => 'LOAD httpfs'],
    ['loads a file as an extension', () => `LOAD '${outside('x.duckdb_extension')}'`],
    ['opens the door again', () => 'SET enable_external_access = true'],
    ['opens it by a pragma', () => 'PRAGMA enable_external_access'],
    ['makes a table', () => 'CREATE TABLE t AS SELECT 1'],
    ['drops a view', () => 'DROP VIEW minutes'],
    ['writes a log', () => `CALL enable_logging(storage = 'file', storage_path = '${outside('log')}')`],
    ['is two statements', () => 'SELECT 1; SELECT 2'],
    ['is a statement behind another', () => `SELECT 1; COPY (SELECT 1) TO '${outside('written.csv')}'`],
    ['is empty', () => ' '],
    ['is a comment', () => '/* SELECT 1 */'],
  ];
  for (const [what, text] of attacks) {
    test(`that ${what} is refused in one line, and changes nothing`, async () => {
      directory.write('secret.csv', 'a\n1\n');
      const before = [readFileSync(file()), readdirSync(directory.path).sort()];
      await expectOneLine(['history', 'sql', text(), ...here], /^stripewise: the SQL /);
      expect([readFileSync(file()), readdirSync(directory.path).sort()]).toEqual(before);
    });
  }

  test('that has a log written as it selects writes none', async () => {
    const log = outside('log');
    await runCli(
      'history',
      'sql',
      `SELECT * FROM enable_logging(storage = 'file', storage_path = '${log}')`,
      ...here,
    );
    expect(readdirSync(directory.path)).not.toContain('log');
  });

  test('that names a column which is not there gets what DuckDB says, and where the columns are', () =>
    expectOneLine(
      ['history', 'sql', 'SELECT iosp FROM minutes', ...here],
      /the SQL failed: Binder Error: .*iosp.*\(views: minutes, volume_hours, inventory, findings; docs\/reference\/history\.md has their columns\)$/,
    ));
});

describe('what cannot be used is one line', () => {
  const cases: [string, string[], RegExp][] = [
    ['no such directory', ['volume', busy, '--archive', '/nowhere'], /no such directory/],
    ['no archive in it', ['top', '--archive', tmpdir()], /no archive is in it/],
    ['no archive in it, for a volume', ['volume', busy, '--archive', tmpdir()], /no archive is in it/],
    ['another id', ['volume', 'vol-0000000000000aaab', ...here], /nearest id of 3 is vol-0000000000000aaaa$/],
    ['an id like none', ['volume', 'orders', ...here], /it has vol-0000000000000aaaa, vol-/],
    ['days that are not there', ['top', ...here, '--from', '2027-01-01'], /nothing of these days/],
    ['days of no volume', ['volume', busy, ...here, '--to', '2020-01-01'], /nothing of these days/],
    [
      'times that are none',
      ['top', ...here, '--from', 'yesterday'],
      /--from "yesterday" is not a day or a time/,
    ],
    [
      'a day that does not exist',
      ['top', ...here, '--to', '2026-11-31'],
      /--to "2026-11-31" is not a day or a time/,
    ],
    [
      'times the wrong way round',
      ['top', ...here, '--from', '2026-11-24', '--to', '2026-11-23'],
      /is not before/,
    ],
    ['no place in S3', ['top', '--archive', 's3://'], /is no place in S3/],
    ['no account', ['top', ...here, '--account', '12'], /is not an account/],
    ['a figure that is none', ['top', ...here, '--by', 'cost'], /--by "cost" is not known/],
    ['a name that moves a cursor', ['volume', '\u001b[2J', ...here], /: \\u\{1b\}\[2J is not in it/],
  ];
  for (const [what, argv, line] of cases) test(what, () => expectOneLine(['history', ...argv], line));
});

describe('a file that cannot be read', () => {
  test.each(['cut', 'no Parquet'])(
    '%s: it is named, the rest is used, and the run is partial',
    async (damage) => {
      const place = join(directory.path, `broken ${damage}`);
      const window = { fromSeconds: monday, endSeconds: monday + 86_400 };
      for (const [account, id] of [
        ['111122223333', busy],
        ['444455556666', calm],
      ] as const)
        await writeArchive(
          place,
          { account, region: 'us-east-1' },
          [
            {
              id,
              epochSeconds: minutes(0, 60),
              metrics: { VolumeReadOps: () => 600, VolumeWriteOps: () => 0 },
            },
          ],
          window,
        );
      const key = 'history/metrics/month=2026-11/account=111122223333/region=us-east-1/metrics.parquet';
      const path = join(place, key);
      writeFileSync(path, damage === 'cut' ? readFileSync(path).subarray(0, 900) : 'x'.repeat(900));
      const top = await runCli('history', 'top', '--archive', place, '--json');
      expect(top.code).toBe(3);
      expect(JSON.parse(top.out).volumes).toMatchObject([{ volumeId: calm, maxIops: 10 }]);
      expect(top.err).toMatch(
        new RegExp(`^stripewise: partial: ${key} could not be read and is left out: .+`),
      );
      const volume = await runCli('history', 'volume', busy, '--archive', place);
      expect(volume.code).toBe(3);
      expect(volume.out).toContain('  points     0 minutes (0 %)');
      expect(volume.out).toContain(
        '2026-11-23 00:00 to 2026-11-24 00:00: 1,440 min, the file is not there, or could not be read\n',
      );
      expect(volume.out).not.toContain('CloudWatch had no points');
      expect(volume.err.split(key)).toHaveLength(1 + 1);
    },
  );
});

describe('a file that is damaged in its middle', () => {
  const place = join(directory.path, 'damaged');
  const key = 'history/metrics/month=2026-11/account=111122223333/region=us-east-1/metrics.parquet';
  beforeAll(() => {
    cpSync(archive, place, { recursive: true });
    const path = join(place, key);
    const bytes = readFileSync(path);
    // Its pages are gone; its footer, which says where they were, is whole.
    const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
    writeFileSync(path, bytes.fill(0xff, 4, footer));
  });

  test('is named though DuckDB does not say which, and the rest is used', async () => {
    const { code, out, err } = await runCli('history', 'top', '--archive', place, '--json');
    expect(code).toBe(3);
    expect(JSON.parse(out).volumes).toMatchObject([{ volumeId: calm, maxIops: 10 }]);
    expect(err).toMatch(new RegExp(`^stripewise: partial: ${key} could not be read and is left out: .+$`));
  });

  test('SQL that fails over rows of whole files is at fault itself', () =>
    expectOneLine(
      ['history', 'sql', 'SELECT CAST(resource_id AS INTEGER) FROM minutes', ...here],
      /the SQL failed: Conversion Error/,
    ));
});

describe('a file that a manifest names and that is not there', () => {
  const place = join(directory.path, 'without a file');
  const key = 'history/metrics/month=2026-11/account=111122223333/region=us-east-1/metrics.parquet';
  const reason =
    'cannot be read as Parquet of the archive: a manifest names it, and it is not there; put it back';
  beforeAll(() => {
    cpSync(archive, place, { recursive: true });
    rmSync(join(place, key));
  });

  test.each([
    ['volume', busy],
    ['top'],
    ['fleet'],
    ['heat-map', busy],
    ['trend', busy],
    ['sql', 'SELECT count(*) FROM minutes'],
    ['compare', busy, '--period', '2026-11-23/2026-11-23', '--with', '2026-11-24/2026-11-24'],
  ])('history %s names it, and is partial', async (...asked) => {
    const { code, err } = await runCli('history', ...asked, '--archive', place, '--json');
    expect({ code, err }).toEqual({
      code: 3,
      err: `stripewise: partial: ${key} could not be read and is left out: ${reason}`,
    });
  });

  test('its time could not be read: 2 days are 2,880 minutes', async () => {
    const found = volumeHistorySchema.parse(
      JSON.parse((await runCli('history', 'volume', busy, '--archive', place, '--json')).out),
    );
    expect(found.holes).toEqual([
      {
        ...{ start: '2026-11-23T00:00:00Z', end: '2026-11-25T00:00:00Z', minutes: 2_880 },
        ...{ wasRead: false, isUnreadable: true },
      },
    ]);
  });

  test('of another target nothing is missing', async () => {
    const { code, err } = await runCli('history', 'volume', calm, '--archive', place);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  test('where no file is left each is named, and nothing is exceeded for certain', async () => {
    const empty = join(directory.path, 'without files');
    cpSync(archive, empty, { recursive: true });
    rmSync(join(empty, 'history/metrics'), { recursive: true });
    const { code, out, err } = await runCli('history', 'fleet', '--archive', empty);
    expect(code).toBe(3);
    expect(out).toContain('0 weeks: throttled and exceeded minutes unknown');
    expect(err.split('\n')).toHaveLength(2);
  });

  test('audit --archive is partial and names it', async () => {
    const volumes = directory.write('volumes.json', describeVolumes({ VolumeId: busy }));
    const { code, out } = await runCli('audit', '--volumes', volumes, '--archive', place, '--json');
    expect(code).toBe(3);
    const notRead = { code: 'archive-file-not-read', file: key, reason: `${key}: ${reason}` };
    expect(auditResultSchema.parse(JSON.parse(out)).coverage.incomplete).toEqual([notRead]);
  });
});

test('a directory with a quote in its name is asked like another; with a pattern it is refused', async () => {
  const quoted = join(directory.path, "o'clock");
  const pattern = join(directory.path, 'a[1]');
  const window = { fromSeconds: monday, endSeconds: monday + 120 };
  const volume = { id: calm, epochSeconds: minutes(0, 2), metrics: { VolumeReadOps: () => 60 } };
  for (const place of [quoted, pattern])
    await writeArchive(place, { account: '111122223333', region: 'us-east-1' }, [volume], window);
  const { rows } = await cliJson<{ rows: unknown[] }>(
    'history',
    'sql',
    'SELECT count(*) FROM minutes',
    '--archive',
    quoted,
  );
  expect(rows).toEqual([[2]]);
  await expectOneLine(['history', 'top', '--archive', pattern], /for a pattern/);
});

test('files that are none of the archive are not asked', async () => {
  const strange = join(archive, 'history/metrics/day=2026-11-23/account=x');
  mkdirSync(strange, { recursive: true });
  writeFileSync(join(strange, 'other.parquet'), 'no Parquet');
  expect((await runCli('history', 'top', ...here)).code).toBe(0);
});
