/** What CloudWatch publishes of a volume and an instance: which metrics exist where, in which units. */
import { isHdd, type VolumeLimits } from '../../core/limits/volume-limits.ts';
import { bytesPerMiB, secondsPerMinute } from '../../core/units.ts';
import { firstReadSeconds } from './first-reads.ts';
import { canBurst, type InstanceLimits } from './instance-types.ts';
import { at, type InstanceLedger, type VolumeLedger } from './ledgers.ts';
import type { MissingMetric, VolumePlan } from './plan.ts';
import { type CheckRule, isCheckSet } from './rules.ts';
import { rounded, type SeriesOptions, type SeriesWriter } from './series.ts';
import type { SimulatedInstance, SimulatedVolume } from './simulate.ts';

const missingHour = { fromMinute: 800, minutes: 60 };
const basicStepMinutes = 5;

interface Counts {
  readOps: Float64Array;
  writeOps: Float64Array;
  bytesPerOp: Float64Array;
  secondsPerOp: Float64Array;
}

/** Whole operations a minute that add up to what was served: the rest of a minute goes into the next. */
function wholeOperations(ledger: VolumeLedger, readShare: number): Counts {
  const minutes = ledger.servedIo.length;
  const counts: Counts = {
    readOps: new Float64Array(minutes),
    writeOps: new Float64Array(minutes),
    bytesPerOp: new Float64Array(minutes),
    secondsPerOp: new Float64Array(minutes),
  };
  let served = 0;
  let total = 0;
  let reads = 0;
  for (let minute = 0; minute < minutes; minute++) {
    const servedNow = at(ledger.servedIo, minute);
    served += servedNow;
    const ops = Math.round(served) - total;
    total += ops;
    const readOps = Math.min(ops, Math.round(total * readShare) - reads);
    reads += readOps;
    counts.readOps[minute] = readOps;
    counts.writeOps[minute] = ops - readOps;
    counts.bytesPerOp[minute] = servedNow > 0 ? (at(ledger.servedMiB, minute) * bytesPerMiB) / servedNow : 0;
    counts.secondsPerOp[minute] = servedNow > 0 ? at(ledger.timeSeconds, minute) / servedNow : 0;
  }
  return counts;
}

type HasPoint = (minute: number) => boolean;
type WriteInstanceMetric = (
  metric: string,
  value: (minute: number) => number,
  options: { stepMinutes: number; laterSeconds?: number },
) => void;
type WriteMetric = (
  metric: string,
  value: (minute: number) => number,
  has?: HasPoint,
  laterSeconds?: number,
) => void;

const isIn = (span: MissingMetric['span'], minute: number): boolean =>
  span === undefined || (minute >= span.fromMinute && minute < span.fromMinute + span.minutes);

/** The minutes in which a metric has a point, where it has one in those of `has`; undefined for all. */
function pointsOf(
  metric: string,
  missing: readonly MissingMetric[] = [],
  has?: HasPoint,
): HasPoint | undefined {
  const gaps = missing.filter((one) => one.metric === metric);
  if (gaps.length === 0) return has;
  return (minute) => !gaps.some(({ span }) => isIn(span, minute)) && (has?.(minute) ?? true);
}

function metricWriter(writer: SeriesWriter, volume: SimulatedVolume): WriteMetric {
  const { quirks = [], missing = [] } = volume.plan;
  const gap = quirks.includes('missing-hour');
  return (metric, value, has, laterSeconds = 0) => {
    const options: SeriesOptions = {
      repeats: quirks.includes('repeated-timestamps'),
      split: quirks.includes('split-series') && metric === 'VolumeReadOps',
    };
    const points = pointsOf(metric, gap ? [...missing, { metric, span: missingHour }] : missing, has);
    if (points !== undefined) options.has = points;
    if (laterSeconds > 0) options.laterSeconds = laterSeconds;
    writer.write(`${volume.volumeId} ${metric}`, value, options);
  };
}

/** A check is published with the instance that it was measured on: a volume that moved has two series of each. */
function checkWriter(write: WriteMetric, { movedFrom }: VolumePlan, laterSeconds: number): WriteMetric {
  if (movedFrom === undefined) return (metric, value) => write(metric, value, undefined, laterSeconds);
  const { atMinute } = movedFrom;
  return (metric, value) => {
    write(metric, value, (minute) => minute < atMinute, laterSeconds);
    write(metric, value, (minute) => minute >= atMinute, laterSeconds);
  };
}

