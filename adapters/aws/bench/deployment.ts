/** Where the benchmark of an account is: by the outputs of the stack. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { BadInput } from '../../../core/errors.ts';
import { reading } from '../failure.ts';
import type { Session } from '../session.ts';

export interface Deployment {
  bucket: string;
  stateMachineArn: string;
}

/** @throws BadInput where there is none in that Region, or where its benchmark is off. */
export async function findDeployment(session: Session, stackName: string): Promise<Deployment> {
  const client = new CloudFormationClient(session);
  const outputs = await reading(`cloudformation:DescribeStacks in ${session.region}`, async () => {
    try {
      const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
      return new Map(
        (Stacks?.[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
      );
    } catch (error) {
      if ((error as Error).name === 'ValidationError') return null;
      throw error;
    }
  });
  if (outputs === null)
    throw new BadInput(
      `there is no stack ${stackName} in ${session.region}: give --region and --stack, or deploy it (docs/deployment.md)`,
    );
  const [bucket, stateMachineArn] = [outputs.get('RunsBucket'), outputs.get('BenchStateMachine')];
  if (bucket === undefined || stateMachineArn === undefined)
    throw new BadInput(
      `the stack ${stackName} in ${session.region} has no benchmark: put a section benchmark into its configuration, and deploy again`,
    );
  return { bucket, stateMachineArn };
}
