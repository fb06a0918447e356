/** A CloudWatch alarm of the service itself for Amazon Q Developer. */
import type { Alarm } from '../../core/schemas/alarm.ts';
import { alarmText, noReason } from '../alarm-text.ts';
import { plainIdOf } from '../change.ts';
import { type AmazonQNotification, amazonQNotification } from './notification.ts';

const mostLineCharacters = 2_000;

/** @param messageId of the topic: an alarm has no id of its own. */
export function amazonQAlarm(alarm: Alarm, messageId: string): AmazonQNotification {
  const { title, meaning, why, region } = alarmText(alarm, mostLineCharacters);
  return amazonQNotification({
    ...{ id: plainIdOf(messageId), threadId: plainIdOf(alarm.AlarmName), eventType: 'stripewise alarm' },
    title,
    lines: [why || noReason, meaning, region].filter((line) => line !== ''),
    link: null,
  });
}
