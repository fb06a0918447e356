/** Everything that the audit is in an account: one stack, so that it is one thing to deploy and to remove. */
import { Aws, CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import { CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Config } from '../core/config/config.ts';
import { Advisory } from './advisory/advisory.ts';
import { messagesAtOnce } from './advisory/delivery.ts';
import { EmptiedOnDestroy } from './audit/emptied-on-destroy.ts';
import { AuditFunctions } from './audit/functions.ts';
import { runBucket } from './audit/run-bucket.ts';
import { AuditSchedule } from './audit/schedule.ts';
import { AuditWorkflow } from './audit/workflow.ts';
import { Benchmark } from './bench/benchmark.ts';
import { Alarms } from './health/alarms.ts';
import { OwnDashboard } from './health/own-dashboard.ts';
import { Pulse } from './pulse/pulse.ts';
import { ReportLinks } from './report/report-links.ts';
import { reserveConcurrency } from './shared/reserved-concurrency.ts';
import { tableOnDemand } from './shared/table.ts';

export interface StripewiseStackProps extends StackProps {
  config: Config;
}

export class StripewiseStack extends Stack {
  constructor(scope: Construct, id: string, { config, ...props }: StripewiseStackProps) {
    super(scope, id, {
      description: 'stripewise: audits EBS volumes and tells what holds them back',
      ...props,
    });
    const { audit, keep, report } = config;
    const bucket = runBucket(this, keep);
    // A resource, so that it goes with the stack; what it shows is drawn by each run. Who draws refers to it, and so goes
    // before it: a run that is still under way would put back what is gone.
    const { ref: dashboardName } = new CfnDashboard(this, 'VolumesAtRisk', {
      dashboardName: `${Aws.STACK_NAME}-volumes-at-risk`,
      dashboardBody: JSON.stringify({
        widgets: [
          { type: 'text', width: 24, height: 3, properties: { markdown: '## Drawn by the first audit' } },
        ],
      }),
    });
    const links = report.links ? new ReportLinks(this, 'Links', { bucket, logsDays: keep.logsDays }) : null;
    const advisory = new Advisory(this, 'Advisory', { config, bucket, links });
    const spend = tableOnDemand(this, 'Spend', { key: 'month', timeToLiveAttribute: 'expires' });
    const functions = new AuditFunctions(this, 'Audit', { config, bucket, dashboardName, spend });
    const workflow = new AuditWorkflow(this, 'Workflow', {
      functions,
      tellFindings: advisory.tellFindings,
      bucket,
      batchesAtOnce: audit.batchesAtOnce,
      logsDays: keep.logsDays,
    });
    const benchmark =
      config.benchmark === undefined
        ? null
        : new Benchmark(this, 'Benchmark', {
            ...{ benchmark: config.benchmark, bucket, logsDays: keep.logsDays },
            alarms: advisory.alarms,
          });
    const { stateMachine } = workflow;
    const { notStarted } = new AuditSchedule(this, 'Schedule', {
      stateMachine,
      everyHours: audit.everyHours,
    });
    const pulse = config.pulse.enabled
      ? new Pulse(this, 'Pulse', {
          ...{ config, bucket, findings: advisory.records, spend },
          tellFindings: advisory.tellFindings,
        })
      : null;
    if (!keep.findingsOnDestroy) {
      const writers = [advisory, functions, workflow, benchmark, pulse].filter((writer) => writer !== null);
      new EmptiedOnDestroy(this, 'EmptiedOnDestroy', { bucket, logsDays: keep.logsDays, writers });
    }
    if (config.functions.reserveConcurrency)
      reserveConcurrency([
        // Audits, the pulse and its own schedule call it.
        { function: advisory.tellFindings, calls: 5 },
        { function: advisory.tellDigest, calls: 1 },
        { function: advisory.delivery.deliver, calls: messagesAtOnce },
        { function: pulse?.watchVolumes ?? null, calls: 2 },
        { function: benchmark?.janitor ?? null, calls: 2 },
        // Anybody can call these.
        { function: links?.openReport ?? null, calls: 5 },
        { function: advisory.actions?.function ?? null, calls: 5 },
      ]);
    this.watchItself(config, { advisory, functions, pulse, stateMachine, notStarted });
    const { actions, delivery } = advisory;
    const outputs = {
      RunsBucket: bucket.bucketName,
      AuditStateMachine: stateMachine.stateMachineArn,
      Dashboard: dashboardName,
      FindingsTopic: advisory.findings.topicArn,
      ChannelSecrets: advisory.secrets.secretArn,
      SpendTable: spend.tableName,
      ...(delivery.topics.byChannel.size === 0 ? {} : { ChannelTopics: delivery.topics.asText() }),
      ...(actions === null ? {} : { SlackActions: actions.url }),
      ...(links === null ? {} : { ReportLinks: links.url, ReportLinkKey: links.key.secretArn }),
      NotStartedQueue: notStarted.queueUrl,
      DeliveriesQueue: delivery.queue.queueUrl,
      NotDeliveredQueue: delivery.notDelivered.queueUrl,
      ...(benchmark === null
        ? {}
        : {
            BenchStateMachine: benchmark.stateMachine.stateMachineArn,
            BenchJanitor: benchmark.janitor.functionName,
          }),
      ...(functions.stripesDocument === null ? {} : { StripesDocument: functions.stripesDocument }),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
    Tags.of(this).add('stripewise', 'audit');
  }
  /** Alarms, and a dashboard of what it does and costs. */
  private watchItself(
    { audit, budget }: Config,
    {
      advisory,
      functions,
      pulse,
      stateMachine,
      notStarted,
    }: {
      advisory: Advisory;
      functions: AuditFunctions;
      pulse: Pulse | null;
      stateMachine: StateMachine;
      notStarted: Queue;
    },
  ): void {
    const { apiUsdPerMonth } = budget;
    const { delivery, tellDigest, tellFindings } = advisory;
    const watchVolumes = pulse?.watchVolumes ?? null;
    new Alarms(this, 'Alarms', {
      ...{ topic: advisory.alarms, stateMachine, everyHours: audit.everyHours, notStarted },
      ...{ tellFindings, tellDigest, watchVolumes, apiUsdPerMonth },
      ...{ notDelivered: delivery.notDelivered, deliverMessages: delivery.deliver },
    });
    const named = {
      ...{ 'judge-batch': functions.judgeBatch, 'collect-findings': functions.collectFindings },
      ...{ 'write-report': functions.writeReport, 'tell-findings': tellFindings },
      ...{ 'deliver-messages': delivery.deliver },
      ...(tellDigest === null ? {} : { 'tell-digest': tellDigest }),
      ...(watchVolumes === null ? {} : { 'watch-volumes': watchVolumes }),
    };
    new OwnDashboard(this, 'Itself', {
      ...{ stateMachine, apiUsdPerMonth },
      ...{ deliveries: delivery.queue, notDelivered: delivery.notDelivered },
      functions: Object.entries(named).map(([name, one]) => ({ name, function: one })),
    });
  }
}
