/** Advice on an instance that held its volumes back: the cheapest type with room, where types and prices are known. */
import { weightedFigures } from '../catalogue/bandwidth-weighting.ts';
import { type EbsFigures, ebsFiguresOf, type InstanceType } from '../catalogue/instance-type.ts';
import type { Market } from '../catalogue/market.ts';
import { fixedThresholds, type Thresholds } from '../diagnosis/thresholds.ts';
import { figure } from '../figures.ts';
import { attachedCount, type Instance, type Volume } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import type { Rates } from '../plan/need.ts';
import { roundUsd } from '../prices/volume-price.ts';
import type { FindingKind, Limit, Recommendation, Risk } from '../schemas/finding.ts';
import { unknownEffect, way } from './advice-input.ts';
import { instancesTarget, instanceTarget } from './command-target.ts';
import { headroomText } from './headroom-text.ts';
import {
  baselineOf,
  type InstanceNeed,
  type LargerInstance,
  type LargerInstances,
  largerInstances,
  largerText,
  nextText,
} from './larger-instance.ts';
import type { NeedOf } from './savings/observed-need.ts';

export interface InstanceToAdvise {
  instance: Instance;
  /** Attached to it. */
  volumes: readonly Volume[];
  market: Market;
  needOf: NeedOf;
  /** What its volumes wanted of it together; null where that is not known of each of them. */
  wanted: InstanceWanted | null;
  thresholds: Thresholds;
}

/** A load of all volumes of an instance, none more than it can do itself. */
export interface InstanceLoadWanted {
  /** At the busiest. */
  rates: Rates;
  /** Minutes in which it would be held back with other figures of the instance, by replay. */
  heldBackMinutesWith: (figures: EbsFigures) => number;
}

/** What the volumes of an instance wanted together. */
export interface InstanceWanted {
  /** At most, and with headroom above what is likely. */
  most: InstanceLoadWanted;
  /** What is likely, with headroom. */
  likely: InstanceLoadWanted;
  /** Minutes of the window in which the instance held them back. */
  heldBackMinutes: number;
}

/** A throttled rate shows the limit and not the need: a quarter more is the least that is worth a move. */
const room = 1.25;

/** A load to replay; what is likely promises nothing. */
interface Replayable {
  load: InstanceLoadWanted;
  isLikely: boolean;
}

/** What the next type must be, and that in words. */
interface Sought {
  isCarriedBy: InstanceNeed['isCarriedBy'];
  text: string;
}

const onCredits = 'that does all the time what it does today on credits';

/** What the volumes' loads need, as if all peaked at once; null where the load of one shows nothing. */
function sumOfNeeds({ instance, volumes, needOf }: InstanceToAdvise): Rates | null {
  if (instance.excludedVolumes !== undefined) return null;
  const needs = volumes.map(({ volumeId }) => needOf(volumeId)?.rates ?? null);
  return needs.reduce<Rates | null>(
    (sum, need) =>
      sum === null || need === null
        ? null
        : { iops: sum.iops + need.iops, throughputMiBps: sum.throughputMiBps + need.throughputMiBps },
    { iops: 0, throughputMiBps: 0 },
  );
}

/** Credits are spent above the baseline: what the volumes need at their busiest, and no more than today's maximum. */
function insteadOfCredits(to: InstanceToAdvise, figures: EbsFigures): Sought {
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures;
  const today = { isCarriedBy: baselineOf(maximumIops, maximumMiBps) };
  const needs = sumOfNeeds(to);
  if (needs === null) return { ...today, text: `${onCredits} (what some of its volumes need is not known)` };
  const iops = Math.max(baselineIops, Math.min(maximumIops, needs.iops));
  const mibps = Math.max(baselineMiBps, Math.min(maximumMiBps, needs.throughputMiBps));
  if (iops === baselineIops && mibps === baselineMiBps)
    return { ...today, text: `${onCredits} (what was seen of its volumes does not explain the load)` };
  return {
    isCarriedBy: baselineOf(iops, mibps),
    text: `that carries ${figure(iops)} IOPS and ${figure(mibps, 0)} MiB/s all the time (what its volumes need if all peak at once, ${headroomText(to.thresholds)} above what was seen)`,
  };
}

/**
 * A load whose replay explains, with today's type, what was measured: else it says nothing of another type either. At most
 * first, then what is likely.
 */
function explained({ wanted }: InstanceToAdvise, figures: EbsFigures): Replayable[] {
  if (wanted === null) return [];
  const { most, likely, heldBackMinutes } = wanted;
  const explains = ({ load }: Replayable): boolean =>
    load.heldBackMinutesWith(figures) >= fixedThresholds.replayExplainsShare * heldBackMinutes;
  const loads: Replayable[] = [
    { load: most, isLikely: false },
    { load: likely, isLikely: true },
  ];
  return loads.filter(explains);
}

