/** Starts the audit every so many hours; a start that does not happen lands in a queue. */
import { Duration } from 'aws-cdk-lib';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { StepFunctionsStartExecution } from 'aws-cdk-lib/aws-scheduler-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';

export class AuditSchedule extends Construct {
  /** Starts that EventBridge Scheduler gave up. */
  readonly notStarted: Queue;

  constructor(scope: Construct, id: string, props: { stateMachine: StateMachine; everyHours: number }) {
    super(scope, id);
    this.notStarted = new Queue(this, 'NotStarted', { enforceSSL: true, retentionPeriod: Duration.days(14) });
    new Schedule(this, 'Schedule', {
      description: 'stripewise: audit of the EBS volumes',
      schedule: ScheduleExpression.rate(Duration.hours(props.everyHours)),
      target: new StepFunctionsStartExecution(props.stateMachine, {
        // Without an input Scheduler would send a notification of its own.
        input: ScheduleTargetInput.fromObject({}),
        deadLetterQueue: this.notStarted,
        retryAttempts: 3,
        maxEventAge: Duration.hours(1),
      }),
    });
  }
}
