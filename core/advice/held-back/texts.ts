/** What is said of a configuration that was tried for a load that was held back. */
import { fixedThresholds, type Thresholds } from '../../diagnosis/thresholds.ts';
import { figure, usdText } from '../../figures.ts';
import { isHdd } from '../../limits/volume-types.ts';
import { annualFailureRate, rateText, volumeFailureRate } from '../../plan/failure-rate.ts';
import type { Layout } from '../../plan/layout.ts';
import { leastHddIoKiB, type Rates } from '../../plan/need.ts';
import { type Steps, stepsTo } from '../../plan/steps.ts';
import { roundUsd } from '../../prices/volume-price.ts';
import type { Advice } from '../../schemas/finding.ts';
import { secondsPerHour, secondsPerMinute } from '../../units.ts';
import { way } from '../advice-input.ts';
import { caveatOf } from '../caveats.ts';
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

function risks(layout: Layout, tried: Tried): string {
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

/** What is sure by replay is promised, what is likely is not. */
export function optionAdvice(tried: Tried, outcome: Outcome): Advice {
  const { layout, monthlyUsd, helps, minutes } = outcome;
  const { volume, present, now, wanted } = tried;
  const { deployment } = present.config;
  const steps = stepsTo(
    layout,
    { layout: now, volumeIds: [volume.volumeId] },
    { region: volume.region, deployment },
  );
  return {
    action: `${verb(layout, steps)} ${sizedFiguresText(layout, now)}: ${whyText(tried, outcome)}${leftText(tried, outcome)}${risks(layout, tried)}${priceText(tried)}`,
    monthlyUsdDelta: tried.unpricedBecause === null ? roundUsd(monthlyUsd - presentUsd(present)) : null,
    throttledMinutesBefore: wanted.heldBackMinutes,
    throttledMinutesAfter: tried.doubt !== null || helps !== 'surely' ? null : minutes,
    how: steps.awsCli,
    layout,
  };
}

/** Where averages bound nothing: the way, and what its first step costs. A guess is nothing to run. */
export function stepsAdvice(tried: Tried, { layout, monthlyUsd }: Outcome): Advice {
  const { present, now, wanted, unpricedBecause } = tried;
  const usd = roundUsd(monthlyUsd - presentUsd(present));
  const price = unpricedBecause === null ? ` (${usd >= 0 ? '+' : ''}${usdText(usd)} a month)` : '';
  return {
    ...way(
      `Spread the burst, or raise the volume in steps of a quarter until the queue is gone: averages do not show how much it wanted. The first step is ${sizedFiguresText(layout, now)}${price}.${risks(layout, tried)}${priceText(tried)}`,
    ),
    throttledMinutesBefore: wanted.heldBackMinutes,
    layout,
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
export function nothingHelps(tried: Tried, useless: readonly Outcome[]): Advice {
  const { wanted, now } = tried;
  const { instance, heldBackMinutes } = wanted;
  const alike = { line: 'likely', withoutInstance: true } as const;
  const [would] = useless
    .map((one) => ({ ...one, alone: wanted.heldBackMinutesWith(one.layout, alike) }))
    .filter(({ alone, likelyMinutes }) => alone < likelyMinutes && alone < heldBackMinutes)
    .sort((a, b) => a.alone - b.alone || a.layout.members - b.layout.members || a.monthlyUsd - b.monthlyUsd);
  const before = { throttledMinutesBefore: heldBackMinutes };
  if (instance === null || would === undefined) return { ...way(nothingElse), ...before };
  const { instanceId, instanceType, ...does } = instance;
  const name = `${safeInstanceId(instanceId)}${instanceType === null ? '' : ` (${instanceType}, at most ${ratesText(does)})`}`;
  const [limit, then] = isAfterIt(tried)
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
      `${limit}: on ${name} ${sizedFiguresText(would.layout, now)} would be held back for ${minutesText(would.likelyMinutes)} by replay, on an instance that is no limit for ${minutesText(would.alone)}. ${then}`,
    ),
    ...before,
  };
}
