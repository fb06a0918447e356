/** Where the benchmark of an account is: by the outputs of its stack. */
import { BadInput } from '../../../core/errors.ts';
import { benchmarkStackOf } from '../../../core/stacks.ts';
import type { Session } from '../session.ts';
import { stackOutputs } from '../stack-outputs.ts';

export interface Deployment {
  bucket: string;
  stateMachineArn: string;
}

/**
 * @param auditStackName the stack of the benchmark is called after it.
 * @throws BadInput where there is none in that Region.
 */
export async function findDeployment(session: Session, auditStackName: string): Promise<Deployment> {
  const stackName = benchmarkStackOf(auditStackName);
  const outputs = await stackOutputs(
    session,
    stackName,
    'put a section benchmark into the configuration and deploy again, or give --region and --stack',
  );
  const [bucket, stateMachineArn] = [outputs.get('RunsBucket'), outputs.get('BenchStateMachine')];
  if (bucket === undefined || stateMachineArn === undefined)
    throw new BadInput(
      `the stack ${stackName} in ${session.region} is no benchmark of stripewise, or was not deployed to its end: deploy again`,
    );
  return { bucket, stateMachineArn };
}
