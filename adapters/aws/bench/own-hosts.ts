/** Which instances are hosts of this stack: by what EC2 says of them and nobody can write on others. */
import type { Filter, Instance } from '@aws-sdk/client-ec2';
import { launchTemplateTag } from '../../../core/benchmark/campaign/tags.ts';

/** What all hosts of the stack are launched with. */
export interface HostOrigin {
  launchTemplateId: string;
  instanceProfileArn: string;
}

export const fromTemplate = ({ launchTemplateId }: HostOrigin): Filter => ({
  Name: `tag:${launchTemplateTag}`,
  Values: [launchTemplateId],
});

/** Whoever may tag an instance can write all other tags on it. */
export const isOwnHost = (
  { Tags, IamInstanceProfile }: Instance,
  { launchTemplateId, instanceProfileArn }: HostOrigin,
): boolean =>
  IamInstanceProfile?.Arn === instanceProfileArn &&
  Tags?.some(({ Key, Value }) => Key === launchTemplateTag && Value === launchTemplateId) === true;
