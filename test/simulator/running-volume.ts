/**
 * What an instance asks of each of its volumes, second by second: `offer` says what the volume alone could do, `serve`
 * completes what the instance leaves of that. The split is there because an instance shares among all its volumes.
 */
import type { VolumeLedger } from './ledgers.ts';
import type { Load } from './loads.ts';
import type { Rules } from './rules.ts';
import type { VolumeMinuteOptions } from './volume-minute.ts';

export interface RunningVolume {
  readonly ledger: VolumeLedger;
  /** What the volume alone could serve in this second, in I/O and MiB. */
  readonly offeredIo: number;
  readonly offeredMiB: number;
  startMinute(minute: number): void;
  offer(second: number): void;
  /**
   * @param share what the instance leaves, 1 where it does not bind; @param instanceCode by what, 0 where it does not;
   * @param instanceBits all of the instance's limits that bind.
   */
  serve(second: number, share: number, instanceCode: number, instanceBits: number): void;
  endMinute(minute: number): void;
}

export interface RunOptions<OfLoad extends Load> extends VolumeMinuteOptions {
  load: OfLoad;
  startBalancePercent: number;
  /** @default the usual ones */
  rules?: Rules | undefined;
  seconds: number;
  /** The plan's minute at which the window starts. */
  firstPlanMinute: number;
}
