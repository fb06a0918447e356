/**
 * Period by period: was this volume's load throttled, and by what? `evidence.ts` says what is known of a period; here it is
 * decided, and why. Two questions in this order: throttled (a check of 1, an empty balance under load, the instance, a rate at
 * the limit with a queue, a burst)? By what (balance before limit, the larger share of IOPS and MiB/s, the volume before its
 * instance)? What else throttled it stands beside the cause. Why the queue is asked: docs/contribute/decisions/0003.
 */
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { MetricSet } from '../load/metrics.ts';
import { columnsOf, type VolumeLoad } from '../load/volume-load.ts';
import { type Balance, volumeBalance } from './balance.ts';
import {
  alsoBit,
  type Cause,
  causeCode,
  causes,
  confidenceCode,
  type Decision,
  type Proof,
  proofs,
} from './causes.ts';
import { LimitShares, type VolumeChecks, type VolumeEvidence, volumeEvidence } from './evidence.ts';
import type { InstanceOnAxis } from './instance-on-axis.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';

const { atLimitShare, saturatedShare, queueTimesUnthrottled, queueTimesProved, mergedShare } =
  fixedThresholds;

/** A row of the evidence. */
interface Row {
  seen: VolumeEvidence;
  row: number;
  /** What its instances throttled, in the same period. */
  instances: readonly InstanceOnAxis[];
  period: number;
  thresholds: Thresholds;
}

// What a row says of waiting and of checks.

/** Is more waiting than the rate needs? Null where there is no queue metric; no figure proves nothing. */
const waits = ({ seen, row }: Row): boolean | null =>
  seen.isQueueMeasured
    ? (seen.queue[row] as number) >= queueTimesUnthrottled * (seen.calmQueue[row] as number)
    : null;

/** The same, and null too where the queue has no figure. */
const waitsWhereKnown = (one: Row): boolean | null =>
  Number.isNaN(one.seen.queue[one.row]) ? null : waits(one);

/** The same, and null too where no calm period shows what the rate needs: what is typical proves waiting, never its absence. */
function waitsWhereLearned({ seen, row }: Row, times: number): boolean | null {
  const [queue, calm] = [seen.queue[row] as number, seen.calmQueue[row] as number];
  if (Number.isNaN(queue)) return null;
  return queue >= times * calm ? true : seen.isCalmLearned[row] === 1 ? false : null;
}

/** How many times the queue of its rate when calm; NaN where that is not known. */
function timesCalmQueue({ seen, row }: Row): number {
  const times = (seen.queue[row] as number) / (seen.calmQueue[row] as number);
  return times >= queueTimesProved || seen.isCalmLearned[row] === 1 ? times : Number.NaN;
}

/** Both checks have a figure, and it is 0: no proof that nothing was throttled, but more than an active-time rate is. */
const checksSayNo = ({ seen, row }: Row): boolean =>
  seen.iopsCheck[row] === 0 && seen.throughputCheck[row] === 0;

/** Minutes in which a check was 1; a check without a figure proves nothing. */
const minutesOf = (check: Float64Array, row: number): number =>
  (check[row] as number) > 0 ? (check[row] as number) : 0;

// What a volume's own limits and credits throttled: by AWS's checks, else by its rate with its queue, else by a burst.

const ownLimits = { iops: 'volume-iops', throughput: 'volume-throughput' } as const;

const otherLimit = (cause: Cause): Cause =>
  cause === ownLimits.iops ? ownLimits.throughput : ownLimits.iops;

/** Which of its two limits a volume is nearer to; on HDD bytes are the surer figure. */
const nearerLimit = ({ seen }: Row, iops: number, mibps: number): Cause =>
  (seen.isHdd ? mibps >= atLimitShare : mibps > iops) ? ownLimits.throughput : ownLimits.iops;

const nearerOnAverage = (one: Row): Cause =>
  nearerLimit(one, one.seen.provingIops[one.row] as number, one.seen.provingMiBps[one.row] as number);

const highestShare = ({ seen, row }: Row): number =>
  Math.max(seen.provingIops[row] as number, seen.provingMiBps[row] as number);

/** The other limit binds at once: raising one of them alone changes nothing. */
function alsoOther({ seen, row }: Row, cause: Cause): number {
  const [iops, mibps] = [seen.provingIops[row] as number, seen.provingMiBps[row] as number];
  const [lower, higher] = [Math.min(iops, mibps), Math.max(iops, mibps)];
  // Of a recorded load that is more than the volume can do, the larger share leaves the other limit unreached.
  const both = !seen.isHdd && lower >= atLimitShare && lower >= atLimitShare * higher;
  return both ? alsoBit(otherLimit(cause)) : 0;
}

