/** What a stack is doing, asked of CloudFormation. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { stackStatus } from '../../../adapters/aws/stack-status.ts';
import { AccessDenied, Unreadable } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const cloudFormation = mockClient(CloudFormationClient);
const client = new CloudFormationClient({ region: 'us-east-1' });
const id = 'arn:aws:cloudformation:us-east-1:111122223333:stack/Stripewise/0123';

beforeEach(() => {
  cloudFormation.reset();
});

test('is asked by the id of the stack, which is one stack for ever: a name may be another one later', async () => {
  const Stacks = [
    { StackName: 'Stripewise', CreationTime: new Date(0), StackStatus: 'DELETE_IN_PROGRESS' as const },
  ];
  cloudFormation.on(DescribeStacksCommand).resolves({ Stacks });
  expect(await stackStatus(client, id)).toBe('DELETE_IN_PROGRESS');
  expect(cloudFormation.commandCalls(DescribeStacksCommand)[0]?.args[0].input).toEqual({ StackName: id });
});

test('no stack in the reply is no status', async () => {
  cloudFormation.on(DescribeStacksCommand).resolves({ Stacks: [] });
  await expect(stackStatus(client, id)).rejects.toThrow(Unreadable);
});

test('a refusal names the call', async () => {
  cloudFormation.on(DescribeStacksCommand).rejects(awsError('AccessDenied', 'No.', 403));
  await expect(stackStatus(client, id)).rejects.toThrow(AccessDenied);
  await expect(stackStatus(client, id)).rejects.toThrow(
    'cloudformation:DescribeStacks failed: AccessDenied: No.',
  );
});
