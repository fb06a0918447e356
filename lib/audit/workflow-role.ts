/** What the state machine may do: run its functions and its own children, read and write its part of the bucket. */
import { Stack } from 'aws-cdk-lib';
import { Policy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import {
  acknowledgeWildcards,
  listObjects,
  onEverything,
  onObjects,
  type Permission,
  permission,
  policyOf,
  traceRequests,
} from '../shared/permissions.ts';

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

export function workflowRole(scope: Construct, functions: readonly IFunction[], bucket: IBucket): Role {
  const { partition, region, account } = Stack.of(scope);
  const may = [
    // Without versions and aliases: there are none.
    permission(['lambda:InvokeFunction'], ...functions.map(({ functionArn }) => functionArn)),
    listObjects(bucket, 'work/'),
    onObjects(
      bucket,
      'work/',
      's3:GetObject',
      's3:PutObject',
      's3:ListMultipartUploadParts',
      's3:AbortMultipartUpload',
    ),
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

/**
 * A Distributed Map runs its items as executions of the state machine. The policy names it, so it comes after it; it is
 * part of it, so that what depends on the state machine waits for both.
 */
export function mayRunItself(stateMachine: StateMachine, role: Role): void {
  const stack = Stack.of(stateMachine);
  const executions = (which: string, actions: string[]): Permission => ({
    actions,
    resources: [
      `arn:${stack.partition}:states:${stack.region}:${stack.account}:execution:${stateMachine.stateMachineName}${which}`,
    ],
    because: 'executions have names of their own, not known before they start.',
  });
  const may = [
    permission(['states:StartExecution'], stateMachine.stateMachineArn),
    executions(':*', ['states:DescribeExecution', 'states:StopExecution']),
    executions('/*:*', ['states:RedriveExecution']),
  ];
  // CDK makes the same policy for the role that it may not change.
  stateMachine.node.tryRemoveChild('DistributedMapPolicy');
  const policy = new Policy(stateMachine, 'RunsItself', { document: policyOf(may), roles: [role] });
  acknowledgeWildcards(policy, may);
}