/** What AWS's checks of the volume's limits say. */
function byCheck(one: Row): Decision | null {
  const { seen, row } = one;
  const [iops, throughput] = [minutesOf(seen.iopsCheck, row), minutesOf(seen.throughputCheck, row)];
  const minutes = Math.min(seen.periodMinutes, Math.max(iops, throughput));
  if (minutes <= 0) return null;
  const both = iops > 0 && throughput > 0;
  const limit: Cause = both ? nearerOnAverage(one) : iops > 0 ? ownLimits.iops : ownLimits.throughput;
  const also = both ? alsoBit(otherLimit(limit)) : alsoOther(one, limit);
  // AWS does not document when a check is 1: it is sure where a second kind of evidence shows the same.
  const isShown = highestShare(one) >= atLimitShare || waitsWhereKnown(one) === true;
  const found = { minutes, proof: 'check', confidence: isShown ? 'high' : 'medium' } as const;
  if (seen.isEmpty[row] === 0) return { ...found, cause: limit, also };
  // Who does the burst's rate on average has credits left: it is the limit, if soon no more.
  return (seen.burstShare[row] as number) >= saturatedShare
    ? { ...found, cause: limit, also: also | alsoBit('volume-credits') }
    : { ...found, cause: 'volume-credits', also: 0 };
}

/** At the baseline or above with next to nothing left: throttled where the load waits, or where that is not known. */
function byEmptyBalance(one: Row): Decision | null {
  const { seen } = one;
  const waiting = waitsWhereKnown(one);
  if (waiting === false || (waiting === null && checksSayNo(one))) return null;
  const confidence = seen.balanceSource === 'published' ? 'high' : 'low';
  return { cause: 'volume-credits', also: 0, minutes: seen.periodMinutes, proof: 'balance', confidence };
}

/** An empty HDD bucket shows that the operations did not merge: then their number is load enough. */
const isCountAtLimit = ({ seen, row }: Row): boolean =>
  seen.isHdd &&
  (seen.iopsShare[row] as number) >= atLimitShare &&
  !((seen.iopsShare[row] as number) > mergedShare);

/** The average is the limit itself. Not where the limit is approximate, or on HDD by number. */
function isSaturated({ seen, row }: Row): boolean {
  if (seen.isApproximate) return false;
  return (
    Math.max(seen.isHdd ? 0 : (seen.iopsShare[row] as number), seen.mibpsShare[row] as number) >=
    saturatedShare
  );
}

/** What its rate says where AWS's checks do not. */
function byRate(one: Row): Decision | null {
  const { seen, row } = one;
  const isEmpty = seen.isEmpty[row] === 1;
  const isAtLimit = highestShare(one) >= atLimitShare;
  if (isEmpty && (seen.burstShare[row] as number) < saturatedShare)
    return isAtLimit || isCountAtLimit(one) ? byEmptyBalance(one) : null;
  const cause = nearerOnAverage(one);
  const confidence = seen.isQueueMeasured ? 'medium' : 'low';
  const found = { cause, minutes: seen.periodMinutes, proof: 'rate', confidence } as const;
  const also = alsoOther(one, cause) | (isEmpty ? alsoBit('volume-credits') : 0);
  if (isSaturated(one)) return { ...found, also };
  // The volume delivers a little less than its limit, and steadily so.
  if (!isAtLimit) return seen.isPlateau[row] === 1 ? { ...found, also: 0 } : null;
  // Without a queue nothing contradicts the rate, unless the limit itself is approximate.
  const queueAgrees = waits(one) ?? (!seen.isApproximate && !checksSayNo(one));
  return queueAgrees ? { ...found, also } : null;
}

/** Of two limits that a burst can have met, the one that the averages are nearer to: an instance's, or null for its own. */
function nearerInstance({ seen, row, instances, period }: Row): Cause | null {
  const [byNumber, byBytes] = [seen.iopsShare[row] as number, seen.mibpsShare[row] as number];
  const own = byBytes > byNumber ? byBytes : byNumber;
  for (const { shares } of instances) {
    const [iops, throughput] = [shares?.iops(period) ?? 0, shares?.throughput(period) ?? 0];
    if (Math.max(iops, throughput) > own) return throughput > iops ? 'instance-throughput' : 'instance-iops';
  }
  return null;
}

