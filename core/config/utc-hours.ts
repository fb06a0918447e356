/** Quiet hours of a channel in UTC, as clocks stand on a day. */
import { msPerSecond, secondsPerDay } from '../units.ts';
import type { QuietHours } from './config.ts';

/** What clocks of a zone show at a moment, as if it were UTC. */
function onTheWall(moment: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** The moment at which clocks show this; of an hour that is not there, because clocks are set on, the one after it. */
function momentOf(wallMs: number, timeZone: string): Date {
  const before = wallMs - (onTheWall(new Date(wallMs), timeZone) - wallMs);
  return new Date(wallMs - (onTheWall(new Date(before), timeZone) - before));
}

const hourOf = (moment: Date): string => moment.toISOString().slice(11, 16);

/** @param now says which day it is where the channel is read. */
export function utcHours({ from, to, timeZone }: QuietHours, now: Date): { from: string; to: string } {
  const today = new Date(onTheWall(now, timeZone)).toISOString().slice(0, 10);
  const start = Date.parse(`${today}T${from}:00Z`);
  const end = Date.parse(`${today}T${to}:00Z`) + (to < from ? secondsPerDay * msPerSecond : 0);
  return { from: hourOf(momentOf(start, timeZone)), to: hourOf(momentOf(end, timeZone)) };
}
