/**
 * One instance and its volumes, second by second. Its two credit buckets are an assumption that AWS does not
 * document in full: (maximum - baseline) x 1,800 s each, refilled by what the baseline leaves, never slower than a
 * full bucket in 24 hours.
 */
import { secondsPerDay, secondsPerMinute } from '../../core/units.ts';
import { CauseTally, causeCode, isHeldBack } from './causes.ts';
import type { InstanceLimits } from './instance-types.ts';
import { add, type InstanceLedger, instanceLedger } from './ledgers.ts';
import type { VolumeRun } from './volume-run.ts';

// Looked up once: a test runner's globals are slow, and these run ten million times.
const { max, min } = Math;
const fullBurstSeconds = 1_800;

export class CreditBucket {
  readonly baseline: number;
  readonly maximum: number;
  readonly capacity: number;
  balance: number;

  constructor(baseline: number, maximum: number) {
    this.baseline = baseline;
    this.maximum = maximum;
    this.capacity = (maximum - baseline) * fullBurstSeconds;
    this.balance = this.capacity;
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

export class InstanceRun {
  readonly ledger: InstanceLedger;
  readonly io: CreditBucket;
  readonly mib: CreditBucket;
  private readonly volumes: readonly VolumeRun[];
  private readonly minutes: number;
  private readonly tally = new CauseTally();
  private lowestIo = 100;
  private lowestMiB = 100;

  constructor(limits: InstanceLimits, volumes: readonly VolumeRun[], minutes: number) {
    this.io = new CreditBucket(limits.baselineIops, limits.maximumIops);
    this.mib = new CreditBucket(limits.baselineMiBps, limits.maximumMiBps);
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
      ledger.cause[minute] = this.tally.close();
      ledger.lowestIoBalancePercent[minute] = this.lowestIo;
      ledger.lowestByteBalancePercent[minute] = this.lowestMiB;
    }
  }

  private second(second: number, minute: number): void {
    const { volumes, io, mib } = this;
    let wantedIo = 0;
    let wantedMiB = 0;
    for (const volume of volumes) {
      volume.offer(second);
      wantedIo += volume.offeredIo;
      wantedMiB += volume.offeredMiB;
    }
    const byIo = wantedIo > 0 ? io.allowed() / wantedIo : 1;
    const byMiB = wantedMiB > 0 ? mib.allowed() / wantedMiB : 1;
    const share = min(1, byIo, byMiB);
    const code = isHeldBack(wantedIo, wantedIo * share) ? this.bound(byIo <= byMiB, minute) : 0;
    this.tally.add(code);
    for (const volume of volumes) volume.serve(second, share, code);
    io.settle(wantedIo * share);
    mib.settle(wantedMiB * share);
    this.lowestIo = min(this.lowestIo, io.percent());
    this.lowestMiB = min(this.lowestMiB, mib.percent());
    add(this.ledger.servedIo, minute, wantedIo * share);
    add(this.ledger.servedMiB, minute, wantedMiB * share);
  }

  private bound(byOperations: boolean, minute: number): number {
    const { ledger } = this;
    (byOperations ? ledger.iopsExceeded : ledger.throughputExceeded)[minute] = 1;
    const bucket = byOperations ? this.io : this.mib;
    if (bucket.exhausted()) return codes.credits;
    return byOperations ? codes.iops : codes.throughput;
  }
}
