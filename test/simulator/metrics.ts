/** What CloudWatch publishes of a volume and an instance: which metrics exist where, in which units. */
import { bytesPerMiB } from '../../core/units.ts';
import { canBurst } from './instance-types.ts';
import { at, type VolumeLedger } from './ledgers.ts';
import type { MissingMetric, VolumePlan } from './plan.ts';
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
  options: { stepMinutes: number },
) => void;
type WriteMetric = (metric: string, value: (minute: number) => number, has?: HasPoint) => void;

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
  return (metric, value, has) => {
    const options: SeriesOptions = {
      repeats: quirks.includes('repeated-timestamps'),
      split: quirks.includes('split-series') && metric === 'VolumeReadOps',
    };
    const points = pointsOf(metric, gap ? [...missing, { metric, span: missingHour }] : missing, has);
    if (points !== undefined) options.has = points;
    writer.write(`${volume.volumeId} ${metric}`, value, options);
  };
}

/** A check is published with the instance that it was measured on: a volume that moved has two series of each. */
function checkWriter(write: WriteMetric, { movedFrom }: VolumePlan): WriteMetric {
  if (movedFrom === undefined) return write;
  const { atMinute } = movedFrom;
  return (metric, value) => {
    write(metric, value, (minute) => minute < atMinute);
    write(metric, value, (minute) => minute >= atMinute);
  };
}

function writeClassic(
  write: WriteMetric,
  ledger: VolumeLedger,
  counts: Counts,
  sparse: boolean,
  shared: boolean,
): void {
  const { readOps, writeOps, bytesPerOp, secondsPerOp } = counts;
  for (const [word, ops] of [
    ['Read', readOps],
    ['Write', writeOps],
  ] as const) {
    const active = sparse ? (minute: number): boolean => at(ops, minute) > 0 : undefined;
    write(`Volume${word}Ops`, (minute) => at(ops, minute));
    write(`Volume${word}Bytes`, (minute) => Math.round(at(ops, minute) * at(bytesPerOp, minute)), active);
    if (shared) continue;
    write(
      `VolumeTotal${word}Time`,
      (minute) => rounded(at(ops, minute) * at(secondsPerOp, minute), 6),
      active,
    );
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
  writeClassic(write, ledger, counts, !host.limits.nitro, shared);
  if (limits.bucket !== null) {
    const active = (minute: number): boolean =>
      at(counts.readOps, minute) + at(counts.writeOps, minute) > 0 || at(ledger.stalled, minute) > 0;
    write('BurstBalance', (minute) => rounded(at(ledger.lowestBalancePercent, minute), 2), active);
  }
  if (!host.limits.nitro || host.plan.outpost === true) return;
  const writeCheck = checkWriter(write, plan);
  writeCheck('VolumeStalledIOCheck', (minute) => at(ledger.stalled, minute));
  if (shared || plan.volumeType === 'standard') return;
  const exceeded = (column: Uint8Array) => (minute: number) =>
    plan.silentChecks === true ? 0 : at(column, minute);
  writeCheck('VolumeIOPSExceededCheck', exceeded(ledger.iopsExceeded));
  writeCheck('VolumeThroughputExceededCheck', exceeded(ledger.throughputExceeded));
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

export function writeInstanceMetrics(writer: SeriesWriter, instance: SimulatedInstance): void {
  const { ledger, limits, plan, instanceId } = instance;
  if (!limits.nitro || plan.outpost === true || plan.state === 'stopped') return;
  const write: WriteInstanceMetric = (metric, value, { stepMinutes }) => {
    const has = pointsOf(metric, plan.missing);
    const options = has === undefined ? { stepMinutes } : { stepMinutes, has };
    writer.write(`${instanceId} ${metric}`, value, options);
  };
  const everyMinute = { stepMinutes: 1 };
  write('InstanceEBSIOPSExceededCheck', (minute) => at(ledger.iopsExceeded, minute), everyMinute);
  write('InstanceEBSThroughputExceededCheck', (minute) => at(ledger.throughputExceeded, minute), everyMinute);
  writeSums(write, instance);
  if (!canBurst(limits)) return;
  const lowest = (column: Float64Array) => (minute: number) =>
    rounded(Math.min(...column.subarray(minute, minute + basicStepMinutes)), 2);
  // CloudWatch keeps the balances at five minutes whatever the instance's monitoring.
  const options = { stepMinutes: basicStepMinutes };
  write('EBSIOBalance%', lowest(ledger.lowestIoBalancePercent), options);
  write('EBSByteBalance%', lowest(ledger.lowestByteBalancePercent), options);
}
