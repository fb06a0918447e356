/** Whether the role of the function that makes a call may make it: IAM is asked, as AWS's services ask it. */
import { type IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { GetFunctionConfigurationCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { jsonOrNull } from '../../core/json.ts';
import type { AwsCall } from './aws-call.ts';

interface Asking {
  iam: IAMClient;
  lambda: LambdaClient;
  account: string;
}

/** What the call is about, for the two calls of the stand-ins that policies name a resource for. */
function resourcesOf({ service, operation, region }: AwsCall, account: string, text: string): string[] {
  const body = jsonOrNull(text) as Record<string, string | string[]> | null;
  if (operation === 'PutDashboard')
    return [`arn:aws:${service}::${account}:dashboard/${body?.['DashboardName']}`];
  if (operation !== 'SendCommand') return ['*'];
  const document = `arn:aws:ssm:${region}:${account}:document/${body?.['DocumentName']}`;
  const instances = (body?.['InstanceIds'] ?? []) as string[];
  return [document, ...instances.map((id) => `arn:aws:ec2:${region}:${account}:instance/${id}`)];
}

/** For the gateway: true where the role allows the call on everything that it is about. */
export function authoriser({ iam, lambda, account }: Asking) {
  const roles = new Map<string, Promise<string>>();
  const roleOf = async (FunctionName: string): Promise<string> => {
    const { Role = '' } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    return Role;
  };
  return async (call: AwsCall, text: string): Promise<boolean> => {
    const { service, operation, functionName, accessKeyId } = call;
    // CloudFormation, for whoever deploys.
    if (functionName === '' && accessKeyId === account) return true;
    // Who is no function, or does not come with the credentials of its role, is nobody.
    if (functionName === '' || !accessKeyId.startsWith('ASIA')) return false;
    const role = roles.get(functionName) ?? roleOf(functionName);
    roles.set(functionName, role);
    for (const resource of resourcesOf(call, account, text)) {
      const { EvaluationResults = [] } = await iam.send(
        new SimulatePrincipalPolicyCommand({
          PolicySourceArn: await role,
          ActionNames: [`${service}:${operation}`],
          ResourceArns: [resource],
        }),
      );
      if (!EvaluationResults.every(({ EvalDecision }) => EvalDecision === 'allowed')) return false;
    }
    return true;
  };
}
