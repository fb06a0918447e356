/** The steps from what stands to a layout: for the AWS CLI and the host, for AWS CDK and for Terraform. */
import type { Deployment } from '../limits/volume-types.ts';
import type { Layout } from './layout.ts';
import { awsCli } from './steps/aws-cli.ts';
import { cdk } from './steps/cdk.ts';
import { changeTo } from './steps/change.ts';
import { requireChunk } from './steps/host.ts';
import type { Present } from './steps/present.ts';
import { requireLegal } from './steps/provisioned.ts';
import { terraform } from './steps/terraform.ts';

export { hostSteps } from './steps/host.ts';
export type { Present } from './steps/present.ts';

export interface Steps {
  /** The volumes stay, and stay in use. */
  inPlace: boolean;
  because: string;
  /** Top to bottom; each a comment (#), a command on the host, or an aws command. */
  awsCli: string[];
  /** TypeScript with aws-cdk-lib 2. */
  cdk: string;
  /** HCL with hashicorp/aws. */
  terraform: string;
}

interface StepOptions {
  region: string;
  deployment: Deployment;
  /** Of a stripe, RAID10 or RAID5 that is made. @default 64 */
  chunkKiB?: number | undefined;
}

/**
 * How `next` is reached from what is present; from null: how it is made.
 * @throws IllegalConfiguration where EBS, LVM or mdadm would refuse `next`.
 */
export function stepsTo(next: Layout, present: Present | null, options: StepOptions): Steps {
  const { region, deployment, chunkKiB = 64 } = options;
  requireLegal(next, deployment);
  requireChunk(chunkKiB);
  const { route, because } = changeTo(next, present, deployment);
  return {
    inPlace: route === 'modify' || route === 'nothing',
    because,
    awsCli: awsCli({ next, present, region, deployment, chunkKiB, route, because }),
    cdk: cdk({ next, deployment, route }),
    terraform: terraform({ next, deployment, route }),
  };
}
