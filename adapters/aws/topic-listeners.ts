import { paginateListSubscriptionsByTopic, type SNSClient } from '@aws-sdk/client-sns';
import { reading } from './failure.ts';
import { pagesWithEnd } from './pages.ts';

/** Endpoints that get what is published to a topic; an address that did not confirm yet is none. */
export const topicListeners = (client: SNSClient, topicArn: string): Promise<string[]> =>
  reading('sns:ListSubscriptionsByTopic', async () => {
    const endpoints: string[] = [];
    const pages = paginateListSubscriptionsByTopic({ client }, { TopicArn: topicArn });
    for await (const { Subscriptions } of pagesWithEnd(pages)) {
      for (const { SubscriptionArn, Endpoint } of Subscriptions ?? []) {
        if (SubscriptionArn?.startsWith('arn:') && Endpoint !== undefined) endpoints.push(Endpoint);
      }
    }
    return endpoints;
  });
