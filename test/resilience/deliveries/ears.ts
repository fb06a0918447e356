/** What each channel got, counted by the name of the finding in it. */
import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { z } from 'zod';
import type { ChannelKind } from '../../../core/config/config.ts';
import { clientSettings, overTls, type StackOutputs } from '../../../local/deploy.ts';
import { localAccount, localRegion, type Services } from '../../../local/services.ts';

/** A message with one finding, known by its name in whatever a channel shows. */
export interface Said {
  name: string;
  findingId: string;
}

export type Heard = Record<ChannelKind | 'picture', number>;

const queueName = 'heard';
const queueArn = `arn:aws:sqs:${localRegion}:${localAccount}:${queueName}`;
const anybodyMaySend = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: '*', Action: 'sqs:SendMessage', Resource: '*' }],
});

const anything = z.array(z.looseObject({}));

/** Of what came to the queue: the documents of the three kinds look different. */
function kindOf(body: string): ChannelKind {
  if (body.includes('"detail-type"')) return 'eventbridge';
  return body.includes('"stripewise.notification"') ? 'sns' : 'amazon-q';
}

export class Ears {
  private readonly services: Services;
  private readonly outputs: StackOutputs;
  private readonly teamsUrl: string;
  private readonly sqs: SQSClient;
  private queueUrl = '';
  private readonly bodies: string[] = [];

  constructor(services: Services, outputs: StackOutputs, teamsUrl: string) {
    this.services = services;
    this.outputs = outputs;
    this.teamsUrl = teamsUrl;
    this.sqs = overTls(new SQSClient(clientSettings(services)));
  }

  /** A queue that hears both topics and the bus. */
  async open(): Promise<void> {
    const Attributes = { Policy: anybodyMaySend };
    const { QueueUrl = '' } = await this.sqs.send(
      new CreateQueueCommand({ QueueName: queueName, Attributes }),
    );
    this.queueUrl = QueueUrl;
    const sns = overTls(new SNSClient(clientSettings(this.services)));
    const raw = { Protocol: 'sqs', Endpoint: queueArn, Attributes: { RawMessageDelivery: 'true' } };
    for (const [, TopicArn] of (this.outputs.ChannelTopics ?? '').matchAll(/: (arn:[^,]+)/g))
      await sns.send(new SubscribeCommand({ TopicArn, ...raw }));
    const events = new EventBridgeClient(clientSettings(this.services));
    const EventPattern = JSON.stringify({ source: ['stripewise'] });
    await events.send(new PutRuleCommand({ Name: queueName, EventPattern }));
    await events.send(
      new PutTargetsCommand({ Rule: queueName, Targets: [{ Id: queueName, Arn: queueArn }] }),
    );
  }

  private async listed(url: string): Promise<string[]> {
    const reply = await fetch(url);
    return anything.parse(await reply.json()).map((one) => JSON.stringify(one));
  }

  private async drain(): Promise<void> {
    for (;;) {
      const { Messages = [] } = await this.sqs.send(
        new ReceiveMessageCommand({ QueueUrl: this.queueUrl, MaxNumberOfMessages: 10 }),
      );
      if (Messages.length === 0) return;
      for (const { Body = '', ReceiptHandle } of Messages) {
        this.bodies.push(Body);
        await this.sqs.send(new DeleteMessageCommand({ QueueUrl: this.queueUrl, ReceiptHandle }));
      }
    }
  }

  async heard({ name, findingId }: Said): Promise<Heard> {
    await this.drain();
    const own = `${this.services.urls.slack}/_stripewise`;
    const posts = (await this.listed(`${own}/posts`)).filter((post) => !post.includes(`${findingId}.png`));
    const uploads = (await this.listed(`${own}/uploads`)).filter((one) => one.includes('"isCompleted":true'));
    const count = (texts: readonly string[], part = name): number =>
      texts.filter((text) => text.includes(part)).length;
    const ofKind = (kind: ChannelKind): string[] => this.bodies.filter((body) => kindOf(body) === kind);
    return {
      'slack-webhook': count(await this.listed(`${own}/messages`)),
      'slack-bot': count(posts),
      picture: count(uploads, `${findingId}.png`),
      teams: count(await this.listed(`${this.teamsUrl}/_stripewise/messages`)),
      'amazon-q': count(ofKind('amazon-q')),
      sns: count(ofKind('sns')),
      eventbridge: count(ofKind('eventbridge')),
    };
  }
}
