/**
 * One volume, second by second: `offer` lets I/O arrive and says what the volume alone could do, `serve` completes
 * what the instance leaves of that. The split is there because an instance shares among all its volumes.
 */
import type { VolumeLimits } from '../../core/limits/volume-limits.ts';
import { secondsPerMinute } from '../../core/units.ts';
import { CauseTally, causeCode, isHeldBack } from './causes.ts';
import { add, at, type VolumeLedger, volumeLedger } from './ledgers.ts';
import type { Burst, Load } from './loads.ts';
import { VolumeCapacity } from './volume-capacity.ts';

/** Latency of an I/O that waits for nobody, before its bytes are transferred. */
const baseMsByType = { gp3: 0.8, gp2: 0.9, io1: 0.6, io2: 0.3, st1: 6, sc1: 9, standard: 12 } as const;

export interface VolumeRunOptions {
  limits: VolumeLimits;
  load: Load;
  startBalancePercent: number;
  seconds: number;
  /** The plan's minute at which the window starts. */
  firstPlanMinute: number;
  uniform: () => number;
}

// Looked up once: a test runner's globals are slow, and these run ten million times.
const { exp, floor, max, min } = Math;
const stalledCode = causeCode('stalled');
const tiny = 1e-9;

export class VolumeRun {
  readonly ledger: VolumeLedger;
  readonly capacity: VolumeCapacity;
  waitingIo = 0;
  waitingMiB = 0;
  waitingUnits = 0;
  /** What the volume alone could serve in this second, in I/O and MiB. */
  offeredIo = 0;
  offeredMiB = 0;

  private readonly limits: VolumeLimits;
  private readonly load: Load;
  private readonly uniform: () => number;
  private readonly firstPlanMinute: number;
  /** First in, first out: I/O by the second it arrived in, and its size by minute. */
  private readonly arrivedIo: Float64Array;
  private readonly ioMiB: Float64Array;
  private readonly tally = new CauseTally();
  private head = 0;
  private headTaken = 0;

  private minuteRate = 0;
  private minuteBurst: Burst | null = null;
  private minuteStalled = false;
  private minuteMiB = 0;
  private minuteUnits = 1;
  private minuteServiceSeconds = 0;
  private minuteLowestBalance = Number.NaN;

  private arrivals = 0;
  private spread = 1;
  /** I/O a second at which the volume alone would work off what waits. */
  private rateIo = 0;
  private ownCode = 0;
  private ownHeld = false;

  constructor(options: VolumeRunOptions) {
    this.limits = options.limits;
    this.load = options.load;
    this.uniform = options.uniform;
    this.firstPlanMinute = options.firstPlanMinute;
    this.capacity = new VolumeCapacity(options.limits, options.load.sequential, options.startBalancePercent);
    this.ledger = volumeLedger(options.seconds / secondsPerMinute);
    this.arrivedIo = new Float64Array(options.seconds);
    this.ioMiB = new Float64Array(options.seconds / secondsPerMinute);
  }

  startMinute(minute: number): void {
    const planMinute = this.firstPlanMinute + minute;
    const { load, limits, uniform } = this;
    this.minuteRate = load.ioPerSecond(planMinute);
    this.minuteBurst = load.burst?.(planMinute) ?? null;
    this.minuteStalled = load.stalled?.(planMinute) ?? false;
    const ioKiB = load.ioKiB(planMinute);
    this.minuteMiB = ioKiB / 1024;
    this.minuteUnits = this.capacity.unitsPerIo(ioKiB);
    this.ioMiB[minute] = this.minuteMiB;
    // An I/O's bytes leave at the pace of the volume's throughput, so a large one takes longer on a slow volume.
    const transferMs = (this.minuteMiB / limits.burstMiBps) * 1000;
    const jitter = 0.95 + 0.1 * uniform();
    this.minuteServiceSeconds = (baseMsByType[limits.volumeType] * jitter + transferMs) / 1000;
    this.minuteLowestBalance = this.capacity.balancePercent();
  }

