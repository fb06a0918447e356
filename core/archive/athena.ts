/**
 * The archive's metrics as tables and views of the Glue Data Catalog, for Athena. Which days, accounts and Regions there may be is
 * computed, not stored (partition projection): nobody adds a partition when an audit writes a day.
 */
import type { Config } from '../config/config.ts';
import { metricsPrefix, placeOf, tablePrefix } from './keys.ts';
import { type TableName, tableColumns, tableNames } from './tables.ts';
import {
  placeColumns,
  type SqlType,
  storedColumns,
  type TypedColumn,
  typedColumnsOf,
  viewNames,
  viewSql,
} from './views.ts';

/** As Glue writes types in a table, and as Athena writes them in a view. */
const typeNames: Readonly<Record<SqlType, { glue: string; athena: string }>> = {
  VARCHAR: { glue: 'string', athena: 'varchar' },
  TIMESTAMP: { glue: 'timestamp', athena: 'timestamp(3)' },
  DATE: { glue: 'date', athena: 'date' },
  FLOAT: { glue: 'float', athena: 'real' },
  DOUBLE: { glue: 'double', athena: 'double' },
  BIGINT: { glue: 'bigint', athena: 'bigint' },
};

interface Column {
  name: string;
  type: string;
}

const glueColumns = (columns: readonly TypedColumn[]): Column[] =>
  columns.map(({ name, type }) => ({ name, type: typeNames[type].glue }));

/** A value that queries must name is null: then nobody knows all of them, or each question would list too many places. */
export interface ArchivedPlaces {
  accounts: readonly string[] | null;
  regions: readonly string[] | null;
}

/**
 * AWS advises some dozens. A question lists a place for each day, account and Region: a quarter of 24 accounts in three Regions
 * are 6,552 requests, 0.03 USD.
 */
const mostEnumerated = 24;

/** @param own account and Region of the stack. */
export function archivedPlaces(
  { organization, regions: ofAll }: Pick<Config, 'organization' | 'regions'>,
  own: { account: string; region: string },
): ArchivedPlaces {
  const few = (values: readonly string[]) => (values.length > mostEnumerated ? null : values);
  const usual = ofAll.length > 0 ? ofAll : [own.region];
  if (organization === undefined) return { accounts: [own.account], regions: few(usual) };
  const { accounts, exclude, regions = usual } = organization;
  return {
    accounts: Array.isArray(accounts) ? few(accounts.filter((one) => !exclude.includes(one))) : null,
    regions: regions === 'enabled' ? null : few(regions),
  };
}

/** What is kept by day and by month lies at places of different forms. */
const keptBy = ['day', 'month'] as const;
type KeptBy = (typeof keptBy)[number];

/** The shortest month; and one more, because the oldest is cut. */
const monthsOf = (days: number): number => Math.ceil(days / 28) + 1;

/** From the oldest that is kept to today, in UTC. */
const times: Readonly<Record<KeptBy, { format: string; unit: string; range: (keepDays: number) => string }>> =
  {
    day: { format: 'yyyy-MM-dd', unit: 'DAYS', range: (keepDays) => `NOW-${keepDays + 1}DAYS,NOW` },
    month: { format: 'yyyy-MM', unit: 'MONTHS', range: (keepDays) => `NOW-${monthsOf(keepDays)}MONTHS,NOW` },
  };

function valuesOf(column: string, values: readonly string[] | null): Record<string, string> {
  if (values === null) return { [`projection.${column}.type`]: 'injected' };
  return {
    [`projection.${column}.type`]: 'enum',
    [`projection.${column}.values`]: [...new Set(values)].join(','),
  };
}

export interface CatalogTable {
  name: string;
  location: string;
  columns: Column[];
  partitionKeys: Column[];
  parameters: Record<string, string>;
}

/** What Athena puts in its place. */
const projected = (column: string): string => `\${${column}}`;

const notInFiles = ['account', 'region', 'day'];