/** Below this a bucket is empty: the limit in force is the baseline. */
const emptyPercent = 1;
const inForce = (balancePercent: number, baseline: number, most: number): number =>
  balancePercent <= emptyPercent ? baseline : most;

/** What was served on average of the limit in force, in operations and in bytes. */
function averageShares(ledger: VolumeLedger, limits: VolumeLimits): { iops: ByMinute; throughput: ByMinute } {
  const balance = (minute: number): number => at(ledger.lowestBalancePercent, minute);
  const units: ByMinute = (minute) => at(ledger.servedUnits, minute) / secondsPerMinute;
  const mib: ByMinute = (minute) => at(ledger.servedMiB, minute) / secondsPerMinute;
  const mibLimit: ByMinute = (minute) => inForce(balance(minute), limits.baselineMiBps, limits.burstMiBps);
  if (isHdd(limits.volumeType)) {
    // A hard disk counts MiB, whole ones where nothing merges.
    const share: ByMinute = (minute) => units(minute) / mibLimit(minute);
    return { iops: share, throughput: share };
  }
  return {
    iops: (minute) => units(minute) / inForce(balance(minute), limits.baselineIops, limits.burstIops),
    throughput: (minute) => mib(minute) / limits.burstMiBps,
  };
}

type ByMinute = (minute: number) => number;

/** The check of each minute, by the rule that it is set by. */
const checkBy =
  (rule: CheckRule, exceededSeconds: Uint8Array, share: ByMinute): ByMinute =>
  (minute) =>
    isCheckSet(rule, at(exceededSeconds, minute), share(minute)) ? 1 : 0;

/** Reads of a volume from a snapshot take longer than its writes; together they take what the volume took. */
function secondsOfOp(
  { secondsPerOp }: Counts,
  { fromSnapshot, load }: VolumePlan,
  word: 'Read' | 'Write',
): ByMinute {
  const readShare = load?.readShare ?? 0;
  const more = word === 'Read' ? 1 - readShare : -readShare;
  return (minute) => Math.max(0, at(secondsPerOp, minute) + more * firstReadSeconds(fromSnapshot, minute));
}

function writeClassic(
  write: WriteMetric,
  { ledger, plan }: { ledger: VolumeLedger; plan: VolumePlan },
  counts: Counts,
  sparse: boolean,
  shared: boolean,
): void {
  const { readOps, writeOps, bytesPerOp } = counts;
  for (const [word, ops] of [
    ['Read', readOps],
    ['Write', writeOps],
  ] as const) {
    const active = sparse ? (minute: number): boolean => at(ops, minute) > 0 : undefined;
    write(`Volume${word}Ops`, (minute) => at(ops, minute));
    write(`Volume${word}Bytes`, (minute) => Math.round(at(ops, minute) * at(bytesPerOp, minute)), active);
    if (shared) continue;
    const secondsPerOp = secondsOfOp(counts, plan, word);
    write(`VolumeTotal${word}Time`, (minute) => rounded(at(ops, minute) * secondsPerOp(minute), 6), active);
  }
  if (!shared) write('VolumeIdleTime', (minute) => rounded(at(ledger.idleSeconds, minute), 4));
  write('VolumeQueueLength', (minute) => rounded(at(ledger.queueLength, minute), 4));
}

export function writeVolumeMetrics(
  writer: SeriesWriter,
  volume: SimulatedVolume,
  host: SimulatedInstance,
): void {
  const { ledger, plan, limits } = volume;
  if (ledger === null || plan.quirks?.includes('no-metrics')) return;
  const shared = plan.alsoOn !== undefined;
  const counts = wholeOperations(ledger, plan.load?.readShare ?? 0);
  const write = metricWriter(writer, volume);
  writeClassic(write, { ledger, plan }, counts, !host.limits.nitro, shared);
  if (limits.bucket !== null) {
    const active = (minute: number): boolean =>
      at(counts.readOps, minute) + at(counts.writeOps, minute) > 0 || at(ledger.stalled, minute) > 0;
    write('BurstBalance', (minute) => rounded(at(ledger.lowestBalancePercent, minute), 2), active);
  }
  if (!host.limits.nitro || host.plan.outpost === true) return;
  const { check, checkDelaySeconds } = writer.rules;
  const writeCheck = checkWriter(write, plan, checkDelaySeconds);
  writeCheck('VolumeStalledIOCheck', (minute) => at(ledger.stalled, minute));
  if (shared || plan.volumeType === 'standard' || check === null) return;
  const { iops, throughput } = averageShares(ledger, limits);
  const exceeded = (column: Uint8Array, share: ByMinute): ByMinute =>
    plan.silentChecks === true ? () => 0 : checkBy(check, column, share);
  // A hard disk that merges is exceeded in bytes alone.
  const isMerged = isHdd(limits.volumeType) && plan.load?.sequential === true;
  writeCheck('VolumeIOPSExceededCheck', exceeded(ledger.iopsExceeded, isMerged ? () => 0 : iops));
  writeCheck('VolumeThroughputExceededCheck', exceeded(ledger.throughputExceeded, throughput));
}

