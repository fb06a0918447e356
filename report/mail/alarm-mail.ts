/** A CloudWatch alarm of the service itself as a plain-text e-mail. */
import type { Alarm } from '../../core/schemas/alarm.ts';
import { alarmLines, alarmText } from '../alarm-text.ts';
import { type Mail, subjectOf } from './mail.ts';

const mostLineCharacters = 4_000;

export function alarmMail(alarm: Alarm): Mail {
  const text = alarmText(alarm, mostLineCharacters);
  return { subject: subjectOf(text.title), text: [text.title, '', ...alarmLines(text)].join('\n') };
}
