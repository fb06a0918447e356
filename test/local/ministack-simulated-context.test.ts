/** Each gap of the emulator, without its patch and with it: when the test of a gap fails, take the patch out. */
import {
  CreateRoleCommand,
  IAMClient,
  PutRolePolicyCommand,
  SimulatePrincipalPolicyCommand,
} from '@aws-sdk/client-iam';
import type { MiniStack } from './ministack.ts';
import { json, twoMiniStacks } from './two-ministacks.ts';

const servers = twoMiniStacks();

const policy = {
  Version: '2012-10-17',
  Statement: {
    ...{ Effect: 'Allow', Action: 'ec2:TerminateInstances', Resource: '*' },
    Condition: { StringLike: { 'aws:ResourceTag/stripewise:campaign': '*' } },
  },
};

/** What IAM decides of an instance with such a tag; without a name it has none. */
async function decided({ url }: MiniStack, tag: string | null): Promise<string | undefined> {
  const credentials = { accessKeyId: '111122223333', secretAccessKey: 'test' };
  const iam = new IAMClient({ endpoint: url, region: 'us-east-1', credentials });
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
