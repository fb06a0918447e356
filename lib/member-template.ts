/**
 * What a member grants to a hub in another account: one role that reads, and where somebody allows it one that modifies volumes, as a
 * template for a StackSet, by hand and for Terraform.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  Aws,
  BootstraplessSynthesizer,
  CfnCondition,
  CfnOutput,
  CfnParameter,
  type CfnParameterProps,
  Duration,
  Fn,
  type IStackSynthesizer,
  Stack,
  Tags,
  Validations,
} from 'aws-cdk-lib';
import {
  AccountPrincipal,
  type CfnPolicy,
  type CfnRole,
  Policy,
  PrincipalWithConditions,
  Role,
} from 'aws-cdk-lib/aws-iam';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Construct } from 'constructs';
import { changesRoleName, defaultMemberRole } from '../core/config/organization.ts';
import {
  archivedReadingActions,
  mayModify,
  memberActions,
  readsOfChanges,
  writesOfChanges,
} from '../core/reading-actions.ts';
import { opinionSources } from '../core/schemas/second-opinion.ts';
import { auditStack, hubRoleNames } from '../core/stacks.ts';
import {
  acknowledgeWildcards,
  mayRead,
  mayReadRecommendations,
  type Permission,
  policyOf,
} from './shared/permissions.ts';

/** It may end in any characters, as the roles of IAM Identity Center do, and not begin with them: that were any role. */
const nameOfRole = '[\\w+=.@-][\\w+=.@/*-]*';

const may = mayRead(memberActions);
const mayReadHistory = mayRead(archivedReadingActions);
const mayCompare = mayReadRecommendations(opinionSources);
const mayChange: Permission[] = [
  mayRead(readsOfChanges),
  {
    actions: [...writesOfChanges],
    resources: [`arn:${Aws.PARTITION}:ec2:*:${Aws.ACCOUNT_ID}:volume/*`],
    conditions: mayModify,
    reason: 'which volume is changed is decided by people; the conditions leave out what a tag refuses.',
  },
];

