/** One volume under watch, in a few words: what is published of it minute by minute, and the polls it. */

import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { Volume } from '../../../core/inventory.ts';
import { unknown } from '../../../core/known.ts';
import { type AfterPoll, afterPoll } from '../../../core/monitoring/after-poll.ts';
import { type Poll, queriesOfPoll } from '../../../core/monitoring/queries-of-poll.ts';
import { withMinutes } from '../../../core/monitoring/throttled-minutes.ts';
import { newWatch, type OpenFinding, type Watch } from '../../../core/monitoring/watch.ts';
import { type Watched, watchedOf } from '../../../core/monitoring/watched.ts';
import { bytesPerMiB } from '../../../core/units.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { metricSet, type Points } from '../../fixtures/metric-set.ts';

/** A Thursday, at midnight. */
export const start = 1_795_046_400;
export const tickSeconds = 60;
const minute = 60;

export const aGp2 = (sizeGiB: number, volume: Partial<Volume> = {}): Volume =>
  aVolume({ volumeType: 'gp2', sizeGiB, iops: Math.max(100, 3 * sizeGiB), throughputMiBps: null, ...volume });

export function watched(volume: Volume, published: Parameters<typeof watchedOf>[1] = null): Watched {
  const found = watchedOf(volume, published, defaultThresholds);
  if (found === null) throw new Error('nothing to poll');
  return found;
}

export const aWatch = (volume: Volume, watch: Partial<Watch> = {}): Watch => ({
  ...newWatch(volume, start),
  revision: 1,
  askedEpochSeconds: { balance: start, queue: start, checks: start, rates: start },
  seenUntilEpochSeconds: start - 120,
  learnedUntilEpochSeconds: start,
  lately: { iops: 0.1, throughput: 0.1, atEpochSeconds: start },
  hours: '5'.repeat(168),
  queueAtLimit: 3,
  ...watch,
});

/** The minutes that end at `untilMinute` after the start, as points of each metric: the last value is that of the last minute. */
interface Published {
  untilMinute: number;
  points: Points;
}

export interface PollAt extends Partial<Published> {
  volume: Volume;
  watch: Watch;
  /** Minutes after the start. */
  atMinute: number;
  parts?: Poll['parts'];
  published?: Parameters<typeof watchedOf>[1];
  /** How old the newest minutes of the Region are. */
  delaySeconds?: number | null;
}

/** A poll so many minutes after the start, of the parts that are given. */
export function pollAt({
  volume,
  watch,
  atMinute,
  parts,
  untilMinute,
  points = {},
  published,
  delaySeconds = null,
}: PollAt): AfterPoll {
  const now = start + atMinute * minute;
  const of = watched(volume, published ?? null);
  const planned = queriesOfPoll({ ...watch, nextPollEpochSeconds: now }, of, now, tickSeconds);
  const poll: Poll = {
    volumeId: volume.volumeId,
    region: volume.region,
    parts: parts ?? planned?.parts ?? [],
    queries: [],
    fromEpochSeconds: now - 2_400,
  };
  const length = Math.max(0, ...Object.values(points).map((values) => values.length));
  const from = start + ((untilMinute ?? atMinute - 2) - length) * minute;
  return afterPoll(watch, of, poll, metricSet(points, minute, from), {
    ...{ nowEpochSeconds: now, tickSeconds, delaySeconds },
    advising: () => unknown({ code: 'no-ebs-prices', region: of.volume.region }),
  });
}

export const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** "credits-will-exhaust critical", "throttled-volume-iops gone". */
export const notified = ({ observations }: AfterPoll): string[] =>
  observations.map(({ kind, finding }) => `${kind} ${finding?.severity ?? 'gone'}`);

/** A finding that was said once, at that time. */
export const openFrom = (epochSeconds: number): OpenFinding => ({
  ...{ severity: 'warning', gone: false, times: 1 },
  ...{ sinceEpochSeconds: epochSeconds, fromEpochSeconds: epochSeconds, saidEpochSeconds: epochSeconds },
});

/** Ten calm minutes. */
export const none: number[] = times(10, 0);
export const checks = (iops: number[], throughput: number[] = none) => ({
  VolumeIOPSExceededCheck: iops,
  VolumeThroughputExceededCheck: throughput,
});
/** The same with the rates of each minute: near the limit (gp3 of 3,000 IOPS and 125 MiB/s) where a check is 1, else next to nothing. */
export function atLimit(iops: number[], throughput: number[] = none): Points {
  const operations = iops.map((check) => (check > 0 ? 0.9 * 3_000 * minute : 6_000));
  const bytes = operations.map((count, i) =>
    (throughput[i] as number) > 0 ? 0.95 * 125 * bytesPerMiB * minute : count * 16_384,
  );
  const nothing = times(iops.length, 0);
  return {
    ...checks(iops, throughput),
    ...{
      VolumeReadOps: operations,
      VolumeReadBytes: bytes,
      VolumeWriteOps: nothing,
      VolumeWriteBytes: nothing,
    },
  };
}
export const throttled = (
  minutesAgo: readonly number[],
  cause: 'volume-iops' | 'volume-throughput' | 'volume-credits',
) =>
  withMinutes(
    null,
    minutesAgo.map((ago) => ({ epochSeconds: start - ago * 60, cause })),
    start,
  );
