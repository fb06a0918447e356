import { z } from 'zod';
import type { HostOrigin } from '../../adapters/aws/bench/own-hosts.ts';

/** Of the stack: what its hosts are launched from, and with. */
export const originVariables = {
  LAUNCH_TEMPLATE_X86_64: z.string().min(1),
  LAUNCH_TEMPLATE_ARM64: z.string().min(1),
  INSTANCE_PROFILE_ARN: z.string().min(1),
};
type OriginVariables = Record<keyof typeof originVariables, string>;

/** What tells the hosts of this stack from every other instance. */
export const hostOrigin = (variables: OriginVariables): HostOrigin => ({
  launchTemplateIds: {
    x86_64: variables.LAUNCH_TEMPLATE_X86_64,
    arm64: variables.LAUNCH_TEMPLATE_ARM64,
  },
  instanceProfileArn: variables.INSTANCE_PROFILE_ARN,
});
