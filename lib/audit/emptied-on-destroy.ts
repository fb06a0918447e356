/**
 * A bucket that goes with the stack is emptied before: CloudFormation deletes none that holds something. Removing goes in
 * the order of this file read backwards: what writes, then a custom resource whose Delete empties the bucket, then its function
 * with role and log, then the bucket. Why CDK's own (autoDeleteObjects) does not do: decision 0019.
 */
import { Aws, CustomResource, Duration } from 'aws-cdk-lib';
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Env } from '../../lambdas/empty-bucket/env.ts';
import { NodeFunction } from '../shared/node-function.ts';
import { permission } from '../shared/permissions.ts';

export interface EmptiedOnDestroyProps {
  bucket: IBucket;
  logsDays: number;
  /** Whose roles and Athena work groups may write into the bucket. */
  writers: readonly Construct[];
}

const timeout = Duration.minutes(15);

export class EmptiedOnDestroy extends Construct {
  constructor(scope: Construct, id: string, { bucket, logsDays, writers }: EmptiedOnDestroyProps) {
    super(scope, id);
    const { function: emptyBucket } = new NodeFunction<Env>(this, 'EmptyBucket', {
      name: 'empty-bucket',
      description: 'stripewise: empties the bucket of runs when the stack is deleted',
      environment: { BUCKET: bucket.bucketName },
      memoryMiB: 256,
      timeout,
      logsDays,
      may: [
        permission(['cloudformation:DescribeStacks'], Aws.STACK_ID),
        permission(['s3:ListBucketVersions'], bucket.bucketArn),
        {
          actions: ['s3:DeleteObject', 's3:DeleteObjectVersion'],
          resources: [bucket.arnForObjects('*')],
          reason: 'every object of this bucket goes with the stack.',
        },
      ],
    });
    const emptied = new CustomResource(this, 'Emptied', {
      resourceType: 'Custom::StripewiseEmptiedBucket',
      serviceToken: emptyBucket.functionArn,
      // Where the function dies without an answer, CloudFormation would wait for an hour.
      serviceTimeout: timeout.plus(Duration.minutes(5)),
    });
    // Without its role nothing that still runs can write: neither a function in the middle of a batch nor an execution.
    for (const part of writers.flatMap((writer) => writer.node.findAll())) {
      if (part instanceof CfnRole || part instanceof CfnWorkGroup) part.node.addDependency(emptied);
    }
  }
}
