/**
 * Questions in SQL to files of an archive, by DuckDB on this machine. It may read these files and no others, writes none, loads no
 * extension; and of statements one that selects is taken.
 */
import type { DuckDBConnection, DuckDBInstance, DuckDBResultReader } from '@duckdb/node-api';
import type { MetricsPlace, TablePlace } from '../../core/archive/keys.ts';
import { type TableName, tableColumns, tableNames } from '../../core/archive/tables.ts';
import { placeColumns, storedColumns, viewNames, viewSql } from '../../core/archive/views.ts';
import { BadInput } from '../../core/errors.ts';
import { sanitizeFirstLine } from '../../core/sanitize.ts';
import { isoFromEpochSeconds } from '../../core/units.ts';

type DuckDB = typeof import('@duckdb/node-api');

/** As the tests run it. */
const packageName = '@duckdb/node-api';
const duckdbVersion = '1.5.6-r.1';

/** It is no part of stripewise: 70 MB for one command. @throws BadInput where it is not installed. */
export async function loadDuckDB(name: string = packageName): Promise<DuckDB> {
  try {
    // As a variable: what bundles the command line leaves it out.
    return (await import(name)) as DuckDB;
  } catch (error) {
    throw new BadInput(
      `this command asks DuckDB, which is not installed beside stripewise: run npm install ${packageName}@${duckdbVersion} there; \`history volume\` needs none`,
      { cause: error },
    );
  }
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

export interface ArchivedFile {
  path: string;
  place: MetricsPlace | TablePlace;
}

/** Patterns in a path: DuckDB would take it for several files. */
const patternCharacters = /[*?[\]{}]/;

const typesOfPlace = "{'account': VARCHAR, 'region': VARCHAR, 'day': VARCHAR, 'month': VARCHAR}";

/** Of files of days, or of months: a day and a month are not of one form. */
function selectOf(files: readonly ArchivedFile[], kept: ArchivedFile['place']['kept']): string | null {
  const paths = files.filter(({ place }) => place.kept === kept).map(({ path }) => text(path));
  if (paths.length === 0) return null;
  const types = typesOfPlace.replace(kept === 'month' ? ", 'day': VARCHAR" : ", 'month': VARCHAR", '');
  // In UTC, and as a time that pages of a file can be left out by.
  return `SELECT * FROM read_parquet([${paths.join(',')}], union_by_name = true, hive_partitioning = true, hive_types = ${types})`;
}

interface Bounds {
  fromSeconds: number | null;
  endSeconds: number | null;
}

/** Columns that no file has are there, too, and null; those of a newer version are left out. */
function metricsSql(files: readonly ArchivedFile[], { fromSeconds, endSeconds }: Bounds): string {
  // A day of the place where a file lies is text, and a month has none.
  const noRow = storedColumns
    .filter(({ name }) => name !== 'day')
    .map(({ name, type }) => `CAST(NULL AS ${name === 'minute' ? 'TIMESTAMPTZ' : type}) AS ${name}`)
    .join(', ');
  const sources = [selectOf(files, 'day'), selectOf(files, 'month'), `SELECT ${noRow} WHERE false`];
  const at = (seconds: number): string => `TIMESTAMPTZ ${text(isoFromEpochSeconds(seconds))}`;
  const bounds = [
    ...(fromSeconds === null ? [] : [`minute >= ${at(fromSeconds)}`]),
    ...(endSeconds === null ? [] : [`minute < ${at(endSeconds)}`]),
  ];
  const time = 'make_timestamp(epoch_us(minute))';
  const columns = storedColumns.map(({ name, type }) => {
    if (name === 'minute') return `${time} AS minute`;
    return `CAST(${name === 'day' ? time : name} AS ${type}) AS ${name}`;
  });
  const rows = sources.filter((sql) => sql !== null).join(' UNION ALL BY NAME ');
  return `SELECT ${columns.join(', ')} FROM (${rows})${bounds.length === 0 ? '' : ` WHERE ${bounds.join(' AND ')}`}`;
}

/** The same of inventory and findings. */
function tableSql(files: readonly ArchivedFile[], name: TableName): string {
  const columns = tableColumns[name];
  const typed = columns.map(({ name: column, type }) =>
    type === 'TIMESTAMP'
      ? `make_timestamp(epoch_us(${column})) AS ${column}`
      : `CAST(${column} AS ${type}) AS ${column}`,
  );
  const noRow = [...placeColumns, ...columns].map(
    ({ name: column, type }) =>
      `CAST(NULL AS ${column === 'day' ? 'VARCHAR' : type === 'TIMESTAMP' ? 'TIMESTAMPTZ' : type}) AS ${column}`,
  );
  const sources = [selectOf(files, name), `SELECT ${noRow.join(', ')} WHERE false`];
  const rows = sources.filter((sql) => sql !== null).join(' UNION ALL BY NAME ');
  return `SELECT account, region, CAST(day AS DATE) AS day, ${typed.join(', ')} FROM (${rows})`;
}

const maxErrorCharacters = 400;

interface SqlRows {
  columns: { name: string; type: string }[];
  rows: unknown[][];
  hasMoreRows: boolean;
}

class ArchiveSql {
  private readonly duckdb: DuckDB;
  private readonly instance: DuckDBInstance;
  private readonly connection: DuckDBConnection;

  private constructor(duckdb: DuckDB, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.duckdb = duckdb;
    this.instance = instance;
    this.connection = connection;
  }

  /**
   * @param scratch a directory for what has no room in memory.
   * @throws BadInput where DuckDB is not installed.
   */
  static async open(files: readonly ArchivedFile[], bounds: Bounds, scratch: string): Promise<ArchiveSql> {
    const duckdb = await loadDuckDB();
    const strange = files.find(({ path }) => patternCharacters.test(path));
    if (strange !== undefined)
      throw new BadInput(
        `${strange.path}: DuckDB takes * ? [ ] { } in a path for a pattern: give a directory whose name has none`,
      );
    const instance = await duckdb.DuckDBInstance.create(':memory:', {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      temp_directory: scratch,
    });
    const connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    // Before the views: making one opens its files.
    await connection.run(`SET allowed_paths = [${files.map(({ path }) => text(path)).join(',')}]`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    await connection.run(`CREATE VIEW metrics AS ${metricsSql(files, bounds)}`);
    for (const view of viewNames) await connection.run(`CREATE VIEW ${view} AS ${viewSql[view]}`);
    for (const name of tableNames) await connection.run(`CREATE VIEW ${name} AS ${tableSql(files, name)}`);
    return new ArchiveSql(duckdb, instance, connection);
  }

  /**
   * Runs one statement that selects.
   * @param most rows at most.
   * @throws BadInput where it is none, or DuckDB refuses it.
   */
  async select(sql: string, most: number): Promise<SqlRows> {
    try {
      return await this.selected(sql, most);
    } catch (error) {
      if (error instanceof BadInput) throw error;
      throw new BadInput(
        `the SQL failed: ${sanitizeFirstLine((error as Error).message, maxErrorCharacters)} (views: ${[...viewNames, ...tableNames].join(', ')}; docs/reference/history.md has their columns)`,
        { cause: error },
      );
    }
  }

  private async selected(sql: string, most: number): Promise<SqlRows> {
    if (sql.trim() === '') throw new BadInput('the SQL is empty: give one SELECT');
    const statements = await this.connection.extractStatements(sql);
    if (statements.count !== 1)
      throw new BadInput(`the SQL has ${statements.count} statements: give one SELECT`);
    const prepared = await statements.prepare(0);
    const { StatementType } = this.duckdb;
    if (prepared.statementType !== StatementType.SELECT)
      throw new BadInput(
        `the SQL is ${StatementType[prepared.statementType] ?? 'another statement'}, and an archive is only read: give one SELECT`,
      );
    const reader = await prepared.streamAndReadUntil(most + 1);
    return {
      columns: reader.columnNames().map((name, i) => ({ name, type: String(reader.columnType(i)) })),
      rows: this.rowsOf(reader, most),
      hasMoreRows: reader.currentRowCount > most,
    };
  }

  /** Whole numbers as numbers where they are exact, all else that JSON has no form of as text. */
  private rowsOf(reader: DuckDBResultReader, most: number): unknown[][] {
    const { DuckDBTypeId } = this.duckdb;
    const wide = new Set([
      ...[DuckDBTypeId.BIGINT, DuckDBTypeId.UBIGINT, DuckDBTypeId.HUGEINT, DuckDBTypeId.UHUGEINT],
      DuckDBTypeId.DECIMAL,
    ]);
    const isWide = reader.columnNames().map((_, i) => wide.has(reader.columnTypeId(i)));
    return reader
      .getRowsJson()
      .slice(0, most)
      .map((row) =>
        row.map((value, i) => {
          if (!isWide[i] || typeof value !== 'string') return value;
          const number = Number(value);
          return Number.isInteger(number) && !Number.isSafeInteger(number) ? value : number;
        }),
      );
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }
}

/** What DuckDB says of a query before it reads a row: no file is at fault, unless it is named. */
const isOfSqlAlone = (said: string): boolean => /^(?:Parser|Binder|Catalog) Error/.test(said);

/** Tries each file alone, all of its columns: where damage is inside of a file DuckDB does not say in which. */
async function filesThatFail(files: readonly ArchivedFile[]): Promise<Map<ArchivedFile, string>> {
  const { DuckDBInstance } = await loadDuckDB();
  const failed = new Map<ArchivedFile, string>();
  for (const file of files) {
    // One each: a failure may leave an instance of no use.
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    try {
      await connection.run(`SELECT bit_xor(hash(file)) FROM read_parquet(${text(file.path)}) AS file`);
    } catch (error) {
      failed.set(file, (error as Error).message);
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  }
  return failed;
}

export interface UnreadFile {
  file: string;
  reason: string;
}

/** The files that made a query fail, and what DuckDB says of each; none: it is the SQL. */
async function brokenFiles(
  files: readonly ArchivedFile[],
  error: Error,
): Promise<ReadonlyMap<ArchivedFile, string>> {
  const cause = error.cause as Error | undefined;
  const said = String(cause?.message ?? error.message);
  const named = files.find(({ path }) => said.includes(path));
  if (named !== undefined) return new Map(patternCharacters.test(named.path) ? [] : [[named, said]]);
  // A refusal of ours has no cause.
  if ((error instanceof BadInput && cause === undefined) || isOfSqlAlone(said)) return new Map();
  return filesThatFail(files);
}

/**
 * Asks files of an archive. One that DuckDB cannot read is named and left out, and the rest is asked again.
 * @param scratch a directory for what has no room in memory.
 * @param ask is called with the files that are left, too.
 * @throws BadInput where DuckDB is not installed.
 */
export async function askFiles<T>(
  files: readonly ArchivedFile[],
  bounds: Bounds,
  scratch: string,
  ask: (sql: Pick<ArchiveSql, 'select'>, read: readonly ArchivedFile[]) => Promise<T>,
): Promise<{ answer: T; unreadFiles: UnreadFile[] }> {
  const unreadFiles: UnreadFile[] = [];
  let left = files;
  for (;;) {
    let sql: ArchiveSql | null = null;
    try {
      sql = await ArchiveSql.open(left, bounds, scratch);
      return { answer: await ask(sql, left), unreadFiles };
    } catch (error) {
      const broken = await brokenFiles(left, error as Error);
      if (broken.size === 0) throw error;
      for (const [{ place }, said] of broken)
        unreadFiles.push({ file: place.key, reason: sanitizeFirstLine(said, maxErrorCharacters) });
      left = left.filter((file) => !broken.has(file));
    } finally {
      sql?.close();
    }
  }
}
