/** The benchmark in the account: what hosts are launched from and run, the workflow, and the cleanup behind it. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as Run } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Config } from '../../core/config/config.ts';
import { Cleanup } from './cleanup.ts';
import { BenchDocuments } from './documents.ts';
import { BenchFunctions } from './functions.ts';
import { HostTemplates } from './host-templates.ts';
import { HostsEnded } from './hosts-ended.ts';
import { BenchWorkflow } from './workflow.ts';

export interface BenchmarkProps {
  benchmark: NonNullable<Config['benchmark']>;
  bucket: IBucket;
  alarms: ITopic;
  logsDays: number;
}

export class Benchmark extends Construct {
  readonly stateMachine: StateMachine;
  readonly cleanup: LambdaFunction;

  constructor(scope: Construct, id: string, { benchmark, bucket, alarms, logsDays }: BenchmarkProps) {
    super(scope, id);
    const templates = new HostTemplates(this, 'Hosts', { benchmark, bucket });
    const documents = new BenchDocuments(this, 'Documents');
    const waiting = new TableV2(this, 'Waiting', {
      partitionKey: { name: 'commandId', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresEpochSeconds',
      billing: Billing.onDemand(),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const functions = new BenchFunctions(this, 'Functions', {
      ...{ benchmark, logsDays, bucket, waiting, templates, documents },
    });
    new Rule(this, 'CommandEnded', {
      description: 'stripewise: a command on a host of a campaign has ended',
      eventPattern: {
        source: ['aws.ssm'],
        detailType: ['EC2 Command Status-change Notification'],
        detail: {
          'document-name': Object.values(documents.names),
          status: ['Success', 'Failed', 'TimedOut', 'Cancelled'],
        },
      },
      targets: [new Run(functions.endCommand)],
    });
    new HostsEnded(this, 'HostsEnded', { templates, launchHost: functions.launchHost, logsDays });
    const { stateMachine } = new BenchWorkflow(this, 'Workflow', { functions, logsDays });
    this.stateMachine = stateMachine;
    this.cleanup = new Cleanup(this, 'Cleanup', { stateMachine, templates, alarms, logsDays }).function;
  }
}
