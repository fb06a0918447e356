/** The account of an incident: what a test looks at, removes and changes in it, past the service. */
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import {
  DeleteFunctionConcurrencyCommand,
  InvokeCommand,
  LambdaClient,
  ListFunctionsCommand,
  PutFunctionConcurrencyCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { storedCatalogKey } from '../../core/audit/run-keys.ts';
import { clientSettings, deliveriesDone, overTls, type StackOutputs } from '../../local/deploy.ts';
import type { Services } from '../../local/services.ts';
import { notify } from './notify.ts';
import { logLines, stopSchedules } from './plain-calls.ts';
import { region } from './small-fleet.ts';

const messagesSchema = z.array(z.object({ message: z.object({ text: z.string() }) }));

const counted =
  /\b\d[\d,]*(?= (?:new|findings?|critical|warnings?|info|worse|back|benchmarked|better|resolved|more)\b)/g;

/** "stripewise: 3 new findings (1 critical, 2 warnings). Also 1 worse."; of the first audit "stripewise: 24 critical, 49 warnings." */
function findingsOf(text: string): number {
  const sentences = text.replaceAll(/ \([^)]*\)/g, '').split('. ');
  const [first = '', also = ''] = sentences;
  const counts = `${first} ${also.startsWith('Also ') ? also : ''}`.match(counted) ?? [];
  return counts.reduce((sum, count) => sum + Number(count.replaceAll(',', '')), 0);
}

export class Account {
  private readonly outputs: StackOutputs;
  private readonly services: Services;
  private readonly slackUrl: string;
  private readonly lambda: LambdaClient;
  private readonly s3: S3Client;
  private readonly sqs: SQSClient;
  private readonly tables: DynamoDBDocumentClient;

  constructor(services: Services, outputs: StackOutputs) {
    const settings = clientSettings(services);
    this.outputs = outputs;
    this.services = services;
    this.slackUrl = services.urls.slack;
    this.lambda = new LambdaClient(settings);
    this.s3 = overTls(new S3Client({ ...settings, forcePathStyle: true }));
    this.sqs = overTls(new SQSClient(settings));
    this.tables = DynamoDBDocumentClient.from(new DynamoDBClient(settings));
  }

  private async functionsWith(
    part: string,
  ): Promise<{ name: string; variables: Record<string, string>; logGroup: string }[]> {
    const { Functions = [] } = await this.lambda.send(new ListFunctionsCommand({}));
    return Functions.filter(({ FunctionName }) => FunctionName?.includes(part)).map(
      ({ FunctionName = '', Environment, LoggingConfig }) => ({
        name: FunctionName,
        variables: Environment?.Variables ?? {},
        logGroup: LoggingConfig?.LogGroup ?? `/aws/lambda/${FunctionName}`,
      }),
    );
  }

