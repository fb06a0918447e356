/**
 * A volume that is slow only on first reads: it was made from a snapshot, and its blocks are fetched when they are first asked for.
 * Sources: EBS user guide, initalize-volume (higher latency on first access; empty volumes are at full speed at once) and
 * ebs-volume-types (single-digit milliseconds of SSD), read 2026-11-28. AWS states no latency of a first read and no time after which
 * all is fetched: both are bounds of ours.
 */
import { median } from 'simple-statistics';
import type { Volume } from '../inventory.ts';
import { isHdd, isVolumeType } from '../limits/volume-limits.ts';
import type { MetricSet } from '../load/metrics.ts';
import { columnsOf, type VolumeLoad } from '../load/volume-load.ts';
import { bytesPerMiB, isoFromEpochSeconds, msPerSecond, secondsPerMinute } from '../units.ts';
import { type Confidence, causeCode } from './causes.ts';
import type { Draft, EvaluatedLoad } from './draft.ts';
import { fixedThresholds } from './thresholds.ts';
import { countThrottled, evidenceOver, whenSeen } from './throttled.ts';

/** Until when reads of a volume may be first ones; null: it is from no snapshot, or nobody knows since when. */
export const firstReadsEnd = ({ snapshotId, createdEpochSeconds }: Volume): number | null =>
  snapshotId === undefined || createdEpochSeconds === undefined
    ? null
    : createdEpochSeconds + fixedThresholds.firstReadsSeconds;

/** Milliseconds that a read of this size takes when nothing is fetched for it. */
const usualMs = (mibPerRead: number): number => {
  const { ssd, perMiB } = fixedThresholds.typicalSecondsPerIo;
  return msPerSecond * (ssd + perMiB * mibPerRead);
};

/** What a period says of reads and writes; NaN where it has too few of them, or no figure. */
interface Operations {
  readMs: number;
  usualReadMs: number;
  writeMs: number;
}

type Columns = Record<'reads' | 'readSeconds' | 'readBytes' | 'writes' | 'writeSeconds', Float64Array>;

/** Null where CloudWatch has none of these: of Multi-Attach volumes there are no times. */
function columnsIn(metrics: MetricSet, load: VolumeLoad): Columns | null {
  const column = columnsOf(metrics, load, () => load.ops);
  const [reads, readSeconds] = [column('VolumeReadOps'), column('VolumeTotalReadTime')];
  const [readBytes, writes] = [column('VolumeReadBytes'), column('VolumeWriteOps')];
  const writeSeconds = column('VolumeTotalWriteTime');
  return reads === null ||
    readSeconds === null ||
    readBytes === null ||
    writes === null ||
    writeSeconds === null
    ? null
    : { reads, readSeconds, readBytes, writes, writeSeconds };
}

function operationsAt(columns: Columns, i: number, leastOps: number): Operations {
  const [reads, writes] = [columns.reads[i] as number, columns.writes[i] as number];
  const ms = (seconds: Float64Array, ops: number): number =>
    ops >= leastOps ? ((seconds[i] as number) / ops) * msPerSecond : Number.NaN;
  return {
    readMs: ms(columns.readSeconds, reads),
    usualReadMs: usualMs((columns.readBytes[i] as number) / bytesPerMiB / reads),
    writeMs: ms(columns.writeSeconds, writes),
  };
}

/** Nothing throttled it in this period or beside it, and it is not busy for seconds at its limit. */
function isCalm({ attribution: { cause }, load, limits }: EvaluatedLoad, i: number): boolean {
  const { none } = causeCode;
  const isFree = (at: number): boolean => cause[at] === undefined || cause[at] === none;
  if (cause[i] !== none || !isFree(i - 1) || !isFree(i + 1)) return false;
  const most = fixedThresholds.firstReadsBusyShare;
  const [iops, mibps] = [load.activeTimeIops?.[i], load.busyMiBps?.[i]];
  // Without idle time seconds at the limit cannot be excluded: they are slow too.
  return (
    iops !== undefined && iops < most * limits.burstIops && !((mibps as number) >= most * limits.burstMiBps)
  );
}

/**
 * Slow as a first read is: 10 ms at least, and five times what a read of its size takes; three times what a write took beside it,
 * where there are writes to compare with, and writes not slow themselves.
 */
function isSlowRead({ readMs, usualReadMs, writeMs }: Operations): boolean {
  const { firstReadsLeastMs, firstReadsTimesUsual, firstReadsTimesWrites } = fixedThresholds;
  if (!(readMs >= firstReadsLeastMs && readMs >= firstReadsTimesUsual * usualReadMs)) return false;
  return Number.isNaN(writeMs) || (writeMs < firstReadsLeastMs && readMs >= firstReadsTimesWrites * writeMs);
}

const isSsd = ({ volumeType }: Volume): boolean =>
  isVolumeType(volumeType) && !isHdd(volumeType) && volumeType !== 'standard';

