import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type Config, isTopic } from '../../core/config/config.ts';

/** A topic for each channel that is one: of mail and JSON, and of Amazon Q Developer in chat applications. */
export class ChannelTopics extends Construct {
  readonly byChannel = new Map<string, Topic>();

  constructor(scope: Construct, id: string, { channels }: Config) {
    super(scope, id);
    for (const [name, channel] of Object.entries(channels)) {
      if (!isTopic(channel)) continue;
      const topic = new Topic(this, name, { displayName: `stripewise ${name}`, enforceSSL: true });
      const emails = channel.kind === 'sns' ? channel.emails : [];
      for (const address of emails) topic.addSubscription(new EmailSubscription(address));
      this.byChannel.set(name, topic);
    }
  }

  /** For people: name and ARN of each. */
  asText(): string {
    return [...this.byChannel].map(([name, { topicArn }]) => `${name}: ${topicArn}`).join(', ');
  }
}
