/** Questions to the archive in the account: tables, views, the work group with its queries, and how long objects are kept. */
import { type DayLayout, type Slot, slotsOf } from '../../core/archive/keys.ts';
import { columnsOfView, viewSql } from '../../core/archive/views.ts';
import { goesBefore } from './removal.ts';
import { patience, type Synthesized, shortly, synthesized } from './synthesized.ts';

let archive: Synthesized;
let short: Synthesized;
let organization: Synthesized;
let accounts: Synthesized;
let without: Synthesized[];
beforeAll(async () => {
  archive = await synthesized('archive');
  short = await synthesized('shortArchive');
  organization = await synthesized('archiveOfOrganization');
  accounts = await synthesized('archiveOfAccounts');
  without = [
    await synthesized('usual'),
    await synthesized('everyFunction'),
    await synthesized('organization'),
  ];
}, patience);

interface TableInput {
  Name: string;
  TableType: string;
  Parameters: Record<string, unknown>;
  PartitionKeys: { Name: string; Type: string }[];
  ViewOriginalText: unknown;
  StorageDescriptor: { Location: unknown; Columns: { Name: string; Type: string }[] };
}
const tables = (stack: Synthesized): Map<string, TableInput> =>
  new Map(
    stack.all('AWS::Glue::Table').map(([, { Properties }]) => {
      const table = Properties['TableInput'] as TableInput;
      return [table.Name, table];
    }),
  );
const table = (stack: Synthesized, name: string): TableInput => {
  const found = tables(stack).get(name);
  if (found === undefined) throw new Error(`no table ${name}`);
  return found;
};
const rulesOf = (stack: Synthesized): Record<string, unknown>[] => {
  const { LifecycleConfiguration } = stack.one('AWS::S3::Bucket', 'Runs').Properties;
  return (LifecycleConfiguration as { Rules: Record<string, unknown>[] }).Rules;
};

test('without the section there is none of it', () => {
  for (const stack of without) {
    const types = Object.values(stack.json.Resources).map(({ Type }) => Type);
    expect(types.filter((type) => /Glue|Athena/.test(type))).toEqual([]);
    expect(JSON.stringify(stack.json)).not.toMatch(/history|athena/i);
  }
});

describe('objects in the bucket', () => {
  const added = (stack: Synthesized) =>
    rulesOf(stack).filter(({ Prefix }) => /history|athena/.test(String(Prefix)));
  const usual = [{ Prefix: 'history-staging/', ExpirationInDays: 30, Status: 'Enabled' }];
  const byDay = (days: number) =>
    ['history/metrics/', 'history/inventory/', 'history/findings/', 'history/fleet-days.json'].map(
      (Prefix) => ({
        ...{ Prefix, ExpirationInDays: days, Status: 'Enabled' },
      }),
    );
  const results = [{ Prefix: 'athena-results/', ExpirationInDays: 7, Status: 'Enabled' }];

  test('minutes expire; large objects become cheaper after 30 and 60 days, manifests never', () => {
    const cheaper = (after: number) => ({
      ...{ ObjectSizeGreaterThan: 131_071, Status: 'Enabled' },
      Transitions: [{ StorageClass: 'STANDARD_IA', TransitionInDays: after }],
    });
    expect(added(archive)).toEqual([
      ...byDay(400),
      // 400 + 2 x 31: as long as the rows of any month.
      { Prefix: 'history/manifests/', ExpirationInDays: 462, Status: 'Enabled' },
      { Prefix: 'history/metrics/day=', ...cheaper(30) },
      { Prefix: 'history/metrics/month=', ...cheaper(60) },
      ...usual,
      ...results,
    ]);
  });

  test('what is not kept for 30 days after it stays where it is: 45 days are fewer than 30 + 30', () => {
    expect(added(short)).toEqual([
      ...byDay(45),
      { Prefix: 'history/manifests/', ExpirationInDays: 107, Status: 'Enabled' },
      ...usual,
      ...results,
    ]);
  });
});

