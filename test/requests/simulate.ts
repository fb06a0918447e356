/** IAM's decision over a role as it is deployed, and over policies of an organization, by @cloud-copilot/iam-simulate. */
import { runSimulation } from '@cloud-copilot/iam-simulate';
import type { About } from '../../local/gateway/about.ts';
import { localAccount } from '../../local/services.ts';

export interface Policy {
  Version: string;
  Statement: {
    Effect: string;
    Action?: string | string[];
    NotAction?: string | string[];
    Resource: unknown;
    Condition?: unknown;
  }[];
}

export interface RolePolicies {
  roleName: string;
  policies: { name: string; policy: Policy }[];
}

export interface Decision {
  allowed: boolean;
  /** Resources of the statements that allow it, as they are written there. */
  by: string[];
  /** Why not, in a word. */
  reason: string;
}

const allowAll: Policy = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }],
};

/** The simulation knows parameters of accounts alone; those that AWS publishes have none, in policies and in requests alike. */
const ofAnAccount = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value).replaceAll('::parameter/aws/', `:${localAccount}:parameter/aws/`),
  ) as Value;

const asWritten = (resource: string): string =>
  resource.replace(`:${localAccount}:parameter/aws/`, '::parameter/aws/');

/** @param organization service control policies beside the one that allows all. */
export async function decide(
  { roleName, policies }: RolePolicies,
  { action, resource, context = {} }: About,
  organization: readonly { name: string; policy: Policy }[] = [],
): Promise<Decision> {
  const ran = await runSimulation(
    {
      request: {
        ...{ principal: `arn:aws:sts::${localAccount}:assumed-role/${roleName}/session`, action },
        resource: { resource: ofAnAccount(resource), accountId: localAccount },
        contextVariables: { ...context },
      },
      identityPolicies: ofAnAccount(policies),
      serviceControlPolicies: [
        { orgIdentifier: 'root', policies: [{ name: 'all', policy: allowAll }, ...organization] },
      ],
      resourceControlPolicies: [],
    },
    {},
  );
  if (ran.resultType === 'error') return { allowed: false, by: [], reason: ran.errors.message };
  const results = ran.resultType === 'single' ? [ran.result] : ran.results;
  const by = results.flatMap(({ analysis }) =>
    (analysis.identityAnalysis?.allowStatements ?? []).flatMap(({ explain: { resources = [] } }) =>
      [resources].flat().flatMap((one) => (one.matches ? [asWritten(one.resource)] : [])),
    ),
  );
  return { allowed: ran.overallResult === 'Allowed', by, reason: ran.overallResult };
}