/** The sums over its volumes, as its monitoring has them: one point a minute, or one in five. */
function writeSums(write: WriteInstanceMetric, { plan, volumes }: SimulatedInstance): void {
  if (plan.monitoring === undefined) return;
  const stepMinutes = plan.monitoring === 'detailed' ? 1 : basicStepMinutes;
  const counts = volumes.flatMap(({ ledger, plan: { load } }) =>
    ledger === null ? [] : [wholeOperations(ledger, load?.readShare ?? 0)],
  );
  const sum = (countOf: (one: Counts, minute: number) => number) => (from: number) => {
    let total = 0;
    for (const one of counts) {
      for (let minute = from; minute < from + stepMinutes; minute++) total += countOf(one, minute);
    }
    return Math.round(total);
  };
  for (const [word, ops] of [
    ['Read', 'readOps'],
    ['Write', 'writeOps'],
  ] as const) {
    write(
      `EBS${word}Ops`,
      sum((one, minute) => at(one[ops], minute)),
      { stepMinutes },
    );
    write(
      `EBS${word}Bytes`,
      sum((one, minute) => at(one[ops], minute) * at(one.bytesPerOp, minute)),
      {
        stepMinutes,
      },
    );
  }
}

/** As of a volume: what was served on average of what the instance could do with the credits that it had. */
const instanceShares = (
  ledger: InstanceLedger,
  { baselineIops, maximumIops, baselineMiBps, maximumMiBps }: InstanceLimits,
): { iops: ByMinute; throughput: ByMinute } => ({
  iops: (minute) =>
    at(ledger.servedIo, minute) /
    secondsPerMinute /
    inForce(at(ledger.lowestIoBalancePercent, minute), baselineIops, maximumIops),
  throughput: (minute) =>
    at(ledger.servedMiB, minute) /
    secondsPerMinute /
    inForce(at(ledger.lowestByteBalancePercent, minute), baselineMiBps, maximumMiBps),
});

export function writeInstanceMetrics(writer: SeriesWriter, instance: SimulatedInstance): void {
  const { ledger, limits, plan, instanceId } = instance;
  if (!limits.nitro || plan.outpost === true || plan.state === 'stopped') return;
  const write: WriteInstanceMetric = (metric, value, { stepMinutes, laterSeconds = 0 }) => {
    const has = pointsOf(metric, plan.missing);
    const options = has === undefined ? { stepMinutes, laterSeconds } : { stepMinutes, laterSeconds, has };
    writer.write(`${instanceId} ${metric}`, value, options);
  };
  const { check, checkDelaySeconds } = writer.rules;
  if (check !== null) {
    const everyMinute = { stepMinutes: 1, laterSeconds: checkDelaySeconds };
    const { iops, throughput } = instanceShares(ledger, limits);
    write('InstanceEBSIOPSExceededCheck', checkBy(check, ledger.iopsExceeded, iops), everyMinute);
    write(
      'InstanceEBSThroughputExceededCheck',
      checkBy(check, ledger.throughputExceeded, throughput),
      everyMinute,
    );
  }
  writeSums(write, instance);
  if (!canBurst(limits)) return;
  const lowest = (column: Float64Array) => (minute: number) =>
    rounded(Math.min(...column.subarray(minute, minute + basicStepMinutes)), 2);
  // CloudWatch keeps the balances at five minutes whatever the instance's monitoring.
  const options = { stepMinutes: basicStepMinutes };
  write('EBSIOBalance%', lowest(ledger.lowestIoBalancePercent), options);
  write('EBSByteBalance%', lowest(ledger.lowestByteBalancePercent), options);
}
