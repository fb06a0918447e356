/** Whether the role of the function that makes a call may make it: IAM is asked, as AWS's services ask it. */
import { type IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { GetFunctionConfigurationCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { aboutOf, type Lookups } from './about.ts';
import type { AwsCall } from './aws-call.ts';

interface Asking extends Lookups {
  iam: IAMClient;
  lambda: LambdaClient;
  account: string;
}

/** For the gateway: true where the role allows the call on everything that it is about. */
export function authoriser({ iam, lambda, account, ...lookups }: Asking) {
  const roles = new Map<string, Promise<string>>();
  const roleOf = async (FunctionName: string): Promise<string> => {
    const { Role = '' } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    return Role;
  };
  return async (call: AwsCall, text: string): Promise<boolean> => {
    const { functionName, accessKeyId } = call;
    // CloudFormation, for whoever deploys.
    if (functionName === '' && accessKeyId === account) return true;
    // Who is no function, or does not come with the credentials of its role, is nobody.
    if (functionName === '' || !accessKeyId.startsWith('ASIA')) return false;
    const role = roles.get(functionName) ?? roleOf(functionName);
    roles.set(functionName, role);
    for (const { action, resource, context = {} } of await aboutOf({ call, account, text, ...lookups })) {
      const { EvaluationResults = [] } = await iam.send(
        new SimulatePrincipalPolicyCommand({
          PolicySourceArn: await role,
          ActionNames: [action],
          ResourceArns: [resource],
          ContextEntries: Object.entries(context).map(([ContextKeyName, value]) => ({
            ...{ ContextKeyName, ContextKeyType: 'string' as const, ContextKeyValues: [value] },
          })),
        }),
      );
      if (!EvaluationResults.every(({ EvalDecision }) => EvalDecision === 'allowed')) return false;
    }
    return true;
  };
}
