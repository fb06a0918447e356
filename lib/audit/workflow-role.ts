/** What the state machine may do beside running its functions: its own children, and its part of the bucket. */
import { Stack } from 'aws-cdk-lib';
import { Policy, type Role } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import {
  acknowledgeWildcards,
  listObjects,
  onObjects,
  type Permission,
  permission,
  policyOf,
} from '../shared/permissions.ts';

export const workflowMay = (bucket: IBucket): Permission[] => [
  listObjects(bucket, 'work/'),
  onObjects(
    bucket,
    'work/',
    's3:GetObject',
    's3:PutObject',
    's3:ListMultipartUploadParts',
    's3:AbortMultipartUpload',
  ),
];

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
    reason: 'executions have names of their own, not known before they start.',
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
