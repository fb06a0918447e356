/** What every form of an alarm of the service itself says, whatever the channel. */
import type { Alarm } from '../core/schemas/alarm.ts';
import { sanitize } from './terminal/text.ts';

export interface AlarmText {
  title: string;
  /** What it means and what to do; empty where somebody else made it. */
  meaning: string;
  why: string;
  region: string;
}

const most = { name: 200, state: 20 } as const;

/** Sanitized; the state is in the title however long the name is. */
export function alarmText(
  { AlarmName, AlarmDescription, NewStateValue, NewStateReason, Region }: Alarm,
  maxLineCharacters: number,
): AlarmText {
  const line = (text: string): string => sanitize(text, maxLineCharacters);
  return {
    title: `stripewise itself: ${sanitize(AlarmName, most.name)} is ${sanitize(NewStateValue, most.state)}`,
    meaning: line(AlarmDescription ?? ''),
    why: line(NewStateReason),
    region: line(Region ?? ''),
  };
}

/** Where nothing says why. */
export const noReason = 'no reason given';

/** One below the other, without those that say nothing. */
export const alarmLines = ({ meaning, why, region }: AlarmText): string[] =>
  [meaning, why, region].filter((line) => line !== '');
