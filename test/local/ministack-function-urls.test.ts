/** Functions that are called by their address with a signature, where IAM is asked: who may, and who the function hears that it was. */
import { CreateStackCommand, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { postSigned } from '../../local/post-signed.ts';
import { eventually, type MiniStack } from './ministack.ts';
import { json, twoMiniStacks } from './two-ministacks.ts';

const account = '111122223333';
const servers = twoMiniStacks(() => ({ AUTH: 'true' }));

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}
const asAccount: Credentials = { accessKeyId: account, secretAccessKey: 'test' };

const document = (...Statement: object[]): string => json({ Version: '2012-10-17', Statement });
const trust = document({ Effect: 'Allow', Principal: { AWS: account }, Action: 'sts:AssumeRole' });
const settingsOf = ({ url }: MiniStack) => ({
  ...{ endpoint: url, region: 'us-east-1', credentials: asAccount },
});

/** @param policy none: it may do nothing. */
async function makeRole(server: MiniStack, RoleName: string, policy?: string): Promise<void> {
  const iam = new IAMClient(settingsOf(server));
  await iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust }));
  if (policy !== undefined)
    await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'May', PolicyDocument: policy }));
  iam.destroy();
}

/** A session of a role that may call addresses of functions, or nothing. */
async function sessionOf(server: MiniStack, name: string, mayCall: boolean): Promise<Credentials> {
  const may = {
    ...{ Effect: 'Allow', Resource: `arn:aws:lambda:us-east-1:${account}:function:decides` },
    ...{ Action: ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction'] },
  };
  await makeRole(server, name, mayCall ? document(may) : undefined);
  const RoleArn = `arn:aws:iam::${account}:role/${name}`;
  const sts = new STSClient(settingsOf(server));
  const { Credentials: given } = await sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'ada' }));
  sts.destroy();
  return {
    accessKeyId: given?.AccessKeyId ?? '',
    secretAccessKey: given?.SecretAccessKey ?? '',
    sessionToken: given?.SessionToken ?? '',
  };
}

/** One that answers with what its event says of the caller. */
async function addressOf(server: MiniStack): Promise<string> {
  const { cloudFormation, deploy, url } = server;
  await makeRole(server, 'test');
  const answer =
    'return { statusCode: 200, body: JSON.stringify([event.requestContext.authorizer, event.body]) };';
  const TargetFunctionArn = await deploy('decides', answer);
  const TemplateBody = json({
    Resources: { Url: { Type: 'AWS::Lambda::Url', Properties: { TargetFunctionArn, AuthType: 'AWS_IAM' } } },
    Outputs: { Url: { Value: { 'Fn::GetAtt': ['Url', 'FunctionUrl'] } } },
  });
  await cloudFormation.send(new CreateStackCommand({ StackName: 'addresses', TemplateBody }));
  const address = await eventually(async () => {
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: 'addresses' }));
    return Stacks?.[0]?.Outputs?.[0]?.OutputValue;
  });
  const [, id] = /([a-z0-9]{32})/.exec(address) ?? [];
  return `${url}/_aws/lambda-url/${id}/`;
}

async function call(address: string, credentials: Credentials): Promise<[number, unknown]> {
  const client = new LambdaClient({ region: 'us-east-1', credentials });
  const { status, text } = await postSigned(client, address, { do: 'list' });
  client.destroy();
  return [status, status === 200 ? JSON.parse(text) : null];
}

test('a function does not hear who calls, without its patch', async () => {
  const address = await addressOf(servers.stock);
  const session = await sessionOf(servers.stock, 'storage-team', true);
  expect(await call(address, session)).toEqual([200, [null, '{"do":"list"}']]);
});

test('a function hears who calls, and whoever may not is refused', async () => {
  const address = await addressOf(servers.patched);
  const session = await sessionOf(servers.patched, 'storage-team', true);
  const userArn = `arn:aws:sts::${account}:assumed-role/storage-team/ada`;
  const heard = expect.objectContaining({ accountId: account, accessKey: session.accessKeyId, userArn });
  expect(await call(address, session)).toEqual([200, [{ iam: heard }, '{"do":"list"}']]);
  expect(await call(address, await sessionOf(servers.patched, 'strangers', false))).toEqual([403, null]);
  expect(await call(address, { ...session, secretAccessKey: 'another' })).toEqual([403, null]);
  const unsigned = await fetch(address, { method: 'POST', body: '{}' });
  expect(unsigned.status).toBe(403);
});
