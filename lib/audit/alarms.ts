/** The service watches itself. Each alarm says the impact, where the runbook is, and what can mislead. */
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { serviceMetrics } from '../../core/service-metrics.ts';

export interface AuditAlarmsProps {
  topic: ITopic;
  stateMachine: StateMachine;
  everyHours: number;
  notStarted: Queue;
  notPosted: Queue;
}

interface AlarmText {
  impact: string;
  /** The heading in docs/runbook.md. */
  runbook: string;
  trap: string;
}

const describe = ({ impact, runbook, trap }: AlarmText): string =>
  `Impact: ${impact} Runbook: docs/runbook.md#${runbook} Trap: ${trap}`;

/** A period may be a day at the most. */
const mostPeriodHours = 24;

export class AuditAlarms extends Construct {
  private readonly topic: ITopic;

  constructor(scope: Construct, id: string, props: AuditAlarmsProps) {
    super(scope, id);
    this.topic = props.topic;
    const { stateMachine, everyHours, notStarted, notPosted } = props;
    const period = Duration.minutes(5);
    const toldNothing = 'the last audit told nothing; what was told before stays as it was.';
    this.above0('AuditFailed', stateMachine.metricFailed({ period }), {
      impact: 'the last audit told nothing, unless only its report or its dashboard failed.',
      runbook: 'audit-failed',
      trap: 'throttling and failures that pass were tried again before: what is left needs a person.',
    });
    this.above0('AuditTimedOut', stateMachine.metricTimedOut({ period }), {
      impact: toldNothing,
      runbook: 'audit-timed-out',
      trap: 'its batches may all have been judged: they are collected at the end only.',
    });
    this.above0('AuditAborted', stateMachine.metricAborted({ period }), {
      impact: toldNothing,
      runbook: 'audit-aborted',
      trap: 'somebody stopped it by hand: a run never aborts itself.',
    });
    const half = Duration.minutes(Math.min(mostPeriodHours * 60, (everyHours * 60) / 2));
    const missing = new Alarm(this, 'AuditMissing', {
      alarmDescription: describe({
        impact: 'nothing is audited: no finding will be told.',
        runbook: 'audit-missing',
        trap: 'right after the first deployment it is in alarm until the first run.',
      }),
      metric: stateMachine.metricStarted({ period: half }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 3,
      treatMissingData: TreatMissingData.BREACHING,
    });
    missing.addAlarmAction(new SnsAction(this.topic));
    const partialRuns = new Metric({
      namespace: serviceMetrics.namespace,
      metricName: serviceMetrics.partialRuns,
      dimensionsMap: { service: serviceMetrics.service },
      statistic: 'Sum',
      period,
    });
    this.above0('AuditPartial', partialRuns, {
      impact: 'some volumes were not judged; the summary of the run lists them, with the reason.',
      runbook: 'audit-partial',
      trap: 'a volume that is being created or is too new is unknown for one run, and that is no fault.',
    });
    this.above0('AuditNotStarted', notStarted.metricApproximateNumberOfMessagesVisible({ period }), {
      impact: 'the scheduler could not start an audit.',
      runbook: 'audit-not-started',
      trap: 'the alarm stays until the message is taken out of the queue.',
    });
    this.above0('SlackNotPosted', notPosted.metricApproximateNumberOfMessagesVisible({ period }), {
      impact: 'people were not told in Slack; e-mail is not concerned.',
      runbook: 'slack-not-posted',
      trap: 'the alarm itself goes to Slack too: without an address in alarms.emails nobody hears it.',
    });
  }

  private above0(id: string, metric: IMetric, text: AlarmText): void {
    const alarm = new Alarm(this, id, {
      alarmDescription: describe(text),
      metric,
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }
}
