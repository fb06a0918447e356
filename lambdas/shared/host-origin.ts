import type { HostOrigin } from '../../adapters/aws/bench/own-hosts.ts';

interface OriginVariables {
  LAUNCH_TEMPLATE_ID: string;
  INSTANCE_PROFILE_ARN: string;
}

/** What tells the hosts of this stack from every other instance. */
export const hostOrigin = ({ LAUNCH_TEMPLATE_ID, INSTANCE_PROFILE_ARN }: OriginVariables): HostOrigin => ({
  launchTemplateId: LAUNCH_TEMPLATE_ID,
  instanceProfileArn: INSTANCE_PROFILE_ARN,
});
