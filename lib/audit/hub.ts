/** What a function of the hub has beside its own rights, to read the accounts of an organization. */
import { Aws } from 'aws-cdk-lib';
import type { Config } from '../../core/config/config.ts';
import type { Permission } from '../shared/permissions.ts';

export interface HubRights {
  /** Fixed, so that members can trust it by name; undefined where there is no organization. */
  roleName: string | undefined;
  may: Permission[];
}

/** @param fn its name, such as WatchVolumes. */
export function hubRights(fn: string, { organization }: Pick<Config, 'organization'>): HubRights {
  if (organization === undefined) return { roleName: undefined, may: [] };
  return {
    roleName: `${Aws.STACK_NAME}-hub-${fn}`,
    may: [
      {
        actions: ['sts:AssumeRole'],
        resources: [`arn:${Aws.PARTITION}:iam::*:role/${organization.memberRoleName}`],
        reason: 'accounts come and go; each of them says in its role whom it lets in.',
      },
    ],
  };
}
