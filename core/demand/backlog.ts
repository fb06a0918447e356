/** Unmet work: what a limit makes wait in one period is done in a later one. */
import type { Attribution } from '../diagnosis/attribute.ts';
import { causeCode } from '../diagnosis/causes.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { queueOf } from './calm-periods.ts';

/**
 * Workers that wait for replies are as many after an hour as after a minute. A queue that is worth this many seconds of what
 * is served, and came over time, is work that arrives whether replies come or not.
 */
const unmetSeconds = 10;
const grownFactor = 2;

export class Backlog {
  private readonly load: VolumeLoad;
  private readonly attribution: Attribution;
  /** The episode (throttled periods without a gap) that was looked at last: its first period, the one after its last. */
  private from = 0;
  private to = 0;
  private isUnmet = false;

  constructor(load: VolumeLoad, attribution: Attribution) {
    this.load = load;
    this.attribution = attribution;
  }

  /**
   * I/O a second that the queue grew by in a throttled period; negative while a backlog is worked off. The queue at the turn
   * of two periods is halfway between their means, at the ends of an episode that of the period beside it: over an episode
   * the growth adds up to what waits after it less what waited before.
   */
  growth(i: number): number {
    const { load } = this;
    const now = queueOf(load, i);
    const before = this.follows(i) ? queueOf(load, i - 1) : now;
    const after = this.follows(i + 1) ? queueOf(load, i + 1) : now;
    const start = this.isThrottled(i - 1) ? (before + now) / 2 : before;
    const end = this.isThrottled(i + 1) ? (now + after) / 2 : after;
    const growth = (end - start) / load.periodSeconds;
    return Number.isNaN(growth) ? 0 : growth;
  }

  /** Is the queue of this throttled period unmet work of an open load? */
  isUnmetWork(i: number): boolean {
    if (i < this.from || i >= this.to) this.readEpisode(i);
    return this.isUnmet;
  }

  private readEpisode(i: number): void {
    const { load, attribution } = this;
    let from = i;
    while (this.isThrottled(from - 1) && this.follows(from)) from--;
    let to = i;
    let [served, periods, longest] = [0, 0, 0];
    for (; to === i || (this.isThrottled(to) && this.follows(to)); to++) {
      const queue = queueOf(load, to);
      if (queue > longest) longest = queue;
      if (attribution.cause[to] === causeCode.stalled) continue;
      served += load.iops[to] as number;
      periods++;
    }
    [this.from, this.to] = [from, to];
    const grew = longest >= grownFactor * queueOf(load, from);
    this.isUnmet = grew && longest >= unmetSeconds * (served / periods);
  }

  private isThrottled(i: number): boolean {
    return (this.attribution.throttledMinutes[i] ?? 0) > 0;
  }

  /** Does period i begin where the one before it ends? */
  private follows(i: number): boolean {
    const { epochSeconds, periodSeconds } = this.load;
    return (epochSeconds[i] as number) - (epochSeconds[i - 1] as number) === periodSeconds;
  }
}
