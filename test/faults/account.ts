/** The account of a bad day: what a test looks at, takes away and changes in it, past the service. */
import { setTimeout as after } from 'node:timers/promises';
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
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DeleteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { storedMarketKey } from '../../core/audit/run-keys.ts';
import { clientSettings, overTls, type StackOutputs } from '../../local/deploy.ts';
import type { Services } from '../../local/services.ts';
import { region } from './small-fleet.ts';
import { tell } from './tell.ts';

const messagesSchema = z.array(z.object({ message: z.object({ text: z.string() }) }));

/** A message of one finding names it: "stripewise: micro-burst on vol-1". */
const findingsOf = (text: string): number => Number(/^stripewise: (\d+) findings /.exec(text)?.[1] ?? 1);

export class Account {
  private readonly outputs: StackOutputs;
  private readonly slackUrl: string;
  private readonly lambda: LambdaClient;
  private readonly s3: S3Client;
  private readonly sqs: SQSClient;
  private readonly tables: DynamoDBDocumentClient;

  constructor(services: Services, outputs: StackOutputs) {
    const settings = clientSettings(services);
    this.outputs = outputs;
    this.slackUrl = services.urls.slack;
    this.lambda = new LambdaClient(settings);
    this.s3 = overTls(new S3Client({ ...settings, forcePathStyle: true }));
    this.sqs = overTls(new SQSClient(settings));
    this.tables = DynamoDBDocumentClient.from(new DynamoDBClient(settings));
  }

  private async functionsWith(part: string): Promise<{ name: string; variables: Record<string, string> }[]> {
    const { Functions = [] } = await this.lambda.send(new ListFunctionsCommand({}));
    return Functions.filter(({ FunctionName }) => FunctionName?.includes(part)).map(
      ({ FunctionName = '', Environment }) => ({
        name: FunctionName,
        variables: Environment?.Variables ?? {},
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

  /** What a function keeps between two calls is gone. */
  restart(part: string): Promise<void> {
    return this.setEnvironment(part, {});
  }

  async setTimeout(part: string, seconds: number): Promise<void> {
    for (const { name: FunctionName } of await this.functionsWith(part))
      await this.lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Timeout: seconds }));
  }

  /** Runs the one with this part in its name. */
  async runOnce(part: string, event: object): Promise<void> {
    for (const { name: FunctionName } of await this.functionsWith(part)) {
      const Payload = JSON.stringify(event);
      const { FunctionError } = await this.lambda.send(new InvokeCommand({ FunctionName, Payload }));
      if (FunctionError !== undefined) throw new Error(`${FunctionName}: ${FunctionError}`);
    }
  }

  /** Lambda refuses to run it for now. */
  async holdBack(part: string, isHeldBack: boolean): Promise<void> {
    for (const { name: FunctionName } of await this.functionsWith(part)) {
      if (isHeldBack) {
        const none = { FunctionName, ReservedConcurrentExecutions: 0 };
        await this.lambda.send(new PutFunctionConcurrencyCommand(none));
      } else await this.lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
    }
  }

  askHosts(isAsked: boolean): Promise<void> {
    const STRIPES_DOCUMENT = isAsked ? (this.outputs.StripesDocument ?? '') : '';
    return this.setEnvironment('JudgeBatch', { STRIPES_DOCUMENT });
  }

  /** Prices and instance types are read anew by the next run. */
  async forgetMarket(): Promise<void> {
    const Key = storedMarketKey(region);
    await this.s3.send(new DeleteObjectCommand({ Bucket: this.outputs.RunsBucket, Key }));
  }

  /** Everything is news again. */
  async forgetTold(): Promise<void> {
    const { TableNames = [] } = await this.tables.send(new ListTablesCommand({}));
    const TableName = TableNames.find((name) => name.includes('Told'));
    const { Items = [] } = await this.tables.send(new ScanCommand({ TableName }));
    for (const { findingId } of Items)
      await this.tables.send(new DeleteCommand({ TableName, Key: { findingId } }));
  }

  /** How many findings the messages in Slack tell of, in all. */
  async findingsPosted(): Promise<number> {
    const reply = await fetch(`${this.slackUrl}/_stripewise/messages`);
    const messages = messagesSchema.parse(await reply.json());
    return messages.reduce((total, { message }) => total + findingsOf(message.text), 0);
  }

  /** The same; where it is less than expected, what is on its way is waited for. */
  async findingsPostedUpTo(expected: number): Promise<number> {
    for (const deadline = Date.now() + 90_000; ; await after(100)) {
      const posted = await this.findingsPosted();
      if (posted >= expected || Date.now() > deadline) return posted;
    }
  }

  failSlackOnce(): Promise<void> {
    return tell('POST', `${this.slackUrl}/_stripewise/faults`, { status: 500, body: 'broken', times: 1 });
  }

  /** Takes what lies in the queue of what Slack did not get, of this run alone; waits for it so long. */
  async takeNotPosted(runId: string, waitSeconds: number): Promise<string> {
    const QueueUrl = this.outputs.NotPostedQueue;
    for (const deadline = Date.now() + waitSeconds * 1_000; ; await after(200)) {
      const { Messages: [message] = [] } = await this.sqs.send(new ReceiveMessageCommand({ QueueUrl }));
      if (message === undefined && Date.now() < deadline) continue;
      if (message === undefined) return '';
      await this.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
      if (message.Body?.includes(runId)) return message.Body;
    }
  }
}
