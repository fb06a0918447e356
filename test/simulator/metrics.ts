/** What CloudWatch publishes of a volume and an instance: which metrics exist where, in which units. */
import { bytesPerMiB } from '../../core/units.ts';
import { canBurst } from './instance-types.ts';
import { at, type VolumeLedger } from './ledgers.ts';
import { rounded, type SeriesOptions, type SeriesWriter } from './series.ts';
import type { SimulatedInstance, SimulatedVolume } from './simulate.ts';

const missingHour = { from: 800, minutes: 60 };
/** CloudWatch keeps the instance's balances at five minutes whatever its monitoring. */
const balanceStepMinutes = 5;

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

type WriteMetric = (
  metric: string,
  value: (minute: number) => number,
  has?: (minute: number) => boolean,
) => void;

function metricWriter(writer: SeriesWriter, volume: SimulatedVolume): WriteMetric {
  const quirks = volume.plan.quirks ?? [];
  const gap = quirks.includes('missing-hour');
  const inGap = (minute: number): boolean =>
    minute >= missingHour.from && minute < missingHour.from + missingHour.minutes;
  return (metric, value, has) => {
    const options: SeriesOptions = {
      repeats: quirks.includes('repeated-timestamps'),
      split: quirks.includes('split-series') && metric === 'VolumeReadOps',
    };
    if (gap) options.has = (minute) => !inGap(minute) && (has?.(minute) ?? true);
    else if (has !== undefined) options.has = has;
    writer.write(`${volume.volumeId} ${metric}`, value, options);
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
  write('VolumeStalledIOCheck', (minute) => at(ledger.stalled, minute));
  if (shared || plan.volumeType === 'standard') return;
  write('VolumeIOPSExceededCheck', (minute) => at(ledger.iopsExceeded, minute));
  write('VolumeThroughputExceededCheck', (minute) => at(ledger.throughputExceeded, minute));
}

export function writeInstanceMetrics(writer: SeriesWriter, instance: SimulatedInstance): void {
  const { ledger, limits, plan, instanceId } = instance;
  if (!limits.nitro || plan.outpost === true || plan.state === 'stopped') return;
  writer.write(`${instanceId} InstanceEBSIOPSExceededCheck`, (minute) => at(ledger.iopsExceeded, minute));
  writer.write(`${instanceId} InstanceEBSThroughputExceededCheck`, (minute) =>
    at(ledger.throughputExceeded, minute),
  );
  if (!canBurst(limits)) return;
  const lowest = (column: Float64Array) => (minute: number) =>
    rounded(Math.min(...column.subarray(minute, minute + balanceStepMinutes)), 2);
  const options = { stepMinutes: balanceStepMinutes };
  writer.write(`${instanceId} EBSIOBalance%`, lowest(ledger.lowestIoBalancePercent), options);
  writer.write(`${instanceId} EBSByteBalance%`, lowest(ledger.lowestByteBalancePercent), options);
}
