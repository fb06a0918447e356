/** What the topics say: findings that changed, a digest, an alarm of the service itself, or what was refused before. */
import { z } from 'zod';
import { Undeliverable } from '../../core/errors.ts';
import { jsonOrNull } from '../../core/json.ts';
import { type Advisory, advisorySchema } from '../../core/schemas/advisory.ts';
import { type Digest, digestSchema } from '../../core/schemas/digest.ts';
import { type Alarm, alarmSchema } from '../../report/slack/alarm-message.ts';

export type TopicMessage =
  | { kind: 'advisory'; id: string; advisory: Advisory }
  | { kind: 'digest'; id: string; digest: Digest }
  | { kind: 'alarm'; id: string; alarm: Alarm };

/** As it lies in the queue of what was not delivered: put back, it goes to that channel alone. */
export const refusedSchema = z.object({
  type: z.literal('stripewise.refused'),
  channel: z.string(),
  because: z.string(),
  id: z.string(),
  message: z.string(),
});
export type RefusedMessage = z.infer<typeof refusedSchema>;

const isOurs = z.object({ type: z.enum(['stripewise.advisory', 'stripewise.digest']) });

/**
 * Null for what is none of these, such as a test message typed in the console.
 * @param messageId of an alarm, which has no id of its own.
 * @throws Undeliverable for one of ours in a form that is not known here: it must not be lost.
 */
export function topicMessageOf(messageId: string, text: string): TopicMessage | null {
  const body = jsonOrNull(text);
  const ours = isOurs.safeParse(body);
  if (ours.success) {
    const isAdvisory = ours.data.type === 'stripewise.advisory';
    const read = isAdvisory ? advisorySchema.safeParse(body) : digestSchema.safeParse(body);
    if (!read.success)
      throw new Undeliverable(
        `a message of another version: ${ours.data.type} ${read.error.issues[0]?.path.join('.')}`,
      );
    return read.data.type === 'stripewise.advisory'
      ? { kind: 'advisory', id: read.data.id, advisory: read.data }
      : { kind: 'digest', id: read.data.id, digest: read.data };
  }
  const alarm = alarmSchema.safeParse(body);
  return alarm.success ? { kind: 'alarm', id: messageId, alarm: alarm.data } : null;
}
