/** A CloudWatch alarm of the service itself as a Slack message. */
import type { Alarm } from '../../core/schemas/alarm.ts';
import { alarmLines, alarmText, noReason } from '../alarm-text.ts';
import { cut } from '../marks.ts';
import { escapeMrkdwn, headerBlock, type SlackMessage, sectionBlock } from './message.ts';

const most = { line: 2_000, text: 2_000, section: 2_900 } as const;

export function alarmMessage(alarm: Alarm): SlackMessage {
  const text = alarmText(alarm, most.line);
  const lines = alarmLines(text).map(escapeMrkdwn).join('\n');
  return {
    text: cut(escapeMrkdwn(text.title), most.text),
    blocks: [headerBlock(text.title), sectionBlock(cut(lines || noReason, most.section))],
  };
}
