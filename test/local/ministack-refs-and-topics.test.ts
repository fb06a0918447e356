/** Gaps of the emulator that notifications meet, without their patch and with it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { CreateStackCommand, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CreateTopicCommand, PublishCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { eventually } from './ministack.ts';
import { twoMiniStacks } from './two-ministacks.ts';

const servers = twoMiniStacks();
const directory = temporaryDirectory();
type Server = (typeof servers)['stock'];

describe('Ref of a secret', () => {
  async function refOf({ cloudFormation }: Server): Promise<string> {
    const TemplateBody = JSON.stringify({
      Resources: { Secret: { Type: 'AWS::SecretsManager::Secret', Properties: { SecretString: 'x' } } },
      Outputs: { Ref: { Value: { Ref: 'Secret' } } },
    });
    await cloudFormation.send(new CreateStackCommand({ StackName: 'secrets', TemplateBody }));
    return eventually(async () => {
      const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: 'secrets' }));
      return Stacks?.[0]?.Outputs?.[0]?.OutputValue;
    });
  }

  test('is its name without its patch', async () => {
    expect(await refOf(servers.stock)).not.toContain('arn:');
  });

  test('is its ARN', async () => {
    expect(await refOf(servers.patched)).toMatch(
      /^arn:aws:secretsmanager:us-east-1:\d{12}:secret:.+-[0-9a-f]{6}$/,
    );
  });
});

describe('the address of a function', () => {
  async function addressOf({ cloudFormation, deploy }: Server): Promise<string> {
    const answer =
      "return { statusCode: 200, body: event.rawPath + ' ' + event.requestContext.http.method };";
    const TargetFunctionArn = await deploy('answers', answer);
    const TemplateBody = JSON.stringify({
      Resources: { Url: { Type: 'AWS::Lambda::Url', Properties: { TargetFunctionArn, AuthType: 'NONE' } } },
      Outputs: { Url: { Value: { 'Fn::GetAtt': ['Url', 'FunctionUrl'] } } },
    });
    await cloudFormation.send(new CreateStackCommand({ StackName: 'addresses', TemplateBody }));
    return eventually(async () => {
      const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: 'addresses' }));
      return Stacks?.[0]?.Outputs?.[0]?.OutputValue;
    });
  }

  test('leads nowhere without its patch', async () => {
    expect(await addressOf(servers.stock)).toMatch(
      /^https:\/\/[a-z0-9]{32}\.lambda-url\.us-east-1\.on\.aws\/$/,
    );
  });

  test('leads to the function', async () => {
    const reply = await fetch(`${await addressOf(servers.patched)}runs/run-1`);
    expect([reply.status, await reply.text()]).toEqual([200, '/runs/run-1 GET']);
  });
});

describe('a function that a topic invokes', () => {
  /** How often one that always fails was tried, some time after a message. */
  async function tries(server: Server, name: string): Promise<number> {
    const file = join(directory.path, name);
    writeFileSync(file, '');
    const Endpoint = await server.deploy(
      'fails',
      `require('node:fs').appendFileSync(event.Records[0].Sns.Message, 'x'); throw new Error('no');`,
    );
    const credentials = { accessKeyId: '111122223333', secretAccessKey: 'test' };
    const sns = new SNSClient({ region: 'us-east-1', endpoint: server.url, credentials });
    const { TopicArn } = await sns.send(new CreateTopicCommand({ Name: 'news' }));
    await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'lambda', Endpoint }));
    await sns.send(new PublishCommand({ TopicArn, Message: file }));
    sns.destroy();
    await after(6_000);
    return readFileSync(file, 'utf8').length;
  }

  test('is not tried again without its patch', async () => {
    expect(await tries(servers.stock, 'stock')).toBe(1);
  });

  test('is tried three times', async () => {
    expect(await tries(servers.patched, 'patched')).toBe(3);
  });
});
