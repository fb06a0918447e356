/**
 * DuckDB stands for Athena: over the same files the tables and views of the catalog answer what the command line answers. What Athena
 * alone does is not tested here: how it projects partitions, and its own reading of SQL and Parquet.
 */
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { metricsFilesOf, tableFilesOf } from '../../../adapters/archive/archived-files.ts';
import { ArchiveDirectory } from '../../../adapters/archive/directory.ts';
import { askFiles, loadDuckDB } from '../../../adapters/archive/duckdb.ts';
import { putTable } from '../../../adapters/archive/write-tables.ts';
import { catalogViews, dayTables, metricsTables } from '../../../core/archive/athena.ts';
import { dayStart, metricsPrefix } from '../../../core/archive/keys.ts';
import { savedQuery, savedQueryNames } from '../../../core/archive/saved-queries.ts';
import { findingCells, inventoryCells, tableNames } from '../../../core/archive/tables.ts';
import { storedColumns, typedColumnsOf, viewNames } from '../../../core/archive/views.ts';
import { writeArchive } from '../../cli/written-archive.ts';
import { aFinding } from '../../fixtures/findings.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
const archive = join(directory.path, 'archive');
const small = { account: '444455556666', region: 'eu-central-1' };
const large = { account: '111122223333', region: 'us-east-1' };
const places = { accounts: [small.account, large.account], regions: [small.region, large.region] };
const busy = 'vol-0123456789abcdef0';
const throttled = 'vol-0000000000000bbbb';

/** Four minutes of each of three days: a Monday, the last day of the month, which is the next Monday, and the day after it. */
const days = ['2026-11-23', '2026-11-30', '2026-12-01'];
const epochSeconds = days.flatMap((day) => [0, 1, 2, 3].map((minute) => dayStart(day) + minute * 60));
const lastOfMonth = 7 * 1_440;
const isLastOfMonth = (minute: number): boolean => minute >= lastOfMonth && minute < lastOfMonth + 4;

let instance: DuckDBInstance;
let catalog: DuckDBConnection;
/** As a row of text and numbers, whatever DuckDB makes of a BIGINT. */
const plain = (rows: readonly unknown[][]): unknown[][] =>
  rows.map((row) => row.map((value) => (/^\d+$/.test(String(value)) ? Number(value) : value)));
const asked = async (sql: string): Promise<unknown[][]> =>
  plain((await catalog.runAndReadAll(sql)).getRowsJson());
const inCommandLine = async (sql: string): Promise<unknown[][]> => {
  const store = new ArchiveDirectory(archive);
  const all = { fromSeconds: null, endSeconds: null, accounts: null, regions: null };
  const places = [...(await metricsFilesOf(store, all)), ...(await tableFilesOf(store, all))];
  const files = places.map((place) => ({
    place,
    path: join(archive, place.key),
  }));
  const { answer } = await askFiles(files, all, directory.path, (it) => it.select(sql, 1_000));
  return plain(answer.rows);
};
const described = async (name: string): Promise<[string, string][]> =>
  (await catalog.runAndReadAll(`DESCRIBE ${name}`))
    .getRowsJson()
    .map(([column, type]) => [String(column), String(type)]);

/**
 * A target of one volume is kept by month, one of 21 by day. Busy: 100 IOPS (6,000 operations a minute), 3,000 on the last day of the
 * month. The throttled one was evaluated, three minutes of that day were throttled.
 */
beforeAll(async () => {
  const window = { fromSeconds: dayStart('2026-11-23'), endSeconds: dayStart('2026-12-02') };
  const operations = (minute: number): number => (isLastOfMonth(minute) ? 180_000 : 6_000);
  const metrics = { VolumeReadOps: operations, VolumeWriteOps: () => 0, VolumeReadBytes: () => 0 };
  const others = Array.from({ length: 20 }, (_, i) => ({
    ...{ id: `vol-0000000000000aa${i + 10}`, epochSeconds },
    metrics: { VolumeReadOps: () => 60 * (i + 1), VolumeWriteOps: () => 0 },
  }));
  await writeArchive(archive, large, [...others, { id: busy, epochSeconds, metrics }], window);
  const status = (minute: number) =>
    isLastOfMonth(minute) && minute !== lastOfMonth + 3 ? 'throttled' : 'healthy';
  await writeArchive(archive, small, [{ id: throttled, epochSeconds, metrics, status }], window);

  instance = await (await loadDuckDB()).DuckDBInstance.create(':memory:');
  catalog = await instance.connect();
  await catalog.run("SET TimeZone = 'UTC'");
  const tables = metricsTables({ bucket: 'b', keepDays: 400, ...places });
  for (const { name, partitionKeys } of tables) {
    const types = partitionKeys.map((key) => `'${key.name}': VARCHAR`).join(', ');
    const files = `${archive}/${metricsPrefix}${partitionKeys[0]?.name}=*/*/*/*.parquet`;
    // To Athena a time of a file is a TIMESTAMP.
    await catalog.run(
      `CREATE VIEW ${name} AS SELECT * REPLACE (make_timestamp(epoch_us(minute)) AS minute)
       FROM read_parquet('${files}', hive_partitioning = true, hive_types = {${types}})`,
    );
  }
  const inventory = { volumes: [aVolume({ volumeId: busy })], instances: [] };
  const store = new ArchiveDirectory(archive);
  await putTable(store, { ...large, day: '2026-11-30' }, 'inventory', inventoryCells(inventory, []));
  await putTable(
    store,
    { ...large, day: '2026-11-30' },
    'findings',
    findingCells({ findings: [aFinding()] }),
  );
  for (const { name, location } of dayTables({ bucket: 'b', keepDays: 400, ...places })) {
    const types = "{'account': VARCHAR, 'region': VARCHAR, 'day': VARCHAR}";
    const times = name === 'findings_by_day' ? ['first_seen', 'last_seen'] : [];
    const replaced = times.map((time) => `make_timestamp(epoch_us(${time})) AS ${time}`).join(', ');
    await catalog.run(
      `CREATE VIEW ${name} AS SELECT *${replaced === '' ? '' : ` REPLACE (${replaced})`}
       FROM read_parquet('${archive}/${location.slice('s3://b/'.length)}*/*/*/*.parquet', hive_partitioning = true, hive_types = ${types})`,
    );
  }
  for (const { name, sql } of catalogViews) await catalog.run(`CREATE VIEW ${name} AS ${sql}`);
});
afterAll(() => {
  catalog.closeSync();
  instance.closeSync();
});

