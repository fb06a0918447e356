/** What may be done to hosts of campaigns, and to no other instances. */
import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { campaignTag, launchTemplateTag } from '../../core/benchmark/campaign/tags.ts';
import { onEverything, type Permission, permission } from '../shared/permissions.ts';
import type { HostTemplate } from './host-template.ts';

const describe = "EC2's describe calls know no resources.";
export const findInstances: Permission = onEverything(describe, 'ec2:DescribeInstances');

const made = ['instance', 'volume', 'network-interface'] as const;

/** Source: Service Authorization Reference, Amazon EC2 (RunInstances, CreateTags), read 2026-11-24. */
export function launchFrom(
  scope: Construct,
  { launchTemplateId, securityGroupId, hostRole }: HostTemplate,
  subnetIds: readonly string[],
): Permission[] {
  const { partition, region, account } = Stack.of(scope);
  const arn = (resource: string, owner: string = account): string =>
    `arn:${partition}:ec2:${region}:${owner}:${resource}`;
  const template = arn(`launch-template/${launchTemplateId}`);
  // Asked of every resource of a call: without the template there is no launch at all.
  const fromTemplate = { ArnEquals: { 'ec2:LaunchTemplate': template } };
  return [
    {
      actions: ['ec2:RunInstances'],
      resources: made.map((one) => arn(`${one}/*`)),
      conditions: { ...fromTemplate, StringLike: { [`aws:RequestTag/${campaignTag}`]: '*' } },
      because: 'what is launched has no id before; it must carry the tag of its campaign.',
    },
    {
      actions: ['ec2:RunInstances'],
      resources: [
        arn(`security-group/${securityGroupId}`),
        ...(subnetIds.length > 0 ? subnetIds.map((id) => arn(`subnet/${id}`)) : [arn('subnet/*')]),
        arn('image/*', ''),
      ],
      conditions: fromTemplate,
      because: 'which default subnet has room and which image is the newest is found out by each campaign.',
    },
    permission(['ec2:RunInstances'], template),
    {
      actions: ['ec2:CreateTags'],
      resources: made.map((one) => arn(`${one}/*`)),
      conditions: { StringEquals: { 'ec2:CreateAction': 'RunInstances' } },
      because: 'what is launched has no id before; nothing else is tagged.',
    },
    {
      actions: ['iam:PassRole'],
      resources: [hostRole.roleArn],
      conditions: { StringEquals: { 'iam:PassedToService': 'ec2.amazonaws.com' } },
    },
  ];
}

/** Source: Service Authorization Reference, Amazon EC2 (TerminateInstances), read 2026-11-24. */
export function endHosts(
  scope: Construct,
  { launchTemplateId, instanceProfileArn }: HostTemplate,
): Permission {
  const { partition, region, account } = Stack.of(scope);
  return {
    actions: ['ec2:TerminateInstances'],
    resources: [`arn:${partition}:ec2:${region}:${account}:instance/*`],
    conditions: {
      // Nobody can write these on an instance of others, nor take them off a host.
      StringEquals: { [`aws:ResourceTag/${launchTemplateTag}`]: launchTemplateId },
      ArnEquals: { 'ec2:InstanceProfile': instanceProfileArn },
    },
    because:
      'hosts are not known before a campaign; only those of the launch template of the stack may be ended.',
  };
}
