/**
 * Which minutes of the last 24 hours were throttled, and by what: two bits a minute, three minutes a character, without the
 * empty ends. Nothing at all is null, a day of it 480 characters.
 */
import { z } from 'zod';
import { secondsPerDay, secondsPerMinute } from '../units.ts';

export const throttlingCauses = ['volume-iops', 'volume-throughput', 'volume-credits'] as const;
export type ThrottlingCause = (typeof throttlingCauses)[number];

export const throttledSchema = z
  .strictObject({
    /** Minutes since 1970 of the first character. */
    fromEpochMinutes: z.int(),
    codes: z.string().max(482),
  })
  .nullable();
export type ThrottledMinutes = z.infer<typeof throttledSchema>;

const minutesKept = secondsPerDay / secondsPerMinute;
const perCharacter = 3;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** 0 is a minute that was not throttled. */
const codeOf = (cause: ThrottlingCause): number => throttlingCauses.indexOf(cause) + 1;

function unpack(held: ThrottledMinutes, first: number, last: number): Uint8Array {
  const codes = new Uint8Array(last - first);
  if (held === null) return codes;
  for (let at = 0; at < held.codes.length; at++) {
    const three = alphabet.indexOf(held.codes[at] as string);
    for (let i = 0; i < perCharacter; i++) {
      const minute = held.fromEpochMinutes + at * perCharacter + i - first;
      if (minute >= 0 && minute < codes.length) codes[minute] = (three >> (2 * i)) & 3;
    }
  }
  return codes;
}

function pack(codes: Uint8Array, first: number): ThrottledMinutes {
  const from = codes.findIndex((code) => code > 0);
  if (from < 0) return null;
  const end = codes.findLastIndex((code) => code > 0) + 1;
  let text = '';
  for (let at = from; at < end; at += perCharacter) {
    const three = (codes[at] ?? 0) | ((codes[at + 1] ?? 0) << 2) | ((codes[at + 2] ?? 0) << 4);
    text += alphabet[three];
  }
  return { fromEpochMinutes: first + from, codes: text };
}

/** A minute that was throttled. */
export interface ThrottledMinute {
  epochSeconds: number;
  cause: ThrottlingCause;
}

/**
 * With what was seen now, which counts instead of what was seen of the same minutes before. A minute that shows nothing
 * now takes nothing back: only one of the checks may have been asked for.
 * @param endEpochSeconds what is older than 24 hours before it is forgotten.
 */
export function withMinutes(
  held: ThrottledMinutes,
  seen: readonly ThrottledMinute[],
  endEpochSeconds: number,
): ThrottledMinutes {
  if (held === null && seen.length === 0) return null;
  const last = Math.ceil(endEpochSeconds / secondsPerMinute);
  const first = last - minutesKept;
  // Nothing is new, and nothing too old: as most polls find it.
  if (held !== null && seen.length === 0 && held.fromEpochMinutes >= first) return held;
  const codes = unpack(held, first, last);
  for (const { epochSeconds, cause } of seen) {
    const minute = Math.floor(epochSeconds / secondsPerMinute) - first;
    if (minute >= 0 && minute < codes.length) codes[minute] = codeOf(cause);
  }
  return pack(codes, first);
}

/** The minutes by cause, oldest first, in the 24 hours before an end. */
export function minutesByCause(
  held: ThrottledMinutes,
  endEpochSeconds: number,
): Record<ThrottlingCause, number[]> {
  const minutes: Record<ThrottlingCause, number[]> = {
    'volume-iops': [],
    'volume-throughput': [],
    'volume-credits': [],
  };
  if (held === null) return minutes;
  const last = Math.ceil(endEpochSeconds / secondsPerMinute);
  for (let at = 0; at < held.codes.length; at++) {
    const three = alphabet.indexOf(held.codes[at] as string);
    for (let i = 0; three >> (2 * i) > 0; i++) {
      const minute = held.fromEpochMinutes + at * perCharacter + i;
      const cause = throttlingCauses[((three >> (2 * i)) & 3) - 1];
      if (cause === undefined || minute < last - minutesKept || minute >= last) continue;
      minutes[cause].push(minute * secondsPerMinute);
    }
  }
  return minutes;
}

/** Was the minute from this time on throttled? */
export function isThrottledAt(held: ThrottledMinutes, epochSeconds: number): boolean {
  const minute = Math.floor(epochSeconds / secondsPerMinute);
  return (unpack(held, minute, minute + 1)[0] as number) > 0;
}

/** The end of the last minute that was throttled; null where none was. */
export function lastMinuteEnd(held: ThrottledMinutes): number | null {
  if (held === null) return null;
  const three = alphabet.indexOf(held.codes.at(-1) as string);
  const inLast = three >= 16 ? 3 : three >= 4 ? 2 : 1;
  return (held.fromEpochMinutes + (held.codes.length - 1) * perCharacter + inLast) * secondsPerMinute;
}
