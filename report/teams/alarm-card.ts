/** A CloudWatch alarm of the service itself as a card for Teams. */
import type { Alarm } from '../../core/schemas/alarm.ts';
import { alarmText, noReason } from '../alarm-text.ts';
import { cardMessage, factSet, type TeamsMessage, textBlock } from './card.ts';

const mostLineCharacters = 1_000;

export function teamsAlarm(alarm: Alarm): TeamsMessage {
  const { title, meaning, why, region } = alarmText(alarm, mostLineCharacters);
  const color = alarm.NewStateValue === 'OK' ? 'good' : 'attention';
  return cardMessage(
    [
      textBlock(title, { size: 'large', weight: 'bolder', color }),
      factSet({ Why: why || noReason, 'What it means': meaning, Region: region }),
    ],
    [],
  );
}
