/** What is said of a configuration that was tried for a load that was held back. */
import { fixedThresholds, type Thresholds } from '../../diagnosis/thresholds.ts';
import { figure, usdText } from '../../figures.ts';
import { gp3Figures } from '../../limits/volume-limits.ts';
import { isHdd, type VolumeType } from '../../limits/volume-types.ts';
import { annualFailureRate, rateText, volumeFailureRate } from '../../plan/failure-rate.ts';
import type { Layout } from '../../plan/layout.ts';
import { leastHddIoKiB, type Rates } from '../../plan/need.ts';
import { type Steps, stepsTo } from '../../plan/steps.ts';
import { roundUsd } from '../../prices/volume-price.ts';
import type { Recommendation, Risk } from '../../schemas/finding.ts';
import { secondsPerHour, secondsPerMinute } from '../../units.ts';
import { limitOfLayout, unknownEffect, way } from '../advice-input.ts';
import { caveatOf, caveatRisks } from '../caveats.ts';
import { safeInstanceId } from '../command-target.ts';
import { headroomText } from '../headroom-text.ts';
import { figuresText } from '../layout-now.ts';
import { bestOf, type Cheaper, presentUsd } from '../savings/candidates.ts';
import type { Tried } from './candidates.ts';
import { isOpen } from './wanted.ts';

/** A configuration that was tried. */
export interface Outcome extends Cheaper {
  /** Held back by replay: of what was wanted at most, and of what is likely. */
  minutes: number;
  likelyMinutes: number;
  helps: 'surely' | 'likely' | 'faster' | 'not';
}

const minutesText = (minutes: number): string => `${figure(minutes, 0)} min`;

export const ratesText = ({ iops, throughputMiBps }: Rates): string =>
  `${figure(iops, 0)} IOPS, ${figure(throughputMiBps, 0)} MiB/s`;

/** With its size where that changes: "gp3 of 8 GiB with 3,750 IOPS and 125 MiB/s". */
function sizedFiguresText(layout: Layout, now: Layout): string {
  const text = figuresText(layout);
  const isSized = layout.members === 1 && layout.sizeGiB !== now.sizeGiB;
  return isSized
    ? text.replace(layout.volumeType, `${layout.volumeType} of ${figure(layout.sizeGiB)} GiB`)
    : text;
}

const forecast = ({ willExhaustSeconds }: Thresholds): string =>
  `the next ${figure(willExhaustSeconds / secondsPerHour, 1)} hours at the rate of the last ${fixedThresholds.recentRateSeconds / secondsPerMinute} minutes`;

const openText = (): string =>
  `${figure(100 * fixedThresholds.openHeadroom)} % more than the limit that held it back`;

function whyText({ wanted, doubt, thresholds }: Tried, { helps, minutes, likelyMinutes }: Outcome): string {
  const { most, likely, heldBackMinutes, openMinutes, isComing } = wanted;
  if (helps === 'faster')
    return 'a faster volume does more; how much longer it is held back does not show, so look again after the change.';
  if (doubt !== null) return doubt;
  const some =
    openMinutes > 0
      ? ` In ${minutesText(openMinutes)} of them averages do not show how much it wanted: ${openText()} is taken.`
      : '';
  const replayed = `by replay of ${isComing ? forecast(thresholds) : 'the load'}`;
  const before = minutesText(heldBackMinutes);
  return helps === 'surely'
    ? `${replayed} ${minutesText(minutes)} held back instead of ${before}; sized for ${ratesText(most.rates)}, what it wants at most and ${headroomText(thresholds)} above what is likely.${some}`
    : `${replayed} ${minutesText(likelyMinutes)} held back instead of ${before} if it wants what is likely (${ratesText(likely.rates)} with ${headroomText(thresholds)} of headroom), ${minutesText(minutes)} if it wants all that it may (${ratesText(most.rates)}): look again after the change.${some}`;
}

/** Why some minutes are left. */
function leftText({ wanted, now, doubt }: Tried, { layout, helps, minutes, likelyMinutes }: Outcome): string {
  const line = helps === 'surely' ? 'high' : 'likely';
  const left = line === 'high' ? minutes : likelyMinutes;
  if (left === 0 || doubt !== null || helps === 'faster') return '';
  const ofInstance = left - wanted.heldBackMinutesWith(layout, { line, withoutInstance: true });
  return ofInstance > 0
    ? ` Of what is left its instance is the limit in ${minutesText(ofInstance)}.`
    : ` What is left is more than ${sizedFiguresText(layout, now)} has.`;
}

const verb = ({ members }: Layout, { inPlace }: Steps): string =>
  inPlace ? 'Change it in place to' : members === 1 ? 'Move it through a snapshot to' : 'Move it to';

