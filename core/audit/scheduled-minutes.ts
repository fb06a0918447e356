/** How a schedule of two layouts would have served a load: by the volume's own limits, each of its minutes with the layout of its time. */
import { entriesAt } from '../load/series.ts';
import type { Layout } from '../plan/layout.ts';
import { isBusyAt, type ScheduledLayouts } from '../recommendations/schedule.ts';
import type { ReplayConfiguration } from '../replay/configuration.ts';
import { type ReplaySeries, throttledAndBurstMinutes } from '../replay/replay.ts';

/** The periods of a series that are meant. */
function periodsOf(
  { activeTimeIops = null, periodSeconds, epochSeconds, iops, mibps }: ReplaySeries,
  isMeant: (epochSeconds: number) => boolean,
): ReplaySeries {
  const at = Int32Array.from(epochSeconds.keys()).filter((i) => isMeant(epochSeconds[i] as number));
  return {
    ...{ periodSeconds, epochSeconds: entriesAt(epochSeconds, at) },
    ...{ iops: entriesAt(iops, at), mibps: entriesAt(mibps, at), writeShare: 0 },
    activeTimeIops: activeTimeIops && entriesAt(activeTimeIops, at),
  };
}

/**
 * Where nothing is throttled nothing waits from one period into the next, and SSD whose IOPS are provisioned have no credits: so 0
 * is exact. What is more than 0 is at least one minute.
 * @param ofVolume on an instance that is no limit: what an instance does to a load that its volume does not throttle stays as it is.
 */
export function scheduledMinutes(
  series: ReplaySeries,
  ofVolume: (layout: Layout) => ReplayConfiguration,
  { low, high, busy }: ScheduledLayouts,
  [from, end]: readonly [number, number],
): number {
  const isIn = (time: number): boolean => time >= from && time < end;
  const minutesWith = (layout: Layout, isMeant: (time: number) => boolean): number => {
    const some = periodsOf(series, (time) => isIn(time) && isMeant(time));
    return some.iops.length === 0 ? 0 : throttledAndBurstMinutes(some, ofVolume(layout));
  };
  return (
    minutesWith(low, (time) => !isBusyAt(busy, time)) + minutesWith(high, (time) => isBusyAt(busy, time))
  );
}
