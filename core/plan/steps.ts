/** The way from what stands to a layout: whether the volumes stay, why, and the lines of the AWS CLI and the host. */
import type { Deployment } from '../limits/volume-types.ts';
import type { Layout } from './layout.ts';
import { awsCli } from './steps/aws-cli.ts';
import { type Change, changeTo } from './steps/change.ts';
import type { Current } from './steps/current.ts';
import { requireChunk } from './steps/host.ts';
import type { StepLine } from './steps/line.ts';
import { requireLegal } from './steps/provisioned.ts';

export type { Current } from './steps/current.ts';

interface Way extends Change {
  /** The volumes stay, and stay in use. */
  inPlace: boolean;
  /** Top to bottom; each a command on the host, an aws command, or a note. */
  lines: StepLine[];
}

export interface StepOptions {
  region: string;
  deployment: Deployment;
  /** Of a stripe, RAID10 or RAID5 that is made. @default 64 */
  chunkKiB?: number | undefined;
}

/**
 * How `next` is reached from what is present; from null: how it is made.
 * @throws IllegalConfiguration where EBS, LVM or mdadm would refuse `next`.
 */
export function wayTo(next: Layout, current: Current | null, options: StepOptions): Way {
  const { region, deployment, chunkKiB = 64 } = options;
  requireLegal(next, deployment);
  requireChunk(chunkKiB);
  const { route, reason } = changeTo(next, current, deployment);
  return {
    route,
    reason,
    inPlace: route === 'modify' || route === 'nothing',
    lines: awsCli({ next, current, region, deployment, chunkKiB, route, reason }),
  };
}
