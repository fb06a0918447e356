import { Duration, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** A queue for what could not be delivered: an alarm looks at it, and a person takes out what lies in it. */
export function deadLetters(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, { enforceSSL: true, retentionPeriod: Duration.days(14) });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'it is a dead-letter queue itself; nothing consumes it, so nothing can fail to.',
  });
  return queue;
}
