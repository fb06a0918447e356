/** Somebody who listens to the topic of findings over HTTP, and says how large what was published is. */
import { ConfirmSubscriptionCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { z } from 'zod';
import { notificationSchema } from '../../../core/schemas/notification.ts';
import { clientSettings } from '../../../local/deploy.ts';
import { jsonReply, listen, readText } from '../../../local/http.ts';
import type { Services } from '../../../local/services.ts';
import { notificationMail } from '../../../report/mail/mail.ts';

const deliverySchema = z.object({ Type: z.string(), Message: z.string(), Token: z.string().optional() });

export interface TopicListener {
  /** Bytes of each message that was published: the JSON and the text of the mail, as SNS takes them together. */
  bytes: number[];
  stop(): Promise<void>;
}

export async function listenToTopic(services: Services, TopicArn: string): Promise<TopicListener> {
  const sns = new SNSClient(clientSettings(services));
  const bytes: number[] = [];
  const server = await listen(0, async (request) => {
    const { Type, Message, Token } = deliverySchema.parse(JSON.parse(await readText(request)));
    if (Token !== undefined) await sns.send(new ConfirmSubscriptionCommand({ TopicArn, Token }));
    if (Type === 'Notification') {
      const email = notificationMail(notificationSchema.parse(JSON.parse(Message))).text;
      bytes.push(Buffer.byteLength(JSON.stringify({ default: Message, email }), 'utf8'));
    }
    return jsonReply({});
  });
  await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'http', Endpoint: server.url }));
  return {
    bytes,
    stop: async () => {
      sns.destroy();
      await server.stop();
    },
  };
}
