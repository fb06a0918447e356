import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { Unreadable } from '../../core/errors.ts';
import { reading } from './failure.ts';

/** What a stack is doing now, such as DELETE_IN_PROGRESS. */
export const stackStatus = (client: CloudFormationClient, stackId: string): Promise<string> =>
  reading('cloudformation:DescribeStacks', async () => {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackId }));
    const status = Stacks?.[0]?.StackStatus;
    if (status === undefined) throw new Unreadable('cloudformation:DescribeStacks named no stack');
    return status;
  });
