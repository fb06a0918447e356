/** Where runs are kept. The stack may go; the findings stay, until they expire or somebody removes them. */
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';

export const runBucket = (scope: Construct, keep: Config['keep']): IBucket =>
  new Bucket(scope, 'Runs', {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.RETAIN,
    lifecycleRules: [
      { prefix: 'work/', expiration: Duration.days(keep.workDays) },
      { prefix: 'runs/', expiration: Duration.days(keep.runsDays) },
      { abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
    // CDK's own types do not hold under exactOptionalPropertyTypes: a Bucket is an IBucket.
  }) as IBucket;
