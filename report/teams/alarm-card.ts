/** A CloudWatch alarm of the service itself as a card for Teams. */
import type { Alarm } from '../slack/alarm-message.ts';
import { inert } from '../terminal/text.ts';
import { cardMessage, factSet, type TeamsMessage, textBlock } from './card.ts';

const most = { title: 300, text: 1_000 } as const;

export function teamsAlarm({
  AlarmName,
  AlarmDescription,
  NewStateValue,
  NewStateReason,
  Region,
}: Alarm): TeamsMessage {
  const isOk = NewStateValue === 'OK';
  const facts = {
    Why: inert(NewStateReason, most.text) || 'no reason given',
    'What it means': inert(AlarmDescription ?? '', most.text),
    Region: inert(Region ?? '', most.title),
  };
  const title = inert(`stripewise itself: ${AlarmName} is ${NewStateValue}`, most.title);
  return cardMessage(
    [
      textBlock(title, { size: 'large', weight: 'bolder', color: isOk ? 'good' : 'attention' }),
      factSet(facts),
    ],
    [],
  );
}
