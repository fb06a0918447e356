/** Each gap of the emulator, without its patch and with it: when the test of a gap fails, take the patch out. */
import {
  CreateRoleCommand,
  IAMClient,
  PutRolePolicyCommand,
  SimulatePrincipalPolicyCommand,
} from '@aws-sdk/client-iam';
import { CreateFunctionUrlConfigCommand } from '@aws-sdk/client-lambda';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { MiniStack } from './ministack.ts';
import { json, twoMiniStacks } from './two-ministacks.ts';

const noPublicUrls = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Action: '*', Resource: '*' },
    {
      ...{ Effect: 'Deny', Action: 'lambda:CreateFunctionUrlConfig', Resource: '*' },
      Condition: { StringEquals: { 'lambda:FunctionUrlAuthType': 'NONE' } },
    },
  ],
};
const servers = twoMiniStacks(() => ({ STRIPEWISE_ORGANIZATION_POLICIES: json(noPublicUrls) }));

const clientOf = ({ url }: MiniStack): IAMClient =>
  new IAMClient({ endpoint: url, region: 'us-east-1', credentials });
const credentials = { accessKeyId: '111122223333', secretAccessKey: 'test' };

const policy = {
  Version: '2012-10-17',
  Statement: {
    ...{ Effect: 'Allow', Action: 'ec2:TerminateInstances', Resource: '*' },
    Condition: { StringLike: { 'aws:ResourceTag/stripewise:campaign': '*' } },
  },
};

/** What IAM decides of an instance with such a tag; without a name it has none. */
async function decided(server: MiniStack, tag: string | null): Promise<string | undefined> {
  const iam = clientOf(server);
  const RoleName = `with-${tag === null ? 'none' : tag.replace(':', '-')}`;
  const { Role } = await iam.send(
    new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: json(policy) }),
  );
  await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'May', PolicyDocument: json(policy) }));
  const { EvaluationResults } = await iam.send(
    new SimulatePrincipalPolicyCommand({
      PolicySourceArn: Role?.Arn,
      ActionNames: ['ec2:TerminateInstances'],
      ...(tag === null
        ? {}
        : {
            ContextEntries: [
              {
                ContextKeyName: `aws:ResourceTag/${tag}`,
                ContextKeyType: 'string' as const,
                ContextKeyValues: ['june'],
              },
            ],
          }),
    }),
  );
  iam.destroy();
  return EvaluationResults?.[0]?.EvalDecision;
}

test('a condition on a tag never holds, without its patch', async () => {
  expect(await decided(servers.stock, 'stripewise:campaign')).toBe('implicitDeny');
});

test('a condition on a tag holds where the tag is reported', async () => {
  expect(await decided(servers.patched, 'stripewise:campaign')).toBe('allowed');
  expect(await decided(servers.patched, 'other')).toBe('implicitDeny');
  expect(await decided(servers.patched, null)).toBe('implicitDeny');
});

/** How AssumeRole and a simulation of a role end that nobody made. */
async function ofMissing(server: MiniStack): Promise<string[]> {
  const RoleArn = 'arn:aws:iam::111122223333:role/nobody-made-it';
  const sts = new STSClient({ endpoint: server.url, region: 'us-east-1', credentials });
  const iam = clientOf(server);
  const ended = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'answered',
      (error: Error) => error.name,
    );
  const both = await Promise.all([
    ended(sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'test' }))),
    ended(
      iam.send(
        new SimulatePrincipalPolicyCommand({ PolicySourceArn: RoleArn, ActionNames: ['s3:GetObject'] }),
      ),
    ),
  ]);
  sts.destroy();
  iam.destroy();
  return both;
}

test('a role that is not there can be assumed, without its patch', async () => {
  expect(await ofMissing(servers.stock)).toEqual(['answered', 'answered']);
});

test('a role that is not there can neither be assumed nor simulated', async () => {
  expect(await ofMissing(servers.patched)).toEqual(['AccessDenied', 'NoSuchEntityException']);
});

/** What a simulation says of a public Function URL for a role that may all, and how making one ends. */
async function publicUrl(server: MiniStack): Promise<unknown[]> {
  const iam = clientOf(server);
  const all = { Version: '2012-10-17', Statement: { Effect: 'Allow', Action: '*', Resource: '*' } };
  const RoleName = 'may-all';
  const { Role } = await iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: json(all) }));
  await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'May', PolicyDocument: json(all) }));
  const { EvaluationResults: [result] = [] } = await iam.send(
    new SimulatePrincipalPolicyCommand({
      ...{ PolicySourceArn: Role?.Arn, ActionNames: ['lambda:CreateFunctionUrlConfig'] },
      ContextEntries: [
        {
          ...{ ContextKeyName: 'lambda:FunctionUrlAuthType', ContextKeyType: 'string' as const },
          ContextKeyValues: ['NONE'],
        },
      ],
    }),
  );
  iam.destroy();
  await server.deploy('with-address', 'return 1;');
  const made = await server.lambda
    .send(new CreateFunctionUrlConfigCommand({ FunctionName: 'with-address', AuthType: 'NONE' }))
    .then(
      () => 'made',
      (error: Error) => error.message.replace(/^.*with an/, 'with an'),
    );
  return [result?.EvalDecision, result?.OrganizationsDecisionDetail?.AllowedByOrganizations, made];
}

test('an organization denies nothing without its patch', async () => {
  expect(await publicUrl(servers.stock)).toEqual(['allowed', undefined, 'made']);
});

test('what an organization denies is denied, and named as of it', async () => {
  const refused = 'with an explicit deny in a service control policy';
  expect(await publicUrl(servers.patched)).toEqual(['explicitDeny', false, refused]);
});
