/** Starts the audit every so many hours; a start that does not happen lands in a queue. */
import { Duration, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { StepFunctionsStartExecution } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { deadLetters } from '../shared/dead-letters.ts';
import { permission, policyOf } from '../shared/permissions.ts';

export class AuditSchedule extends Construct {
  /** Starts that EventBridge Scheduler gave up. */
  readonly notStarted: Queue;

  constructor(scope: Construct, id: string, props: { stateMachine: StateMachine; everyHours: number }) {
    super(scope, id);
    this.notStarted = deadLetters(this, 'NotStarted');
    const { account } = Stack.of(this);
    const may = [
      permission(['states:StartExecution'], props.stateMachine.stateMachineArn),
      permission(['sqs:SendMessage'], this.notStarted.queueArn),
    ];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': account } },
      }),
      inlinePolicies: { May: policyOf(may) },
    });
    const schedule = new Schedule(this, 'Schedule', {
      description: 'stripewise: audit of the EBS volumes',
      schedule: ScheduleExpression.rate(Duration.hours(props.everyHours)),
      target: new StepFunctionsStartExecution(props.stateMachine, {
        // Without an input Scheduler would send a notification of its own.
        input: ScheduleTargetInput.fromObject({}),
        // With its policy in it: the first run starts as soon as the schedule is there.
        role: role.withoutPolicyUpdates(),
        deadLetterQueue: this.notStarted,
        retryAttempts: 3,
        maxEventAge: Duration.hours(1),
      }),
    });
    // The first run starts when the schedule is made: by then the state machine must have all that it may do.
    schedule.node.addDependency(props.stateMachine);
  }
}
