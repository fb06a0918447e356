/** The service watches itself. Each alarm says the impact, where the runbook is, and what can mislead. */
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { minutesPerHour } from '../../core/units.ts';
import { ownMetric } from './own-metric.ts';

export interface AlarmsProps {
  topic: ITopic;
  stateMachine: StateMachine;
  everyHours: number;
  notStarted: Queue;
  deadLetters: Queue;
  notifyFindings: IFunction;
  deliverMessages: IFunction;
  /** Null where there is none. */
  notifyDigest: IFunction | null;
  watchVolumes: IFunction | null;
  /** Of changes of volumes; null where there are none. */
  changes: { advance: IFunction; stateMachine: StateMachine } | null;
  /** Null: no bound. */
  apiUsdPerMonth: number | null;
}

interface AlarmText {
  impact: string;
  /** The heading in docs/operate/runbook.md. */
  runbook: string;
  trap: string;
}

const describe = ({ impact, runbook, trap }: AlarmText): string =>
  `Impact: ${impact} Runbook: docs/operate/runbook.md#${runbook} Trap: ${trap}`;

/** A period may be a day at the most. */
const maxPeriodHours = 24;
const period = Duration.minutes(5);

export class Alarms extends Construct {
  private readonly topic: ITopic;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.topic = props.topic;
    this.ofAudits(props);
    this.ofNotifications(props);
    if (props.watchVolumes !== null) this.ofMonitoring(props.watchVolumes);
    if (props.changes !== null) this.ofChanges(props.changes);
    this.ofThrottling(props);
    if (props.apiUsdPerMonth !== null) this.ofCost(props.apiUsdPerMonth);
  }

  private ofAudits({ stateMachine, everyHours, notStarted }: AlarmsProps): void {
    const sentNothing = 'the last audit sent nothing; earlier notifications stay as they were.';
    this.above('AuditFailed', stateMachine.metricFailed({ period }), {
      impact: 'the last audit sent no notification, unless only its report or its dashboard failed.',
      runbook: 'audit-failed',
      trap: 'throttling and failures that pass were tried again before: what is left needs a person.',
    });
    this.above('AuditTimedOut', stateMachine.metricTimedOut({ period }), {
      impact: sentNothing,
      runbook: 'audit-timed-out',
      trap: 'its batches may all have been evaluated: they are collected at the end only.',
    });
    this.above('AuditAborted', stateMachine.metricAborted({ period }), {
      impact: sentNothing,
      runbook: 'audit-aborted',
      trap: 'somebody stopped it by hand: a run never aborts itself.',
    });
    const half = Duration.minutes(Math.min(maxPeriodHours, everyHours / 2) * minutesPerHour);
    this.missing('AuditMissing', stateMachine.metricStarted({ period: half }), {
      impact: 'no audit runs: nobody is notified of its findings.',
      runbook: 'audit-missing',
      trap: 'right after the first deployment it is in alarm until the first run.',
    });
    this.above('AuditPartial', ownMetric('partialRuns', 'Sum'), {
      impact: 'some volumes were not evaluated; the summary of the run lists them, with the reason.',
      runbook: 'audit-partial',
      trap: 'a volume that is being created or is too new is unknown for one run, and that is no fault.',
    });
    this.above('AuditNotStarted', notStarted.metricApproximateNumberOfMessagesVisible({ period }), {
      impact: 'the scheduler could not start an audit.',
      runbook: 'audit-not-started',
      trap: 'the alarm stays until the message is taken out of the queue.',
    });
  }

  private ofNotifications({ deadLetters, notifyFindings, deliverMessages, notifyDigest }: AlarmsProps): void {
    this.above('DeadLetters', deadLetters.metricApproximateNumberOfMessagesVisible({ period }), {
      impact: 'a channel did not get a message; other channels are not concerned.',
      runbook: 'dead-letters',
      trap: 'the alarm goes to the channels too: without an address in alarms.emails perhaps nobody hears it.',
    });
    const again = { evaluationPeriods: 3 };
    this.above('NotificationsFail', notifyFindings.metricErrors({ period }), {
      impact: 'changes are not sent; they are kept, and sent when this works again.',
      runbook: 'notifications-fail',
      trap: 'it runs each five minutes and with each audit: one failure alone is fixed by the next one.',
      ...again,
    });
    this.missing('NotificationsMissing', notifyFindings.metricInvocations({ period }), {
      impact: 'what waited, or was left half done, is not sent before the next audit.',
      runbook: 'notifications-missing',
      trap: 'right after the first deployment it is in alarm until the first tick.',
    });
    this.above('DeliveryFails', deliverMessages.metricErrors({ period }), {
      impact: 'messages wait: each is tried 100 times within 20 h, and lies in DeadLetterQueue then.',
      runbook: 'delivery-fails',
      trap: 'a channel that refuses is no failure of the function: see dead-letters.',
      ...again,
    });
    this.above('RecordsSkipped', ownMetric('recordsSkipped', 'Sum'), {
      impact: 'nobody is notified of some findings, and no digest has them; all others are as ever.',
      runbook: 'records-skipped',
      trap: 'after a rollback it is in alarm until the later version is back, or those findings are forgotten.',
    });
    if (notifyDigest === null) return;
    this.above('DigestFailed', notifyDigest.metricErrors({ period }), {
      impact: 'the digest of the day or week is missing; changes are sent all the same.',
      runbook: 'digest-failed',
      trap: 'it is tried three times: the alarm may be over when the last one worked.',
    });
    const halfDay = Duration.hours(12);
    this.missing('DigestMissing', notifyDigest.metricInvocations({ period: halfDay }), {
      impact: 'no digest comes; changes are sent all the same.',
      runbook: 'digest-missing',
      trap: 'right after the first deployment it is in alarm until the first call, which comes each day; a weekly digest is sent on one of them.',
    });
  }

  private ofMonitoring(watchVolumes: IFunction): void {
    this.above('MonitoringFails', watchVolumes.metricErrors({ period }), {
      impact: 'volumes are not watched between audits: the next audit reports throttling and empty buckets.',
      runbook: 'monitoring-fails',
      trap: 'a tick that fails is made up for by the next one: the alarm waits for a quarter of an hour.',
      evaluationPeriods: 3,
    });
    this.missing('MonitoringMissing', watchVolumes.metricInvocations({ period }), {
      impact: 'volumes are not watched between audits.',
      runbook: 'monitoring-missing',
      trap: 'right after the first deployment it is in alarm until the first tick.',
    });
    this.above('MonitoringPartial', ownMetric('monitoringUnread', 'Maximum'), {
      impact: 'some volumes are not watched; the log of the function says which, and why.',
      runbook: 'monitoring-partial',
      trap: 'CloudWatch may throttle for minutes while an audit reads: the alarm waits for an hour.',
      evaluationPeriods: 12,
    });
  }

  private ofChanges({ advance, stateMachine }: NonNullable<AlarmsProps['changes']>): void {
    this.above('ChangesFail', advance.metricErrors({ period: Duration.minutes(15) }), {
      impact: 'changes of volumes do not go on, and an undo may wait; nothing is modified twice.',
      runbook: 'a-change-is-stuck',
      trap: 'each step is tried again after a quarter of an hour: one failure alone is fixed by the next try.',
      evaluationPeriods: 3,
    });
    const sum = new MathExpression({
      ...{ period, label: 'executions that ended without the end of their change' },
      expression: 'failed + timedOut + aborted',
      usingMetrics: {
        failed: stateMachine.metricFailed({ period }),
        timedOut: stateMachine.metricTimedOut({ period }),
        aborted: stateMachine.metricAborted({ period }),
      },
    });
    this.above('ChangeExecutionEnded', sum, {
      impact: 'a change is open and nothing looks at it any more.',
      runbook: 'a-change-is-stuck',
      trap: 'somebody may have stopped the execution by hand: the change is open all the same.',
    });
  }

  /** A call that is throttled counts neither as invocation nor as error. Steps of the workflow are tried again, and fail loudly. */
  private ofThrottling({ notifyFindings, notifyDigest, watchVolumes, deliverMessages }: AlarmsProps): void {
    const functions = { notifyFindings, notifyDigest, watchVolumes, deliverMessages };
    const usingMetrics = Object.fromEntries(
      Object.entries(functions).flatMap(([name, one]) =>
        one === null ? [] : [[name, one.metricThrottles({ period })]],
      ),
    );
    const sum = new MathExpression({
      ...{ period, usingMetrics, label: 'throttled calls' },
      expression: `SUM([${Object.keys(usingMetrics).join(', ')}])`,
    });
    this.above('FunctionsThrottled', sum, {
      impact: 'what is called by the clock or by a queue comes late, or not at all.',
      runbook: 'functions-throttled',
      trap: 'the account shares its concurrency: another application may use it up.',
      evaluationPeriods: 3,
    });
  }

  private ofCost(apiUsdPerMonth: number): void {
    this.above(
      'CostAboveBudget',
      ownMetric('apiUsdOfMonth', 'Maximum'),
      {
        impact:
          'reading metrics cost more this month than budget.apiUsdPerMonth; monitoring polls as rarely as it can.',
        runbook: 'cost-above-budget',
        trap: 'the budget does not limit audits: where they alone cost more, the alarm comes each month.',
      },
      apiUsdPerMonth,
    );
  }

  private above(
    id: string,
    metric: IMetric,
    { evaluationPeriods = 1, ...text }: AlarmText & { evaluationPeriods?: number },
    threshold = 0,
  ): void {
    this.alarm(id, metric, text, {
      ...{ threshold, evaluationPeriods, comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD },
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }

  /** Nothing in three periods. */
  private missing(id: string, metric: IMetric, text: AlarmText): void {
    this.alarm(id, metric, text, {
      ...{ threshold: 1, evaluationPeriods: 3, comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD },
      treatMissingData: TreatMissingData.BREACHING,
    });
  }

  private alarm(
    id: string,
    metric: IMetric,
    text: AlarmText,
    when: {
      threshold: number;
      evaluationPeriods: number;
      comparisonOperator: ComparisonOperator;
      treatMissingData: TreatMissingData;
    },
  ): void {
    const alarm = new Alarm(this, id, { alarmDescription: describe(text), metric, ...when });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
  }
}
