/** A CloudWatch alarm of the service itself as a Slack message. */
import { z } from 'zod';
import { inert } from '../terminal/text.ts';
import { cut, escapeMrkdwn, headerText, type SlackMessage } from './advisory-message.ts';

/** What CloudWatch publishes to SNS for an alarm, as far as we show it. */
export const alarmSchema = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string().nullish(),
  NewStateValue: z.string(),
  NewStateReason: z.string(),
  Region: z.string().optional(),
});
export type Alarm = z.infer<typeof alarmSchema>;

const mostCharacters = 2_000;

export function alarmMessage(alarm: Alarm): SlackMessage {
  const { AlarmName, AlarmDescription, NewStateValue, NewStateReason, Region } = alarm;
  const title = `stripewise itself: ${AlarmName} is ${NewStateValue}`;
  const lines = [AlarmDescription ?? '', NewStateReason, Region ?? ''].filter((line) => line !== '');
  const text = lines.map((line) => escapeMrkdwn(inert(line, mostCharacters))).join('\n');
  return {
    text: cut(escapeMrkdwn(inert(title, 300)), mostCharacters),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: headerText(inert(title, 150)) } },
      {
        type: 'section',
        text: { type: 'mrkdwn', verbatim: true, text: cut(text || 'no reason given', 2_900) },
      },
    ],
  };
}
