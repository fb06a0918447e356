import { isHdd, type VolumeLimits } from '../../core/limits/volume-limits.ts';
import { type Cause, causeCode } from './causes.ts';
import { deliveredIn, type Rules, usualRules } from './rules.ts';

// Looked up once: a test runner's globals are slow, and these run ten million times.
const { ceil, max, min } = Math;
const unlimited = Number.POSITIVE_INFINITY;
const notThere = Number.NaN;

const kibPerMiB = 1024;
const ssdUnitKiB = 256;

/**
 * What a volume may do in one second. SSD counts operations of up to 256 KiB beside the bytes; a hard disk counts
 * MiB alone, a whole one for each I/O that cannot be merged.
 */
export class VolumeCapacity {
  readonly bucketCapacity: number;
  /** What is named when the units bind: operations, or MiB on a hard disk that merges. */
  readonly unitsCode: number;
  readonly throughputCode: number = causeCode('volume-throughput');
  readonly creditsCode: number = causeCode('volume-credits');
  /** Operations (SSD) or MiB (HDD) in a second with and without credits. */
  readonly burstUnits: number;
  readonly baselineUnits: number;
  private readonly burstMiB: number;
  /** Infinite where credits are never spent. */
  balance: number;
  /** What was left of the limits lately, and may be spent above them; nothing where a limit is strict. */
  private spareUnits = 0;
  private spareMiB = 0;
  /** The part of its limits that the volume delivers in this minute. */
  private delivered = 1;
  private readonly rules: Rules;
  private readonly hdd: boolean;
  private readonly sequential: boolean;

  constructor(
    limits: VolumeLimits,
    sequential: boolean,
    startBalancePercent: number,
    rules: Rules = usualRules,
  ) {
    this.rules = rules;
    this.hdd = isHdd(limits.volumeType);
    this.sequential = sequential;
    this.baselineUnits = this.hdd ? limits.baselineMiBps : limits.baselineIops;
    this.burstUnits = this.hdd ? limits.burstMiBps : limits.burstIops;
    this.burstMiB = this.hdd ? unlimited : limits.burstMiBps;
    this.bucketCapacity = limits.bucket?.capacity ?? unlimited;
    this.balance = limits.bucket === null ? unlimited : (limits.bucket.capacity * startBalancePercent) / 100;
    const unitsCause: Cause = this.hdd && sequential ? 'volume-throughput' : 'volume-iops';
    this.unitsCode = causeCode(unitsCause);
  }

  unitsPerIo(ioKiB: number): number {
    if (!this.hdd) return max(1, ceil(ioKiB / ssdUnitKiB));
    return this.sequential ? ioKiB / kibPerMiB : max(1, ceil(ioKiB / kibPerMiB));
  }

  /** Operations (SSD) or MiB (HDD) allowed in the coming second. */
  units(): number {
    return this.unitsOfLimit() + this.spareUnits;
  }

  /** MiB allowed in the coming second; infinite where units are MiB. */
  mib(): number {
    return this.burstMiB * this.delivered + this.spareMiB;
  }

  startMinute(minute: number): void {
    this.delivered = deliveredIn(minute, this.rules);
  }

  private unitsOfLimit(): number {
    return this.delivered * min(this.burstUnits, this.baselineUnits + this.balance);
  }

  outOfCredits(): boolean {
    return this.baselineUnits + this.balance < this.burstUnits;
  }

  /** Spends or refills by what the past second left of the baseline. */
  settle(servedUnits: number, servedMiB: number): void {
    const { spareSeconds } = this.rules;
    if (spareSeconds > 0) {
      const limit = this.unitsOfLimit();
      this.spareUnits = min(spareSeconds * limit, max(0, this.units() - servedUnits));
      const mibps = this.burstMiB * this.delivered;
      if (mibps !== unlimited) this.spareMiB = min(spareSeconds * mibps, max(0, this.mib() - servedMiB));
    }
    this.balance = min(this.bucketCapacity, max(0, this.balance + this.baselineUnits - servedUnits));
  }

  balancePercent(): number {
    return this.bucketCapacity === unlimited ? notThere : (this.balance / this.bucketCapacity) * 100;
  }
}
