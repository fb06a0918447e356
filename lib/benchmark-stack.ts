/**
 * The benchmark in a stack of its own: where AWS refuses a part of it, the audit stays as it is. What it needs of the audit's
 * stack it finds by name when it is deployed; nothing in either template refers to the other (decision 0009).
 */
import { CfnOutput, CfnParameter, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Config } from '../core/config/config.ts';
import { auditStack, type SharedName, sharedParameter } from '../core/stacks.ts';
import { Benchmark } from './bench/benchmark.ts';
import { reserveConcurrency } from './shared/reserved-concurrency.ts';

export interface BenchmarkStackProps extends StackProps {
  config: Config;
  benchmark: NonNullable<Config['benchmark']>;
}

export class BenchmarkStack extends Stack {
  constructor(scope: Construct, id: string, { config, benchmark, ...props }: BenchmarkStackProps) {
    super(scope, id, { description: 'stripewise: benchmarks layouts of EBS volumes', ...props });
    const bucketName = this.ofAudit('RunsBucket', 'The bucket of runs, as the stack of the audit says it.');
    const topicArn = this.ofAudit('AlarmsTopic', 'The topic for alarms, as the stack of the audit says it.');
    const { stateMachine, cleanup } = new Benchmark(this, 'Benchmark', {
      ...{ benchmark, logsDays: config.keep.logsDays },
      bucket: Bucket.fromBucketName(this, 'Runs', bucketName),
      alarms: Topic.fromTopicArn(this, 'Alarms', topicArn),
    });
    if (config.functions.reserveConcurrency) reserveConcurrency([{ function: cleanup, calls: 2 }]);
    const outputs = {
      RunsBucket: bucketName,
      BenchStateMachine: stateMachine.stateMachineArn,
      BenchCleanup: cleanup.functionName,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
    Tags.of(this).add('stripewise', 'benchmark');
  }

  /** Read from Systems Manager when it is deployed. */
  private ofAudit(name: SharedName, description: string): string {
    return new CfnParameter(this, `${name}Parameter`, {
      description,
      type: 'AWS::SSM::Parameter::Value<String>',
      default: sharedParameter(auditStack, name),
    }).valueAsString;
  }
}
