/** A CloudWatch alarm of the service itself as a plain-text e-mail. */
import type { Alarm } from '../slack/alarm-message.ts';
import { inert } from '../terminal/text.ts';
import type { Mail } from './advisory-mail.ts';

/** SNS takes 100 characters of ASCII as a subject. */
const mostSubjectCharacters = 99;
const mostCharacters = 4_000;

export function alarmMail({
  AlarmName,
  AlarmDescription,
  NewStateValue,
  NewStateReason,
  Region,
}: Alarm): Mail {
  const title = `stripewise itself: ${inert(AlarmName, 200)} is ${inert(NewStateValue, 20)}`;
  const lines = [AlarmDescription ?? '', NewStateReason, Region ?? ''].filter((line) => line !== '');
  return {
    subject: title.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, mostSubjectCharacters),
    text: [title, '', ...lines.map((line) => inert(line, mostCharacters))].join('\n'),
  };
}
