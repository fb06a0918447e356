/** What every state machine has: a role that may run its functions, and logs. */
import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { LogLevel, type LogOptions } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import {
  acknowledgeWildcards,
  onEverything,
  type Permission,
  permission,
  policyOf,
  traceRequests,
} from './permissions.ts';

const deliverLogs = onEverything(
  'the log deliveries of an account know no resources.',
  'logs:CreateLogDelivery',
  'logs:DeleteLogDelivery',
  'logs:DescribeLogGroups',
  'logs:DescribeResourcePolicies',
  'logs:GetLogDelivery',
  'logs:ListLogDeliveries',
  'logs:PutResourcePolicy',
  'logs:UpdateLogDelivery',
);

/** @param others what it may do beside running its functions. */
export function workflowRole(
  scope: Construct,
  functions: readonly IFunction[],
  others: readonly Permission[],
): Role {
  const { partition, region, account } = Stack.of(scope);
  const may = [
    // Without versions and aliases: there are none.
    permission(['lambda:InvokeFunction'], ...functions.map(({ functionArn }) => functionArn)),
    ...others,
    deliverLogs,
    traceRequests,
  ];
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('states.amazonaws.com', {
      conditions: {
        StringEquals: { 'aws:SourceAccount': account },
        ArnLike: { 'aws:SourceArn': `arn:${partition}:states:${region}:${account}:stateMachine:*` },
      },
    }),
    inlinePolicies: { May: policyOf(may) },
  });
  acknowledgeWildcards(role, may);
  return role;
}

/** @param includeExecutionData what states are given and return; false where that includes task tokens. */
export const workflowLogs = (
  scope: Construct,
  name: string,
  { logsDays, includeExecutionData }: { logsDays: number; includeExecutionData: boolean },
): LogOptions => ({
  destination: new LogGroup(scope, 'Logs', {
    // Vended logs have a resource policy of 5,120 characters for all groups of an account; this prefix needs no entry.
    logGroupName: `/aws/vendedlogs/states/${Aws.STACK_NAME}-${name}`,
    retention: logsDays,
    removalPolicy: RemovalPolicy.DESTROY,
  }),
  level: LogLevel.ALL,
  includeExecutionData,
});
