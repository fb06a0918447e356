/** Where the benchmark of an account is: by the outputs of the stack. */
import { BadInput } from '../../../core/errors.ts';
import type { Session } from '../session.ts';
import { stackOutputs } from '../stack-outputs.ts';

export interface Deployment {
  bucket: string;
  stateMachineArn: string;
}

/** @throws BadInput where there is none in that Region, or where its benchmark is off. */
export async function findDeployment(session: Session, stackName: string): Promise<Deployment> {
  const outputs = await stackOutputs(session, stackName);
  const [bucket, stateMachineArn] = [outputs.get('RunsBucket'), outputs.get('BenchStateMachine')];
  if (bucket === undefined || stateMachineArn === undefined)
    throw new BadInput(
      `the stack ${stackName} in ${session.region} has no benchmark: put a section benchmark into its configuration, and deploy again`,
    );
  return { bucket, stateMachineArn };
}
