/** Questions to the archive in the account: its metrics in the Glue Data Catalog, and an Athena work group that asks no more than is allowed. */
import { Aws, Fn, Stack } from 'aws-cdk-lib';
import { CfnNamedQuery, CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { pascalCase } from 'es-toolkit/string';
import {
  archivedPlaces,
  type CatalogTable,
  type CatalogView,
  catalogViews,
  dayTables,
  metricsTables,
} from '../../core/archive/athena.ts';
import { type SavedQueryName, savedQuery, savedQueryNames } from '../../core/archive/saved-queries.ts';
import type { Config } from '../../core/config/config.ts';
import { bytesPerGiB } from '../../core/units.ts';
import { resultsPrefix } from './lifecycle.ts';

export interface ArchiveQuestionsProps {
  config: Config;
  archive: NonNullable<Config['archive']>;
  bucket: IBucket;
}

const savedQueryTexts: Readonly<Record<SavedQueryName, string>> = {
  'throttled-by-week':
    'stripewise: throttled minutes of each volume by week, of the last 91 days; null: not evaluated',
  'busiest-volumes': 'stripewise: the volumes with the most IOPS in a minute, of the last 14 days',
  'month-end-peaks': 'stripewise: the highest minute in the last three days of each month, and in the others',
  'day-of-volume': 'stripewise: each minute of a volume and day; write your own into it',
};

/**
 * The Data Catalog knows small letters alone, and a template cannot make them of a stack's name: eight digits of the stack's id, which
 * is no other stack's.
 */
const databaseName = (): string =>
  Fn.join('_', ['stripewise', Fn.select(0, Fn.split('-', Fn.select(2, Fn.split('/', Aws.STACK_ID))))]);

const parquet = {
  inputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat',
  outputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat',
  serdeInfo: { serializationLibrary: 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' },
};

export class ArchiveQuestions extends Construct {
  readonly databaseName: string;
  readonly workGroup: CfnWorkGroup;
  private readonly database: CfnDatabase;

  constructor(scope: Construct, id: string, { config, archive, bucket }: ArchiveQuestionsProps) {
    super(scope, id);
    this.database = new CfnDatabase(this, 'Database', {
      catalogId: Aws.ACCOUNT_ID,
      databaseInput: {
        name: databaseName(),
        description: `stripewise: the archive of the stack ${Aws.STACK_NAME}`,
      },
    });
    this.databaseName = this.database.ref;
    const own = { account: Aws.ACCOUNT_ID, region: Stack.of(this).region };
    const places = archivedPlaces(config, own);
    const { keepDays, maxQueryGiB } = archive;
    const kept = { bucket: bucket.bucketName, keepDays, ...places };
    for (const table of [...metricsTables(kept), ...dayTables(kept)]) this.addTable(table);
    for (const view of catalogViews) this.addView(view);

    this.workGroup = new CfnWorkGroup(this, 'WorkGroup', {
      name: `${Aws.STACK_NAME}-archive`,
      description: 'stripewise: questions to the archive, each with a bound on what it reads',
      // With what was asked: one that has a history could not be deleted.
      recursiveDeleteOption: true,
      workGroupConfiguration: {
        enforceWorkGroupConfiguration: true,
        bytesScannedCutoffPerQuery: Math.floor(maxQueryGiB * bytesPerGiB),
        engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
        resultConfiguration: {
          outputLocation: bucket.s3UrlForObject(resultsPrefix),
          expectedBucketOwner: Aws.ACCOUNT_ID,
          encryptionConfiguration: { encryptionOption: 'SSE_S3' },
        },
      },
    });
    for (const name of savedQueryNames)
      new CfnNamedQuery(this, pascalCase(name), {
        ...{ name, description: savedQueryTexts[name] },
        ...{ database: this.databaseName, workGroup: this.workGroup.ref },
        queryString: savedQuery(name, places, own),
      });
  }

  private addTable({ name, location, columns, partitionKeys, parameters }: CatalogTable): void {
    new CfnTable(this, pascalCase(name), {
      catalogId: Aws.ACCOUNT_ID,
      databaseName: this.databaseName,
      tableInput: {
        ...{ name, tableType: 'EXTERNAL_TABLE', partitionKeys, parameters },
        storageDescriptor: { location, columns, ...parquet },
      },
    });
  }

  /** As `CREATE VIEW` in Athena leaves it in the catalog. */
  private addView({ name, columns, definition }: CatalogView): void {
    const text = Fn.base64(Stack.of(this).toJsonString(definition(this.databaseName)));
    new CfnTable(this, pascalCase(name), {
      catalogId: Aws.ACCOUNT_ID,
      databaseName: this.databaseName,
      tableInput: {
        ...{ name, tableType: 'VIRTUAL_VIEW', parameters: { presto_view: 'true', comment: 'Presto View' } },
        viewOriginalText: Fn.join('', ['/* Presto View: ', text, ' */']),
        viewExpandedText: '/* Presto View */',
        storageDescriptor: { columns, location: '', serdeInfo: {} },
      },
    });
  }
}
