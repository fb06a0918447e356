/** A gap of the emulator where it asks IAM, without its patch and with it: when the test of the gap fails, take the patch out. */
import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { MiniStack } from './ministack.ts';
import { json, twoMiniStacks } from './two-ministacks.ts';

const account = '111122223333';
const arnOf = (name: string): string => `arn:aws:iam::${account}:role/${name}`;
const servers = twoMiniStacks(() => ({ AUTH: 'true' }));

/** How a session of `team/first` ends that takes a role, which trusts first alone. */
async function second({ url }: MiniStack): Promise<string> {
  const settings = { endpoint: url, region: 'us-east-1' };
  const credentials = { accessKeyId: account, secretAccessKey: 'test' };
  const iam = new IAMClient({ ...settings, credentials });
  const trusting = (Condition: object) =>
    json({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { AWS: account }, Action: 'sts:AssumeRole', Condition }],
    });
  await iam.send(
    new CreateRoleCommand({ RoleName: 'first', Path: '/team/', AssumeRolePolicyDocument: trusting({}) }),
  );
  await iam.send(
    new CreateRoleCommand({
      RoleName: 'second',
      AssumeRolePolicyDocument: trusting({ ArnLike: { 'aws:PrincipalArn': arnOf('team/first') } }),
    }),
  );
  await iam.send(
    new PutRolePolicyCommand({
      ...{ RoleName: 'first', PolicyName: 'May' },
      PolicyDocument: json({
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: '*' }],
      }),
    }),
  );
  const session = { RoleSessionName: 'test' };
  const asAccount = new STSClient({ ...settings, credentials });
  const { Credentials } = await asAccount.send(
    new AssumeRoleCommand({ ...session, RoleArn: arnOf('team/first') }),
  );
  const asFirst = new STSClient({
    ...settings,
    credentials: {
      accessKeyId: Credentials?.AccessKeyId ?? '',
      secretAccessKey: Credentials?.SecretAccessKey ?? '',
      sessionToken: Credentials?.SessionToken ?? '',
    },
  });
  const ended = await asFirst.send(new AssumeRoleCommand({ ...session, RoleArn: arnOf('second') })).then(
    () => 'taken',
    (error: Error) => error.name,
  );
  for (const client of [iam, asAccount, asFirst]) client.destroy();
  return ended;
}

test('a condition on a role never holds for its sessions, without its patch', async () => {
  expect(await second(servers.stock)).toBe('AccessDenied');
});

test('a condition on a role holds for its sessions', async () => {
  expect(await second(servers.patched)).toBe('taken');
});