export interface ArchiveInBucket extends ArchivedPlaces {
  bucket: string;
  keepDays: number;
}

/** Which places there may be, and where each lies. */
const parametersOf = (
  kept: KeptBy,
  location: string,
  { keepDays, accounts, regions }: Omit<ArchiveInBucket, 'bucket'>,
): Record<string, string> => ({
  ...{ EXTERNAL: 'TRUE', classification: 'parquet', 'projection.enabled': 'true' },
  [`projection.${kept}.type`]: 'date',
  [`projection.${kept}.format`]: times[kept].format,
  [`projection.${kept}.range`]: times[kept].range(keepDays),
  [`projection.${kept}.interval`]: '1',
  [`projection.${kept}.interval.unit`]: times[kept].unit,
  ...valuesOf('account', accounts),
  ...valuesOf('region', regions),
  'storage.location.template': `${location}${kept}=${projected(kept)}/${placeOf({ account: projected('account'), region: projected('region') })}/`,
});

/** A place's time is text: what a column of it can be beside that, AWS does not document. */
export function metricsTables({ bucket, keepDays, accounts, regions }: ArchiveInBucket): CatalogTable[] {
  const location = `s3://${bucket}/${metricsPrefix}`;
  return keptBy.map((kept) => ({
    name: `metrics_by_${kept}`,
    location,
    columns: glueColumns(storedColumns.filter(({ name }) => !notInFiles.includes(name))),
    partitionKeys: [kept, 'account', 'region'].map((name) => ({ name, type: 'string' })),
    parameters: parametersOf(kept, location, { keepDays, accounts, regions }),
  }));
}

/** By day the place says it, so that days that nobody asks for are not opened; by month the minute does. */
const dayOfRow: Readonly<Record<KeptBy, string>> = {
  day: 'CAST(day AS DATE)',
  month: 'CAST(minute AS DATE)',
};

/** What a view selects of the place where a file lies, whose time is text, and of the file. */
const selectedOf = (columns: readonly TypedColumn[], kept: KeptBy): string =>
  columns.map(({ name }) => (name === 'day' ? `${dayOfRow[kept]} AS day` : name)).join(', ');

/** Each row is in one of both. */
const metricsSql = keptBy
  .map((kept) => `SELECT ${selectedOf(storedColumns, kept)} FROM metrics_by_${kept}`)
  .join(' UNION ALL ');

export interface CatalogView {
  name: string;
  sql: string;
  columns: Column[];
  /** What Athena reads a view from. @param database may be a reference in a template. */
  definition: (database: string) => object;
}

const view = (name: string, sql: string, columns: readonly TypedColumn[]): CatalogView => ({
  ...{ name, sql, columns: glueColumns(columns) },
  definition: (database) => ({
    ...{ originalSql: sql, catalog: 'awsdatacatalog', schema: database },
    columns: columns.map(({ name: column, type }) => ({ name: column, type: typeNames[type].athena })),
  }),
});

/** A table a dataset: an object a day, account and Region. */
export const dayTables = ({ bucket, keepDays, accounts, regions }: ArchiveInBucket): CatalogTable[] =>
  tableNames.map((name) => {
    const location = `s3://${bucket}/${tablePrefix(name)}`;
    return {
      name: `${name}_by_day`,
      location,
      columns: glueColumns(tableColumns[name]),
      partitionKeys: ['day', 'account', 'region'].map((key) => ({ name: key, type: 'string' })),
      parameters: parametersOf('day', location, { keepDays, accounts, regions }),
    };
  });

const dayView = (name: TableName): CatalogView => {
  const columns = [...placeColumns, ...tableColumns[name]];
  return view(name, `SELECT ${selectedOf(columns, 'day')} FROM ${name}_by_day`, columns);
};

/** Each after those that it reads. */
export const catalogViews: readonly CatalogView[] = [
  view('metrics', metricsSql, storedColumns),
  ...viewNames.map((name) => view(name, viewSql[name], typedColumnsOf(name))),
  ...tableNames.map(dayView),
];