/** What HDD is for it does for less; small I/O it does not. */
function fromHdd({ present, wanted }: Tried, { volumeType }: Layout): string {
  const { volumeType: from } = present.config;
  if (!isHdd(from) || isHdd(volumeType)) return '';
  return wanted.ioKiB < leastHddIoKiB
    ? ` Its I/O of ${figure(wanted.ioKiB, 0)} KiB cost as much as 1 MiB each on ${from}; gp3 has no such credits.`
    : ` For sequential I/O a stripe of several ${from} is the cheaper way, with a migration.`;
}

function risksText(layout: Layout, tried: Tried): string {
  const { present, now } = tried;
  const { volumeType } = present.config;
  const caveat = caveatOf(volumeType, layout.volumeType);
  if (layout.members > 1) {
    const [to, from] = [
      annualFailureRate('stripe', layout.members, layout.volumeType),
      volumeFailureRate(volumeType),
    ];
    return ` It takes a migration with downtime, a root volume cannot be a stripe, and any member that fails takes the data with it: ${rateText(to, 1)} a year instead of ${rateText(from, 1)}.${caveat}`;
  }
  const grows = layout.sizeGiB > now.sizeGiB ? ' A volume grows in place and never shrinks again.' : '';
  const isOnCredits = isHdd(layout.volumeType) && !isOpen(tried.wanted);
  const credits = isOnCredits ? ' Its credits suffice for that.' : '';
  return `${credits}${grows}${caveat}${fromHdd(tried, layout)}`;
}

function priceText({ unpricedBecause, present: { config } }: Tried): string {
  const offered = config.deployment === 'outposts' ? ' See first that the Outpost offers the type.' : '';
  return unpricedBecause === null ? '' : `${offered} What it costs is not known: ${unpricedBecause}.`;
}

