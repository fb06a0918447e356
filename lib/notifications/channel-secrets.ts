import { SecretValue, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

/** One secret for all channels, each under its name, put in by a person. */
export function channelSecrets(scope: Construct, id: string): Secret {
  const secret = new Secret(scope, id, {
    description:
      'stripewise: what channels need, by name, such as {"slack": {"webhookUrl": "https://hooks.slack.com/..."}}; null: not used',
    // Addresses are put in by hand. CloudFormation writes this where it is another than before: it is the same for every
    // configuration, so that no deployment removes what was put in.
    secretStringValue: SecretValue.unsafePlainText('{}'),
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'Slack and Teams have no call that makes a new address of a webhook: a person does, and puts it in.',
  });
  return secret;
}