describe('the tables', () => {
  test('know their days, accounts and Regions without a list of partitions', () => {
    const { Parameters, PartitionKeys } = table(archive, 'metrics_by_day');
    expect(Parameters).toMatchObject({
      'projection.enabled': 'true',
      'projection.day.type': 'date',
      'projection.day.format': 'yyyy-MM-dd',
      'projection.day.range': 'NOW-401DAYS,NOW',
      'projection.account.type': 'enum',
      'projection.account.values': { Ref: 'AWS::AccountId' },
      'projection.region.type': 'enum',
      'projection.region.values': { Ref: 'AWS::Region' },
    });
    expect(PartitionKeys.map(({ Name }) => Name)).toEqual(['day', 'account', 'region']);
    // 400 days are at most 15 months of 28 days, and the oldest is cut: 16.
    expect(table(archive, 'metrics_by_month').Parameters).toMatchObject({
      'projection.month.format': 'yyyy-MM',
      'projection.month.range': 'NOW-16MONTHS,NOW',
      'projection.month.interval.unit': 'MONTHS',
    });
  });

  test('Regions and accounts are those of the configuration, without what it leaves out', () => {
    expect(table(short, 'metrics_by_day').Parameters).toMatchObject({
      'projection.day.range': 'NOW-46DAYS,NOW',
      'projection.region.values': 'eu-west-1,eu-west-3',
    });
    expect(table(accounts, 'metrics_by_month').Parameters).toMatchObject({
      'projection.account.values': '111122223333,444455556666',
      'projection.region.values': 'eu-west-1,us-east-1',
    });
  });

  test('what nobody lists must be named in a question', () => {
    for (const name of ['metrics_by_day', 'metrics_by_month']) {
      const { Parameters } = table(organization, name);
      expect(Parameters).toMatchObject({
        'projection.account.type': 'injected',
        'projection.region.type': 'injected',
      });
      expect(Parameters).not.toHaveProperty(['projection.account.values']);
    }
  });

  test.each<[string, DayLayout]>([
    ['metrics_by_day', { kept: 'day', firstIds: ['', 'vol-5'] }],
    ['metrics_by_month', { kept: 'month' }],
  ])('a place of %s is where an audit puts its objects', (name, layout) => {
    const target = { account: '111122223333', region: 'eu-west-1' };
    const place = shortly(table(archive, name).Parameters['storage.location.template'])
      .replace(`\${day}`, '2026-11-23')
      .replace(`\${month}`, '2026-11')
      .replace(`\${account}`, target.account)
      .replace(`\${region}`, target.region);
    const folderOf = ({ key }: Slot) => `s3://Runs/${key.slice(0, key.lastIndexOf('/') + 1)}`;
    expect(new Set(slotsOf('2026-11-23', target, layout).map(folderOf))).toEqual(new Set([place]));
  });
});

describe('the views', () => {
  /** Base64 of JSON, in which the name of the database is put when it is deployed. */
  const definition = (name: string) => {
    const [, [before, { 'Fn::Base64': json }, after]] = (
      table(archive, name).ViewOriginalText as {
        'Fn::Join': [string, [string, { 'Fn::Base64': unknown }, string]];
      }
    )['Fn::Join'];
    expect([before, after]).toEqual(['/* Presto View: ', ' */']);
    return JSON.parse(shortly(json)) as { originalSql: string; columns: { name: string; type: string }[] };
  };

  test('are those that DuckDB has, text by text', () => {
    expect(definition('minutes')).toMatchObject({
      ...{ originalSql: viewSql.minutes, catalog: 'awsdatacatalog', schema: 'ArchiveDatabase' },
    });
    expect(definition('volume_hours').originalSql).toBe(viewSql.volume_hours);
    expect(definition('minutes').columns.map(({ name }) => name)).toEqual(columnsOfView('minutes'));
  });

  test.each(['metrics', 'minutes', 'volume_hours'])('%s has the same columns in the catalog', (name) => {
    const types: Record<string, string> = { string: 'varchar', timestamp: 'timestamp(3)', float: 'real' };
    const { Columns } = table(archive, name).StorageDescriptor;
    expect(definition(name).columns).toEqual(
      Columns.map(({ Name, Type }) => ({ name: Name, type: types[Type] ?? Type })),
    );
    expect(table(archive, name)).toMatchObject({
      TableType: 'VIRTUAL_VIEW',
      Parameters: { presto_view: 'true' },
    });
  });
});

