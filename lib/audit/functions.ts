/** The functions of the audit, each with what it may do and no more. */
import { Duration, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { hostReadingsFolder, latestTargetsKey, runManifestKey } from '../../core/audit/run-keys.ts';
import { benchmarkHostsFolder } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import type { Config } from '../../core/config/config.ts';
import {
  accountBudgetsOf,
  archiveOf,
  compareWithOf,
  pointRatesOf,
  readMinutesOf,
  variablesOf,
} from '../../core/config/variables.ts';
import { archivedReadingActions, readingActions } from '../../core/reading-actions.ts';
import type { Env as CollectEnv } from '../../lambdas/collect-findings/env.ts';
import type { Env as CommitEnv } from '../../lambdas/commit-archive/env.ts';
import type { Env as DiscoverEnv } from '../../lambdas/discover-volumes/env.ts';
import type { Env as DashboardEnv } from '../../lambdas/draw-dashboard/env.ts';
import type { Env as EvaluateEnv } from '../../lambdas/evaluate-batch/env.ts';
import type { Env as TargetsEnv } from '../../lambdas/list-targets/env.ts';
import type { Env as RefreshEnv } from '../../lambdas/refresh-catalog/env.ts';
import type { Env as ReportEnv } from '../../lambdas/write-report/env.ts';
import { NodeFunction } from '../shared/node-function.ts';
import {
  listObjects,
  mayRead,
  mayReadRecommendations,
  onEverything,
  onObjects,
  type Permission,
  permission,
} from '../shared/permissions.ts';
import { archiveRights } from './archive.ts';
import { HostEvidence } from './host-evidence.ts';
import { hubRights } from './hub.ts';

export interface AuditFunctionsProps {
  config: Config;
  bucket: IBucket;
  dashboardName: string;
  /** What reading cost. */
  spend: TableV2;
}

/** What was read before a step or a run before this one; what is not there is found out by listing. */
const onCatalog = (bucket: IBucket, ...actions: string[]): Permission[] => [
  listObjects(bucket, 'catalog/'),
  {
    ...onObjects(bucket, 'catalog/', ...actions),
    reason: 'each Region that a run asks for has a key of its own below catalog/.',
  },
];

/**
 * What no function goes above with 20,000 volumes (npm run test:resilience -- load measures it, with the heap that Lambda gives).
 * Processor time goes with memory, 512 MiB are 0.29 of a core: discovering and collecting take seconds of one, a batch 3 to
 * 10, so half a minute of its 15. The rest of its time it waits for CloudWatch, which more memory does not shorten.
 */
const fleetMemoryMiB = 512;
/** A whole core; and room for a fleet in which every volume is in trouble: what can be drawn of all of them is read first. */
const reportMemoryMiB = 1_769;

/** A whole core: Parquet is packed and unpacked. And minutes of 250 volumes in 14 days. */
const archiveMemoryMiB = 1_769;

/** The figures change a few times a year, a new family comes every few weeks. */
const refreshAfterDays = 7;

export class AuditFunctions extends Construct {
  readonly listTargets: LambdaFunction;
  readonly refreshCatalog: LambdaFunction;
  readonly discoverVolumes: LambdaFunction;
  readonly evaluateBatch: LambdaFunction;
  readonly collectFindings: LambdaFunction;
  readonly writeReport: LambdaFunction;
  readonly drawDashboard: LambdaFunction;
  /** Null where there is no archive. */
  readonly commitArchive: LambdaFunction | null;
  /** Null where hosts are not asked. */
  readonly stripesDocument: string | null;

  get all(): LambdaFunction[] {
    return [
      this.listTargets,
      this.refreshCatalog,
      this.discoverVolumes,
      this.evaluateBatch,
      this.collectFindings,
      this.writeReport,
      this.drawDashboard,
      ...(this.commitArchive === null ? [] : [this.commitArchive]),
    ];
  }

  constructor(scope: Construct, id: string, { config, bucket, dashboardName, spend }: AuditFunctionsProps) {
    super(scope, id);
    const { regions, audit, monitoring, budget, report, keep } = config;
    const stack = Stack.of(this);
    const environment = { BUCKET: bucket.bucketName };
    const { THRESHOLDS, ...tags } = variablesOf(config);
    const hosts = audit.hostDiscovery ? new HostEvidence(this, 'HostEvidence') : null;
    this.stripesDocument = hosts?.documentName ?? null;
    const several = config.organization !== undefined;
    const lists = hubRights(stack, config, 'ListTargets');
    const discovers = hubRights(stack, config, 'DiscoverVolumes');
    const evaluates = hubRights(stack, config, 'EvaluateBatch');
    const POINT_RATES = JSON.stringify(pointRatesOf(config).batch);
    const { logsDays } = keep;
    const archive = config.archive === undefined ? null : archiveRights(bucket);
    const keeps = archiveOf(config);

    this.listTargets = new NodeFunction<TargetsEnv>(this, 'ListTargets', {
      name: 'list-targets',
      description: 'stripewise: which Regions a run reads, and over which time',
      environment: {
        REGIONS: regions.length > 0 ? regions.join(',') : stack.region,
        READ_MINUTES: `${readMinutesOf(audit)}`,
        LOOKBACK_DAYS: `${audit.lookbackDays}`,
        PERIOD_SECONDS:
          audit.mode === 'adaptive' && keeps.ARCHIVE !== 'all' ? 'two-passes' : `${audit.periodSeconds}`,
        ...keeps,
        ...(several ? environment : {}),
        ...lists.environment,
      },
      memoryMiB: several ? fleetMemoryMiB : 256,
      // An organization is asked unit by unit, and each account for its Regions.
      timeout: several ? Duration.minutes(15) : Duration.seconds(30),
      logsDays,
      ...lists.role,
      may: [...lists.may, ...(several ? [onObjects(bucket, 'work/', 's3:PutObject')] : [])],
    }).function;

    this.refreshCatalog = new NodeFunction<RefreshEnv>(this, 'RefreshCatalog', {
      name: 'refresh-catalog',
      description: 'stripewise: instance types and prices of a Region, read once a week',
      environment: { ...environment, REFRESH_AFTER_DAYS: `${refreshAfterDays}` },
      memoryMiB: 512,
      timeout: Duration.minutes(3),
      logsDays,
      may: [
        onEverything(
          'instance types and the Price List are the same for everybody: their calls know no resources.',
          'ec2:DescribeInstanceTypes',
          'pricing:GetProducts',
        ),
        ...onCatalog(bucket, 's3:GetObject', 's3:PutObject'),
      ],
    }).function;

    this.discoverVolumes = new NodeFunction<DiscoverEnv>(this, 'DiscoverVolumes', {
      name: 'discover-volumes',
      description: 'stripewise: the volumes and instances of a Region, in batches',
      environment: {
        ...{ ...environment, ...tags, THRESHOLDS, POINT_RATES, ...keeps, ...discovers.environment },
        ...compareWithOf(config),
      },
      memoryMiB: archive === null ? fleetMemoryMiB : archiveMemoryMiB,
      timeout: Duration.minutes(10),
      logsDays,
      may: [
        mayRead([...readingActions.discoverVolumes, ...(archive === null ? [] : archivedReadingActions)]),
        ...mayReadRecommendations(audit.compareWith),
        listObjects(bucket, benchmarkHostsFolder),
        onObjects(bucket, 'work/', 's3:PutObject'),
        ...(archive?.discovers ?? []),
        ...discovers.may,
      ],
      ...discovers.role,
    }).function;

    this.evaluateBatch = new NodeFunction<EvaluateEnv>(this, 'EvaluateBatch', {
      name: 'evaluate-batch',
      description: 'stripewise: reads the metrics of a batch of volumes and evaluates them',
      environment: {
        ...environment,
        STRIPES_DOCUMENT: hosts?.documentName ?? '',
        STRIPES_REGION: stack.region,
        THRESHOLDS,
        POINT_RATES,
        ...keeps,
        ...evaluates.environment,
      },
      memoryMiB: archive === null ? fleetMemoryMiB : archiveMemoryMiB,
      timeout: Duration.minutes(15),
      logsDays,
      may: [
        ...(hosts?.may ?? []),
        ...(hosts === null
          ? []
          : [
              listObjects(bucket, hostReadingsFolder),
              onObjects(bucket, hostReadingsFolder, 's3:GetObject', 's3:PutObject'),
            ]),
        mayRead(readingActions.evaluateBatch),
        onObjects(bucket, 'work/', 's3:GetObject', 's3:PutObject'),
        ...onCatalog(bucket, 's3:GetObject'),
        ...(archive?.evaluates ?? []),
        ...evaluates.may,
      ],
      ...evaluates.role,
    }).function;

    this.commitArchive =
      archive === null
        ? null
        : new NodeFunction<CommitEnv>(this, 'CommitArchive', {
            name: 'commit-archive',
            description: 'stripewise: what batches have read becomes part of the archive',
            environment,
            memoryMiB: archiveMemoryMiB,
            timeout: Duration.minutes(15),
            logsDays,
            may: archive.commits,
          }).function;

    this.collectFindings = new NodeFunction<CollectEnv>(this, 'CollectFindings', {
      name: 'collect-findings',
      description: 'stripewise: all batches of a run as one result',
      environment: {
        ...environment,
        SPEND_TABLE: spend.tableName,
        EVERY_MINUTES: monitoring.enabled ? `${monitoring.everyMinutes}` : '',
        API_USD_PER_MONTH: budget.apiUsdPerMonth === null ? '' : `${budget.apiUsdPerMonth}`,
        AUDIT_EVERY_HOURS: `${audit.everyHours}`,
        THRESHOLDS,
        ...accountBudgetsOf(config),
      },
      // 1 KiB a volume on top of 0.25 GiB: room for a million.
      memoryMiB: several ? reportMemoryMiB : fleetMemoryMiB,
      timeout: Duration.minutes(10),
      logsDays,
      may: [
        permission(['dynamodb:UpdateItem'], spend.tableArn),
        listObjects(bucket, 'work/'),
        onObjects(bucket, 'work/', 's3:GetObject'),
        ...onCatalog(bucket, 's3:GetObject'),
        onObjects(bucket, 'runs/', 's3:PutObject'),
        ...(archive?.collects ?? []),
        ...(several
          ? [
              listObjects(bucket, latestTargetsKey),
              permission(['s3:GetObject'], bucket.arnForObjects(latestTargetsKey)),
            ]
          : []),
      ],
    }).function;

    this.writeReport = new NodeFunction<ReportEnv>(this, 'WriteReport', {
      name: 'write-report',
      description: 'stripewise: the page of a run, and the list of runs that have one',
      environment: { ...environment, LABEL: report.label ?? '', RUNS_DAYS: `${keep.runsDays}` },
      memoryMiB: reportMemoryMiB,
      timeout: Duration.minutes(5),
      logsDays,
      may: [
        listObjects(bucket, 'work/*/series/'),
        onObjects(bucket, 'work/*/series/', 's3:GetObject'),
        listObjects(bucket, runManifestKey),
        onObjects(bucket, 'runs/', 's3:GetObject', 's3:PutObject'),
      ],
    }).function;

    this.drawDashboard = new NodeFunction<DashboardEnv>(this, 'DrawDashboard', {
      name: 'draw-dashboard',
      description: 'stripewise: the dashboard of the volumes at risk',
      environment: { ...environment, DASHBOARD_NAME: dashboardName },
      memoryMiB: 512,
      timeout: Duration.minutes(2),
      logsDays,
      may: [
        onObjects(bucket, 'runs/', 's3:GetObject'),
        permission(
          ['cloudwatch:PutDashboard'],
          `arn:${stack.partition}:cloudwatch::${stack.account}:dashboard/${dashboardName}`,
        ),
      ],
    }).function;
  }
}
