/** What is recommended of a configuration that was tried for a load that was throttled. */
import { fixedThresholds } from '../../diagnosis/thresholds.ts';
import { gp3Figures } from '../../limits/volume-limits.ts';
import { isHdd, type VolumeType } from '../../limits/volume-types.ts';
import { annualFailureRate, volumeFailureRate } from '../../plan/failure-rate.ts';
import type { Layout } from '../../plan/layout.ts';
import { leastHddIoKiB } from '../../plan/need.ts';
import { wayTo } from '../../plan/steps.ts';
import { roundUsd } from '../../prices/volume-price.ts';
import type { Recommendation, Risk } from '../../schemas/finding.ts';
import type { NotRecommended } from '../../schemas/recommendation.ts';
import { secondsPerHour } from '../../units.ts';
import { caveatRisks } from '../caveats.ts';
import { limitOfLayout, percentOf, stepsOfPlan, unknownEffect, way } from '../recommendation-input.ts';
import { bestOf, type Cheaper, currentUsd } from '../savings/candidates.ts';
import type { Tried } from './candidates.ts';
import { type Demand, isOpen } from './demand.ts';

/** A configuration that was tried. */
export interface Outcome extends Cheaper {
  /** Throttled in the simulation: of the demand at most, and of what is likely. */
  minutes: number;
  likelyMinutes: number;
  helps: 'surely' | 'likely' | 'faster' | 'not';
}

const openHeadroomPercent = percentOf(fixedThresholds.openHeadroom);

/** What the change gives up or takes. */
function risksOf(tried: Tried, { layout, helps, minutes, likelyMinutes }: Outcome): Risk[] {
  const { current, now, demand, doubt, priceUnknown } = tried;
  const { volumeType, deployment } = current.config;
  const line = helps === 'surely' ? 'high' : 'likely';
  const left = line === 'high' ? minutes : likelyMinutes;
  const isSized = doubt === null && helps !== 'faster';
  const isNotified = left > 0 && isSized && !isOpen(demand);
  const ofInstance = isNotified
    ? left - demand.throttledMinutesWith(layout, { line, withoutInstance: true })
    : 0;
  const isHddLeft = isHdd(volumeType) && !isHdd(layout.volumeType);
  const has = (is: boolean, risk: Risk): Risk[] => (is ? [risk] : []);
  return [
    ...has(doubt !== null || helps !== 'surely', { code: 'demand-unknown' }),
    ...has(isSized && !isOpen(demand) && demand.openMinutes > 0, {
      code: 'demand-hidden',
      ...{ minutes: demand.openMinutes, headroomPercent: openHeadroomPercent },
    }),
    ...has(ofInstance > 0, { code: 'instance-limits', minutes: ofInstance }),
    ...has(isNotified && ofInstance <= 0, { code: 'more-than-the-type', minutes: left }),
    ...(layout.members > 1
      ? stripeRisks(layout, volumeType)
      : has(layout.sizeGiB > now.sizeGiB, { code: 'never-shrinks', from: now.sizeGiB, to: layout.sizeGiB })),
    ...caveatRisks(volumeType, layout.volumeType),
    ...has(isHdd(layout.volumeType) && layout.members === 1 && !isOpen(demand), { code: 'on-credits' }),
    ...has(isHddLeft && layout.members === 1 && demand.ioKiB < leastHddIoKiB, {
      code: 'small-io-costs-credits',
      ioKiB: demand.ioKiB,
    }),
    ...has(isHddLeft && layout.members === 1 && !(demand.ioKiB < leastHddIoKiB), {
      code: 'sequential-stripe-cheaper',
    }),
    ...has(priceUnknown !== null && deployment === 'outposts', { code: 'type-on-outpost' }),
  ];
}

/** A stripe of volumes in the place of one. */
export const stripeRisks = ({ members, volumeType }: Layout, from: VolumeType): Risk[] => [
  { code: 'downtime' },
  { code: 'no-root-volume' },
  {
    code: 'data-loss-rate',
    ...{ from: volumeFailureRate(from), to: annualFailureRate('stripe', members, volumeType) },
  },
];

/** The least that gp3 has costs nothing more: nobody asked for so much. */
export const isMinimum = ({ volumeType, iops, throughputMiBps }: Layout): boolean =>
  volumeType === 'gp3' && iops <= gp3Figures.freeIops && throughputMiBps <= gp3Figures.freeMiBps;

type Sizing = Pick<Recommendation, 'sizedBy' | 'headroomPercent' | 'sizedFor'>;

/** What the size follows from, and the rates that it is for. */
function sizingOf({ demand, doubt, thresholds }: Tried, { layout, helps }: Outcome): Sizing {
  const { most, likely } = demand;
  if (isOpen(demand)) {
    const sizedBy = isMinimum(layout) ? 'type-minimum' : 'limit-headroom';
    return { sizedBy, headroomPercent: openHeadroomPercent, sizedFor: null };
  }
  const isLikely = helps === 'likely' && doubt === null;
  const rest = {
    headroomPercent: isLikely ? percentOf(thresholds.savingHeadroom) : null,
    sizedFor: helps === 'faster' ? null : isLikely ? likely.rates : most.rates,
  };
  if (isMinimum(layout)) return { sizedBy: 'type-minimum', ...rest };
  if (doubt !== null) return { sizedBy: doubt, ...rest };
  if (helps === 'faster') return { sizedBy: 'twice-served', ...rest };
  return { sizedBy: isLikely ? 'headroom' : 'demand', ...rest };
}

