/** What hosts of campaigns are launched from: no way in, a role of their own, and what they leave is nothing. */
import { CfnLaunchTemplate, CfnSecurityGroup } from 'aws-cdk-lib/aws-ec2';
import { CfnInstanceProfile, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Architecture } from '../../core/catalog/instance-types.ts';
import type { Config } from '../../core/config/config.ts';
import type { Env as OriginVariables } from '../../lambdas/terminate-host/env.ts';
import { acknowledgeWildcards, onEverything, type Permission, policyOf } from '../shared/permissions.ts';

export interface HostTemplatesProps {
  benchmark: NonNullable<Config['benchmark']>;
  bucket: IBucket;
}

/**
 * What the agent of Systems Manager needs to take commands, and no more: the managed policy would let a host read every
 * parameter of the account. Source: Systems Manager User Guide, "Configure instance permissions", read 2026-11-22.
 */
const takeCommands = onEverything(
  'the channels of an agent of Systems Manager know no resources.',
  'ssm:UpdateInstanceInformation',
  'ssmmessages:CreateControlChannel',
  'ssmmessages:CreateDataChannel',
  'ssmmessages:OpenControlChannel',
  'ssmmessages:OpenDataChannel',
  'ec2messages:AcknowledgeMessage',
  'ec2messages:DeleteMessage',
  'ec2messages:FailMessage',
  'ec2messages:GetEndpoint',
  'ec2messages:GetMessages',
  'ec2messages:SendReply',
);

const https: CfnSecurityGroup.EgressProperty = {
  ...{ ipProtocol: 'tcp', fromPort: 443, toPort: 443, cidrIp: '0.0.0.0/0' },
  description: 'Systems Manager, S3 and packages',
};

/**
 * As AWS publishes the newest Amazon Linux 2023; EC2 resolves it at each launch. Sources: AL2023 User Guide, "Launching with SSM";
 * EC2 user guide, "Use a Systems Manager parameter instead of an AMI ID", read 2026-11-24.
 */
export const imageParameter = (architecture: Architecture): string =>
  `/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-6.1-${architecture}`;

export class HostTemplates extends Construct {
  /** What tells hosts of this stack from every other instance, for functions that look for them. */
  get origin(): OriginVariables {
    const { x86_64, arm64 } = this.launchTemplateIds;
    return {
      ...{ LAUNCH_TEMPLATE_X86_64: x86_64, LAUNCH_TEMPLATE_ARM64: arm64 },
      INSTANCE_PROFILE_ARN: this.instanceProfileArn,
    };
  }

  readonly launchTemplateIds: Readonly<Record<Architecture, string>>;
  readonly instanceProfileArn: string;
  readonly securityGroupId: string;
  readonly hostRole: Role;

  constructor(scope: Construct, id: string, { benchmark, bucket }: HostTemplatesProps) {
    super(scope, id);
    const may: Permission[] = [
      takeCommands,
      {
        actions: ['s3:PutObject'],
        resources: [bucket.arnForObjects('campaigns/*/results/*')],
        reason: 'each campaign and each of its cells has keys of its own, not known before it.',
      },
    ];
    this.hostRole = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('ec2.amazonaws.com'),
      inlinePolicies: { May: policyOf(may) },
    });
    acknowledgeWildcards(this.hostRole, may);
    const profile = new CfnInstanceProfile(this, 'Profile', { roles: [this.hostRole.roleName] });
    this.instanceProfileArn = profile.attrArn;
    const { vpcId, kmsKeyArn } = benchmark;
    const group = new CfnSecurityGroup(this, 'Group', {
      groupDescription: 'stripewise: hosts of benchmarks; nothing comes in',
      // Without a VPC, CloudFormation would take no rules for what goes out, and EC2 no group where there is no default VPC.
      ...{ vpcId, securityGroupEgress: [https] },
    });
    this.securityGroupId = group.attrGroupId;
    const templateOf = (id: string, architecture: Architecture): string =>
      this.template(id, architecture, profile.attrArn, kmsKeyArn);
    // `Template` is the logical id of the only one of earlier versions: hosts of that one are still known.
    this.launchTemplateIds = {
      x86_64: templateOf('Template', 'x86_64'),
      arm64: templateOf('TemplateArm64', 'arm64'),
    };
  }

  /** @returns its id. */
  private template(
    id: string,
    architecture: Architecture,
    profileArn: string,
    kmsKeyId: string | undefined,
  ): string {
    const key = kmsKeyId === undefined ? {} : { kmsKeyId };
    return new CfnLaunchTemplate(this, id, {
      launchTemplateData: {
        imageId: `resolve:ssm:${imageParameter(architecture)}`,
        iamInstanceProfile: { arn: profileArn },
        securityGroupIds: [this.securityGroupId],
        metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 1, httpEndpoint: 'enabled' },
        ebsOptimized: true,
        // A host whose time is over shuts itself down.
        instanceInitiatedShutdownBehavior: 'terminate',
        blockDeviceMappings: [
          {
            // As Amazon Linux 2023 calls its root volume.
            deviceName: '/dev/xvda',
            ebs: { volumeType: 'gp3', volumeSize: 8, encrypted: true, deleteOnTermination: true, ...key },
          },
        ],
      },
    }).ref;
  }
}
