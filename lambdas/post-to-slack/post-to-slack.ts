/** One message of a topic, posted to Slack once; where no webhook is configured nothing is posted, and that is said. */
import { z } from 'zod';
import { Undeliverable } from '../../core/errors.ts';
import { jsonOrNull } from '../../core/json.ts';
import { advisorySchema } from '../../core/schemas/advisory.ts';
import { advisoryMessage, type SlackMessage } from '../../report/slack/advisory-message.ts';
import { alarmMessage, alarmSchema } from '../../report/slack/alarm-message.ts';

export interface TopicMessage {
  messageId: string;
  text: string;
}

export interface PostWith {
  webhookUrl(): Promise<string | null>;
  /** Posts unless the same id was posted before. */
  postOnce(posting: { id: string; webhookUrl: string; message: SlackMessage }): Promise<void>;
}

export type Posted = 'posted' | 'no-webhook-configured' | 'not-understood';

const isOurs = z.object({ type: z.literal('stripewise.advisory') });

/**
 * Null for what is neither an advisory nor an alarm, such as a test message typed in the console.
 * @throws Undeliverable for an advisory of a form that is not known here: it must not be lost.
 */
export function slackMessageOf({
  messageId,
  text,
}: TopicMessage): { id: string; message: SlackMessage } | null {
  const body = jsonOrNull(text);
  const advisory = advisorySchema.safeParse(body);
  if (advisory.success) return { id: advisory.data.id, message: advisoryMessage(advisory.data) };
  if (isOurs.safeParse(body).success) {
    throw new Undeliverable(`an advisory of another version: ${advisory.error.issues[0]?.path.join('.')}`);
  }
  const alarm = alarmSchema.safeParse(body);
  return alarm.success ? { id: messageId, message: alarmMessage(alarm.data) } : null;
}

export async function postToSlack(
  topicMessage: TopicMessage,
  { webhookUrl, postOnce }: PostWith,
): Promise<Posted> {
  const slack = slackMessageOf(topicMessage);
  if (slack === null) return 'not-understood';
  const url = await webhookUrl();
  if (url === null) return 'no-webhook-configured';
  await postOnce({ ...slack, webhookUrl: url });
  return 'posted';
}