/** What the change gives up or takes, in codes. */
function risksOf(tried: Tried, { layout, helps, minutes, likelyMinutes }: Outcome): Risk[] {
  const { present, now, wanted, doubt, unpricedBecause } = tried;
  const { volumeType, deployment } = present.config;
  const line = helps === 'surely' ? 'high' : 'likely';
  const left = line === 'high' ? minutes : likelyMinutes;
  const isTold = left > 0 && doubt === null && helps !== 'faster' && !isOpen(wanted);
  const ofInstance = isTold ? left - wanted.heldBackMinutesWith(layout, { line, withoutInstance: true }) : 0;
  const isHddLeft = isHdd(volumeType) && !isHdd(layout.volumeType);
  const has = (is: boolean, risk: Risk): Risk[] => (is ? [risk] : []);
  return [
    ...has(doubt !== null || helps !== 'surely', { code: 'demand-unknown' }),
    ...has(ofInstance > 0, { code: 'instance-limits', minutes: ofInstance }),
    ...has(isTold && ofInstance <= 0, { code: 'more-than-the-type', minutes: left }),
    ...(layout.members > 1
      ? stripeRisks(layout, volumeType)
      : has(layout.sizeGiB > now.sizeGiB, { code: 'never-shrinks', from: now.sizeGiB, to: layout.sizeGiB })),
    ...caveatRisks(volumeType, layout.volumeType),
    ...has(isHdd(layout.volumeType) && layout.members === 1 && !isOpen(wanted), { code: 'on-credits' }),
    ...has(isHddLeft && layout.members === 1 && wanted.ioKiB < leastHddIoKiB, {
      code: 'small-io-costs-credits',
    }),
    ...has(isHddLeft && layout.members === 1 && !(wanted.ioKiB < leastHddIoKiB), {
      code: 'sequential-stripe-cheaper',
    }),
    ...has(unpricedBecause !== null && deployment === 'outposts', { code: 'type-on-outpost' }),
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
const isMinimum = ({ volumeType, iops, throughputMiBps }: Layout): boolean =>
  volumeType === 'gp3' && iops <= gp3Figures.freeIops && throughputMiBps <= gp3Figures.freeMiBps;

function sizedBy({ wanted, doubt }: Tried, { layout, helps }: Outcome): Recommendation['sizedBy'] {
  if (isMinimum(layout)) return 'type-minimum';
  if (isOpen(wanted)) return 'limit-headroom';
  if (doubt !== null || helps === 'faster') return 'twice-served';
  return helps === 'surely' ? 'demand' : 'headroom';
}

/** What is sure by replay is promised, what is likely is not. */
export function optionAdvice(tried: Tried, outcome: Outcome): Recommendation {
  const { layout, monthlyUsd, helps, minutes, likelyMinutes } = outcome;
  const { volume, present, now, wanted, doubt, limit } = tried;
  const { deployment } = present.config;
  const steps = stepsTo(
    layout,
    { layout: now, volumeIds: [volume.volumeId] },
    { region: volume.region, deployment },
  );
  const isUnknown = doubt !== null || helps === 'faster';
  const method = isUnknown ? 'unknown' : helps === 'surely' ? 'simulated' : 'estimated';
  return {
    action: steps.inPlace ? 'modify' : layout.members === 1 ? 'recreate' : 'migrate',
    purpose: helps === 'faster' ? 'faster' : 'hold-nothing-back',
    inPlace: steps.inPlace,
    change: { of: 'volume', from: now, to: layout },
    effect: {
      method,
      throttledMinutesBefore: wanted.heldBackMinutes,
      throttledMinutesAfter: isUnknown ? null : method === 'simulated' ? minutes : likelyMinutes,
      ...{ limitBefore: limit, limitAfter: limitOfLayout(layout, limit) },
    },
    monthlyUsdDelta: tried.unpricedBecause === null ? roundUsd(monthlyUsd - presentUsd(present)) : null,
    priceUnknownReason: tried.unpricedBecause,
    sizedBy: sizedBy(tried, outcome),
    risks: risksOf(tried, outcome),
    steps: steps.awsCli,
    text: `${verb(layout, steps)} ${sizedFiguresText(layout, now)}: ${whyText(tried, outcome)}${leftText(tried, outcome)}${risksText(layout, tried)}${priceText(tried)}`,
  };
}

/** Where averages bound nothing: the way, and what its first step costs. A guess is nothing to run. */
export function stepsAdvice(tried: Tried, outcome: Outcome): Recommendation {
  const { layout, monthlyUsd } = outcome;
  const { present, now, wanted, limit, unpricedBecause } = tried;
  const usd = roundUsd(monthlyUsd - presentUsd(present));
  const price = unpricedBecause === null ? ` (${usd >= 0 ? '+' : ''}${usdText(usd)} a month)` : '';
  return {
    ...way(
      'modify',
      'raise-in-steps',
      `Spread the burst, or raise the volume in steps of a quarter until the queue is gone: averages do not show how much it wanted. The first step is ${sizedFiguresText(layout, now)}${price}.${risksText(layout, tried)}${priceText(tried)}`,
    ),
    inPlace: layout.members === 1,
    change: { of: 'volume', from: now, to: layout },
    effect: {
      ...{ method: 'unknown', throttledMinutesBefore: wanted.heldBackMinutes, throttledMinutesAfter: null },
      ...{ limitBefore: limit, limitAfter: limitOfLayout(layout, limit) },
    },
    monthlyUsdDelta: unpricedBecause === null ? usd : null,
    priceUnknownReason: unpricedBecause,
    sizedBy: sizedBy(tried, outcome),
    risks: risksOf(tried, outcome),
  };
}

export function uselessText({ now, wanted }: Tried, { layout, minutes, likelyMinutes }: Outcome): string {
  const likely = minutes === likelyMinutes ? '' : ` (${minutesText(likelyMinutes)} of what is likely)`;
  return `${sizedFiguresText(layout, now)}: ${minutesText(minutes)} held back by replay${likely}, ${minutesText(wanted.heldBackMinutes)} today`;
}

const nothingElse =
  'No other volume helps by replay of the load. Spread it over more volumes, or over more time.';

/**
 * Would it be much faster, though held back as long? Then its instance is the limit after it, and not today.
 * @param byIops asks for room in IOPS alone, false in MiB/s alone.
 */
export function isAfterIt({ present, wanted }: Tried, byIops?: boolean): boolean {
  const { instance } = wanted;
  const best = bestOf(present);
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
  const { wanted, now } = tried;
  const { instance, heldBackMinutes } = wanted;
  const alike = { line: 'likely', withoutInstance: true } as const;
  const [would] = useless
    .map((one) => ({ ...one, alone: wanted.heldBackMinutesWith(one.layout, alike) }))
    .filter(({ alone, likelyMinutes }) => alone < likelyMinutes && alone < heldBackMinutes)
    .sort((a, b) => a.alone - b.alone || a.layout.members - b.layout.members || a.monthlyUsd - b.monthlyUsd);
  const effect = { ...unknownEffect, throttledMinutesBefore: heldBackMinutes };
  if (instance === null || would === undefined)
    return { ...way('investigate', 'spread-the-load', nothingElse), effect };
  const { instanceId, instanceType, ...does } = instance;
  const name = `${safeInstanceId(instanceId)}${instanceType === null ? '' : ` (${instanceType}, at most ${ratesText(does)})`}`;
  const isAfter = isAfterIt(tried);
  const [limit, then] = isAfter
    ? [
        'A faster volume does more and is held back as long: then its instance is the limit',
        'Raise it as far as its instance goes if that is enough, or take a larger instance as well.',
      ]
    : [
        'Its instance is the limit, no faster volume helps',
        'Take a larger instance first, or move busy volumes to another one; see what is told of the instance.',
      ];
  return {
    ...way(
      'investigate',
      isAfter ? 'instance-after' : 'instance-first',
      `${limit}: on ${name} ${sizedFiguresText(would.layout, now)} would be held back for ${minutesText(would.likelyMinutes)} by replay, on an instance that is no limit for ${minutesText(would.alone)}. ${then}`,
    ),
    effect,
  };
}
