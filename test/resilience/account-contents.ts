/** All that is in the local account, listed through the APIs: what a deployment brought and a removal left. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand, ListDashboardsCommand } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { LambdaClient, ListEventSourceMappingsCommand, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { ListBucketsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { ListSubscriptionsCommand, ListTopicsCommand, SNSClient } from '@aws-sdk/client-sns';
import { DescribeParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { z } from 'zod';
import { clientSettings } from '../../local/deploy.ts';
import type { Services } from '../../local/services.ts';
import { json, listedSchedules, plainCall } from './plain-calls.ts';

/** Names of each kind of thing, one list a kind. */
export type Contents = Record<string, string[]>;

const names = (values: readonly (string | undefined)[] | undefined): string[] =>
  (values ?? []).map((value) => value ?? 'without a name').sort();

async function iam(services: Services, action: string, tag: string): Promise<string[]> {
  const text = await plainCall(services, {
    service: 'iam',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `Action=${action}&Version=2010-05-08&Scope=Local&MaxItems=1000`,
  });
  return names([...text.matchAll(new RegExp(`<${tag}>([^<]+)</${tag}>`, 'g'))].map(([, name]) => name));
}

async function logGroups(services: Services): Promise<string[]> {
  const groups = z.object({ logGroups: z.array(z.object({ logGroupName: z.string() })) });
  const text = await json(services, 'logs', '1.1', 'Logs_20140328.DescribeLogGroups');
  return names(groups.parse(JSON.parse(text)).logGroups.map(({ logGroupName }) => logGroupName));
}

async function queues(services: Services): Promise<string[]> {
  const urls = z.object({ QueueUrls: z.array(z.string()).default([]) });
  return names(urls.parse(JSON.parse(await json(services, 'sqs', '1.0', 'AmazonSQS.ListQueues'))).QueueUrls);
}

async function eventRules(services: Services): Promise<string[]> {
  const rules = z.object({ Rules: z.array(z.object({ Name: z.string() })) });
  const text = await json(services, 'events', '1.1', 'AWSEvents.ListRules');
  return names(rules.parse(JSON.parse(text)).Rules.map(({ Name }) => Name));
}

const schedules = async (services: Services): Promise<string[]> =>
  names((await listedSchedules(services)).map(({ Name }) => Name));

/** Buckets, and every version of every object in them. */
async function s3Contents(client: S3Client): Promise<Contents> {
  const { Buckets } = await client.send(new ListBucketsCommand({}));
  const buckets = names(Buckets?.map(({ Name }) => Name));
  const objects: string[] = [];
  for (const bucket of buckets) {
    let from = {};
    for (;;) {
      const page = await client.send(new ListObjectVersionsCommand({ Bucket: bucket, ...from }));
      for (const { Key } of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])])
        objects.push(`${bucket}/${Key}`);
      if (page.IsTruncated !== true) break;
      from = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
    }
  }
  return { buckets, objects };
}

async function tables(client: DynamoDBClient): Promise<Contents> {
  const found = names((await client.send(new ListTablesCommand({}))).TableNames);
  const items: string[] = [];
  for (const table of found) {
    const { Count = 0 } = await client.send(new ScanCommand({ TableName: table, Select: 'COUNT' }));
    for (let item = 1; item <= Count; item += 1) items.push(`${table} item ${item}`);
  }
  return { tables: found, items };
}

export async function accountContents(services: Services): Promise<Contents> {
  const settings = clientSettings(services);
  const [s3, dynamo, sns] = [
    new S3Client({ ...settings, forcePathStyle: true }),
    new DynamoDBClient(settings),
    new SNSClient(settings),
  ];
  const [cloudFormation, lambda, sfn] = [
    new CloudFormationClient(settings),
    new LambdaClient(settings),
    new SFNClient(settings),
  ];
  const [secrets, ssm, alarms] = [
    new SecretsManagerClient(settings),
    new SSMClient(settings),
    new CloudWatchClient(settings),
  ];
  // Dashboards are where CloudWatch is; nothing may be in the emulator's own either.
  const dashboards = new CloudWatchClient({ ...settings, endpoint: services.urls.cloudWatch });
  const dashboardsOf = async (client: CloudWatchClient) =>
    (await client.send(new ListDashboardsCommand({}))).DashboardEntries?.map(
      ({ DashboardName }) => DashboardName,
    );
  try {
    return {
      stacks: names(
        (await cloudFormation.send(new DescribeStacksCommand({}))).Stacks?.map((one) => one.StackName),
      ),
      functions: names(
        (await lambda.send(new ListFunctionsCommand({}))).Functions?.map((one) => one.FunctionName),
      ),
      'event sources': names(
        (await lambda.send(new ListEventSourceMappingsCommand({}))).EventSourceMappings?.map(
          (one) => one.UUID,
        ),
      ),
      'state machines': names(
        (await sfn.send(new ListStateMachinesCommand({}))).stateMachines?.map((one) => one.name),
      ),
      'log groups': await logGroups(services),
      roles: await iam(services, 'ListRoles', 'RoleName'),
      policies: await iam(services, 'ListPolicies', 'PolicyName'),
      ...(await s3Contents(s3)),
      ...(await tables(dynamo)),
      topics: names((await sns.send(new ListTopicsCommand({}))).Topics?.map((one) => one.TopicArn)),
      subscriptions: names(
        (await sns.send(new ListSubscriptionsCommand({}))).Subscriptions?.map(
          (one) => `${one.TopicArn} to ${one.Endpoint}`,
        ),
      ),
      queues: await queues(services),
      secrets: names(
        (await secrets.send(new ListSecretsCommand({ IncludePlannedDeletion: true }))).SecretList?.map(
          (one) => one.Name,
        ),
      ),
      schedules: await schedules(services),
      'event rules': await eventRules(services),
      parameters: names(
        (await ssm.send(new DescribeParametersCommand({}))).Parameters?.map((one) => one.Name),
      ),
      alarms: names(
        (await alarms.send(new DescribeAlarmsCommand({}))).MetricAlarms?.map((one) => one.AlarmName),
      ),
      dashboards: names([
        ...((await dashboardsOf(dashboards)) ?? []),
        ...((await dashboardsOf(alarms)) ?? []),
      ]),
    };
  } finally {
    for (const client of [s3, dynamo, sns, cloudFormation, lambda, sfn, secrets, ssm, alarms, dashboards])
      client.destroy();
  }
}

/** What is there now and was not before, kind by kind; kinds without any are left out. */
export function added(before: Contents, now: Contents): Contents {
  const more = Object.entries(now).map(([kind, there]): [string, string[]] => {
    const left = new Set(before[kind] ?? []);
    return [kind, there.filter((name) => !left.has(name))];
  });
  return Object.fromEntries(more.filter(([, there]) => there.length > 0));
}
