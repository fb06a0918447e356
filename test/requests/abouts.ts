/** What a recorded request is about, as policies speak of it: all actions, resources and keys of conditions that AWS looks at. */
import { type About, aboutOf, type Lookups } from '../../local/gateway/about.ts';
import { localAccount, localRegion } from '../../local/services.ts';

export interface Recorded {
  /** The function that asked; empty for the command line. */
  by: string;
  /** As policies name the service: `s3:ListObjectsV2`. */
  call: string;
  region: string;
  parameters: Readonly<Record<string, unknown>>;
  /** The body as it was sent, of EC2 and Systems Manager. */
  text?: string | undefined;
  count: number;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
/** The parameter is a structure by the service's model, which the request was held against. */
const structure = (value: unknown): Record<string, unknown> => (value ?? {}) as Record<string, unknown>;

const arnOf = (service: string, region: string, resource: string): string =>
  `arn:aws:${service}:${region}:${localAccount}:${resource}`;

/** What is named by its ARN or by its name. */
const named = (service: string, region: string, kind: string, name: unknown): string =>
  textOf(name).startsWith('arn:') ? textOf(name) : arnOf(service, region, `${kind}${textOf(name)}`);

function ofS3(operation: string, parameters: Recorded['parameters']): About[] {
  const bucket = `arn:aws:s3:::${textOf(parameters['Bucket'])}`;
  const object = `${bucket}/${textOf(parameters['Key'])}`;
  switch (operation) {
    case 'HeadObject':
      return [{ action: 's3:GetObject', resource: object }];
    case 'ListObjectsV2':
    case 'ListObjectVersions': {
      const action = operation === 'ListObjectsV2' ? 's3:ListBucket' : 's3:ListBucketVersions';
      return [{ action, resource: bucket, context: { 's3:prefix': textOf(parameters['Prefix']) } }];
    }
    case 'DeleteObjects': {
      const objects = structure(parameters['Delete'])['Objects'] as { Key: string; VersionId?: string }[];
      return objects.map(({ Key, VersionId }) => ({
        action: VersionId === undefined ? 's3:DeleteObject' : 's3:DeleteObjectVersion',
        resource: `${bucket}/${Key}`,
      }));
    }
    case 'PutObject': {
      const encryption = textOf(parameters['ServerSideEncryption']);
      const context = encryption === '' ? {} : { 's3:x-amz-server-side-encryption': encryption };
      return [{ action: 's3:PutObject', resource: object, context }];
    }
    default:
      return [{ action: `s3:${operation}`, resource: object }];
  }
}

function ofDynamoDb(operation: string, region: string, parameters: Recorded['parameters']): About[] {
  const action = `dynamodb:${operation}`;
  const table = (name: unknown): string => named('dynamodb', region, 'table/', name);
  if ('RequestItems' in parameters)
    return Object.keys(structure(parameters['RequestItems'])).map((name) => ({
      action,
      resource: table(name),
    }));
  const index = textOf(parameters['IndexName']);
  const resource = `${table(parameters['TableName'])}${index === '' ? '' : `/index/${index}`}`;
  return [{ action, resource }];
}

function ofEvents(region: string, parameters: Recorded['parameters']): About[] {
  const entries = parameters['Entries'] as { EventBusName?: string; DetailType: string; Source: string }[];
  return entries.map(({ EventBusName = 'default', DetailType, Source }) => ({
    action: 'events:PutEvents',
    resource: named('events', region, 'event-bus/', EventBusName),
    context: { 'events:detail-type': DetailType, 'events:source': Source },
  }));
}

/** Services whose calls are about one resource, by the parameter that names it. */
function ofOneResource({ call, region, parameters }: Recorded): About | null {
  const on = (resource: string): About => ({ action: call, resource });
  switch (call) {
    case 'sqs:SendMessage':
    case 'sqs:ChangeMessageVisibility':
      return on(arnOf('sqs', region, textOf(parameters['QueueUrl']).split('/').at(-1) ?? ''));
    case 'sns:Publish':
    case 'sns:ListSubscriptionsByTopic':
      return on(textOf(parameters['TopicArn']));
    case 'secretsmanager:GetSecretValue':
      return on(named('secretsmanager', region, 'secret:', parameters['SecretId']));
    case 'states:StartExecution':
    case 'states:ListExecutions':
      return on(textOf(parameters['stateMachineArn']));
    case 'states:DescribeExecution':
    case 'states:GetExecutionHistory':
      return on(textOf(parameters['executionArn']));
    case 'lambda:Invoke':
      return {
        action: 'lambda:InvokeFunction',
        resource: named('lambda', region, 'function:', parameters['FunctionName']),
      };
    case 'cloudwatch:PutDashboard':
      return on(arnOf('cloudwatch', '', `dashboard/${textOf(parameters['DashboardName'])}`));
    case 'cloudformation:DescribeStacks':
      return on(named('cloudformation', region, 'stack/', `${textOf(parameters['StackName'])}/id`));
    case 'servicequotas:GetServiceQuota':
      return on(
        arnOf(
          'servicequotas',
          region,
          `${textOf(parameters['ServiceCode'])}/${textOf(parameters['QuotaCode'])}`,
        ),
      );
    case 'ssm:GetParameter':
      return on(arnOf('ssm', region, `parameter${textOf(parameters['Name'])}`));
    default:
      return null;
  }
}

/** Where a document that a host is sent uploads its result, a host of campaigns does so itself: `aws s3 cp`. */
export function uploadsOf({ call, parameters }: Recorded): About[] {
  if (call !== 'ssm:SendCommand') return [];
  const { s3Uri, runId } = structure(parameters['Parameters']) as { s3Uri?: string[]; runId?: string[] };
  const [, place] = /^s3:\/\/(.+)$/.exec(s3Uri?.[0] ?? '') ?? [];
  return place === undefined
    ? []
    : [{ action: 's3:PutObject', resource: `arn:aws:s3:::${place}/${runId?.[0]}.json` }];
}

/** @param lookups what EC2 says of instances that a call names. */
export async function aboutsOf(request: Recorded, lookups: Lookups): Promise<About[]> {
  const { call, region, parameters, text = '' } = request;
  const [service = '', operation = ''] = call.split(':');
  if (service === 's3') return ofS3(operation, parameters);
  if (service === 'dynamodb') return ofDynamoDb(operation, region, parameters);
  if (call === 'events:PutEvents') return ofEvents(region, parameters);
  const one = ofOneResource(request);
  if (one !== null) return [one];
  const asked = { service, operation, region, functionName: '', accessKeyId: '' };
  const abouts = await aboutOf({ call: asked, account: localAccount, text, ...lookups });
  if (call !== 'ec2:RunInstances') return abouts;
  // Of what the volumes are encrypted with the gateway, which asks before the call, does not speak.
  const volumes = ofVolumes(parameters);
  return abouts.map((about) =>
    about.resource.includes(':volume/') ? { ...about, context: { ...about.context, ...volumes } } : about,
  );
}

/** Keys of conditions on the volumes of a launch: what holds of each. */
function ofVolumes(parameters: Recorded['parameters']): Record<string, string> {
  const devices = (parameters['BlockDeviceMappings'] ?? []) as {
    Ebs?: { Encrypted?: boolean; KmsKeyId?: string };
  }[];
  const [key] = devices.map(({ Ebs }) => Ebs?.KmsKeyId);
  return {
    'ec2:Encrypted': `${devices.every(({ Ebs }) => Ebs?.Encrypted === true)}`,
    ...(key === undefined ? {} : { 'ec2:KmsKeyID': key }),
  };
}

/** Of a request, whoever makes it. */
export const usualContext = (region = localRegion): Record<string, string> => ({
  'aws:RequestedRegion': region,
  'aws:SecureTransport': 'true',
});
