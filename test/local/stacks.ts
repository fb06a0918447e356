/** Stacks of a MiniStack, created and deleted to their end. */
import {
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackResourceCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { eventually, type MiniStack } from './ministack.ts';

/** The status that a stack comes to; GONE where there is none any more. */
const settled = (server: MiniStack, StackName: string): Promise<string> =>
  eventually(async () => {
    const status = await server.cloudFormation.send(new DescribeStacksCommand({ StackName })).then(
      ({ Stacks }) => Stacks?.[0]?.StackStatus,
      () => 'GONE',
    );
    return status?.endsWith('IN_PROGRESS') ? undefined : status;
  });

export async function create(server: MiniStack, StackName: string, Resources: object): Promise<void> {
  const TemplateBody = JSON.stringify({ Resources });
  await server.cloudFormation.send(
    new CreateStackCommand({ StackName, TemplateBody, Capabilities: ['CAPABILITY_IAM'] }),
  );
  expect(await settled(server, StackName)).toBe('CREATE_COMPLETE');
}

export async function remove(server: MiniStack, StackName: string): Promise<string> {
  await server.cloudFormation.send(new DeleteStackCommand({ StackName }));
  return settled(server, StackName);
}

export async function physicalId(
  server: MiniStack,
  StackName: string,
  id: string,
): Promise<string | undefined> {
  const asked = new DescribeStackResourceCommand({ StackName, LogicalResourceId: id });
  return (await server.cloudFormation.send(asked)).StackResourceDetail?.PhysicalResourceId;
}