interface Seen {
  slow: Operations[];
  /** One figure a period. */
  slowMinutes: Float64Array;
  /** Of periods that could be told, in their order, what a read took, and whether that is slow. */
  inOrder: { isSlow: boolean; readMs: number }[];
}

function lookAt(evaluated: EvaluatedLoad, columns: Columns, from: number, to: number): Seen {
  const { epochSeconds, periodSeconds } = evaluated.load;
  const leastOps = fixedThresholds.firstReadsLeastPerSecond * periodSeconds;
  const seen: Seen = { slow: [], slowMinutes: new Float64Array(epochSeconds.length), inOrder: [] };
  for (let i = 0; i < epochSeconds.length; i++) {
    const at = epochSeconds[i] as number;
    if (at < from || at >= to || !isCalm(evaluated, i)) continue;
    const operations = operationsAt(columns, i, leastOps);
    if (Number.isNaN(operations.readMs) || Number.isNaN(operations.usualReadMs)) continue;
    const isSlow = isSlowRead(operations);
    seen.inOrder.push({ isSlow, readMs: operations.readMs });
    if (!isSlow) continue;
    seen.slow.push(operations);
    seen.slowMinutes[i] = periodSeconds / secondsPerMinute;
  }
  return seen;
}

type InOrder = Seen['inOrder'];

const shareOf = (some: InOrder): number =>
  some.length === 0 ? 0 : some.filter(({ isSlow }) => isSlow).length / some.length;
const medianMs = (some: InOrder): number =>
  some.length === 0 ? Number.NaN : median(some.map(({ readMs }) => readMs));

/** Fewer periods are slow in the second half than in the first, or reads take less in it. */
function isBetter(first: InOrder, second: InOrder): boolean {
  const { firstReadsLessTimes } = fixedThresholds;
  return (
    shareOf(second) <= firstReadsLessTimes * shareOf(first) ||
    medianMs(second) <= firstReadsLessTimes * medianMs(first)
  );
}

/** Two of them make it sure: reads become faster, as what was read once is there; and writes beside them are fast. */
function confidenceOf(isFaster: boolean, isCompared: boolean): Confidence {
  if (isFaster && isCompared) return 'high';
  return isFaster || isCompared ? 'medium' : 'low';
}

const medianOf = (values: readonly number[]): number => Number(median([...values]).toFixed(2));

/**
 * Named where all of it holds: made from a snapshot, not HDD (whose reads wait for the disk), reads slow as above for ten minutes of
 * a day or more within seven days, and slow reads that do not become more. Null: not so, or not known.
 */
export function firstReads(
  evaluated: EvaluatedLoad,
  volume: Volume,
  metrics: MetricSet,
): Draft<'uninitialized'> | null {
  const end = firstReadsEnd(volume);
  const { load, windowEndEpochSeconds } = evaluated;
  if (end === null || end <= (load.epochSeconds[0] as number) || !isSsd(volume)) return null;
  const columns = columnsIn(metrics, load);
  if (columns === null) return null;
  const created = end - fixedThresholds.firstReadsSeconds;
  const { slow, slowMinutes, inOrder } = lookAt(evaluated, columns, created, end);
  const held = countThrottled(load, slowMinutes, windowEndEpochSeconds);
  if (held.minutesPeak24h < fixedThresholds.firstReadsMinutes) return null;
  const middle = Math.ceil(inOrder.length / 2);
  const [first, second] = [inOrder.slice(0, middle), inOrder.slice(middle)];
  const [before, after] = [shareOf(first), shareOf(second)];
  if (after > before + fixedThresholds.firstReadsMoreShare) return null;
  const writes = slow.map(({ writeMs }) => writeMs).filter((ms) => !Number.isNaN(ms));
  const isCompared = 2 * writes.length >= slow.length;
  const { status, ...when } = whenSeen(held);
  const isWarning = status === 'ongoing' || held.minutesPeak24h >= fixedThresholds.firstReadsWarningMinutes;
  return {
    kind: 'uninitialized',
    severity: isWarning ? 'warning' : 'info',
    ...{ status, ...when, limit: null, demand: null },
    confidence: confidenceOf(isBetter(first, second), isCompared),
    ...evidenceOver(load, load.knownSeconds),
    evidence: {
      snapshotId: volume.snapshotId as string,
      createdAt: isoFromEpochSeconds(created),
      initializationRateMiBps: volume.initializationRateMiBps ?? null,
      readLatencyMs: medianOf(slow.map(({ readMs }) => readMs)),
      usualReadLatencyMs: medianOf(slow.map(({ usualReadMs }) => usualReadMs)),
      writeLatencyMs: isCompared ? medianOf(writes) : null,
      slowMinutesPeak24h: held.minutesPeak24h,
      slowMinutesInWindow: held.minutesInWindow,
      firstHalfSlowShare: Number(before.toFixed(3)),
      secondHalfSlowShare: Number(after.toFixed(3)),
    },
  };
}