class MemberStack extends Stack {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: "stripewise: lets a hub in another account read this account's volumes and their metrics",
      // A StackSynthesizer is an IStackSynthesizer, but for CDK's types under exactOptionalPropertyTypes.
      synthesizer: new BootstraplessSynthesizer() as IStackSynthesizer,
    });
    const parameter = (name: string, props: CfnParameterProps) => new CfnParameter(this, name, props);
    const hub = parameter('HubAccountId', {
      description: 'The account that stripewise is deployed to.',
      allowedPattern: '[0-9]{12}',
      constraintDescription: '12 digits.',
    });
    const externalId = parameter('ExternalId', {
      description: 'What the hub says when it takes the role: the external id of its configuration.',
      minLength: 2,
      maxLength: 1_224,
      allowedPattern: '[\\w+=,.@:/-]*',
      constraintDescription: '2 to 1,224 letters, digits and characters of _+=,.@:/-',
    });
    const organization = parameter('OrganizationId', {
      description:
        'The organization that the hub must be in, such as o-a1b2c3d4e5. Empty: it may be in any or none.',
      default: '',
      allowedPattern: '(o-[a-z0-9]{10,32})?',
      constraintDescription: 'o- and 10 to 32 lower-case letters and digits, or empty.',
    });
    const roleName = parameter('MemberRoleName', {
      description: 'The name of the role, the same in all members.',
      default: defaultMemberRole,
      allowedPattern: '[\\w+=,.@-]{1,64}',
    });
    const hubStack = parameter('HubStackName', {
      description: "The name of the hub's stack: its roles begin with it.",
      default: auditStack,
      allowedPattern: '[A-Za-z][A-Za-z0-9-]*',
    });
    const people = parameter('CommandLineRoleNames', {
      description:
        "Roles of the hub's account that people use for the command line: names with commas between them, each with its path if it has one; * stands for any characters. Empty: none.",
      default: '',
      allowedPattern: `(${nameOfRole}(,${nameOfRole})*)?`,
      constraintDescription: 'names of roles with commas between them and no spaces, or empty.',
    });
    const allowChanges = parameter('AllowChanges', {
      description:
        'Whether the hub may modify volumes that no tag refuses: yes or no. Only where its configuration has a section changes.',
      default: 'no',
      allowedValues: ['yes', 'no'],
    });
    const allowRecommendations = parameter('AllowRecommendations', {
      description:
        'Whether the hub may read what Compute Optimizer and Cost Optimization Hub recommend: yes or no. Only where its configuration has audit.compareWith.',
      default: 'no',
      allowedValues: ['yes', 'no'],
    });
    const allowModificationHistory = parameter('AllowModificationHistory', {
      description:
        'Whether the hub may read how long modifications of volumes took, for schedules of IOPS: yes or no. Only where its configuration has a section archive.',
      default: 'no',
      allowedValues: ['yes', 'no'],
    });
    const isBound = this.isGiven('HasOrganization', organization);
    const hasPeople = this.isGiven('HasCommandLineRoles', people);

    const roles = `arn:${Aws.PARTITION}:iam::${hub.valueAsString}:role/`;
    // A delimiter holds no reference. Any account is the hub's here: it is the principal.
    const anyRole = 'arn:*:iam::*:role/';
    const rolesOfPeople = `,${anyRole}${Fn.join(`,${anyRole}`, Fn.split(',', people.valueAsString))}`;
    const trusted = `${roles}${hubRoleNames(hubStack.valueAsString)}${Fn.conditionIf(hasPeople.logicalId, rolesOfPeople, '')}`;
    const role = new Role(this, 'Role', {
      roleName: roleName.valueAsString,
      description: "stripewise: the hub reads this account's volumes and their metrics, and changes nothing",
      maxSessionDuration: Duration.hours(1),
      assumedBy: new PrincipalWithConditions(new AccountPrincipal(hub.valueAsString), {
        ArnLike: { 'aws:PrincipalArn': Fn.split(',', trusted) },
        StringEquals: {
          'sts:ExternalId': externalId.valueAsString,
          'aws:PrincipalOrgID': Fn.conditionIf(isBound.logicalId, organization.valueAsString, Aws.NO_VALUE),
        },
      }),
      inlinePolicies: { May: policyOf([may]) },
    });
    acknowledgeWildcards(role, [may]);
    const recommendations = new Policy(this, 'Recommendations', {
      document: policyOf(mayCompare),
      roles: [role],
    });
    acknowledgeWildcards(recommendations, mayCompare);
    (recommendations.node.defaultChild as CfnPolicy).cfnOptions.condition = new CfnCondition(
      this,
      'AllowsRecommendations',
      { expression: Fn.conditionEquals(allowRecommendations.valueAsString, 'yes') },
    );
    const history = new Policy(this, 'ModificationHistory', {
      document: policyOf([mayReadHistory]),
      roles: [role],
    });
    acknowledgeWildcards(history, [mayReadHistory]);
    (history.node.defaultChild as CfnPolicy).cfnOptions.condition = new CfnCondition(
      this,
      'AllowsModificationHistory',
      { expression: Fn.conditionEquals(allowModificationHistory.valueAsString, 'yes') },
    );
    const trustedForChanges = ['AdvanceChange', 'DecideChange'].map(
      (name) => `${roles}${hubRoleNames(hubStack.valueAsString).replace('*', name)}`,
    );
    const changing = new Role(this, 'ChangesRole', {
      roleName: changesRoleName(roleName.valueAsString),
      description: 'stripewise: the hub modifies volumes that no tag refuses, and changes nothing else',
      maxSessionDuration: Duration.hours(1),
      assumedBy: new PrincipalWithConditions(new AccountPrincipal(hub.valueAsString), {
        ArnLike: { 'aws:PrincipalArn': trustedForChanges },
        StringEquals: {
          'sts:ExternalId': externalId.valueAsString,
          'aws:PrincipalOrgID': Fn.conditionIf(isBound.logicalId, organization.valueAsString, Aws.NO_VALUE),
        },
      }),
      inlinePolicies: { May: policyOf(mayChange) },
    });
    acknowledgeWildcards(changing, mayChange);
    (changing.node.defaultChild as CfnRole).cfnOptions.condition = new CfnCondition(this, 'AllowsChanges', {
      expression: Fn.conditionEquals(allowChanges.valueAsString, 'yes'),
    });
    new CfnOutput(this, 'MemberRoleArn', { value: role.roleArn });
    Tags.of(this).add('stripewise', 'member');
  }

  private isGiven(name: string, { valueAsString }: CfnParameter): CfnCondition {
    return new CfnCondition(this, name, {
      expression: Fn.conditionNot(Fn.conditionEquals(valueAsString, '')),
    });
  }
}

/** @param root the checkout. @throws Error where cdk-nag finds something. */
export function memberTemplate(root: string): Record<string, unknown> {
  const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')) as { context: object };
  const outdir = mkdtempSync(join(tmpdir(), 'stripewise-member-'));
  try {
    const app = new App({ outdir, context: { ...context }, analyticsReporting: false });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    const { artifactId } = new MemberStack(app, defaultMemberRole);
    return app.synth().getStackArtifact(artifactId).template as Record<string, unknown>;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