test('both tables have rows, and each row is in one of them', async () => {
  // 21 volumes x 12 minutes; 1 volume x 12 minutes.
  expect(await asked('SELECT count(*) FROM metrics_by_day')).toEqual([[252]]);
  expect(await asked('SELECT count(*) FROM metrics_by_month')).toEqual([[12]]);
  expect(await asked('SELECT count(*), count(DISTINCT (resource_id, minute)) FROM metrics')).toEqual([
    [264, 264],
  ]);
});

test('columns of the tables are those of the files', async () => {
  const duckdbTypes: Record<string, string> = { string: 'VARCHAR' };
  for (const { name, columns, partitionKeys } of metricsTables({ bucket: 'b', keepDays: 400, ...places }))
    expect(Object.fromEntries(await described(name))).toEqual(
      Object.fromEntries(
        [...columns, ...partitionKeys].map(({ name: column, type }) => [
          column,
          duckdbTypes[type] ?? type.toUpperCase(),
        ]),
      ),
    );
});

test.each(['metrics', ...viewNames] as const)(
  'columns of %s have the types that the catalog says',
  async (name) => {
    const said = name === 'metrics' ? storedColumns : typedColumnsOf(name);
    expect(await described(name)).toEqual(said.map(({ name: column, type }) => [column, type]));
  },
);

test.each([...viewNames, ...tableNames])('%s has the rows that it has in the command line', async (view) => {
  const sql = `SELECT * FROM ${view} ORDER BY ALL`;
  const rows = await asked(sql);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows).toEqual(await inCommandLine(sql));
});

describe('saved queries', () => {
  const example = { account: large.account, region: large.region };
  const today = (sql: string): string => sql.replaceAll('current_date', "DATE '2026-12-02'");
  const saved = (name: (typeof savedQueryNames)[number], of: Parameters<typeof savedQuery>[1] = places) =>
    today(savedQuery(name, of, example));

  test.each(savedQueryNames)('%s answers what it answers in the command line', async (name) => {
    const rows = await asked(saved(name));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(await inCommandLine(saved(name)));
  });

  test('throttled minutes by week: unknown where nothing was evaluated, 3 of 8 in the second week', async () => {
    const rows = await asked(saved('throttled-by-week'));
    expect(rows.filter(([, , , volume]) => volume === throttled)).toEqual([
      ['2026-11-23', 444455556666, 'eu-central-1', throttled, 4, 4, 0],
      ['2026-11-30', 444455556666, 'eu-central-1', throttled, 8, 8, 3],
    ]);
    expect(rows.filter(([, , , volume]) => volume === busy).map((row) => row.slice(4))).toEqual([
      [4, 0, null],
      [8, 0, null],
    ]);
  });

  test('month-end peaks: 3,000 IOPS in the last three days of November, 100 before', async () => {
    const rows = await asked(saved('month-end-peaks'));
    expect(rows.filter(([, , , volume]) => volume === busy).map((row) => [row[0], row[4], row[5]])).toEqual([
      ['2026-11-01', 3_000, 100],
      ['2026-12-01', null, 100],
    ]);
  });

  test('the day of a volume has its minutes', async () => {
    const rows = await asked(saved('day-of-volume'));
    expect(rows.map(([minute, readIops]) => [minute, readIops])).toEqual(
      [0, 1, 2, 3].map((minute) => [`2026-11-23 00:0${minute}:00`, 100]),
    );
  });

  test('where a question must name them, it asks for one account and Region', async () => {
    const rows = await asked(saved('throttled-by-week', { accounts: null, regions: null }));
    expect(new Set(rows.map(([, account, region]) => `${account} ${region}`))).toEqual(
      new Set(['111122223333 us-east-1']),
    );
  });
});
