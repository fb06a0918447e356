/**
 * The member of a stripe that makes the others wait. All members do the same I/O at the same rate, the rate of the slowest,
 * so rates do not reveal it: waiting does. A member that its own limit or its instance throttles waits for that, and is
 * told elsewhere.
 */
import { median } from 'simple-statistics';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { FindingOf } from '../schemas/finding.ts';
import { type CommonAxis, commonAxis } from '../stripes/load-as-one.ts';
import { stragglerRecommendation } from '../stripes/straggler-recommendation.ts';
import { idsOf, type Stripe, unlikeMembers } from '../stripes/stripes.ts';
import { msPerSecond, secondsPerMinute } from '../units.ts';
import type { Confidence } from './causes.ts';
import { findingId, volumeResource } from './draft.ts';
import type { Thresholds } from './thresholds.ts';
import { type Episode, evidenceOver, latestEpisode, peakDayMinutes, seenIn } from './throttled.ts';

/** Whether something throttled this volume in this period of its own load. */
export type IsThrottled = (volumeId: string, period: number) => boolean;

/** A member's figures, by the periods of its own load. */
interface Member {
  volumeId: string;
  load: VolumeLoad;
  /** NaN where it does too little to tell, or is throttled. */
  latencyMs: Float64Array;
  /** Periods whose latency is from the queue, since their total time is not there. */
  fromQueue: number;
}

/**
 * Milliseconds an operation takes: Sum(time) / Sum(operations); where the times are missing (Multi-Attach, some old
 * instances), queue length / rate (Little), which is a mean over the same period.
 */
function memberOf(
  volumeId: string,
  load: VolumeLoad,
  isThrottled: IsThrottled,
  { stragglerLeastIops }: Thresholds,
): Member {
  const { iops, queueLength } = load;
  const member: Member = { volumeId, load, latencyMs: new Float64Array(iops.length), fromQueue: 0 };
  for (let i = 0; i < iops.length; i++) {
    const rate = iops[i] as number;
    let ms = load.latencyMs?.[i] ?? Number.NaN;
    if (Number.isNaN(ms) && rate > 0 && queueLength !== null) {
      ms = ((queueLength[i] as number) / rate) * msPerSecond;
      if (!Number.isNaN(ms)) member.fromQueue++;
    }
    const isUsable = rate >= stragglerLeastIops && !Number.isNaN(ms) && !isThrottled(volumeId, i);
    member.latencyMs[i] = isUsable ? ms : Number.NaN;
  }
  return member;
}

/** The median of the first `count` values of a scratch array, which are sorted in place: there are few of them. */
function medianOf(scratch: Float64Array, count: number): number {
  for (let i = 1; i < count; i++) {
    const value = scratch[i] as number;
    let at = i;
    for (; at > 0 && (scratch[at - 1] as number) > value; at--) scratch[at] = scratch[at - 1] as number;
    scratch[at] = value;
  }
  const middle = count >> 1;
  const upper = scratch[middle] as number;
  return count % 2 === 1 ? upper : ((scratch[middle - 1] as number) + upper) / 2;
}

/** Latencies of the siblings of one member at a time, of those that tell; half of them must. */
class Siblings {
  private readonly members: readonly Member[];
  private readonly axis: CommonAxis;
  private readonly scratch: Float64Array;

  constructor(members: readonly Member[], axis: CommonAxis) {
    this.members = members;
    this.axis = axis;
    this.scratch = new Float64Array(members.length);
  }

  ownMs(m: number, i: number): number {
    const at = this.axis.positions[m]?.[i] ?? -1;
    return at < 0 ? Number.NaN : (this.members[m]?.latencyMs[at] as number);
  }

  medianMs(m: number, i: number): number {
    const siblings = this.members.length - 1;
    let count = 0;
    for (let other = 0; other <= siblings; other++) {
      const ms = other === m ? Number.NaN : this.ownMs(other, i);
      if (!Number.isNaN(ms)) this.scratch[count++] = ms;
    }
    return count > 0 && 2 * count >= siblings ? medianOf(this.scratch, count) : Number.NaN;
  }
}

interface Slow {
  /** Minutes a time of the common axis. */
  minutes: Float64Array;
  minutesPeak24h: number;
  latest: Episode | null;
  ownMs: number[];
  siblingsMs: number[];
}

function slowTimes(
  m: number,
  siblings: Siblings,
  { epochSeconds, periodSeconds }: CommonAxis,
  { stragglerLeastMs, stragglerTimes }: Thresholds,
): Slow {
  const minutes = new Float64Array(epochSeconds.length);
  const [ownMs, siblingsMs]: [number[], number[]] = [[], []];
  for (let i = 0; i < epochSeconds.length; i++) {
    const own = siblings.ownMs(m, i);
    if (!(own >= stragglerLeastMs)) continue;
    const usual = siblings.medianMs(m, i);
    if (!(own >= stragglerTimes * usual)) continue;
    minutes[i] = periodSeconds / secondsPerMinute;
    ownMs.push(own);
    siblingsMs.push(usual);
  }
  const minutesPeak24h = peakDayMinutes(epochSeconds, minutes);
  return { minutes, minutesPeak24h, latest: latestEpisode(epochSeconds, minutes), ownMs, siblingsMs };
}