/** Nothing held back by replay: bursts count where their credits suffice. */
function byReplay(
  { load: { rates, heldBackMinutesWith }, isLikely }: Replayable,
  thresholds: Thresholds,
): Sought {
  const need = `${figure(rates.iops, 0)} IOPS and ${figure(rates.throughputMiBps, 0)} MiB/s`;
  return {
    isCarriedBy: (figures) => {
      const { baselineIops, baselineMiBps, maximumIops, maximumMiBps } = figures;
      if (baselineIops >= rates.iops && baselineMiBps >= rates.throughputMiBps) return true;
      if (maximumIops < rates.iops || maximumMiBps < rates.throughputMiBps) return false;
      return heldBackMinutesWith(figures) === 0;
    },
    text: isLikely
      ? `that holds nothing back by replay of what its volumes likely wanted and ${headroomText(thresholds)} more (${need}; no type known here carries what they wanted at most)`
      : `that holds nothing back by replay of what its volumes wanted (${need} at most, each within its own limits)`,
  };
}

/** By what was exceeded; what was not exceeded must not become less. */
function soughtOf(
  kind: FindingKind,
  to: InstanceToAdvise,
  figures: EbsFigures,
  replayable: Replayable | null,
): Sought {
  if (replayable !== null) return byReplay(replayable, to.thresholds);
  const { baselineIops, baselineMiBps, maximumIops, maximumMiBps } = figures;
  if (kind === 'throttled-instance-iops') {
    const text = 'whose baseline has a quarter more IOPS than its maximum today';
    return { isCarriedBy: baselineOf(room * maximumIops, baselineMiBps), text };
  }
  if (kind === 'throttled-instance-throughput') {
    const text = 'whose baseline has a quarter more MiB/s than its maximum today';
    return { isCarriedBy: baselineOf(baselineIops, room * maximumMiBps), text };
  }
  return insteadOfCredits(to, figures);
}

export const changeTypeSteps = (instance: Instance, instanceType: string): string[] => [
  `see that ${instanceType} is offered in its Availability Zone, and that image and drivers support it`,
  `aws ec2 stop-instances ${instancesTarget(instance)}`,
  `aws ec2 modify-instance-attribute ${instanceTarget(instance)} --instance-type Value=${instanceType}`,
  `aws ec2 start-instances ${instancesTarget(instance)}`,
];

interface Larger extends LargerInstances {
  text: string;
  /** With the cheapest, by replay; null where none was made. */
  minutesAfter: number | null;
  sizedBy: Recommendation['sizedBy'];
  /** It carries the load with its burst credits alone. */
  isOnCredits: boolean;
}

const onBurst =
  ' For that it spends its EBS burst credits; AWS does not document how they come back: we assume a full bucket within 24 h.';

const notWhole = ' What was held back does not show the whole need.';

function isSteady({ cheapest }: LargerInstances, { load: { rates } }: Replayable): boolean {
  const { ebs } = cheapest.type;
  return ebs !== null && ebs.baselineIops >= rates.iops && ebs.baselineMiBps >= rates.throughputMiBps;
}

/** What of the cheapest must be known before it is relied on. */
function basisText(found: LargerInstances, replayable: Replayable | null): string {
  if (replayable === null) return notWhole;
  return isSteady(found, replayable) ? '' : onBurst;
}

function sizedByOf(kind: FindingKind, replayable: Replayable | null): Recommendation['sizedBy'] {
  if (replayable !== null) return replayable.isLikely ? 'headroom' : 'demand';
  return kind === 'instance-credits-exhausted' ? 'present-maximum' : 'limit-headroom';
}

function largerFor(
  kind: FindingKind,
  to: InstanceToAdvise,
  { type, figures }: { type: InstanceType; figures: EbsFigures },
  replayable: Replayable | null,
): Known<Larger> {
  const { text, isCarriedBy } = soughtOf(kind, to, figures, replayable);
  const volumes = attachedCount(to.instance, to.volumes);
  const found = largerInstances(type, { isCarriedBy, volumes }, to.market);
  if (!found.known) return found;
  const { ebs } = found.value.cheapest.type;
  const next = kind === 'instance-credits-exhausted' && replayable === null ? nextText(found.value) : '';
  const isPromised = replayable !== null && !replayable.isLikely && ebs !== null;
  return known({
    ...found.value,
    minutesAfter: isPromised ? replayable.load.heldBackMinutesWith(ebs) : null,
    sizedBy: sizedByOf(kind, replayable),
    isOnCredits: replayable !== null && !isSteady(found.value, replayable),
    text: ` The cheapest type ${text}: ${largerText(found.value)}; On-Demand, Linux.${next}${basisText(found.value, replayable)}`,
  });
}

