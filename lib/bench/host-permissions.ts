/** What may be done to hosts of campaigns, and to no other instances. */
import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import {
  campaignTag,
  grantAction,
  keyActions,
  launchTemplateTag,
} from '../../core/benchmark/campaign/cells.ts';
import { architectures } from '../../core/catalog/instance-types.ts';
import type { Config } from '../../core/config/config.ts';
import { onEverything, type Permission, permission } from '../shared/permissions.ts';
import { type HostTemplates, imageParameter } from './host-templates.ts';

const describe = "EC2's describe calls know no resources.";
export const findInstances: Permission = onEverything(describe, 'ec2:DescribeInstances');

const made = ['instance', 'volume', 'network-interface'] as const;

/**
 * The image is that of the template alone, the type one of the list. Sources: Service Authorization Reference, Amazon EC2
 * (RunInstances, CreateTags); EC2 user guide, "Control access to launch templates" and "Use a Systems Manager parameter instead of
 * an AMI ID", read 2026-11-24.
 */
export function launchFrom(
  scope: Construct,
  { launchTemplateIds, securityGroupId, hostRole }: HostTemplates,
  { subnetIds, instanceTypes, kmsKeyArn }: NonNullable<Config['benchmark']>,
): Permission[] {
  const { partition, region, account, urlSuffix } = Stack.of(scope);
  const arn = (resource: string, owner: string = account): string =>
    `arn:${partition}:ec2:${region}:${owner}:${resource}`;
  const templates = Object.values(launchTemplateIds).map((id) => arn(`launch-template/${id}`));
  // Asked of every resource of a call: without one of the templates there is no launch at all.
  const fromTemplates = { ArnEquals: { 'ec2:LaunchTemplate': templates } };
  const ofCampaign = { [`aws:RequestTag/${campaignTag}`]: '*' };
  return [
    {
      actions: ['ec2:RunInstances'],
      resources: [arn('instance/*')],
      conditions: { ...fromTemplates, StringLike: { ...ofCampaign, 'ec2:InstanceType': [...instanceTypes] } },
      reason: 'what is launched has no id before; it is of a type of the configuration, and of a campaign.',
    },
    {
      actions: ['ec2:RunInstances'],
      resources: [arn('volume/*'), arn('network-interface/*')],
      conditions: { ...fromTemplates, StringLike: ofCampaign },
      reason: 'what is launched has no id before; it must carry the tag of its campaign.',
    },
    {
      actions: ['ec2:RunInstances'],
      resources: [arn(`security-group/${securityGroupId}`), ...subnetIds.map((id) => arn(`subnet/${id}`))],
      conditions: fromTemplates,
    },
    {
      actions: ['ec2:RunInstances'],
      resources: [arn('image/*', '')],
      conditions: { ...fromTemplates, Bool: { 'ec2:IsLaunchTemplateResource': 'true' } },
      reason: 'the newest image is found at each launch, by the template: a request cannot name one.',
    },
    permission(['ec2:RunInstances'], ...templates),
    permission(
      ['ssm:GetParameters'],
      ...architectures.map((one) => `arn:${partition}:ssm:${region}::parameter${imageParameter(one)}`),
    ),
    {
      actions: ['ec2:CreateTags'],
      resources: made.map((one) => arn(`${one}/*`)),
      conditions: { StringEquals: { 'ec2:CreateAction': 'RunInstances' } },
      reason: 'what is launched has no id before; nothing else is tagged.',
    },
    {
      actions: ['iam:PassRole'],
      resources: [hostRole.roleArn],
      conditions: { StringEquals: { 'iam:PassedToService': 'ec2.amazonaws.com' } },
    },
    ...(kmsKeyArn === undefined ? [] : useKey(kmsKeyArn, `ec2.${region}.${urlSuffix}`)),
  ];
}

/**
 * Who launches an instance with encrypted volumes must be allowed to use their key; EC2 is, by a grant. Source: KMS developer guide, "Condition keys", read 2026-11-25.
 */
const useKey = (kmsKeyArn: string, service: string): Permission[] => [
  {
    actions: keyActions.filter((action) => action !== grantAction),
    resources: [kmsKeyArn],
    conditions: { StringEquals: { 'kms:ViaService': service } },
  },
  {
    actions: [grantAction],
    resources: [kmsKeyArn],
    conditions: {
      StringEquals: { 'kms:ViaService': service },
      Bool: { 'kms:GrantIsForAWSResource': 'true' },
    },
  },
];

/** Source: Service Authorization Reference, Amazon EC2 (TerminateInstances), read 2026-11-24. */
export function endHosts(
  scope: Construct,
  { launchTemplateIds, instanceProfileArn }: HostTemplates,
): Permission {
  const { partition, region, account } = Stack.of(scope);
  return {
    actions: ['ec2:TerminateInstances'],
    resources: [`arn:${partition}:ec2:${region}:${account}:instance/*`],
    conditions: {
      // Nobody can write these on an instance of others, nor take them off a host.
      StringEquals: { [`aws:ResourceTag/${launchTemplateTag}`]: Object.values(launchTemplateIds) },
      ArnEquals: { 'ec2:InstanceProfile': instanceProfileArn },
    },
    reason:
      'hosts are not known before a campaign; only those of the launch templates of the stack may be ended.',
  };
}
