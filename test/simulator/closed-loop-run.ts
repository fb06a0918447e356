/**
 * One volume under a closed loop, second by second, as a fluid: with a service time s and a think time z, n workers want
 * D = n / (s + z) I/O a second. Where the volume and its instance allow C >= D, D x s are in flight. Where they do not,
 * C are served and n - C x z are in flight, each for (n - C x z) / C seconds (Little). Nothing piles up and nothing
 * drains later: a worker that waits issues nothing.
 */
import { secondsPerMinute } from '../../core/units.ts';
import { add, at, type VolumeLedger, volumeLedger } from './ledgers.ts';
import type { ClosedLoop } from './loads.ts';
import type { RunningVolume, RunOptions } from './running-volume.ts';
import { Throttled } from './throttled.ts';
import { VolumeCapacity } from './volume-capacity.ts';
import { VolumeMinute } from './volume-minute.ts';

// Looked up once: a test runner's globals are slow, and these run millions of times.
const { floor, max, min } = Math;

export class ClosedLoopRun implements RunningVolume {
  readonly ledger: VolumeLedger;
  readonly capacity: VolumeCapacity;
  offeredIo = 0;
  offeredMiB = 0;
  inFlight = 0;

  private readonly load: ClosedLoop;
  private readonly uniform: () => number;
  private readonly firstPlanMinute: number;
  private readonly throttled: Throttled;
  private readonly now: VolumeMinute;
  private workers = 0;
  private demandIo = 0;
  /** The think time of this second: its noise is that of the whole cycle. */
  private thinkSeconds = 0;
  private serviceSeconds = 0;
  /** Time that I/O spent in the volume before any completed: told with the next that does. */
  private unreportedSeconds = 0;
  private lowestBalance = Number.NaN;

  constructor(options: RunOptions<ClosedLoop>) {
    const { limits, load, startBalancePercent, uniform } = options;
    this.load = load;
    this.uniform = uniform;
    this.firstPlanMinute = options.firstPlanMinute;
    this.capacity = new VolumeCapacity(limits, load.sequential, startBalancePercent, options.rules);
    this.ledger = volumeLedger(options.seconds / secondsPerMinute);
    this.throttled = new Throttled(this.ledger, this.capacity);
    this.now = new VolumeMinute(options, this.capacity);
  }

  startMinute(minute: number): void {
    const planMinute = this.firstPlanMinute + minute;
    this.workers = this.load.workers(planMinute);
    this.now.start(planMinute);
    this.capacity.startMinute(minute);
    this.lowestBalance = this.capacity.balancePercent();
  }

  offer(): void {
    const { now, capacity, workers } = this;
    const noise = 1 + this.load.noise * (2 * this.uniform() - 1);
    this.thinkSeconds = this.load.thinkSeconds / noise;
    this.serviceSeconds = now.serviceSeconds / noise;
    this.demandIo = workers / (this.serviceSeconds + this.thinkSeconds);
    this.offeredIo = 0;
    this.offeredMiB = 0;
    this.throttled.nothingOffered();
    if (now.stalled || workers === 0) return;
    const byUnits = capacity.units() / now.unitsPerIo / this.demandIo;
    const byBytes = capacity.mib() / now.ioMiB / this.demandIo;
    this.offeredIo = this.demandIo * min(1, byUnits, byBytes);
    this.offeredMiB = this.offeredIo * now.ioMiB;
    this.throttled.offered(this.demandIo, this.offeredIo, byUnits, byBytes);
  }

  serve(second: number, share: number, instanceCode: number, instanceBits: number): void {
    const { ledger, now, capacity, workers } = this;
    const minute = floor(second / secondsPerMinute);
    const served = this.offeredIo * share;
    const before = this.inFlight;
    const inFlight =
      served < this.demandIo ? workers - served * this.thinkSeconds : served * this.serviceSeconds;
    this.inFlight = inFlight;
    this.throttled.note(minute, this.demandIo, served, now.stalled, instanceCode, instanceBits);
    add(ledger.demandIo, minute, this.demandIo);
    add(ledger.issuedIo, minute, served + inFlight - before);
    add(ledger.servedIo, minute, served);
    add(ledger.servedMiB, minute, served * now.ioMiB);
    add(ledger.servedUnits, minute, served * now.unitsPerIo);
    add(ledger.queueLength, minute, inFlight);
    // Idle while every worker thinks, each of them independent of the others.
    add(ledger.idleSeconds, minute, workers === 0 ? 1 : max(0, 1 - inFlight / workers) ** workers);
    this.unreportedSeconds += inFlight;
    if (served > 0) {
      add(ledger.timeSeconds, minute, this.unreportedSeconds);
      this.unreportedSeconds = 0;
    }
    capacity.settle(served * now.unitsPerIo, served * now.ioMiB);
    this.lowestBalance = min(this.lowestBalance, capacity.balancePercent());
  }

  endMinute(minute: number): void {
    const { ledger } = this;
    this.throttled.endMinute(minute);
    ledger.queueLength[minute] = at(ledger.queueLength, minute) / secondsPerMinute;
    ledger.lowestBalancePercent[minute] = this.lowestBalance;
  }
}
