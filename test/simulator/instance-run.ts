/**
 * One instance and its volumes, second by second. Its two credit buckets are an assumption that AWS does not
 * document in full: (maximum - baseline) x 1,800 s each, refilled by what the baseline leaves, never slower than a
 * full bucket in 24 hours.
 */
import { secondsPerDay, secondsPerMinute } from '../../core/units.ts';
import { bindTogether, CauseTally, causeBit, causeCode, isThrottled } from './causes.ts';
import { fairLevel } from './fair-level.ts';
import type { InstanceLimits } from './instance-types.ts';
import { add, count, type InstanceLedger, instanceLedger } from './ledgers.ts';
import type { RunningVolume } from './running-volume.ts';

// Looked up once: a test runner's globals are slow, and these run ten million times.
const { max, min } = Math;
const fullBurstSeconds = 1_800;

export class CreditBucket {
  readonly baseline: number;
  readonly maximum: number;
  readonly capacity: number;
  balance: number;

  constructor(baseline: number, maximum: number, startPercent = 100) {
    this.baseline = baseline;
    this.maximum = maximum;
    this.capacity = (maximum - baseline) * fullBurstSeconds;
    this.balance = (this.capacity * startPercent) / 100;
  }

  allowed(): number {
    return min(this.maximum, this.baseline + this.balance);
  }

  exhausted(): boolean {
    return this.baseline + this.balance < this.maximum;
  }

  settle(used: number): void {
    const left = this.baseline - used;
    const change = left > 0 ? left * max(1, this.capacity / (secondsPerDay * this.baseline)) : left;
    this.balance = min(this.capacity, max(0, this.balance + change));
  }

  percent(): number {
    return this.capacity === 0 ? 100 : (this.balance / this.capacity) * 100;
  }
}

const codes = {
  iops: causeCode('instance-iops'),
  throughput: causeCode('instance-throughput'),
  credits: causeCode('instance-credits'),
};

export interface InstanceRunOptions {
  sharing?: 'in-proportion' | 'fair' | undefined;
  startIoBalancePercent?: number | undefined;
  startByteBalancePercent?: number | undefined;
}

export class InstanceRun {
  readonly ledger: InstanceLedger;
  readonly io: CreditBucket;
  readonly mib: CreditBucket;
  private readonly volumes: readonly RunningVolume[];
  private readonly minutes: number;
  private readonly fair: boolean;
  private readonly tally = new CauseTally();
  private lowestIo = 100;
  private lowestMiB = 100;
  /** All limits of the instance that bind in this second. */
  private bits = 0;

  constructor(
    limits: InstanceLimits,
    volumes: readonly RunningVolume[],
    minutes: number,
    { sharing, startIoBalancePercent, startByteBalancePercent }: InstanceRunOptions = {},
  ) {
    this.io = new CreditBucket(limits.baselineIops, limits.maximumIops, startIoBalancePercent);
    this.mib = new CreditBucket(limits.baselineMiBps, limits.maximumMiBps, startByteBalancePercent);
    this.fair = sharing === 'fair';
    this.volumes = volumes;
    this.minutes = minutes;
    this.ledger = instanceLedger(minutes);
  }

  run(): void {
    const { volumes, ledger } = this;
    for (let minute = 0; minute < this.minutes; minute++) {
      for (const volume of volumes) volume.startMinute(minute);
      this.lowestIo = this.io.percent();
      this.lowestMiB = this.mib.percent();
      const from = minute * secondsPerMinute;
      for (let second = from; second < from + secondsPerMinute; second++) this.second(second, minute);
      for (const volume of volumes) volume.endMinute(minute);
      this.tally.close(ledger, minute);
      ledger.lowestIoBalancePercent[minute] = this.lowestIo;
      ledger.lowestByteBalancePercent[minute] = this.lowestMiB;
    }
  }

  private second(second: number, minute: number): void {
    const { volumes, io, mib } = this;
    let demandIo = 0;
    let demandMiB = 0;
    for (const volume of volumes) {
      volume.offer(second);
      demandIo += volume.offeredIo;
      demandMiB += volume.offeredMiB;
    }
    const byIo = demandIo > 0 ? io.allowed() / demandIo : 1;
    const byMiB = demandMiB > 0 ? mib.allowed() / demandMiB : 1;
    const share = min(1, byIo, byMiB);
    const code = isThrottled(demandIo, demandIo * share) ? this.bound(byIo, byMiB, minute) : 0;
    this.tally.add(code, this.bits);
    if (this.fair && code !== 0) this.serveFairly(second, minute, code);
    else {
      for (const volume of volumes) volume.serve(second, share, code, this.bits);
      this.settle(minute, demandIo * share, demandMiB * share);
    }
  }

  /** Each volume up to the same rate: those that ask for less wait for nothing. */
  private serveFairly(second: number, minute: number, code: number): void {
    const { volumes, io, mib } = this;
    const levelIo = fairLevel(volumes, 'offeredIo', io.allowed());
    const levelMiB = fairLevel(volumes, 'offeredMiB', mib.allowed());
    let servedIo = 0;
    let servedMiB = 0;
    for (const volume of volumes) {
      const { offeredIo, offeredMiB } = volume;
      const share = offeredIo > 0 ? min(1, levelIo / offeredIo, levelMiB / offeredMiB) : 1;
      volume.serve(second, share, share < 1 ? code : 0, share < 1 ? this.bits : 0);
      servedIo += offeredIo * share;
      servedMiB += offeredMiB * share;
    }
    this.settle(minute, servedIo, servedMiB);
  }

  private settle(minute: number, servedIo: number, servedMiB: number): void {
    const { io, mib, ledger } = this;
    io.settle(servedIo);
    mib.settle(servedMiB);
    this.lowestIo = min(this.lowestIo, io.percent());
    this.lowestMiB = min(this.lowestMiB, mib.percent());
    add(ledger.servedIo, minute, servedIo);
    add(ledger.servedMiB, minute, servedMiB);
  }

  /** The code of the tighter limit; `bits` and the checks name both where they bind together. */
  private bound(byIo: number, byMiB: number, minute: number): number {
    const { ledger } = this;
    const together = bindTogether(byIo, byMiB);
    const ioCode = this.io.exhausted() ? codes.credits : codes.iops;
    const mibCode = this.mib.exhausted() ? codes.credits : codes.throughput;
    this.bits = 0;
    if (together || byIo <= byMiB) {
      count(ledger.iopsExceeded, minute);
      this.bits |= causeBit(ioCode);
    }
    if (together || byMiB < byIo) {
      count(ledger.throughputExceeded, minute);
      this.bits |= causeBit(mibCode);
    }
    return byIo <= byMiB ? ioCode : mibCode;
  }
}