/** Of what is coming the hours that were simulated. */
const ofForecast = ({ demand, thresholds }: Tried): Pick<Recommendation['effect'], 'forecastHours'> =>
  demand.isComing ? { forecastHours: thresholds.willExhaustSeconds / secondsPerHour } : {};

/** What is sure in the simulation is promised, what is likely is not. */
export function optionRecommendation(tried: Tried, outcome: Outcome): Recommendation {
  const { layout, monthlyUsd, helps, minutes, likelyMinutes } = outcome;
  const { volume, current, now, demand, doubt, limit } = tried;
  const { deployment } = current.config;
  const { inPlace, lines } = wayTo(
    layout,
    { layout: now, volumeIds: [volume.volumeId] },
    { region: volume.region, deployment },
  );
  const isUnknown = doubt !== null || helps === 'faster';
  const method = isUnknown ? 'unknown' : helps === 'surely' ? 'simulated' : 'estimated';
  return {
    action: inPlace ? 'modify' : layout.members === 1 ? 'recreate' : 'migrate',
    purpose: helps === 'faster' ? 'faster' : 'throttle-nothing',
    inPlace,
    change: { of: 'volume', from: now, to: layout },
    effect: {
      method,
      throttledMinutesBefore: demand.throttledMinutes,
      throttledMinutesAfter: isUnknown ? null : method === 'simulated' ? minutes : likelyMinutes,
      ...(method === 'estimated' ? { throttledMinutesAfterAtMost: minutes } : {}),
      ...ofForecast(tried),
      ...{ limitBefore: limit, limitAfter: limitOfLayout(layout, limit) },
    },
    monthlyUsdDelta: tried.priceUnknown === null ? roundUsd(monthlyUsd - currentUsd(current)) : null,
    priceUnknownReason: tried.priceUnknown,
    ...sizingOf(tried, outcome),
    risks: risksOf(tried, outcome),
    steps: stepsOfPlan(lines),
  };
}

/** Where averages bound nothing: the way, and what its first step costs. A guess is nothing to run. */
export function stepsRecommendation(tried: Tried, outcome: Outcome): Recommendation {
  const { layout, monthlyUsd } = outcome;
  const { current, now, demand, limit, priceUnknown } = tried;
  return {
    ...way('modify', 'raise-in-steps'),
    inPlace: layout.members === 1,
    change: { of: 'volume', from: now, to: layout },
    effect: {
      ...{ method: 'unknown', throttledMinutesBefore: demand.throttledMinutes, throttledMinutesAfter: null },
      ...{ limitBefore: limit, limitAfter: limitOfLayout(layout, limit) },
    },
    monthlyUsdDelta: priceUnknown === null ? roundUsd(monthlyUsd - currentUsd(current)) : null,
    priceUnknownReason: priceUnknown,
    ...sizingOf(tried, outcome),
    risks: risksOf(tried, outcome),
  };
}

export const notRecommendedOf = (
  { demand }: Tried,
  { layout, minutes, likelyMinutes }: Outcome,
): NotRecommended => ({
  layout,
  throttledMinutesNow: demand.throttledMinutes,
  throttledMinutes: minutes,
  throttledMinutesIfLikely: likelyMinutes,
});

/**
 * Would it be much faster, though throttled as long? Then its instance is the limit after it, and not today.
 * @param byIops asks for room in IOPS alone, false in MiB/s alone.
 */
export function isAfterIt({ current, demand }: Tried, byIops?: boolean): boolean {
  const { instance } = demand;
  const best = bestOf(current);
  const room = 1 + fixedThresholds.openHeadroom;
  if (instance === null) return false;
  const [hasIops, hasMiBps] = [
    instance.iops >= room * best.iops,
    instance.throughputMiBps >= room * best.throughputMiBps,
  ];
  return (byIops === false || hasIops) && (byIops === true || hasMiBps);
}

/** The instance, where one of the volumes that were tried would help on an instance that is no limit. */
export function nothingHelps(tried: Tried, useless: readonly Outcome[]): Recommendation {
  const { demand } = tried;
  const { instance, throttledMinutes } = demand;
  const alike = { line: 'likely', withoutInstance: true } as const;
  const [would] = useless
    .map((one) => ({ ...one, alone: demand.throttledMinutesWith(one.layout, alike) }))
    .filter(({ alone, likelyMinutes }) => alone < likelyMinutes && alone < throttledMinutes)
    .sort((a, b) => a.alone - b.alone || a.layout.members - b.layout.members || a.monthlyUsd - b.monthlyUsd);
  const effect = { ...unknownEffect, throttledMinutesBefore: throttledMinutes };
  if (instance === null || would === undefined) return { ...way('investigate', 'spread-the-load'), effect };
  return {
    ...way('investigate', isAfterIt(tried) ? 'instance-after' : 'instance-first'),
    effect,
    risks: [limitedBy(instance, would)],
  };
}

const limitedBy = (
  instance: NonNullable<Demand['instance']>,
  { layout, likelyMinutes, alone }: Outcome & { alone: number },
): Risk => ({
  ...{ code: 'limited-by-instance', ...instance, layout },
  ...{ throttledMinutes: likelyMinutes, throttledMinutesWithoutIt: alone },
});
