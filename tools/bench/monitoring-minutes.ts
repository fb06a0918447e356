/** The minutes of one volume, made once: what it did, what throttled it, how full its bucket was. Compact, since a fleet is kept. */
import type { VolumeLimits } from '../../core/limits/volume-limits.ts';
import { secondsPerMinute } from '../../core/units.ts';
import { deliveredIn, type Rules, usualRules } from '../../test/simulator/rules.ts';
import type { DemandAt, Uniform } from './monitoring-loads.ts';
import { minutes, type SyntheticLoad, volumeMinutes } from './two-pass-series.ts';

export const throttledByIops = 1;
export const throttledByThroughput = 2;

export interface VolumeHistory {
  /** Operations a second. */
  iops: Float32Array;
  mibps: Float32Array;
  inFlight: Float32Array;
  /** Percent; null without a bucket. */
  balance: Float32Array | null;
  /** Bits: `throttledByIops`, `throttledByThroughput`. */
  held: Uint8Array;
  /** The same bits, of the minutes of which AWS's check says so. */
  checked: Uint8Array;
  /** Seconds from the end of a minute until CloudWatch has it; `neverPublished`: it never has. */
  published: Uint16Array;
  /** So much later than all else of its minute a check is there. */
  checkDelaySeconds: number;
}

export const neverPublished = 65_535;

/** A level of the rules as far as minutes show it: `rules.ts` of the simulator says what each is. */
export type MinuteRules = Pick<
  Rules,
  'check' | 'checkDelaySeconds' | 'delaySeconds' | 'neverShare' | 'deliveredShare'
>;

/** A minute comes 60 to 120 s after its end; one in a hundred up to five minutes, one in a thousand up to a quarter of an hour. */
function publicationSeconds(uniform: Uniform, { delaySeconds, neverShare }: MinuteRules): number {
  const luck = uniform();
  const usual =
    luck < 0.001 ? 300 + 600 * uniform() : luck < 0.011 ? 120 + 180 * uniform() : 60 + 60 * uniform();
  if (neverShare > 0 && uniform() < neverShare) return neverPublished;
  return Math.floor(delaySeconds === 0 ? usual : delaySeconds);
}

/** Of a check over seconds no minute tells more than whether its average was the limit. */
function isChecked({ check }: MinuteRules, isHeld: boolean, isOver: boolean, share: number): boolean {
  if (check === 'any-second') return isHeld;
  if (check === 'average-at-the-limit') return share >= 0.95;
  return check !== null && isOver;
}

const empty = (hasBucket: boolean, length: number, { checkDelaySeconds }: MinuteRules): VolumeHistory => ({
  ...{ iops: new Float32Array(length), mibps: new Float32Array(length), inFlight: new Float32Array(length) },
  balance: hasBucket ? new Float32Array(length) : null,
  ...{ held: new Uint8Array(length), checked: new Uint8Array(length), published: new Uint16Array(length) },
  checkDelaySeconds,
});

const secondsPerIo = {
  gp3: 0.0008,
  gp2: 0.0009,
  io1: 0.0006,
  io2: 0.0003,
  st1: 0.006,
  sc1: 0.009,
  standard: 0.01,
};
/** What waits where a limit binds, and how much work is put off at most. */
const waitingIo = 24;
const maxBacklogMinutes = 5;

/**
 * A load on a volume with one I/O size. What a minute does not do is done later; a second over the limit in a minute that
 * is below it is throttled too.
 */
export function historyOf(
  limits: VolumeLimits,
  ioKiB: number,
  demandAt: DemandAt,
  uniform: Uniform,
  { length = minutes, rules = usualRules }: { length?: number; rules?: MinuteRules } = {},
): VolumeHistory {
  const history = empty(limits.bucket !== null, length, rules);
  const ioMiB = ioKiB / 1_024;
  const hdd = limits.bucket?.unit === 'mib';
  const topIops = Math.min(limits.burstIops, limits.burstMiBps / ioMiB);
  const baselineIops = Math.min(limits.baselineIops, limits.baselineMiBps / ioMiB);
  const throttledBy =
    !hdd && limits.burstMiBps / ioMiB < limits.burstIops ? throttledByThroughput : throttledByIops;
  const spentPerIo = hdd ? ioMiB : 1;
  const inflow = hdd ? limits.baselineMiBps : limits.baselineIops;
  const capacity = limits.bucket?.capacity ?? Number.POSITIVE_INFINITY;
  let [credits, backlog] = [capacity, 0];
  for (let minute = 0; minute < length; minute++) {
    const { share, topSecondShare } = demandAt(minute);
    const asked = share * topIops + backlog / secondsPerMinute;
    // Credits that run out within the minute serve a part of it.
    const byCredits = Math.max(baselineIops, (credits / secondsPerMinute + inflow) / spentPerIo);
    const limit = Math.min(topIops, byCredits) * deliveredIn(minute, rules);
    const served = Math.min(asked, limit);
    const isOver = asked > limit * 1.001;
    const isHeld = isOver || topSecondShare * topIops > limit;
    backlog = Math.min((asked - served) * secondsPerMinute, maxBacklogMinutes * secondsPerMinute * topIops);
    credits = Math.min(capacity, Math.max(0, credits + (inflow - served * spentPerIo) * secondsPerMinute));
    const iops = Math.round(served * secondsPerMinute) / secondsPerMinute;
    history.iops[minute] = iops;
    history.mibps[minute] = iops * ioMiB;
    const latency = (secondsPerIo[limits.volumeType] + (hdd ? 0 : ioMiB * 0.002)) * (0.85 + 0.3 * uniform());
    history.inFlight[minute] = iops * latency + (isOver ? waitingIo : isHeld ? 2 : 0);
    if (isHeld) history.held[minute] = throttledBy;
    if (isChecked(rules, isHeld, isOver, served / limit)) history.checked[minute] = throttledBy;
    if (history.balance !== null) history.balance[minute] = (100 * credits) / capacity;
    history.published[minute] = publicationSeconds(uniform, rules);
  }
  return history;
}

/** A volume of the fleet that two passes are measured on. */
export function historyOfSynthetic(
  load: SyntheticLoad,
  uniform: Uniform,
  rules: MinuteRules = usualRules,
): VolumeHistory {
  const made = volumeMinutes(load);
  const history = empty(made.balancePercent !== null, made.ops.length, rules);
  const { burstIops, burstMiBps } = load.limits;
  for (let i = 0; i < made.ops.length; i++) {
    history.iops[i] = (made.ops[i] as number) / secondsPerMinute;
    history.mibps[i] = (made.mib[i] as number) / secondsPerMinute;
    history.inFlight[i] = made.inFlight[i] as number;
    if (history.balance !== null) history.balance[i] = made.balancePercent?.[i] as number;
    const byIops = (made.iopsCheck[i] as number) > 0 ? throttledByIops : 0;
    const byThroughput = (made.throughputCheck[i] as number) > 0 ? throttledByThroughput : 0;
    history.held[i] = byIops | byThroughput;
    const share = Math.max(
      (history.iops[i] as number) / burstIops,
      (history.mibps[i] as number) / burstMiBps,
    );
    const isHeld = history.held[i] !== 0;
    if (isChecked(rules, isHeld, isHeld && share >= 0.99, share))
      history.checked[i] = history.held[i] || throttledByIops;
    history.published[i] = publicationSeconds(uniform, rules);
  }
  return history;
}
