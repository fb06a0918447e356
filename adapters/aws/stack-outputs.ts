import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { BadInput } from '../../core/errors.ts';
import { reading } from './failure.ts';
import { ownResources, type Session } from './session.ts';

/**
 * The outputs of a stack by their names.
 * @param right what to do where it is not there.
 * @throws BadInput where there is no such stack in that Region.
 */
export async function stackOutputs(
  session: Session,
  stackName: string,
  right = 'give --region and --stack, or deploy it',
): Promise<Map<string, string>> {
  const client = new CloudFormationClient({ ...ownResources, ...session });
  const outputs = await reading(`cloudformation:DescribeStacks in ${session.region}`, async () => {
    try {
      const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
      return Stacks?.[0]?.Outputs ?? [];
    } catch (error) {
      if ((error as Error).name === 'ValidationError') return null;
      throw error;
    }
  });
  if (outputs === null)
    throw new BadInput(
      `there is no stack ${stackName} in ${session.region}: ${right} (docs/operate/deploy.md)`,
    );
  return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
}