/** Part of a minute: a rate over the busy seconds that is the limit, with a queue, or a burst that left one. */
function byShortBurst(one: Row): Decision | null {
  const { seen, row } = one;
  const saysNo = checksSayNo(one);
  if (saysNo && seen.checksSeeBursts) return null;
  const [iops, mibps] = [seen.activeTimeIopsShare[row] as number, seen.activeTimeMiBpsShare[row] as number];
  const isBusyAtLimit = Math.max(iops, mibps) >= atLimitShare;
  const isWaiting = saysNo ? seen.isLong[row] === 1 : (waits(one) ?? !seen.isApproximate);
  const isSudden = seen.isSudden[row] === 1 && (saysNo || seen.isChecked[row] === 0);
  if (!(isBusyAtLimit && isWaiting) && !isSudden) return null;
  const limit = isBusyAtLimit ? nearerLimit(one, iops, mibps) : (nearerInstance(one) ?? nearerOnAverage(one));
  const cause = seen.isEmpty[row] === 1 ? 'volume-credits' : limit;
  const minutes = Math.min(1, seen.periodMinutes);
  return { cause, also: 0, minutes, proof: 'active-time-rate', confidence: 'low' };
}

// What others throttled of it.

/** What its instance throttled of it: the volume must have had I/O, and must not have gone without waiting. */
function byInstance(one: Row, { iops }: VolumeLoad, own: Decision | null): Decision | null {
  const { instances, period } = one;
  if (!((iops[period] as number) > 0)) return null;
  for (const { cause, also, minutes, proof, saturated, isCoarse, feel } of instances) {
    if ((cause[period] as number) === causeCode.none) continue;
    const isProved = proofs[proof[period] as number] === 'check';
    const isSaturatedAt = saturated[period] === 1;
    const times = isProved || isSaturatedAt ? queueTimesProved : queueTimesUnthrottled;
    // The volume's own check shows that it waited, whatever its queue is.
    const isWaiting = own?.proof === 'check' || waitsWhereLearned(one, times);
    if (isWaiting === false) continue;
    if (isWaiting === null && (isProved ? isCoarse : !isSaturatedAt)) continue;
    feel(period);
    return {
      cause: causes[cause[period] as number] as Cause,
      also: also[period] as number,
      minutes: minutes[period] as number,
      proof: proofs[proof[period] as number] as Proof,
      confidence: isProved && isWaiting === true ? 'high' : 'medium',
    };
  }
  return null;
}

function byStall({ seen, row }: Row): Decision | null {
  const minutes = Math.min(minutesOf(seen.stalledCheck, row), seen.periodMinutes);
  return minutes > 0 ? { cause: 'stalled', also: 0, minutes, proof: 'check', confidence: 'high' } : null;
}

/** Even with all the period's load in its throttled minutes, was their average far below the limit? */
function isMicroBurst({ seen, row, thresholds }: Row, { cause, minutes }: Decision): boolean {
  if (cause !== 'volume-iops' && cause !== 'volume-throughput') return false;
  const share = (cause === 'volume-iops' ? seen.iopsShare : seen.mibpsShare)[row] as number;
  return (share * seen.periodMinutes) / minutes < thresholds.microBurstAverageShare;
}

/** What throttled the load in a period, or null. */
function decide(one: Row, load: VolumeLoad): Decision | null {
  // The volume before its instance: of what it cannot do itself no instance could have had more.
  const own = byCheck(one) ?? byRate(one);
  const ofInstance = byInstance(one, load, own);
  // But a volume far below its own limit, while its instance throttles it, had no more to do at it than a burst.
  const isInstanceFirst = own !== null && ofInstance !== null && isMicroBurst(one, own);
  const ordered = isInstanceFirst ? [ofInstance, own] : [own, ofInstance];
  const found = [byStall(one), ...ordered].filter((decision) => decision !== null);
  const [first, ...others] = found.length > 0 ? found : [byShortBurst(one)];
  if (!first) return null;
  let { also } = first;
  for (const other of others) if (other !== null) also |= other.also | alsoBit(other.cause);
  return { ...first, also: also & ~alsoBit(first.cause) };
}

/** I/O waits, and what would show why is not there: all of what its instance does, or checks and the load by bytes. */
function isUnexplained(one: Row, { iops, mibps }: VolumeLoad): boolean {
  const { seen, row, instances, period } = one;
  const isInstanceUnseen = instances.length === 0 || instances.some(({ isWhole }) => !isWhole);
  if (!isInstanceUnseen && seen.isChecked[row] === 1) return false;
  if (!((iops[period] as number) > 0 && seen.isLong[row] === 1)) return false;
  return isInstanceUnseen || Number.isNaN(mibps[period]) || seen.isMoreThanUsual[row] === 1;
}

