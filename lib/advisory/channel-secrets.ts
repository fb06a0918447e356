import { SecretValue, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Config } from '../../core/config/config.ts';

/** Channels that are reached by more than a topic or a bus of the account. */
export const withSecret: readonly string[] = ['slack-webhook', 'slack-bot', 'teams'];

/** One secret for all channels, each under its name: null until a person puts in what it needs. */
export function channelSecrets(scope: Construct, id: string, { channels }: Config): Secret {
  const names = Object.entries(channels).flatMap(([name, { kind }]) =>
    withSecret.includes(kind) ? [name] : [],
  );
  const secret = new Secret(scope, id, {
    description:
      'stripewise: what channels need, by name, such as {"slack": {"webhookUrl": "https://hooks.slack.com/..."}}; null: not used',
    // No secret yet: addresses are put in by hand, and a later deployment leaves them.
    secretStringValue: SecretValue.unsafePlainText(
      JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))),
    ),
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'Slack and Teams have no call that makes a new address of a webhook: a person does, and puts it in.',
  });
  return secret;
}
