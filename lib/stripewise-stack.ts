/** Everything that the audit is in an account: one stack, so that it is one thing to deploy and to remove. */
import { Aws, CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import { CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { changesOf } from '../core/config/changes.ts';
import type { Config } from '../core/config/config.ts';
import { notIncluded } from '../core/config/explain.ts';
import { maxHoursOf } from '../core/config/variables.ts';
import { shards } from '../core/monitoring/shards.ts';
import { type SharedName, sharedParameter } from '../core/stacks.ts';
import { ArchiveQuestions } from './archive/archive-questions.ts';
import { EmptiedOnDestroy } from './audit/emptied-on-destroy.ts';
import { AuditFunctions } from './audit/functions.ts';
import { runBucket } from './audit/run-bucket.ts';
import { AuditSchedule } from './audit/schedule.ts';
import { AuditWorkflow } from './audit/workflow.ts';
import { Changes } from './changes/changes.ts';
import { Alarms } from './health/alarms.ts';
import { dashboardName, OwnDashboard } from './health/own-dashboard.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { messagesAtOnce } from './notifications/delivery.ts';
import { Notification } from './notifications/notifications.ts';
import { ReportLinks } from './report/report-links.ts';
import { reserveConcurrency } from './shared/reserved-concurrency.ts';
import { tableOnDemand } from './shared/table.ts';

export interface StripewiseStackProps extends StackProps {
  config: Config;
}

export class StripewiseStack extends Stack {
  constructor(scope: Construct, id: string, { config, ...props }: StripewiseStackProps) {
    super(scope, id, {
      description: 'stripewise: audits EBS volumes and tells what throttles them',
      ...props,
    });
    const { archive, audit, keep, report } = config;
    const bucket = runBucket(this, config);
    // A resource, so that it goes with the stack; what it shows is drawn by each run. Who draws refers to it, and so goes
    // before it: a run that is still under way would put back what is gone.
    const { ref: volumesAtRisk } = new CfnDashboard(this, 'VolumesAtRisk', {
      dashboardName: dashboardName('volumes-at-risk'),
      dashboardBody: JSON.stringify({
        widgets: [
          { type: 'text', width: 24, height: 3, properties: { markdown: '## Drawn by the first audit' } },
        ],
      }),
    });
    const links = report.links ? new ReportLinks(this, 'Links', { bucket, logsDays: keep.logsDays }) : null;
    const notifications = new Notification(this, 'Notifications', { config, bucket, links });
    const spend = tableOnDemand(this, 'Spend', { key: 'month', timeToLiveAttribute: 'expires' });
    const functions = new AuditFunctions(this, 'Audit', {
      config,
      bucket,
      dashboardName: volumesAtRisk,
      spend,
    });
    const workflow = new AuditWorkflow(this, 'Workflow', {
      functions,
      notifyFindings: notifications.notifyFindings,
      bucket,
      batchesAtOnce: audit.batchesAtOnce,
      maxHours: maxHoursOf(audit),
      logsDays: keep.logsDays,
      organization: config.organization ?? null,
    });
    const { stateMachine } = workflow;
    const { notStarted } = new AuditSchedule(this, 'Schedule', {
      stateMachine,
      everyHours: audit.everyHours,
    });
    const monitoring = config.monitoring.enabled
      ? new Monitoring(this, 'Monitoring', {
          ...{ config, bucket, findings: notifications.records, spend },
          notifyFindings: notifications.notifyFindings,
        })
      : null;
    const questions =
      archive === undefined ? null : new ArchiveQuestions(this, 'Archive', { config, archive, bucket });
    const ofChanges = changesOf(config);
    const changes =
      ofChanges === null
        ? null
        : new Changes(this, 'Changes', {
            ...{ config, changes: ofChanges, bucket },
            ...{ findings: notifications.records, topic: notifications.findings },
          });
    if (changes !== null) {
      notifications.saysChangesOf(changes.ledger);
      notifications.actions?.mayDecide(changes.decide);
    }
    if (keep.removalPolicy === 'destroy') {
      const all = [notifications, functions, workflow, monitoring, questions, changes];
      const writers = all.filter((writer) => writer !== null);
      new EmptiedOnDestroy(this, 'EmptiedOnDestroy', { bucket, logsDays: keep.logsDays, writers });
    }
    if (config.functions.reserveConcurrency)
      reserveConcurrency([
        // Audits, monitoring and its own schedule call it.
        { function: notifications.notifyFindings, calls: 5 },
        { function: notifications.notifyDigest, calls: 1 },
        { function: notifications.delivery.deliver, calls: messagesAtOnce },
        // Of several accounts each shard is a call, and handing them on is another.
        {
          function: monitoring?.watchVolumes ?? null,
          calls: config.organization === undefined ? 2 : shards + 2,
        },
        // Anybody can call these.
        { function: links?.openReport ?? null, calls: 5 },
        { function: notifications.actions?.function ?? null, calls: 5 },
      ]);
    this.watchItself(config, { notifications, functions, monitoring, changes, stateMachine, notStarted });
    this.share({ RunsBucket: bucket.bucketName, AlarmsTopic: notifications.alarms.topicArn });
    const { actions, delivery } = notifications;
    // Without the benchmark, which is a stack of its own: this one is the same with it.
    const left = notIncluded(config).filter((name) => name !== 'benchmark');
    const outputs = {
      RunsBucket: bucket.bucketName,
      AuditStateMachine: stateMachine.stateMachineArn,
      Dashboard: volumesAtRisk,
      FindingsTopic: notifications.findings.topicArn,
      ChannelSecrets: notifications.secrets.secretArn,
      SpendTable: spend.tableName,
      ...(questions === null
        ? {}
        : { ArchiveWorkGroup: questions.workGroup.ref, ArchiveDatabase: questions.databaseName }),
      ...(delivery.topics.byChannel.size === 0 ? {} : { ChannelTopics: delivery.topics.asText() }),
      ...(actions === null ? {} : { SlackActions: actions.url }),
      ...(links === null ? {} : { ReportLinks: links.url, ReportLinkKey: links.key.secretArn }),
      ...(changes === null
        ? {}
        : {
            ChangesUrl: changes.url,
            ChangesStateMachine: changes.stateMachine.stateMachineArn,
            ChangesTable: changes.ledger.tableName,
            ChangesKillSwitch: changes.killSwitch.parameterName,
          }),
      NotStartedQueue: notStarted.queueUrl,
      DeliveriesQueue: delivery.queue.queueUrl,
      DeadLetterQueue: delivery.deadLetters.queueUrl,
      ...(functions.stripesDocument === null ? {} : { StripesDocument: functions.stripesDocument }),
      ...(left.length === 0 ? {} : { NotIncluded: left.join(', ') }),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
    Tags.of(this).add('stripewise', 'audit');
  }

  /** By name, for the stack of the benchmark: also where there is none, so that this one is the same with it. */
  private share(names: Record<SharedName, string>): void {
    for (const [name, stringValue] of Object.entries(names))
      new StringParameter(this, `Shared${name}`, {
        ...{ parameterName: sharedParameter(Aws.STACK_NAME, name as SharedName), simpleName: false },
        description: 'stripewise: for the stack of its benchmark',
        stringValue,
      });
  }

  /** Alarms, and a dashboard of what it does and costs. */
  private watchItself(
    { audit, budget }: Config,
    {
      notifications,
      functions,
      monitoring,
      changes,
      stateMachine,
      notStarted,
    }: {
      notifications: Notification;
      functions: AuditFunctions;
      monitoring: Monitoring | null;
      changes: Changes | null;
      stateMachine: StateMachine;
      notStarted: Queue;
    },
  ): void {
    const { apiUsdPerMonth } = budget;
    const { delivery, notifyDigest, notifyFindings } = notifications;
    const watchVolumes = monitoring?.watchVolumes ?? null;
    new Alarms(this, 'Alarms', {
      ...{ topic: notifications.alarms, stateMachine, everyHours: audit.everyHours, notStarted },
      ...{ notifyFindings, notifyDigest, watchVolumes, changes, apiUsdPerMonth },
      ...{ deadLetters: delivery.deadLetters, deliverMessages: delivery.deliver },
    });
    const named = {
      ...{ 'evaluate-batch': functions.evaluateBatch, 'collect-findings': functions.collectFindings },
      ...{ 'write-report': functions.writeReport, 'notify-findings': notifyFindings },
      ...{ 'deliver-messages': delivery.deliver },
      ...(notifyDigest === null ? {} : { 'notify-digest': notifyDigest }),
      ...(watchVolumes === null ? {} : { 'watch-volumes': watchVolumes }),
    };
    new OwnDashboard(this, 'Itself', {
      ...{ stateMachine, apiUsdPerMonth },
      ...{ deliveries: delivery.queue, deadLetters: delivery.deadLetters },
      functions: Object.entries(named).map(([name, one]) => ({ name, function: one })),
    });
  }
}
