/** What the CDK's bootstrap left in an account, what its roles may do, and Lambda's concurrency. */
import { IAMClient, paginateSimulatePrincipalPolicy } from '@aws-sdk/client-iam';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { Config } from '../../../core/config/config.ts';
import {
  actionsToDeploy,
  bootstrapParameter,
  cdkRole,
  type Place,
} from '../../../core/doctor/deploy-checks.ts';
import type { DeployFacts, Read, SimulatedAction } from '../../../core/doctor/facts.ts';
import { Unreadable } from '../../../core/errors.ts';
import { type Asking, asked, askedOnly, clientOf } from './asked.ts';

const isNamed = (error: unknown, ...names: string[]): boolean => names.includes((error as Error).name);

const bootstrapVersion = (asking: Asking): Promise<Read<number | null>> =>
  asked('ssm:GetParameter', asking.session.region, async () => {
    try {
      const client = clientOf(SSMClient, asking);
      const { Parameter } = await client.send(new GetParameterCommand({ Name: bootstrapParameter }));
      const version = Number(Parameter?.Value);
      if (!Number.isInteger(version)) throw new Unreadable(`${bootstrapParameter} is not a version`);
      return version;
    } catch (error) {
      if (isNamed(error, 'ParameterNotFound')) return null;
      throw error;
    }
  });

/** The shortest session that there is; its credentials are dropped with the reply. */
const assumed = async (asking: Asking, role: string): Promise<DeployFacts['roles'][number]> => ({
  role,
  notRead: await askedOnly('sts:AssumeRole', asking.session.region, () =>
    clientOf(STSClient, asking).send(
      new AssumeRoleCommand({ RoleArn: role, RoleSessionName: 'stripewise-doctor', DurationSeconds: 900 }),
    ),
  ),
});

/** With what policies of organizations ask about most: the Region, and whether a Function URL is public. */
const simulated = (
  asking: Asking,
  role: string,
  actions: readonly string[],
): Promise<Read<SimulatedAction[] | null>> =>
  asked('iam:SimulatePrincipalPolicy', asking.session.region, async () => {
    const context = (key: string, value: string) => ({
      ...{ ContextKeyName: key, ContextKeyType: 'string' as const, ContextKeyValues: [value] },
    });
    const request = {
      PolicySourceArn: role,
      ActionNames: [...actions],
      ContextEntries: [
        context('aws:RequestedRegion', asking.session.region),
        context('lambda:FunctionUrlAuthType', 'NONE'),
        context('iam:PassedToService', 'lambda.amazonaws.com'),
      ],
    };
    try {
      const results: SimulatedAction[] = [];
      const client = clientOf(IAMClient, asking);
      for await (const { EvaluationResults = [] } of paginateSimulatePrincipalPolicy({ client }, request))
        for (const one of EvaluationResults)
          results.push({
            action: one.EvalActionName ?? '',
            isAllowed: one.EvalDecision === 'allowed',
            allowedByOrganization: one.OrganizationsDecisionDetail?.AllowedByOrganizations ?? null,
            allowedByBoundary: one.PermissionsBoundaryDecisionDetail?.AllowedByPermissionsBoundary ?? null,
          });
      const left = actions.filter((action) => !results.some((one) => one.action === action));
      if (left.length > 0) throw new Unreadable(`nothing came of ${left.join(', ')}`);
      return results;
    } catch (error) {
      if (isNamed(error, 'NoSuchEntity', 'NoSuchEntityException')) return null;
      throw error;
    }
  });

const unreservedConcurrency = (asking: Asking): Promise<Read<number>> =>
  asked('lambda:GetAccountSettings', asking.session.region, async () => {
    const { AccountLimit } = await clientOf(LambdaClient, asking).send(new GetAccountSettingsCommand({}));
    const calls = AccountLimit?.UnreservedConcurrentExecutions ?? AccountLimit?.ConcurrentExecutions;
    if (calls === undefined) throw new Unreadable('no limit came');
    return calls;
  });

export async function deployFacts(asking: Asking, place: Place, config: Config): Promise<DeployFacts> {
  const executionRole = cdkRole('cfn-exec', place);
  const roles = [cdkRole('deploy', place), cdkRole('file-publishing', place)];
  const [version, assumedRoles, ofExecution, concurrency] = await Promise.all([
    bootstrapVersion(asking),
    Promise.all(roles.map((role) => assumed(asking, role))),
    simulated(asking, executionRole, actionsToDeploy(config)),
    unreservedConcurrency(asking),
  ]);
  return {
    ...{ bootstrapVersion: version, roles: assumedRoles, executionRole },
    ...{ simulated: ofExecution, unreservedConcurrency: concurrency },
  };
}
