/** Calls a function at times; a call that cannot be made is tried again, and then forgotten: the next one does its work too. */
import { type Duration, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Schedule, type ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import { permission, policyOf } from './permissions.ts';

export interface FunctionScheduleProps {
  description: string;
  schedule: ScheduleExpression;
  function: IFunction;
  /** What is later is left out. */
  mostLate: Duration;
}

export class FunctionSchedule extends Construct {
  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
      inlinePolicies: {
        May: policyOf([permission(['lambda:InvokeFunction'], props.function.functionArn)]),
      },
    });
    const schedule = new Schedule(this, 'Schedule', {
      description: props.description,
      schedule: props.schedule,
      target: new LambdaInvoke(props.function, {
        input: ScheduleTargetInput.fromObject({}),
        role: role.withoutPolicyUpdates(),
        retryAttempts: 2,
        maxEventAge: props.mostLate,
      }),
    });
    schedule.node.addDependency(props.function);
  }
}
