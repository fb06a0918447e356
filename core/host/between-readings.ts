/**
 * What a volume counted between two readings of its host: the counters are cumulative, so nothing in between is missed. Two
 * readings are compared only where they are of the same attachment: the same start of the host, the same device of it, and
 * no counter that went backwards. A volume that was attached anew, or an instance that was stopped, begins at zero.
 */
import type { AuditWindow } from '../diagnosis/thresholds.ts';
import { type Known, known, unknown } from '../known.ts';
import { microsecondsPerSecond, secondsPerDay } from '../units.ts';
import {
  type ExceededLimit,
  exceededLimits,
  type HostReading,
  queuePlace,
  type VolumeReading,
} from './ebs-statistics.ts';

/** Why two readings say nothing of the time between them. */
export const notComparedReasons = [
  'not-read',
  'no-earlier-reading',
  'host-restarted',
  'attached-anew',
  'clock-stepped',
  'more-than-elapsed',
] as const;
export type NotCompared = (typeof notComparedReasons)[number];

export interface Between {
  startEpochSeconds: number;
  endEpochSeconds: number;
  /** Seconds above each limit. */
  exceededSeconds: Record<ExceededLimit, number>;
}

/** Its clock and the time since its start go alike, but for this. */
const clockToleranceSeconds = 60;

interface Read {
  host: HostReading;
  volume: VolumeReading;
}

const difference = (from: string | undefined, to: string | undefined): bigint =>
  BigInt(to ?? 0) - BigInt(from ?? 0);

function compared(earlier: Read, last: Read): Known<Between, NotCompared> {
  const [start, end] = [earlier.volume.epochSeconds, last.volume.epochSeconds];
  if (earlier.host.bootId === null || earlier.host.bootId !== last.host.bootId)
    return unknown('host-restarted');
  if (earlier.volume.diskSequence !== last.volume.diskSequence) return unknown('attached-anew');
  const common = Math.min(earlier.volume.counters.length, last.volume.counters.length);
  for (let place = 0; place < common; place++)
    if (place !== queuePlace && difference(earlier.volume.counters[place], last.volume.counters[place]) < 0n)
      return unknown('attached-anew');
  const elapsed = end - start;
  const [upBefore, up] = [earlier.host.uptimeSeconds, last.host.uptimeSeconds];
  const stepped =
    upBefore === null || up === null
      ? 0
      : Math.abs(up - upBefore - (last.host.epochSeconds - earlier.host.epochSeconds));
  if (elapsed <= 0 || stepped > clockToleranceSeconds) return unknown('clock-stepped');
  const exceededSeconds = Object.fromEntries(
    exceededLimits.map((limit, place) => [
      limit,
      Number(difference(earlier.volume.counters[place], last.volume.counters[place])) / microsecondsPerSecond,
    ]),
  ) as Record<ExceededLimit, number>;
  // A second more than the clock shows is one that was rounded.
  if (Object.values(exceededSeconds).some((seconds) => seconds > elapsed + clockToleranceSeconds))
    return unknown('more-than-elapsed');
  return known({ startEpochSeconds: start, endEpochSeconds: end, exceededSeconds });
}

/**
 * From the earliest reading within the window, else the last before it, to the newest reading of the volume.
 * @param readings in the order of time.
 */
export function betweenReadings(
  readings: readonly HostReading[],
  volumeId: string,
  window: AuditWindow,
): Known<Between, NotCompared> {
  const of = readings.flatMap((host): Read[] => {
    const volume = host.volumes.find((one) => one.volumeId === volumeId);
    return volume === undefined ? [] : [{ host, volume }];
  });
  const last = of.pop();
  if (last === undefined) return unknown('not-read');
  const before = of.filter(({ volume }) => volume.epochSeconds < window.startEpochSeconds).reverse();
  const within = of.filter(({ volume }) => volume.epochSeconds >= window.startEpochSeconds);
  let reason: NotCompared = 'no-earlier-reading';
  for (const earlier of [...within, ...before]) {
    const between = compared(earlier, last);
    if (between.known) return between;
    reason = between.reason;
  }
  return unknown(reason);
}

// What is kept of a host for the runs that come.

/** Longer than CloudWatch has minutes of. */
const keptDays = 16;

/**
 * Of each day the first reading, and the newest. What claims to be no earlier than that is not kept: a clock was wrong.
 * @param earlier in any order.
 */
export function keptReadings(earlier: readonly HostReading[], newest: HostReading): HostReading[] {
  const from = newest.epochSeconds - keptDays * secondsPerDay;
  const usable = earlier.filter(
    ({ epochSeconds }) => epochSeconds >= from && epochSeconds < newest.epochSeconds,
  );
  const days = new Set<number>();
  const kept = usable
    .sort((a, b) => a.epochSeconds - b.epochSeconds)
    .filter(({ epochSeconds }) => {
      const day = Math.floor(epochSeconds / secondsPerDay);
      const isFirst = !days.has(day);
      days.add(day);
      return isFirst;
    });
  return [...kept, newest];
}