/** One entry a period of the load. */
export interface Attribution {
  /** `causeCode` of what throttled the load. */
  cause: Uint8Array;
  /** What else throttled the load in that period: bits as `alsoBit` says. */
  also: Uint16Array;
  /** Minutes of the period in which load was throttled (more than one only in periods longer than a minute). */
  throttledMinutes: Float64Array;
  /** The periods in which it was throttled at all, ascending: of most volumes none, of others few. */
  throttledAt: Int32Array;
  /** 1 where load was throttled although the average stayed far below the limit. */
  microBurst: Uint8Array;
  /**
   * How many times the queue is that the same rate has when nothing throttles it: as much longer its operations took. NaN
   * where it is not known, or nothing was throttled; null where nothing ever was.
   */
  timesCalmQueue: Float64Array | null;
  /** What proved it: the position in `proofs`; meaningless where the cause is none or unknown. */
  proof: Uint8Array;
  /** `confidenceCode` of the cause, `none` too; meaningless where it is unknown. */
  confidence: Uint8Array;
  balance: Balance | null;
  /** 1 where its credits were gone and its baseline was the limit; null where they never were, or it has no bucket. */
  atBaseline: Uint8Array | null;
}

type Throttling = Omit<Attribution, 'throttledAt' | 'balance' | 'atBaseline' | 'confidence'>;

const throttledNever = (length: number): Throttling => ({
  cause: new Uint8Array(length),
  also: new Uint16Array(length),
  throttledMinutes: new Float64Array(length),
  microBurst: new Uint8Array(length),
  timesCalmQueue: null,
  proof: new Uint8Array(length),
});

/** Of a volume that nothing throttled: all of one length have the same columns, which nobody writes. */
let sharedNever = throttledNever(0);

/** The same confidence throughout: all of one length have the same column, which nobody writes. */
const sharedConfidence = new Map<number, Uint8Array>();

function sameThroughout(length: number, code: number): Uint8Array {
  let column = sharedConfidence.get(code);
  if (column?.length !== length) {
    column = new Uint8Array(length).fill(code);
    sharedConfidence.set(code, column);
  }
  return column;
}

/** How sure it is that nothing was throttled: where AWS's checks have a figure, else as far as a queue shows it. */
function confidenceOfNone(length: number, checks: VolumeChecks, isQueueMeasured: boolean): Uint8Array {
  const same = sameThroughout(length, isQueueMeasured ? confidenceCode.medium : confidenceCode.low);
  const check = checks.iops ?? checks.throughput;
  if (check === null) return same;
  const confidence = same.slice();
  for (let i = 0; i < length; i++) if (!Number.isNaN(check[i])) confidence[i] = confidenceCode.high;
  return confidence;
}

/**
 * Attributes every period of a volume's load.
 * @param instances what the instances it is attached to throttled, on the axis of the load; a Multi-Attach volume has
 * several, of which the first that says something counts.
 */
export function attribute(
  limits: VolumeLimits,
  load: VolumeLoad,
  metrics: MetricSet,
  instances: readonly InstanceOnAxis[],
  thresholds: Thresholds,
): Attribution {
  const column = columnsOf(metrics, load, () => load.ops);
  const balance = volumeBalance(limits, load, column('BurstBalance'), thresholds);
  const checks = {
    iops: column('VolumeIOPSExceededCheck'),
    throughput: column('VolumeThroughputExceededCheck'),
    stalled: column('VolumeStalledIOCheck'),
  };
  const shares = new LimitShares(limits, load, balance);
  const seen = volumeEvidence({ limits, load, shares, balance, instances, checks }, thresholds);
  const { length } = load.iops;
  let confidence = confidenceOfNone(length, checks, seen.isQueueMeasured);
  let found: Throttling | null = null;
  const throttledAt: number[] = [];
  for (let row = 0; row < seen.period.length; row++) {
    const period = seen.period[row] as number;
    const one: Row = { seen, row, instances, period, thresholds };
    const decision = decide(one, load);
    if (decision === null && !Number.isNaN(load.iops[period]) && !isUnexplained(one, load)) continue;
    found ??= throttledNever(length);
    if (decision === null) {
      found.cause[period] = causeCode.unknown;
      continue;
    }
    found.cause[period] = causeCode[decision.cause];
    found.also[period] = decision.also;
    found.throttledMinutes[period] = decision.minutes;
    // Shared until now.
    if (throttledAt.length === 0) confidence = confidence.slice();
    throttledAt.push(period);
    found.microBurst[period] = isMicroBurst(one, decision) ? 1 : 0;
    found.timesCalmQueue ??= new Float64Array(length).fill(Number.NaN);
    found.timesCalmQueue[period] = timesCalmQueue(one);
    found.proof[period] = proofs.indexOf(decision.proof);
    confidence[period] = confidenceCode[decision.confidence];
  }
  if (found === null) {
    if (sharedNever.cause.length !== length) sharedNever = throttledNever(length);
    found = sharedNever;
  }
  return {
    ...{ ...found, throttledAt: Int32Array.from(throttledAt) },
    ...{ confidence, balance, atBaseline: shares.atBaseline },
  };
}