  /** More environment for functions with this part in their name; they start anew with it. */
  async setEnvironment(part: string, variables: Record<string, string>): Promise<void> {
    for (const { name: FunctionName, variables: before } of await this.functionsWith(part)) {
      const Environment = { Variables: { ...before, ...variables } };
      await this.lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment }));
    }
  }

  /** A client of SQS asks where the address of the queue says, whatever else it is reported. */
  async askQueuesAt(url: string): Promise<void> {
    for (const { variables } of await this.functionsWith('DeliverMessages')) {
      const queues = Object.entries(variables).filter(([name]) => name.endsWith('QUEUE_URL'));
      const moved = queues.map(([name, queue]) => [name, `${url}${new URL(queue).pathname}`]);
      await this.setEnvironment('DeliverMessages', Object.fromEntries(moved));
    }
  }

  /** What a function keeps between two calls is gone. */
  restart(part: string): Promise<void> {
    return this.setEnvironment(part, {});
  }

  async setTimeout(part: string, seconds: number): Promise<void> {
    for (const { name: FunctionName } of await this.functionsWith(part))
      await this.lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Timeout: seconds }));
  }

  /** Runs the one with this part in its name. @returns what it says; it may be that it failed. */
  async call(part: string, event: object): Promise<{ failed: boolean; said: string }> {
    const [found] = await this.functionsWith(part);
    const asked = { FunctionName: found?.name, Payload: JSON.stringify(event) };
    const { FunctionError, Payload } = await this.lambda.send(new InvokeCommand(asked));
    return { failed: FunctionError !== undefined, said: Payload?.transformToString() ?? '' };
  }

  /** The same, of one that must not fail. */
  async runOnce(part: string, event: object): Promise<void> {
    const { failed, said } = await this.call(part, event);
    if (failed) throw new Error(`${part}: ${said}`);
  }

  /** Lambda refuses to run it for now. */
  async throttleAt(part: string, isThrottled: boolean): Promise<void> {
    for (const { name: FunctionName } of await this.functionsWith(part)) {
      if (isThrottled) {
        const none = { FunctionName, ReservedConcurrentExecutions: 0 };
        await this.lambda.send(new PutFunctionConcurrencyCommand(none));
      } else await this.lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
    }
  }

  discoverHosts(isAsked: boolean): Promise<void> {
    const STRIPES_DOCUMENT = isAsked ? (this.outputs.StripesDocument ?? '') : '';
    return this.setEnvironment('EvaluateBatch', { STRIPES_DOCUMENT });
  }

  /** Prices and instance types are read anew by the next run. */
  forgetRegionCatalog(): Promise<void> {
    return this.removeObject(storedCatalogKey(region));
  }

  async removeObject(Key: string): Promise<void> {
    await this.s3.send(new DeleteObjectCommand({ Bucket: this.outputs.RunsBucket, Key }));
  }

  /** The table with this part in its name. */
  private async table(part: string): Promise<string> {
    const { TableNames = [] } = await this.tables.send(new ListTablesCommand({}));
    const name = TableNames.find((one) => one.includes(part));
    if (name === undefined) throw new Error(`no table ${part} in ${TableNames.join(', ')}`);
    return name;
  }

  async putItem(part: string, Item: Record<string, unknown>): Promise<void> {
    await this.tables.send(new PutCommand({ TableName: await this.table(part), Item }));
  }

  async items(part: string): Promise<Record<string, unknown>[]> {
    const TableName = await this.table(part);
    const { Items = [] } = await this.tables.send(new ScanCommand({ TableName }));
    return Items;
  }

  async emptyTable(part: string, ...keys: readonly string[]): Promise<void> {
    const TableName = await this.table(part);
    for (const item of await this.items(part)) {
      const Key = Object.fromEntries(keys.map((key) => [key, item[key]]));
      await this.tables.send(new DeleteCommand({ TableName, Key }));
    }
  }

  /** Everything is news again, in each channel too: the clocks of these tests go back, and then news looks older than what was said. */
  async forgetNotified(): Promise<void> {
    await this.emptyTable('NotificationsRecords', 'findingId');
    const TableName = await this.table('NotificationsPosted');
    const { Items = [] } = await this.tables.send(new ScanCommand({ TableName }));
    for (const { id } of Items)
      if (`${id}`.startsWith('said#')) await this.tables.send(new DeleteCommand({ TableName, Key: { id } }));
  }

  /** What the webhook got, the text of each message. */
  async messages(): Promise<string[]> {
    const reply = await fetch(`${this.slackUrl}/_stripewise/messages`);
    return messagesSchema.parse(await reply.json()).map(({ message }) => message.text);
  }

  /** How many findings these messages tell of, in all. */
  async findingsPosted(): Promise<number> {
    return (await this.messages()).reduce((total, text) => total + findingsOf(text), 0);
  }

  /** The same, once what is on its way is there. */
  async findingsPostedInAll(): Promise<number> {
    await this.deliveriesDone();
    return this.findingsPosted();
  }

  deliveriesDone(): Promise<void> {
    return deliveriesDone(this.services, this.outputs);
  }

  failSlackOnce(): Promise<void> {
    return notify('POST', `${this.slackUrl}/_stripewise/faults`, { status: 500, body: 'broken', times: 1 });
  }

  /** What a function that died had of the queue comes again after this time. */
  async setVisibility(seconds: number): Promise<void> {
    const Attributes = { VisibilityTimeout: `${seconds}` };
    await this.sqs.send(
      new SetQueueAttributesCommand({ QueueUrl: this.outputs.DeliveriesQueue, Attributes }),
    );
  }

  /** Messages that are not with all their channels. */
  async waiting(): Promise<number> {
    const { Attributes } = await this.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: this.outputs.DeliveriesQueue, AttributeNames: ['All'] }),
    );
    return (
      Number(Attributes?.['ApproximateNumberOfMessages']) +
      Number(Attributes?.['ApproximateNumberOfMessagesNotVisible'])
    );
  }

  /** What functions with this part in their name logged since then. */
  async logged(part: string, sinceMs: number): Promise<string[]> {
    const functions = await this.functionsWith(part);
    const lines = await Promise.all(
      functions.map(({ logGroup }) => logLines(this.services, logGroup, sinceMs)),
    );
    return lines.flat();
  }

  /** What tests call themselves comes at no other time. */
  stopSchedules(): Promise<void> {
    return stopSchedules(this.services);
  }
}
