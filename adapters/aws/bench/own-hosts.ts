/** Which instances are hosts of this stack: by what EC2 says of them and nobody can write on others. */
import type { Filter, Instance } from '@aws-sdk/client-ec2';
import { launchTemplateTag } from '../../../core/benchmark/campaign/cells.ts';
import type { Architecture } from '../../../core/catalog/instance-types.ts';
import { sanitizeFirstLine } from '../../../core/sanitize.ts';

/** What all hosts of the stack are launched with. */
export interface HostOrigin {
  /** One for each architecture. */
  launchTemplateIds: Readonly<Record<Architecture, string>>;
  instanceProfileArn: string;
}

/** In EC2's words why an instance came to its state, such as "Client.InternalError: Client error on launch"; null where it does not say. */
export function stateReasonOf({ StateReason: { Code, Message } = {} }: Instance): string | null {
  const reason = Message ?? Code;
  return reason === undefined || reason === '' ? null : sanitizeFirstLine(reason, 200);
}

export const fromTemplates = ({ launchTemplateIds }: HostOrigin): Filter => ({
  Name: `tag:${launchTemplateTag}`,
  Values: Object.values(launchTemplateIds),
});

/** Whoever may tag an instance can write all other tags on it. */
export const isOwnHost = (
  { Tags, IamInstanceProfile }: Instance,
  { launchTemplateIds, instanceProfileArn }: HostOrigin,
): boolean =>
  IamInstanceProfile?.Arn === instanceProfileArn &&
  Tags?.some(
    ({ Key, Value = '' }) => Key === launchTemplateTag && Object.values(launchTemplateIds).includes(Value),
  ) === true;
