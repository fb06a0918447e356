/** What functions have that enter the accounts of an organization; without one they have nothing of it. */
import { Aws, type Stack } from 'aws-cdk-lib';
import type { Config } from '../../core/config/config.ts';
import { asksOrganizations, changesRoleName } from '../../core/config/organization.ts';
import { memberRoleOf } from '../../core/config/variables.ts';
import { readingActions } from '../../core/reading-actions.ts';
import { hubRoleNames } from '../../core/stacks.ts';
import { onEverything, type Permission } from '../shared/permissions.ts';

/** Members trust their roles by these names: a role that is made anew is another one, with the same name. */
export type HubFunction =
  | 'ListTargets'
  | 'DiscoverVolumes'
  | 'EvaluateBatch'
  | 'WatchVolumes'
  | HubFunctionOfChanges;

/** These take another role of a member, which only members have that let volumes be changed. */
type HubFunctionOfChanges = 'AdvanceChange' | 'DecideChange';

export interface HubRights {
  role: { roleName?: string };
  may: Permission[];
  environment: { MEMBER_ROLE?: string };
}

const unitsBecause =
  'an organization grows roots and units; who is in it is found out by asking for all of them.';
const listsAccounts = onEverything(
  unitsBecause,
  'organizations:ListAccountsForParent',
  'organizations:ListOrganizationalUnitsForParent',
  'organizations:ListRoots',
);
/** What the units of the configuration are called, and what they are in. */
const namesUnits = (partition: string): Permission[] => [
  onEverything(unitsBecause, 'organizations:ListParents'),
  {
    actions: ['organizations:DescribeOrganizationalUnit'],
    // Of the management account, which may be another one.
    resources: [`arn:${partition}:organizations::*:ou/*`],
    reason: unitsBecause,
  },
];

export function hubRights(
  { partition, account }: Stack,
  { organization }: Pick<Config, 'organization'>,
  name: HubFunction,
): HubRights {
  if (organization === undefined) return { role: {}, may: [], environment: {} };
  const isOfChanges = name === 'AdvanceChange' || name === 'DecideChange';
  const enters: Permission = {
    actions: ['sts:AssumeRole'],
    resources: [
      `arn:${partition}:iam::*:role/${isOfChanges ? changesRoleName(organization.memberRoleName) : organization.memberRoleName}`,
    ],
    reason: 'accounts join and leave; each of them decides itself whether it trusts this role.',
  };
  const asksItself: Permission = {
    actions: [...readingActions.listTargets],
    resources: [`arn:${partition}:account::${account}:account`],
  };
  const lists = name === 'ListTargets';
  const asksForRegions = lists && organization.regions === 'enabled';
  const isEntering = !lists || asksForRegions;
  return {
    // 64 characters at most: a stack whose name has 44 still fits. Source: IAM API reference, CreateRole, read 2026-11-27.
    role: isEntering ? { roleName: hubRoleNames(Aws.STACK_NAME).replace('*', name) } : {},
    may: [
      ...(isEntering ? [enters] : []),
      ...(lists && asksOrganizations(organization) ? [listsAccounts] : []),
      ...(lists && organization.organizationalUnits !== undefined ? namesUnits(partition) : []),
      ...(asksForRegions ? [asksItself] : []),
    ],
    environment: { MEMBER_ROLE: memberRoleOf({ organization }) },
  };
}
