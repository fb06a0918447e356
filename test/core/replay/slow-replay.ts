/**
 * The replay again, slow and obvious: one object a limit, one object a period, nothing in common with the loop but what it
 * is given.
 */
import type { Cause } from '../../../core/diagnosis/causes.ts';
import type { CreditedRate, ReplayConfiguration } from '../../../core/replay/configuration.ts';
import type { ReplaySeries } from '../../../core/replay/replay.ts';

/** What differs by less comes from the arithmetic. */
const noise = 1e-9;

interface Bucket {
  rate: CreditedRate;
  ofInstance: boolean;
  measure: 'units' | 'mib';
  credits: number;
  lowest: number;
}

interface Quantities {
  io: number;
  units: number;
  mib: number;
}

const bucket = (rate: CreditedRate, ofInstance: boolean, measure: Bucket['measure']): Bucket => ({
  rate,
  ofInstance,
  measure,
  credits: rate.startCredits,
  lowest: rate.startCredits,
});

const capacityOf = ({ rate, credits }: Bucket, seconds: number): number =>
  Math.min(rate.burstPerSecond * seconds, rate.baselinePerSecond * seconds + credits);

function causeOf({ rate, credits, ofInstance, measure }: Bucket, seconds: number): Cause {
  const whose = ofInstance ? 'instance' : 'volume';
  const isDry = rate.baselinePerSecond * seconds + credits < rate.burstPerSecond * seconds * (1 - noise);
  return isDry ? `${whose}-credits` : `${whose}-${measure === 'units' ? 'iops' : 'throughput'}`;
}

const valueAt = (share: number | Float64Array, i: number): number =>
  typeof share === 'number' ? share : (share[i] as number);

/** What the application asks for in a period, and what becomes of it; null where it is unknown. */
function askedAt(series: ReplaySeries, { counting }: ReplayConfiguration, i: number): Quantities | null {
  const { periodSeconds, writeShare, writeByteShare = writeShare } = series;
  const io = valueAt(series.iops, i) * periodSeconds;
  const bytes = valueAt(series.mibps, i) * periodSeconds;
  if (Number.isNaN(io) || Number.isNaN(bytes)) return null;
  const pieces = io === 0 ? 0 : Math.max(1, Math.ceil(bytes / io / counting.chunkMiB - noise)) * io;
  const penalty = (share: number): number => 1 - share + share * counting.writePenalty;
  return {
    io,
    units: Math.max(pieces, bytes / counting.unitMiB) * penalty(valueAt(writeShare, i)),
    mib: bytes * penalty(valueAt(writeByteShare, i)),
  };
}

function settle(one: Bucket, used: number, seconds: number): void {
  const { baselinePerSecond, minRefillPerSecond, creditCapacity } = one.rate;
  const unused = baselinePerSecond * seconds - used;
  const idle = Math.max(baselinePerSecond, minRefillPerSecond);
  const change = unused > 0 ? (unused / baselinePerSecond) * idle : unused;
  one.credits = Number.isFinite(change) ? Math.min(creditCapacity, Math.max(0, one.credits + change)) : 0;
  one.lowest = Math.min(one.lowest, one.credits);
}

export interface SlowPeriod {
  /** I/O, not a rate. */
  served: number;
  backlog: number;
  cause: Cause;
  delaySeconds: number;
  hasLoad: boolean;
}

export function slowReplay(
  series: ReplaySeries,
  configuration: ReplayConfiguration,
): { periods: SlowPeriod[]; lowestPercent: number[]; lateIo: number; askedIo: number } {
  const { periodSeconds: seconds, beside } = series;
  const { volumeIops, volumeMiBps, instance } = configuration;
  const volume = [bucket(volumeIops, false, 'units'), bucket(volumeMiBps, false, 'mib')];
  const shared =
    instance === null ? [] : [bucket(instance.iops, true, 'units'), bucket(instance.mibps, true, 'mib')];
  let backlog: Quantities = { io: 0, units: 0, mib: 0 };
  const periods: SlowPeriod[] = [];
  let [lateIo, askedIo] = [0, 0];
  for (let i = 0; i < series.iops.length; i++) {
    const asked = askedAt(series, configuration, i);
    const others = {
      units: beside ? valueAt(beside.iops, i) * seconds : 0,
      mib: beside ? valueAt(beside.mibps, i) * seconds : 0,
    };
    if (asked === null || (instance !== null && Number.isNaN(others.units + others.mib))) {
      const still = { served: Number.NaN, backlog: backlog.io, delaySeconds: 0, hasLoad: false };
      periods.push({ ...still, cause: 'unknown' });
      continue;
    }
    const before = backlog;
    const demand = {
      io: before.io + asked.io,
      units: before.units + asked.units,
      mib: before.mib + asked.mib,
    };
    // What each limit leaves of what comes to it; 1 where that is all.
    const partOf = (one: Bucket, of: { units: number; mib: number }): number => {
      const part = capacityOf(one, seconds) / of[one.measure];
      return part < 1 - noise ? part : 1;
    };
    const ownParts = volume.map((one) => partOf(one, demand));
    const own = Math.min(...ownParts);
    const offered = { units: demand.units * own + others.units, mib: demand.mib * own + others.mib };
    const sharedParts = shared.map((one) => partOf(one, offered));
    const left = Math.min(1, ...sharedParts);
    // Where nothing is demanded here, nothing of it is throttled, whatever is beside.
    const isAsked = demand.units + demand.mib > 0;
    const share = isAsked ? own * left : 1;

    let cause: Cause = 'none';
    if (isAsked && left < 1) cause = causeOf(shared[sharedParts.indexOf(left)] as Bucket, seconds);
    else if (own < 1) cause = causeOf(volume[ownParts.indexOf(own)] as Bucket, seconds);
    else if (before.io + before.units + before.mib > 0) {
      // One second's arrivals and all that waited, against what a second of this period lets through.
      const overBy = [...volume, ...shared].map((one) => {
        const besides = one.ofInstance ? others[one.measure] / seconds : 0;
        const first = before[one.measure] + asked[one.measure] / seconds + besides;
        return first / (capacityOf(one, seconds) / seconds);
      });
      const most = Math.max(...overBy);
      if (most > 1 + noise) cause = causeOf([...volume, ...shared][overBy.indexOf(most)] as Bucket, seconds);
    }
    for (const one of volume) settle(one, demand[one.measure] * share, seconds);
    for (const one of shared) settle(one, offered[one.measure] * left, seconds);
    backlog =
      share < 1
        ? { io: demand.io * (1 - share), units: demand.units * (1 - share), mib: demand.mib * (1 - share) }
        : { io: 0, units: 0, mib: 0 };
    lateIo += Math.min(asked.io, backlog.io);
    askedIo += asked.io;
    const served = demand.io - backlog.io;
    const delaySeconds = share < 1 ? (demand.io * (1 - share)) / ((demand.io * share) / seconds) : 0;
    periods.push({
      served,
      backlog: backlog.io,
      cause,
      delaySeconds,
      hasLoad: demand.units + demand.mib > 0,
    });
  }
  const lowestPercent = [...volume, ...shared]
    .filter(({ rate }) => rate.creditCapacity > 0)
    .map(({ rate, lowest }) => (100 * lowest) / rate.creditCapacity);
  return { periods, lowestPercent, lateIo, askedIo };
}
