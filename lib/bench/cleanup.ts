/** Removes what campaigns leave: by the clock, and as soon as one ends in another way than by itself. */
import { Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as Run } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Env as SweepEnv } from '../../lambdas/clean-up-orphans/env.ts';
import { NodeFunction } from '../shared/node-function.ts';
import type { Permission } from '../shared/permissions.ts';
import { endHosts, findInstances } from './host-permissions.ts';
import type { HostTemplates } from './host-templates.ts';

export interface CleanupProps {
  stateMachine: StateMachine;
  /** What hosts are launched from. */
  templates: HostTemplates;
  /** Of the service itself. */
  alarms: ITopic;
  logsDays: number;
}

const every = Duration.minutes(15);

export class Cleanup extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, { stateMachine, templates, alarms, logsDays }: CleanupProps) {
    super(scope, id);
    const { partition, region, account } = Stack.of(this);
    const lookAtCampaigns: Permission = {
      actions: ['states:DescribeExecution'],
      resources: [
        `arn:${partition}:states:${region}:${account}:execution:${stateMachine.stateMachineName}:*`,
      ],
      reason: 'campaigns have names of their own, not known before they start.',
    };
    const { function: cleanUp } = new NodeFunction<SweepEnv>(this, 'CleanUpOrphans', {
      name: 'clean-up-orphans',
      description: 'stripewise: removes what campaigns have left',
      environment: { STATE_MACHINE_ARN: stateMachine.stateMachineArn, ...templates.origin },
      memoryMiB: 512,
      timeout: Duration.minutes(5),
      logsDays,
      may: [findInstances, endHosts(this, templates), lookAtCampaigns],
    });
    this.function = cleanUp;
    new Rule(this, 'ByTheClock', {
      description: 'stripewise: what campaigns have left is removed',
      schedule: Schedule.rate(every),
      targets: [new Run(cleanUp)],
    });
    new Rule(this, 'WhenOneEnds', {
      description: 'stripewise: a campaign has ended, in whatever way',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: {
          stateMachineArn: [stateMachine.stateMachineArn],
          status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
        },
      },
      targets: [new Run(cleanUp)],
    });
    const failing = new Alarm(this, 'Failing', {
      alarmDescription:
        'Impact: an instance or a volume of a benchmark may stay and cost money: the cleanup failed twice in a row. Runbook: docs/operate/runbook.md#cleanup-fails Trap: hosts also shut themselves down at their time, and their volumes go with them.',
      metric: cleanUp.metricErrors({ period: every, statistic: 'Sum' }),
      threshold: 1,
      evaluationPeriods: 2,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    const missing = new Alarm(this, 'Missing', {
      alarmDescription:
        'Impact: an instance of a benchmark whose own shutdown failed stays and costs money: the cleanup did not run for three quarters of an hour. Runbook: docs/operate/runbook.md#cleanup-is-missing Trap: right after the first deployment it is in alarm until the first run.',
      metric: cleanUp.metricInvocations({ period: every, statistic: 'Sum' }),
      threshold: 1,
      evaluationPeriods: 3,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.BREACHING,
    });
    const throttled = new Alarm(this, 'Throttled', {
      alarmDescription:
        'Impact: the cleanup comes late: what a benchmark left costs money for longer. Runbook: docs/operate/runbook.md#functions-throttled Trap: the account shares its concurrency: another application may use it up.',
      metric: cleanUp.metricThrottles({ period: every, statistic: 'Sum' }),
      threshold: 1,
      evaluationPeriods: 2,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    for (const alarm of [failing, missing, throttled]) {
      alarm.addAlarmAction(new SnsAction(alarms));
      alarm.addOkAction(new SnsAction(alarms));
    }
  }
}