describe('the work group', () => {
  test('stops what reads more than is allowed, and nobody can ask in it otherwise', () => {
    const { Properties } = archive.one('AWS::Athena::WorkGroup', 'Archive');
    expect(Properties).toMatchObject({
      Name: { 'Fn::Join': ['', [{ Ref: 'AWS::StackName' }, '-archive']] },
      WorkGroupConfiguration: {
        EnforceWorkGroupConfiguration: true,
        BytesScannedCutoffPerQuery: 10 * 1_024 ** 3,
        ResultConfiguration: { EncryptionConfiguration: { EncryptionOption: 'SSE_S3' } },
      },
    });
    const configuration = (stack: Synthesized) =>
      stack.one('AWS::Athena::WorkGroup', 'Archive').Properties['WorkGroupConfiguration'] as {
        BytesScannedCutoffPerQuery: number;
        ResultConfiguration: { OutputLocation: unknown };
      };
    expect(shortly(configuration(archive).ResultConfiguration.OutputLocation)).toBe(
      's3://Runs/athena-results/',
    );
    expect(configuration(short).BytesScannedCutoffPerQuery).toBe(0.5 * 1_024 ** 3);
  });

  test('has the saved queries, which name an account and Region only where they must', () => {
    const queries = (stack: Synthesized) =>
      stack.all('AWS::Athena::NamedQuery').map(([, { Properties }]) => ({
        ...{ name: Properties['Name'], sql: shortly(Properties['QueryString']) },
        ...{ database: shortly(Properties['Database']), workGroup: shortly(Properties['WorkGroup']) },
      }));
    expect(queries(archive).map(({ name }) => name)).toEqual([
      ...['throttled-by-week', 'busiest-volumes', 'month-end-peaks', 'day-of-volume'],
    ]);
    for (const { sql, database, workGroup } of queries(archive)) {
      expect([database, workGroup]).toEqual(['ArchiveDatabase', 'ArchiveWorkGroup']);
      expect(sql).not.toMatch(/account =|region =/);
    }
    for (const { sql } of queries(organization)) {
      expect(sql).toContain("account = 'AWS::AccountId'");
      expect(sql).toContain("region = 'AWS::Region'");
    }
  });
});

describe('removal', () => {
  const isOurs = /^AWS::(Glue|Athena)::/;

  test('takes all of it, with what was asked; the minutes stay or go with the bucket', () => {
    for (const [stack, ofBucket] of [
      [archive, 'RetainExceptOnCreate'],
      [short, 'Delete'],
    ] as const) {
      const kept = Object.values(stack.json.Resources).filter(
        ({ Type, DeletionPolicy = 'Delete' }) => isOurs.test(Type) && DeletionPolicy !== 'Delete',
      );
      expect(kept).toEqual([]);
      expect(stack.one('AWS::Athena::WorkGroup', 'Archive').Properties['RecursiveDeleteOption']).toBe(true);
      expect(stack.one('AWS::S3::Bucket', 'Runs')['DeletionPolicy']).toBe(ofBucket);
    }
  });

  test('a question that still runs puts nothing into a bucket that was emptied: the work group goes before', () => {
    const emptied = short.one('Custom::StripewiseEmptiedBucket', 'EmptiedOnDestroy').id;
    expect(goesBefore(short, short.one('AWS::Athena::WorkGroup', 'Archive').id, emptied)).toBe(true);
  });
});