  private arrive(second: number): number {
    const burst = this.minuteBurst;
    const inMinute = second % secondsPerMinute;
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
    this.waitingMiB += n * this.minuteMiB;
    this.waitingUnits += n * this.minuteUnits;
    if (this.minuteStalled || this.waitingIo <= tiny) {
      this.rateIo = 0;
      this.offeredIo = 0;
      this.offeredMiB = 0;
      this.ownHeld = false;
      return;
    }
    const byUnits = this.capacity.units() / this.waitingUnits;
    const byBytes = this.capacity.burstMiB / this.waitingMiB;
    const part = min(byUnits, byBytes);
    this.rateIo = part * this.waitingIo;
    const share = min(1, part);
    this.offeredIo = share * this.waitingIo;
    this.offeredMiB = share * this.waitingMiB;
    this.ownHeld = isHeldBack(this.waitingIo, this.offeredIo);
    this.ownCode = this.ownBound(byUnits, byBytes);
  }

  private ownBound(byUnits: number, byBytes: number): number {
    if (byBytes < byUnits) return this.capacity.throughputCode;
    return this.capacity.outOfCredits() ? this.capacity.creditsCode : this.capacity.unitsCode;
  }

  /** @param share what the instance leaves, 1 where it does not bind; @param instanceCode by what, 0 where it does not. */
  serve(second: number, share: number, instanceCode: number): void {
    const minute = floor(second / secondsPerMinute);
    const before = this.waitingIo - this.arrivals;
    const wanted = this.waitingIo;
    const toServe = this.offeredIo * share;
    const rateIo = share < 1 ? toServe : this.rateIo;
    this.giveUp(second, minute, toServe);
    const wait = this.complete(second, minute, before, toServe, rateIo);
    this.noteCause(minute, wanted, toServe, instanceCode);
    this.noteFlight(minute, before, toServe, rateIo);
    add(this.ledger.timeSeconds, minute, wait + toServe * this.minuteServiceSeconds);
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
      servedUnits += n * (mib === this.minuteMiB ? this.minuteUnits : this.capacity.unitsPerIo(mib * 1024));
      if (queued) wait += n * this.meanWait(second, done, n, before, rateIo);
      this.headTaken += n;
      done += n;
      left -= n;
    }
    this.waitingIo = max(0, this.waitingIo - toServe);
    this.waitingMiB = max(0, this.waitingMiB - servedMiB);
    this.waitingUnits = max(0, this.waitingUnits - servedUnits);
    this.capacity.settle(servedUnits);
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

  private noteCause(minute: number, wanted: number, served: number, instanceCode: number): void {
    if (this.ownHeld) this.exceeded()[minute] = 1;
    if (this.minuteStalled && wanted >= 1) {
      this.ledger.stalled[minute] = 1;
      this.tally.add(stalledCode);
    } else if (isHeldBack(wanted, served)) {
      this.tally.add(instanceCode !== 0 ? instanceCode : this.ownCode);
    }
  }

  /** The check that CloudWatch sets: an empty bucket shows as whatever the bucket counts. */
  private exceeded(): Uint8Array {
    const { creditsCode, unitsCode, throughputCode } = this.capacity;
    const code = this.ownCode === creditsCode ? unitsCode : this.ownCode;
    return code === throughputCode ? this.ledger.throughputExceeded : this.ledger.iopsExceeded;
  }

  /** Workers that all wait issue nothing more: what exceeds them was never issued. */
  private giveUp(second: number, minute: number, toServe: number): void {
    const wouldWait = this.waitingIo - toServe;
    const excess = min(this.arrivals, max(0, wouldWait - this.load.maxWaitingIo));
    if (excess > 0) {
      this.arrivedIo[second] = at(this.arrivedIo, second) - excess;
      this.waitingIo -= excess;
      this.waitingMiB = max(0, this.waitingMiB - excess * this.minuteMiB);
      this.waitingUnits = max(0, this.waitingUnits - excess * this.minuteUnits);
    }
    add(this.ledger.issuedIo, minute, this.arrivals - excess);
  }

  private noteFlight(minute: number, before: number, served: number, rateIo: number): void {
    const after = this.waitingIo;
    const inService = served * this.minuteServiceSeconds;
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
    this.ledger.cause[minute] = this.tally.close();
    this.ledger.queueLength[minute] = at(this.ledger.queueLength, minute) / secondsPerMinute;
    this.ledger.lowestBalancePercent[minute] = this.minuteLowestBalance;
  }
}
