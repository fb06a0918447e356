/** What the bounds of a demand rest on. */
import type { DemandAssumption } from '../schemas/load-codes.ts';
import { kibFromMiB, msPerSecond } from '../units.ts';
import { mibOfSizeClass } from './calm-periods.ts';
import type { CycleTimes, CycleTimesBySize, Span } from './cycle-times.ts';

/** Throttled periods by how their demand was reported. */
export interface Counts {
  held: number;
  /** By size class: those whose queue tells what workers demanded. */
  bySize: number[];
  bursts: number;
  backlog: number;
  stalled: number;
  /** Neither queue nor latency. */
  unbounded: number;
}

const inMs = ({ low, high }: Span) => ({
  lowMs: low * msPerSecond,
  highMs: high === Number.POSITIVE_INFINITY ? null : high * msPerSecond,
});

const serviceTime = ({ service, isServiceKnown }: CycleTimes, kib: number): DemandAssumption => ({
  ...{ code: 'service-time', ioKiB: kib > 0 ? kib : null, isMeasured: isServiceKnown },
  ...inMs(service),
});

const thinkTime = ({ think, steps, falls }: CycleTimes): DemandAssumption => ({
  ...{ code: 'think-time', ...inMs(think), calmSteps: steps, limitFalls: falls },
});

/** The size that most throttled periods had speaks for the others. */
function ofWorkers(bySize: readonly number[], times: CycleTimesBySize): DemandAssumption[] {
  let most = -1;
  bySize.forEach((count, sizeClass) => {
    if (count > (bySize[most] ?? 0)) most = sizeClass;
  });
  if (most === -1) return [];
  const kib = kibFromMiB(mibOfSizeClass(most));
  return [serviceTime(times.of(most), kib), thinkTime(times.of(most))];
}

export function assumptionsOf(counts: Counts, times: CycleTimesBySize): DemandAssumption[] {
  const { held, bySize, bursts, backlog, stalled, unbounded } = counts;
  const part = (
    code: 'backlog' | 'short-bursts' | 'stalled' | 'no-queue-no-latency',
    periods: number,
  ): DemandAssumption[] => (periods > 0 ? [{ code, periods, throttledPeriods: held }] : []);
  return [
    ...ofWorkers(bySize, times),
    ...part('backlog', backlog),
    ...part('short-bursts', bursts),
    ...part('stalled', stalled),
    ...part('no-queue-no-latency', unbounded),
  ];
}