/** Its share of all operations, as a multiple of an equal share: near 1 in a stripe, however slow it is. */
function rateShare(m: number, members: readonly Member[]): number {
  const totals = members.map(({ load }) => {
    let total = 0;
    for (const ops of load.ops) if (!Number.isNaN(ops)) total += ops;
    return total;
  });
  const all = totals.reduce((sum, total) => sum + total, 0);
  return ((totals[m] as number) * members.length) / all;
}

/** The highest queue while it was slow. */
function topQueue(m: number, { load }: Member, axis: CommonAxis, { minutes }: Slow): number | null {
  let top = Number.NaN;
  for (let i = 0; i < minutes.length; i++) {
    const queue =
      (minutes[i] as number) > 0
        ? (load.queueLength?.[axis.positions[m]?.[i] ?? -1] ?? Number.NaN)
        : Number.NaN;
    if (!(queue <= top)) top = Number.isNaN(queue) ? top : queue;
  }
  return Number.isNaN(top) ? null : top;
}

/** As sure as the stripe is known; not high where latencies come from the queue. */
function confidenceOf({ confidence }: Stripe, { fromQueue }: Member): Confidence {
  return fromQueue > 0 && confidence === 'high' ? 'medium' : confidence;
}

const lastMinutes = 5;

/** In the last minutes that are known of all members. */
const isSlowAtEnd = ({ epochSeconds }: CommonAxis, latest: Episode | null): boolean =>
  latest !== null &&
  latest.lastEpochSeconds > (epochSeconds.at(-1) as number) - lastMinutes * secondsPerMinute;

const rounded = (value: number): number => Number(value.toFixed(3));

function findingOf(
  stripe: Stripe,
  m: number,
  members: readonly Member[],
  axis: CommonAxis,
  slow: Slow,
): FindingOf<'stripe-straggler'>[] {
  const volume = stripe.volumes[m];
  const member = members[m];
  if (volume === undefined || member === undefined) return [];
  const { volumeId } = volume;
  const resource = volumeResource(volume);
  const [ownMs, siblingsMs] = [median(slow.ownMs), median(slow.siblingsMs)];
  const share = rateShare(m, members);
  const unlike = unlikeMembers(stripe).find((one) => one.volumeId === volumeId) ?? null;
  return [
    {
      id: findingId('stripe-straggler', resource),
      kind: 'stripe-straggler',
      severity: 'warning',
      resource,
      status: isSlowAtEnd(axis, slow.latest) ? 'ongoing' : 'ended',
      ...seenIn(slow.latest, axis.periodSeconds),
      ...{ limit: null, demand: null, confidence: confidenceOf(stripe, member) },
      ...evidenceOver(axis, axis.epochSeconds.length * axis.periodSeconds),
      evidence: {
        stripeId: stripe.stripeId,
        members: idsOf(stripe),
        stripeEvidence: stripe.evidence,
        stripeConfidence: stripe.confidence,
        medianLatencyMs: rounded(ownMs),
        siblingsMedianLatencyMs: rounded(siblingsMs),
        timesSiblings: rounded(ownMs / siblingsMs),
        slowMinutesPeak24h: slow.minutesPeak24h,
        slowMinutesInWindow: slow.minutes.reduce((total, value) => total + value, 0),
        topQueueLength: topQueue(m, member, axis, slow),
        rateShare: rounded(share),
        latencyFrom: member.fromQueue > 0 ? 'queue-length-in-part' : 'total-time',
        unlikeSiblings: unlike,
      },
      recommendations: stragglerRecommendation(stripe, volume, unlike !== null),
    },
  ];
}

/**
 * The stragglers of one stripe: members whose latency is at least 3 times the median of their siblings' for 10 minutes of
 * load within 24 h. None where the load of a member is not known, or where their periods differ.
 * @param isThrottled of a member in a period (position in its own load): throttled, out of credits, or by its instance.
 */
export function stragglerFindings(
  stripe: Stripe,
  loads: (volumeId: string) => VolumeLoad | null,
  isThrottled: IsThrottled,
  thresholds: Thresholds,
): FindingOf<'stripe-straggler'>[] {
  const members = stripe.volumes.flatMap(({ volumeId }) => {
    const load = loads(volumeId);
    return load === null ? [] : [memberOf(volumeId, load, isThrottled, thresholds)];
  });
  if (members.length < stripe.volumes.length) return [];
  const axis = commonAxis(members.map(({ load }) => load));
  if (!axis.known) return [];
  const siblings = new Siblings(members, axis.value);
  return members.flatMap((_, m) => {
    const slow = slowTimes(m, siblings, axis.value, thresholds);
    if (slow.minutesPeak24h < thresholds.stragglerMinutes) return [];
    return findingOf(stripe, m, members, axis.value, slow);
  });
}
