/** A CloudWatch alarm of the service itself for Amazon Q Developer. */
import { plainIdOf } from '../change.ts';
import type { Alarm } from '../slack/alarm-message.ts';
import { inert } from '../terminal/text.ts';
import { type AmazonQNotification, notification } from './notification.ts';

const most = { title: 240, text: 2_000 } as const;

/** @param messageId of the topic: an alarm has no id of its own. */
export function amazonQAlarm(alarm: Alarm, messageId: string): AmazonQNotification {
  const { AlarmName, AlarmDescription, NewStateValue, NewStateReason, Region } = alarm;
  const lines = [NewStateReason || 'no reason given', AlarmDescription ?? '', Region ?? ''];
  return notification({
    id: plainIdOf(messageId),
    threadId: plainIdOf(AlarmName),
    eventType: 'stripewise alarm',
    title: inert(`stripewise itself: ${AlarmName} is ${NewStateValue}`, most.title),
    lines: lines.filter((line) => line !== '').map((line) => inert(line, most.text)),
    link: null,
  });
}
