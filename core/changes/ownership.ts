/** Who describes a volume: a change by hand would be undone, or would differ from what its owner says. By tags; Terraform shows none of its own. */
import type { Tags } from '../inventory.ts';
import { kubernetesOf } from '../kubernetes.ts';
import type { Owner } from '../schemas/volume-owner.ts';

/** Anybody may say who owns a volume, such as Terraform, which cannot be seen from the account. */
const ownerTag = 'stripewise:owner';
/** `never`: nobody changes it here. */
const changesTag = 'stripewise:changes';
/** Of AWS Compute Optimizer: its automation leaves such volumes alone, and so do we. */
const exclusionTag = 'exclude-from-compute-optimizer-automation';

export interface OwnedVolume {
  tags: Tags;
  /** Of the instance that it is attached to; null: none. */
  instanceTags: Tags | null;
  /** As DescribeVolumes says it: a service manages it, and refuses changes by others. */
  operator: { managed: boolean; principal: string | null } | null;
}

const cloudFormationId = 'aws:cloudformation:stack-id';
const logicalId = 'aws:cloudformation:logical-id';
const autoScalingGroup = 'aws:autoscaling:groupName';
const launchTemplate = 'aws:ec2launchtemplate:id';

/** Of the tags of an instance those that say whose its volumes are. */
export const tagsOfOwners = [cloudFormationId, logicalId, autoScalingGroup, launchTemplate] as const;

const cloudFormation = (tags: Tags, isOfInstance: boolean): Owner | null =>
  tags[cloudFormationId] === undefined
    ? null
    : {
        kind: 'cloudformation',
        stackId: tags[cloudFormationId],
        logicalId: tags[logicalId] ?? null,
        isOfInstance,
      };

/** The first that holds: what refuses goes before who owns. */
export function ownerOf({ tags, instanceTags, operator }: OwnedVolume): Owner {
  if (operator?.managed === true) return { kind: 'service', principal: operator.principal };
  if (tags[changesTag] === 'never') return { kind: 'refused', tag: changesTag };
  // Its value does not count: Compute Optimizer looks at the key.
  if (tags[exclusionTag] !== undefined) return { kind: 'refused', tag: exclusionTag };
  const said = tags[ownerTag];
  if (said !== undefined) return { kind: said === 'terraform' ? 'terraform' : 'other', name: said };
  const kubernetes = kubernetesOf(tags);
  if (kubernetes !== null) {
    const { claim, namespace, cluster } = kubernetes;
    return { kind: 'eks', claim, namespace, cluster };
  }
  const own = cloudFormation(tags, false);
  if (own !== null) return own;
  if (instanceTags === null) return { kind: 'nobody' };
  const group = instanceTags[autoScalingGroup];
  if (group !== undefined) return { kind: 'launch-template', group };
  const template = instanceTags[launchTemplate];
  if (template !== undefined) return { kind: 'launch-template', group: template };
  // CloudFormation tags no volumes of block device mappings: those of the instance say it.
  return cloudFormation(instanceTags, true) ?? { kind: 'nobody' };
}
