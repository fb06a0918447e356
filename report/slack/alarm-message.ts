/** A CloudWatch alarm of the service itself as a Slack message. */
import { z } from 'zod';
import { inert } from '../terminal/text.ts';
import { escapeMrkdwn, type SlackMessage } from './advisory-message.ts';

/** What CloudWatch publishes to SNS for an alarm, as far as we show it. */
export const alarmSchema = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string().nullish(),
  NewStateValue: z.string(),
  NewStateReason: z.string(),
  Region: z.string().optional(),
});

const mostCharacters = 2_000;

export function alarmMessage(alarm: z.infer<typeof alarmSchema>): SlackMessage {
  const { AlarmName, AlarmDescription, NewStateValue, NewStateReason, Region } = alarm;
  const title = `stripewise itself: ${AlarmName} is ${NewStateValue}`;
  const lines = [AlarmDescription ?? '', NewStateReason, Region ?? ''].filter((line) => line !== '');
  return {
    text: escapeMrkdwn(inert(title, 300)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: inert(title, 150) } },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: lines
            .map((line) => escapeMrkdwn(inert(line, mostCharacters)))
            .join('\n')
            .slice(0, 2_900),
        },
      },
    ],
  };
}
