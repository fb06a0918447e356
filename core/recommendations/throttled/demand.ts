/** What a throttled load demanded, and what another configuration would throttle of it, by replay. */
import { fixedThresholds } from '../../diagnosis/thresholds.ts';
import type { Layout } from '../../plan/layout.ts';
import type { Rates } from '../../plan/need.ts';

/** What a configuration must have to throttle nothing of a load at its busiest. */
export interface Sized {
  rates: Rates;
  /** The IOPS where each I/O is cut at the chunk of a stripe. */
  cutIops: number;
}

/** Which load is replayed, and on what. */
export interface ReplayedWith {
  /** The demand at most (where not said otherwise), or what is likely. */
  line?: 'high' | 'likely';
  /** The load so many times as high. @default 1 */
  times?: number;
  /** On an instance that is no limit. */
  withoutInstance?: boolean;
}

export interface Demand {
  /** For the demand at most, and with headroom above what is likely. */
  most: Sized;
  /** For what is likely, with headroom. */
  likely: Sized;
  /** What is likely at its highest on average, without headroom. */
  likelyRates: Rates;
  /** Minutes in which anything throttled it: of the window as they were measured, of a load to come by replay. */
  throttledMinutes: number;
  /** Of these the minutes in which nothing bounds its demand: a quarter above the limit is taken. */
  openMinutes: number;
  /** Average I/O of what was throttled; NaN where that is not known. */
  ioKiB: number;
  /** Not what was, but what is coming. */
  isComing: boolean;
  /** It may be one of several volumes that carry one load: it cannot be striped alone. */
  isMember: boolean;
  /** What its instance does at its best; null where that is not known, and where it is on several. */
  instance: (Rates & { instanceId: string; instanceType: string | null }) | null;
  /** Minutes in which the same load would be throttled with a layout, on its instance as it is. */
  throttledMinutesWith: (layout: Layout, how?: ReplayedWith) => number;
  /** What is coming, where its credits will run out at the rate of the last half hour; null where they will not. */
  coming: () => Demand | null;
}

/** Of a demand that is not known closely, so many times what was served: its demand beyond that is a guess. */
export const mostTimesServed = 2;

/** Most of what was throttled shows no bound of the demand: then no minutes are promised. */
export const isOpen = ({ openMinutes, throttledMinutes }: Demand): boolean =>
  openMinutes > (1 - fixedThresholds.replayExplainsShare) * throttledMinutes;
