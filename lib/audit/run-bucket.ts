/**
 * Where runs are kept. The stack may go; the findings stay, until they expire or somebody removes them; or, where the
 * configuration says so, they go with it (emptied-on-destroy.ts).
 */
import { CfnDeletionPolicy, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  type IBucket,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { hostReadingsFolder } from '../../core/audit/run-keys.ts';
import { benchmarkHostsFolder } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import type { Config } from '../../core/config/config.ts';
import { wholeMessagesFolder } from '../../core/lifecycle/stored-message.ts';
import { archiveLifecycle } from '../archive/lifecycle.ts';

export function runBucket(scope: Construct, config: Config): IBucket {
  const { keep } = config;
  const bucket = new Bucket(scope, 'Runs', {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    // What a first deployment that fails leaves is nothing: CloudFormation deletes a bucket that is empty.
    removalPolicy:
      keep.removalPolicy === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    lifecycleRules: [
      { prefix: 'work/', expiration: Duration.days(keep.workDays) },
      { prefix: 'runs/', expiration: Duration.days(keep.runsDays) },
      { prefix: 'campaigns/', expiration: Duration.days(keep.runsDays) },
      // No host lives that long; what one left behind, detached, counts as the benchmark's until then.
      { prefix: benchmarkHostsFolder, expiration: Duration.days(400) },
      // Longer than a message waits in its queue, and then in that of what was not delivered.
      { prefix: wholeMessagesFolder, expiration: Duration.days(35) },
      { prefix: 'validations/', expiration: Duration.days(keep.runsDays) },
      // Written anew with each run that asks the host.
      { prefix: hostReadingsFolder, expiration: Duration.days(35) },
      // Written anew every week while its Region is audited: what is a year old is of a Region that is not any more.
      { prefix: 'catalog/', expiration: Duration.days(400) },
      ...archiveLifecycle(config),
      { abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
  });
  // An update that puts another bucket in its place is no removal of the stack: the old one stays with what it holds.
  (bucket.node.defaultChild as CfnBucket).cfnOptions.updateReplacePolicy = CfnDeletionPolicy.RETAIN;
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason:
      "its objects are made by the service and read by its own functions; access logs would need a second bucket, and CloudTrail's data events tell the same where an account wants them.",
  });
  if (config.archive !== undefined)
    Validations.of(bucket).acknowledge({
      id: 'CloudFormation-Validate::W9003',
      reason: 'CloudFormation wants sizes of objects as text, the CDK writes them as numbers.',
    });
  // CDK's own types do not hold under exactOptionalPropertyTypes: a Bucket is an IBucket.
  return bucket as IBucket;
}
