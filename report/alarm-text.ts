/** What every form of an alarm of the service itself says, whatever the channel. */
import { type Alarm, isEnd } from '../core/schemas/alarm.ts';
import { sanitize } from './terminal/text.ts';

export interface AlarmText {
  title: string;
  /** What it means and what to do; empty where somebody else made it. */
  meaning: string;
  why: string;
  region: string;
}

const most = { name: 200, state: 20 } as const;
/** In place of the impact, which is over. */
const ended = 'The alarm ended: nothing is to be done.';

/** Sanitized; the state is in the title however long the name is. */
export function alarmText(alarm: Alarm, maxLineCharacters: number): AlarmText {
  const { AlarmName, AlarmDescription, NewStateValue, NewStateReason, Region } = alarm;
  const name = sanitize(AlarmName, most.name);
  const line = (text: string): string => sanitize(text, maxLineCharacters);
  return {
    title: isEnd(alarm)
      ? `stripewise itself: ${name} ended: OK`
      : `stripewise itself: ${name} is ${sanitize(NewStateValue, most.state)}`,
    meaning: isEnd(alarm) ? ended : line(AlarmDescription ?? ''),
    why: line(NewStateReason),
    region: line(Region ?? ''),
  };
}

/** Where nothing says why. */
export const noReason = 'no reason given';

/** One below the other, without those that say nothing. */
export const alarmLines = ({ meaning, why, region }: AlarmText): string[] =>
  [meaning, why, region].filter((line) => line !== '');
