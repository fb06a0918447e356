/** One volume under an open load, second by second: what arrives and is not served waits, first in, first out. */
import { secondsPerMinute } from '../../core/units.ts';
import { add, at, type VolumeLedger, volumeLedger } from './ledgers.ts';
import type { Burst, OpenLoad } from './loads.ts';
import type { RunningVolume, RunOptions } from './running-volume.ts';
import { Throttled } from './throttled.ts';
import { VolumeCapacity } from './volume-capacity.ts';
import { VolumeMinute } from './volume-minute.ts';

// Looked up once: a test runner's globals are slow, and these run ten million times.
const { exp, floor, max, min } = Math;
const tiny = 1e-9;

export class VolumeRun implements RunningVolume {
  readonly ledger: VolumeLedger;
  readonly capacity: VolumeCapacity;
  waitingIo = 0;
  waitingMiB = 0;
  waitingUnits = 0;
  offeredIo = 0;
  offeredMiB = 0;

  private readonly load: OpenLoad;
  private readonly uniform: () => number;
  private readonly firstPlanMinute: number;
  /** First in, first out: I/O by the second it arrived in, and its size by minute. */
  private readonly arrivedIo: Float64Array;
  private readonly ioMiB: Float64Array;
  private readonly throttled: Throttled;
  private readonly now: VolumeMinute;
  private head = 0;
  private headTaken = 0;

  private minuteRate = 0;
  private minuteBurst: Burst | null = null;
  private minuteLowestBalance = Number.NaN;

  private arrivals = 0;
  private spread = 1;
  /** I/O a second at which the volume alone would work off what waits. */
  private rateIo = 0;

  constructor(options: RunOptions<OpenLoad>) {
    const { limits, load, startBalancePercent, uniform } = options;
    this.load = load;
    this.uniform = uniform;
    this.firstPlanMinute = options.firstPlanMinute;
    this.capacity = new VolumeCapacity(limits, load.sequential, startBalancePercent, options.rules);
    this.ledger = volumeLedger(options.seconds / secondsPerMinute);
    this.throttled = new Throttled(this.ledger, this.capacity);
    this.now = new VolumeMinute(options, this.capacity);
    this.arrivedIo = new Float64Array(options.seconds);
    this.ioMiB = new Float64Array(options.seconds / secondsPerMinute);
  }

  startMinute(minute: number): void {
    const planMinute = this.firstPlanMinute + minute;
    this.minuteRate = this.load.ioPerSecond(planMinute);
    this.minuteBurst = this.load.burst?.(planMinute) ?? null;
    this.now.start(planMinute);
    this.capacity.startMinute(minute);
    this.ioMiB[minute] = this.now.ioMiB;
    this.minuteLowestBalance = this.capacity.balancePercent();
  }

  private arrive(second: number): number {
    const burst = this.minuteBurst;
    const inMinute = second % secondsPerMinute;
    const { arrived } = this.load;
    if (arrived !== undefined) {
      this.spread = 1;
      return arrived(this.firstPlanMinute + floor(second / secondsPerMinute), inMinute);
    }
    const bursting =
      burst !== null && inMinute >= burst.fromSecond && inMinute < burst.fromSecond + burst.seconds;
    const mean = bursting ? burst.ioPerSecond : this.minuteRate;
    this.spread = bursting ? burst.spread : 1;
    if (mean === 0) return 0;
    const noisy = mean * (1 + this.load.noise * (2 * this.uniform() - 1));
    return floor(noisy + this.uniform());
  }

  offer(second: number): void {
    const n = this.arrive(second);
    this.arrivals = n;
    this.arrivedIo[second] = n;
    this.waitingIo += n;
    this.waitingMiB += n * this.now.ioMiB;
    this.waitingUnits += n * this.now.unitsPerIo;
    if (this.now.stalled || this.waitingIo <= tiny) {
      this.rateIo = 0;
      this.offeredIo = 0;
      this.offeredMiB = 0;
      this.throttled.nothingOffered();
      return;
    }
    const byUnits = this.capacity.units() / this.waitingUnits;
    const byBytes = this.capacity.mib() / this.waitingMiB;
    const part = min(byUnits, byBytes);
    this.rateIo = part * this.waitingIo;
    const share = min(1, part);
    this.offeredIo = share * this.waitingIo;
    this.offeredMiB = share * this.waitingMiB;
    this.throttled.offered(this.waitingIo, this.offeredIo, byUnits, byBytes);
  }

