/** What the topics say: findings that changed, a digest, a change of a volume, an alarm of the service itself, or what was refused before. */
import { z } from 'zod';
import { Undeliverable } from '../../core/errors.ts';
import { jsonOrNull } from '../../core/json.ts';
import { type Alarm, alarmSchema } from '../../core/schemas/alarm.ts';
import { type ChangeMessage, changeMessageSchema } from '../../core/schemas/change-message.ts';
import { type Digest, digestSchema } from '../../core/schemas/digest.ts';
import { type Notification, notificationSchema } from '../../core/schemas/notification.ts';

export type TopicMessage =
  /** `wholeId`: of some of its findings, the id of the message with all of them. */
  | { kind: 'notification'; id: string; notification: Notification; wholeId?: string }
  | { kind: 'digest'; id: string; digest: Digest }
  | { kind: 'change'; id: string; message: ChangeMessage }
  | { kind: 'alarm'; id: string; alarm: Alarm };

/** As it lies in the queue of what was not delivered: put back, it goes to that channel alone. */
export const refusedSchema = z.object({
  type: z.literal('stripewise.refused'),
  channel: z.string(),
  reason: z.string(),
  id: z.string(),
  message: z.string(),
});
export type RefusedMessage = z.infer<typeof refusedSchema>;

const ours = {
  'stripewise.notification': notificationSchema,
  'stripewise.digest': digestSchema,
  'stripewise.change': changeMessageSchema,
} as const;
const isOurs = z.object({
  type: z.enum(['stripewise.notification', 'stripewise.digest', 'stripewise.change']),
});

function ofOurs(body: Notification | Digest | ChangeMessage): TopicMessage {
  const { id } = body;
  if (body.type === 'stripewise.notification') return { kind: 'notification', id, notification: body };
  return body.type === 'stripewise.digest'
    ? { kind: 'digest', id, digest: body }
    : { kind: 'change', id, message: body };
}

/** The same however often it comes, and in whatever message of a queue. */
const idOfAlarm = ({ AlarmArn, StateChangeTime, NewStateValue }: Alarm): string | null =>
  AlarmArn === undefined || StateChangeTime === undefined
    ? null
    : `alarm#${AlarmArn}#${StateChangeTime}#${NewStateValue}`;

/**
 * Null for what is none of these, such as a test message typed in the console.
 * @param messageId of an alarm that does not say since when it is as it is.
 * @throws Undeliverable for one of ours in a form that is not known here: it must not be lost.
 */
export function topicMessageOf(messageId: string, text: string): TopicMessage | null {
  const body = jsonOrNull(text);
  const type = isOurs.safeParse(body).data?.type;
  if (type !== undefined) {
    const read = ours[type].safeParse(body);
    if (!read.success)
      throw new Undeliverable(
        `a message of another version: ${type} ${read.error.issues[0]?.path.join('.')}`,
      );
    return ofOurs(read.data);
  }
  const { data: alarm } = alarmSchema.safeParse(body);
  return alarm === undefined ? null : { kind: 'alarm', id: idOfAlarm(alarm) ?? messageId, alarm };
}
