/** A step of a change goes to the topic of notifications: to the channels as JSON, to who subscribes by e-mail as text. */
import type { SNSClient } from '@aws-sdk/client-sns';
import { publishJson } from '../../adapters/aws/publish-json.ts';
import type { ChangeMessage } from '../../core/schemas/change-message.ts';
import { changeMail } from '../../report/mail/mail.ts';

export const publishChange = (client: SNSClient, topicArn: string, message: ChangeMessage): Promise<void> =>
  publishJson(client, topicArn, message, changeMail(message));