  serve(second: number, share: number, instanceCode: number, instanceBits: number): void {
    const minute = floor(second / secondsPerMinute);
    const before = this.waitingIo - this.arrivals;
    const demand = this.waitingIo;
    const toServe = this.offeredIo * share;
    const rateIo = share < 1 ? toServe : this.rateIo;
    this.giveUp(second, minute, toServe);
    const wait = this.complete(second, minute, before, toServe, rateIo);
    this.throttled.note(minute, demand, toServe, this.now.stalled, instanceCode, instanceBits);
    this.noteFlight(minute, before, toServe, rateIo);
    add(this.ledger.timeSeconds, minute, wait + toServe * this.now.serviceSeconds);
    const balance = this.capacity.balancePercent();
    if (balance < this.minuteLowestBalance) this.minuteLowestBalance = balance;
  }

  /** Takes I/O from the front of the queue; returns the seconds it waited, summed over the I/O. */
  private complete(second: number, minute: number, before: number, toServe: number, rateIo: number): number {
    let left = toServe;
    let done = 0;
    let servedMiB = 0;
    let servedUnits = 0;
    let wait = 0;
    const queued = before > tiny || this.waitingIo - toServe > tiny;
    while (left > tiny && this.head <= second) {
      const inHead = at(this.arrivedIo, this.head) - this.headTaken;
      if (inHead <= tiny) {
        this.head++;
        this.headTaken = 0;
        continue;
      }
      const n = min(left, inHead);
      const mib = at(this.ioMiB, floor(this.head / secondsPerMinute));
      servedMiB += n * mib;
      servedUnits +=
        n * (mib === this.now.ioMiB ? this.now.unitsPerIo : this.capacity.unitsPerIo(mib * 1024));
      if (queued) wait += n * this.meanWait(second, done, n, before, rateIo);
      this.headTaken += n;
      done += n;
      left -= n;
    }
    this.waitingIo = max(0, this.waitingIo - toServe);
    this.waitingMiB = max(0, this.waitingMiB - servedMiB);
    this.waitingUnits = max(0, this.waitingUnits - servedUnits);
    this.capacity.settle(servedUnits, servedMiB);
    add(this.ledger.servedIo, minute, toServe);
    add(this.ledger.servedMiB, minute, servedMiB);
    add(this.ledger.servedUnits, minute, servedUnits);
    return wait;
  }

  private meanWait(second: number, done: number, n: number, before: number, rateIo: number): number {
    if (this.head === second && this.waitingIo <= rateIo + tiny) {
      // The backlog clears inside this second: whoever arrives until then waits, half of it on average.
      const clear = this.clearedAfter(before, rateIo);
      return (clear * before) / rateIo / 2;
    }
    const finished = second + (done + n / 2) / rateIo;
    const arrived = this.head + (this.spread * (this.headTaken + n / 2)) / at(this.arrivedIo, this.head);
    return max(0, finished - arrived);
  }

  /** The part of the second after which nothing waits any more. */
  private clearedAfter(before: number, rateIo: number): number {
    if (before <= tiny) return 0;
    return rateIo - this.arrivals <= tiny ? 1 : min(1, before / (rateIo - this.arrivals));
  }

  /** Clients that all wait issue nothing more: what exceeds them was never issued. */
  private giveUp(second: number, minute: number, toServe: number): void {
    const wouldWait = this.waitingIo - toServe;
    const excess = min(this.arrivals, max(0, wouldWait - this.load.maxWaitingIo));
    if (excess > 0) {
      this.arrivedIo[second] = at(this.arrivedIo, second) - excess;
      this.waitingIo -= excess;
      this.waitingMiB = max(0, this.waitingMiB - excess * this.now.ioMiB);
      this.waitingUnits = max(0, this.waitingUnits - excess * this.now.unitsPerIo);
    }
    add(this.ledger.demandIo, minute, this.arrivals);
    add(this.ledger.issuedIo, minute, this.arrivals - excess);
  }

  private noteFlight(minute: number, before: number, served: number, rateIo: number): void {
    const after = this.waitingIo;
    const inService = served * this.now.serviceSeconds;
    if (after > tiny) {
      add(this.ledger.queueLength, minute, (before + after) / 2 + inService);
      return;
    }
    const clear = this.clearedAfter(before, rateIo);
    add(this.ledger.queueLength, minute, (before * clear) / 2 + inService);
    const inFlight = inService / this.spread;
    const busy = this.load.arrivals === 'paced' ? min(1, inFlight) : 1 - exp(-inFlight);
    add(this.ledger.idleSeconds, minute, (1 - clear) * (1 - this.spread * busy));
  }

  endMinute(minute: number): void {
    this.throttled.endMinute(minute);
    this.ledger.queueLength[minute] = at(this.ledger.queueLength, minute) / secondsPerMinute;
    this.ledger.lowestBalancePercent[minute] = this.minuteLowestBalance;
  }
}