function larger(kind: FindingKind, to: InstanceToAdvise): Known<Larger> {
  const { instance, market } = to;
  const { instanceType, bandwidthWeighting } = instance;
  const type: InstanceType | undefined =
    instanceType === null ? undefined : market.instanceTypes.get(instanceType);
  if (type === undefined) return unknown(`${instanceType ?? 'its type'} is not known here`);
  const known = ebsFiguresOf(type);
  if (!known.known) return unknown(known.because.code);
  const { figures } = weightedFigures(known.value, type.instanceType, bandwidthWeighting);
  const [first = null, ...others] = explained(to, figures);
  const found = largerFor(kind, to, { type, figures }, first);
  if (found.known) return found;
  return others.map((one) => largerFor(kind, to, { type, figures }, one)).find((one) => one.known) ?? found;
}

const general =
  'A larger instance, or fewer busy volumes on this one: faster volumes change nothing while it is the limit.';

/** The weighting takes from EBS what it gives to the network. */
const weightingBack = (instance: Instance, limit: Limit | null): Recommendation => ({
  ...way(
    'set-bandwidth-weighting',
    'hold-nothing-back',
    'Its bandwidth weighting vpc-1 takes from EBS: default gives it back for nothing.',
    [
      `aws ec2 modify-instance-network-performance-options ${instanceTarget(instance)} --bandwidth-weighting default`,
    ],
  ),
  effect: { ...unknownEffect, limitBefore: limit },
  monthlyUsdDelta: 0,
});

/** In the unit of the limit that holds it back today. */
function limitOfType({ ebs }: InstanceType, before: Limit | null): Limit | null {
  if (before === null || ebs === null) return null;
  const value = before.unit === 'IOPS' ? ebs.baselineIops : ebs.baselineMiBps;
  return { what: 'baseline', value, unit: before.unit, scope: 'instance' };
}

/** Another type that carries it too, or the next step towards one. */
function otherType(
  { instance, wanted }: InstanceToAdvise,
  { type, monthlyUsd }: LargerInstance,
  { todayMonthlyUsd }: LargerInstances,
  limit: Limit | null,
  risks: Risk[],
): Recommendation {
  return {
    ...way('resize-instance', 'hold-nothing-back', '', changeTypeSteps(instance, type.instanceType)),
    change: { of: 'instance', from: instance.instanceType, to: type.instanceType },
    effect: {
      ...{ method: 'estimated', throttledMinutesBefore: wanted?.heldBackMinutes ?? null },
      ...{ throttledMinutesAfter: null, limitBefore: limit, limitAfter: limitOfType(type, limit) },
    },
    monthlyUsdDelta: todayMonthlyUsd.known ? roundUsd(monthlyUsd - todayMonthlyUsd.value) : null,
    priceUnknownReason: todayMonthlyUsd.known ? null : todayMonthlyUsd.because,
    risks: [{ code: 'downtime' }, ...risks],
  };
}

export function instanceAdvice(
  kind: FindingKind,
  to: InstanceToAdvise,
  limit: Limit | null,
): Recommendation[] {
  const { instance } = to;
  const found = larger(kind, to);
  const isWeighted = instance.bandwidthWeighting === 'vpc-1' && kind === 'throttled-instance-throughput';
  const vpc = isWeighted
    ? ' Its bandwidth weighting vpc-1 takes from EBS: default gives it back for nothing.'
    : '';
  const text = found.known ? found.value.text : ` Which type is the cheapest is not known: ${found.because}.`;
  const resize = (): Recommendation => {
    if (!found.known)
      return {
        ...way('resize-instance', 'hold-nothing-back', `${general}${vpc}${text}`),
        effect: {
          ...unknownEffect,
          ...{ throttledMinutesBefore: to.wanted?.heldBackMinutes ?? null, limitBefore: limit },
        },
        priceUnknownReason: found.because,
        risks: [{ code: 'downtime' }],
      };
    const { cheapest, minutesAfter, sizedBy, isOnCredits } = found.value;
    const risks: Risk[] = [
      ...(isOnCredits ? [{ code: 'on-credits' as const }] : []),
      ...(sizedBy === 'limit-headroom' ? [{ code: 'not-the-whole-need' as const }] : []),
    ];
    const one = otherType(to, cheapest, found.value, limit, risks);
    const method = minutesAfter === null ? 'estimated' : 'simulated';
    return {
      ...one,
      effect: { ...one.effect, method, throttledMinutesAfter: minutesAfter },
      sizedBy,
      text: `${general}${vpc}${text}`,
    };
  };
  return [...(isWeighted ? [weightingBack(instance, limit)] : []), resize()];
}
