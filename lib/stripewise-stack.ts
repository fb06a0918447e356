/** Everything that the audit is in an account: one stack, so that it is one thing to deploy and to remove. */
import { Aws, CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import { CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { Advisory } from './advisory/advisory.ts';
import { AuditAlarms } from './audit/alarms.ts';
import { EmptiedOnDestroy } from './audit/emptied-on-destroy.ts';
import { AuditFunctions } from './audit/functions.ts';
import { runBucket } from './audit/run-bucket.ts';
import { AuditSchedule } from './audit/schedule.ts';
import { AuditWorkflow } from './audit/workflow.ts';
import { Benchmark } from './bench/benchmark.ts';
import type { Config } from './config.ts';
import { ReportLinks } from './report/report-links.ts';

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
    const functions = new AuditFunctions(this, 'Audit', { config, bucket, dashboardName });
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
    if (!keep.findingsOnDestroy) {
      const writers = [functions, workflow, ...(benchmark === null ? [] : [benchmark])];
      new EmptiedOnDestroy(this, 'EmptiedOnDestroy', { bucket, logsDays: keep.logsDays, writers });
    }
    const { stateMachine } = workflow;
    const { notStarted } = new AuditSchedule(this, 'Schedule', {
      stateMachine,
      everyHours: audit.everyHours,
    });
    new AuditAlarms(this, 'Alarms', {
      topic: advisory.alarms,
      stateMachine,
      everyHours: audit.everyHours,
      notStarted,
      notPosted: advisory.notPosted,
    });
    const outputs = {
      RunsBucket: bucket.bucketName,
      AuditStateMachine: stateMachine.stateMachineArn,
      Dashboard: dashboardName,
      FindingsTopic: advisory.findings.topicArn,
      SlackWebhookSecret: advisory.slackWebhook.secretArn,
      ...(links === null ? {} : { ReportLinks: links.url, ReportLinkKey: links.key.secretArn }),
      NotStartedQueue: notStarted.queueUrl,
      NotPostedQueue: advisory.notPosted.queueUrl,
      ...(benchmark === null
        ? {}
        : {
            BenchStateMachine: benchmark.stateMachine.stateMachineArn,
            BenchJanitor: benchmark.janitor,
          }),
      ...(functions.stripesDocument === null ? {} : { StripesDocument: functions.stripesDocument }),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
    Tags.of(this).add('stripewise', 'audit');
  }
}
