/** Whether the role that makes a call may make it, of a function or of a session: IAM is asked, as AWS's services ask it. */
import { type IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { GetFunctionConfigurationCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { aboutOf, type Lookups } from './about.ts';
import type { AwsCall } from './aws-call.ts';

/** A service control policy denies it: that is not the role's. */
export type Decision = boolean | 'denied-by-organization';

interface Asking extends Lookups {
  iam: IAMClient;
  lambda: LambdaClient;
  account: string;
  /** IAM of an account; without it sessions of assumed roles may do nothing. */
  iamOf?: (account: string) => IAMClient;
}

interface AskingIam extends Lookups {
  iam: IAMClient;
  account: string;
  role: string;
}

/** What IAM says of a role and all that a call is about. */
async function decisionOf(
  { iam, role, account, ...lookups }: AskingIam,
  call: AwsCall,
  text: string,
): Promise<Decision> {
  for (const { action, resource, context = {} } of await aboutOf({ call, account, text, ...lookups })) {
    const { EvaluationResults = [] } = await iam.send(
      new SimulatePrincipalPolicyCommand({
        PolicySourceArn: role,
        ActionNames: [action],
        ResourceArns: [resource],
        ContextEntries: Object.entries({ 'aws:RequestedRegion': call.region, ...context }).map(
          ([ContextKeyName, value]) => ({
            ...{ ContextKeyName, ContextKeyType: 'string' as const, ContextKeyValues: [value] },
          }),
        ),
      }),
    );
    for (const { EvalDecision, OrganizationsDecisionDetail } of EvaluationResults) {
      if (OrganizationsDecisionDetail?.AllowedByOrganizations === false) return 'denied-by-organization';
      if (EvalDecision !== 'allowed') return false;
    }
  }
  return true;
}

/** For the gateway: sessions may do what their role may, whoever else calls may do all. */
export const sessionAuthoriser =
  ({ iamOf, ...lookups }: Lookups & Pick<Required<Asking>, 'iamOf'>) =>
  async (call: AwsCall, text: string): Promise<Decision> => {
    const { account, role } = call;
    if (account === undefined || role === undefined) return true;
    return decisionOf({ iam: iamOf(account), account, role, ...lookups }, call, text);
  };

/** For the gateway: true where the role allows the call on everything that it is about. */
export function authoriser({ iam, lambda, account, iamOf, ...lookups }: Asking) {
  const roles = new Map<string, Promise<string>>();
  const roleOf = async (FunctionName: string): Promise<string> => {
    const { Role = '' } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    return Role;
  };
  const ofSession = iamOf === undefined ? async () => false : sessionAuthoriser({ iamOf, ...lookups });
  return async (call: AwsCall, text: string): Promise<Decision> => {
    const { functionName, accessKeyId } = call;
    // The account itself: CloudFormation, for whoever deploys.
    if (functionName === '' && /^\d{12}$/.test(accessKeyId)) return true;
    if (call.role !== undefined) return ofSession(call, text);
    // Who is no function, or does not come with the credentials of its role, is nobody.
    const isOfAnother = call.account !== undefined && call.account !== account;
    if (functionName === '' || !accessKeyId.startsWith('ASIA') || isOfAnother) return false;
    const role = roles.get(functionName) ?? roleOf(functionName);
    roles.set(functionName, role);
    return decisionOf({ iam, account, role: await role, ...lookups }, call, text);
  };
}
