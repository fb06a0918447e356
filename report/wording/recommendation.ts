/** What is recommended, what it does and what it costs: the lines Fix, Effect, Cost and Or. */
import { figure, usdText } from '../../core/figures.ts';
import type { Recommendation, Risk } from '../../core/schemas/finding.ts';
import type { PriceUnknown } from '../../core/schemas/recommendation.ts';
import {
  capitalized,
  counted,
  layoutText,
  minutesText,
  percentText,
  rateText,
  shortText,
  usdDeltaText,
  type WordsByCode,
  wordsOf,
} from './words.ts';

type Change = NonNullable<Recommendation['change']>;

type Schedule = Extract<Change, { of: 'schedule' }>;

const maxNamed = 3;

function movesText(moves: Extract<Change, { of: 'cards' }>['moves']): string {
  const named = moves
    .slice(0, maxNamed)
    .map(({ volumeId, toCard }) => `${shortText(volumeId, 30)} to card ${toCard}`);
  const rest = moves.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const rates = (
  volumeType: string,
  { iops, throughputMiBps }: { iops: number; throughputMiBps: number },
): string =>
  volumeType === 'gp3'
    ? `${rateText(iops, 'IOPS')}, ${rateText(throughputMiBps, 'MiB/s')}`
    : rateText(iops, 'IOPS');

/** "16,000 IOPS, 500 MiB/s from 01:00 to 04:00 UTC, else 3,000 IOPS, 125 MiB/s". */
function scheduleText({ low, high, days, busyFromUtc, busyUntilUtc }: Schedule): string {
  const when = days === 'daily' ? '' : ', Monday to Friday';
  const hours = `${shortText(busyFromUtc, 10)} to ${shortText(busyUntilUtc, 10)} UTC`;
  return `${rates(high.volumeType, high)} from ${hours}${when}, else ${rates(low.volumeType, low)}`;
}

/** "vol-1 to i-2 (m6i.large)", "vol-1 to a new m6i.large": a name of ids alone, since it is shown beside others. */
function moveText({ volumeId, to, instanceType }: Extract<Change, { of: 'volume-move' }>): string {
  const type = shortText(instanceType, 30);
  const where = to === null ? `a new ${type}` : `${shortText(to, 30)} (${type})`;
  return `${shortText(volumeId, 30)} to ${where}`;
}

/** What it is changed to, in a few words: "gp3, 3,000 IOPS, 125 MiB/s". */
function changeText({ change, action }: Recommendation): string | null {
  if (change === null) return null;
  switch (change.of) {
    case 'volume':
      return layoutText(change.to, action === 'modify' ? change.from : null);
    case 'instance':
      return `${shortText(change.to, 30)}${change.bandwidthWeighting === undefined ? '' : ` with bandwidth weighting ${change.bandwidthWeighting}`}`;
    case 'bandwidth-weighting':
      return `bandwidth weighting ${change.to}`;
    case 'volume-move':
      return moveText(change);
    case 'volumes':
      return `lower IOPS or throughput of ${change.volumes.length === 1 ? '1 volume' : `${change.volumes.length} volumes`}`;
    case 'schedule':
      return scheduleText(change);
    case 'cards':
      return movesText(change.moves);
  }
}

/** What is to be done where nothing is sized, and what there is to know of it. */
const purposes: Partial<Record<Recommendation['purpose'], [what: string, more?: string]>> = {
  'larger-or-other-type': ['Take a larger volume of this type, or gp3 for small random I/O'],
  'spread-the-burst': [
    'Spread the burst: checkpoint, flush and batch settings',
    'Or size for its peak and not for the average.',
  ],
  'host-errors': [
    'Look at the I/O errors of the host and at AWS Health; if it happens again, open an AWS Support case',
  ],
  initialization: [
    'Check whether it is still being initialized from its snapshot',
    'Until all of its blocks were fetched a volume is slow.',
  ],
  'first-reads': [
    'Wait, or read all of the volume once',
    'More IOPS or MiB/s change nothing: a block is slow only the first time.',
  ],
  'replace-member': [
    'Replace this member by a new volume like its siblings',
    'More IOPS or MiB/s change nothing while one member is slow.',
  ],
  'instance-first': [
    'The instance is the limit: take another instance type first, or move busy volumes',
    'See the finding of the instance.',
  ],
  'instance-after': [
    'A faster volume moves the limit to the instance: raise both',
    'Or raise the volume as far as the instance goes, if that is enough.',
  ],
  'spread-the-load': ['No other volume helps: spread the load over more volumes, or over more time'],
  unused: ['If its owner agrees, create a snapshot, then delete the volume'],
  'keep-figures': [
    'Lower none: each volume needs what it has for its own peak',
    'If they peak together, spread them over several instances.',
  ],
};

const actions: Partial<Record<Recommendation['action'], [what: string, more?: string]>> = {
  'resize-instance': [
    'Take an instance type with higher EBS limits',
    'Or have fewer busy volumes on this one.',
  ],
  // Of earlier runs, which named no change.
  'set-bandwidth-weighting': [
    'Set the bandwidth weighting of the instance to default',
    'vpc-1 takes bandwidth from EBS.',
  ],
};

/** @param to what it is changed to. */
function verbText({ action, change }: Recommendation, to: string): string {
  if (change?.of === 'volumes') return capitalized(to);
  if (change?.of === 'bandwidth-weighting') return `Set the bandwidth weighting to ${change.to}`;
  switch (action) {
    case 'modify':
      return `Change to ${to}`;
    case 'recreate':
      return `Recreate from a snapshot as ${to}`;
    case 'resize-instance':
      return `Change the instance type to ${to}`;
    case 'move-card':
    case 'move-volume':
      return `Move ${to}`;
    case 'schedule':
      return `Schedule ${to}`;
    default:
      return capitalized(to);
  }
}

/** The rule behind a size, where it is not the demand. */
const sizes: Record<NonNullable<Recommendation['sizedBy']>, (headroom: string) => string | null> = {
  demand: () => null,
  headroom: (headroom) => `${headroom} headroom`,
  'type-minimum': () => "the type's minimum",
  'twice-served': () => 'twice what was served',
  'twice-served-or-burst': () => 'twice what was served, or all of its burst',
  'limit-headroom': (headroom) => `${headroom} above its limit`,
  'current-maximum': () => 'as much as its maximum today',
  provisioned: () => 'all that its volumes are provisioned with',
};

/** "+25 % headroom", "the type's minimum"; empty where the demand is the size. */
function sizeText({ sizedBy, headroomPercent }: Recommendation): string {
  const more = headroomPercent === null ? 'with' : `+${figure(headroomPercent, 1)} %`;
  const text = sizedBy === null ? null : sizes[sizedBy](more);
  return text === null ? '' : ` (${text})`;
}

const nothing = (): string => '';

type LimitedBy = Extract<Risk, { code: 'limited-by-instance' }>;

function limitedByText({
  instanceId,
  instanceType,
  iops,
  throughputMiBps,
  layout,
  throttledMinutes,
  throttledMinutesWithoutIt,
}: LimitedBy): string {
  const name = `${shortText(instanceId, 30)}${instanceType === null ? '' : ` (${shortText(instanceType, 30)})`}`;
  return [
    `${name} is limited to ${rateText(iops, 'IOPS')}, ${rateText(throughputMiBps, 'MiB/s')}.`,
    `${capitalized(layoutText(layout, null))} on it: ${minutesText(throttledMinutes)} throttled, without that limit ${minutesText(throttledMinutesWithoutIt)} (simulated).`,
  ].join(' ');
}

const restsOnText = ({ days, hasMonthEnd }: Extract<Risk, { code: 'provisional' }>): string =>
  `rests on ${figure(days, 1)} ${days === 1 ? 'day' : 'days'}${hasMonthEnd ? '' : ' without the end of a month'}`;

/** Against throttling something may become smaller beside what becomes larger. */
const smallerPurposes: readonly Recommendation['purpose'][] = [
  ...(['less-cost', 'lower-to-need', 'lower-to-reach', 'unused'] as const),
];
const isToBeSmaller = ({ purpose }: Pick<Recommendation, 'purpose'>): boolean =>
  smallerPurposes.includes(purpose);

/** A sentence each; empty where another line says it. */
const risks: WordsByCode<Risk> = {
  downtime: nothing,
  'data-loss-rate': ({ from, to }) =>
    `Annual risk of data loss: ${percentText(to)} instead of ${percentText(from)}.`,
  'no-root-volume': nothing,
  'never-shrinks': () => 'The size cannot be reduced later.',
  'less-consistent': ({ from, to }) =>
    `It delivers its provisioned performance ${figure(to)} % of the time, not ${figure(from)} %.`,
  'less-durable': ({ from, to }) =>
    `Annual failure rate of such volumes: ${percentText(to)} instead of ${percentText(from)}.`,
  'seldom-read': () => 'For data that is seldom read.',
  'on-credits': () => 'Relies on burst credits.',
  'on-instance-credits': ({ refillHours }) =>
    `Needs the EBS burst of the instance: a full refill every ${figure(refillHours, 0)} h is assumed.`,
  'no-more-credits': nothing,
  'type-on-outpost': () => 'Check that the Outpost offers the type.',
  'all-members-alike': ({ count }) => `Change all ${count} members of the stripe alike.`,
  'all-members-or-none': ({ count }) => `Keep or remove all ${count} members of the stripe together.`,
  'inferred-stripe': ({ count }) =>
    `If these ${count} volumes are one stripe: change all alike. The tag stripewise:stripe says that they are.`,
  'stripes-alike': () => 'Lower the members of a stripe alike.',
  'same-saving': () => 'Findings of these volumes may count the same saving.',
  'unlike-members': () => 'First give its members the same type, IOPS and throughput.',
  'like-volumes': ({ count }) =>
    `${count} more on the instance ${count === 1 ? 'is' : 'are'} like it: if they are one stripe, change all alike.`,
  'averages-hide-bursts': ({ minutes }) =>
    `Averages over ${minutesText(minutes)} hide bursts: read one-minute points first (--lookback-days 1 --period-seconds 60).`,
  'demand-unknown': nothing,
  'demand-hidden': ({ minutes, headroomPercent }) =>
    `In ${figure(minutes, 1)} of the throttled minutes averages do not show the demand: +${figure(headroomPercent, 1)} % above the limit is taken.`,
  'modification-time': ({ minutes, count }) =>
    `${count === 1 ? 'One earlier modification' : `The longest of ${figure(count, 0)} earlier modifications`} took ${minutesText(minutes)}: one that takes longer is late.`,
  'instance-limits': ({ minutes }) => `The instance is the limit in ${minutesText(minutes)} of what is left.`,
  'limited-by-instance': limitedByText,
  'more-than-the-type': ({ minutes }) => `${minutesText(minutes)} need more than that.`,
  'also-at-the-limit': () => 'It was throttled at its limit too: for that it needs more.',
  'sequential-stripe-cheaper': () => 'For sequential I/O a stripe of HDD costs less.',
  'small-io-costs-credits': ({ ioKiB }) =>
    `Its I/O of ${figure(ioKiB, 0)} KiB costs as many credits as 1 MiB each.`,
  'volumes-peak-together': () => 'Volumes rarely peak together: keep what one needs for its own peak.',
  'need-unknown': ({ count }) =>
    count === 1
      ? '1 volume stays: its load does not show what it needs.'
      : `${count} volumes stay: their load does not show what they need.`,
  'not-the-whole-need': () => 'What was throttled does not show the whole need.',
  'not-for-the-highest-demand': () => 'No type of the catalog carries the demand at its highest.',
  'volume-needs-unknown': () => 'What some of its volumes need is not known.',
  'load-not-explained': () => 'The load of its volumes does not explain it.',
  'several-go-there': ({ count }) =>
    `${counted(count, 'volume')} of this audit could go there, and room is known for one alone: move one, then audit again.`,
  'instance-store-lost': () => 'A stop erases its instance store: copy that data first.',
  'application-moves': () => 'Its application moves along: CPU and memory there are not evaluated.',
  'less-network-bandwidth': ({ throughputMiBps }) =>
    `The network baseline falls by ${rateText(Math.round(throughputMiBps), 'MiB/s')}; IOPS stay.`,
  'not-enough': () => 'More than today, and not enough for all of it.',
  'initialization-rate': ({ minMiBps, maxMiBps, sizeGiB, minutesAtMost, exampleUsdAtMost }) =>
    [
      `Make the next volume with a VolumeInitializationRate (${figure(minMiBps, 0)} to ${rateText(maxMiBps, 'MiB/s')}): it cannot be set later.`,
      `${figure(sizeGiB, 0)} GiB at ${figure(maxMiBps, 0)} take ${minutesText(minutesAtMost)} at most.`,
      `The price of this Region is unknown; by the example of AWS ${usdText(exampleUsdAtMost)} at most, once.`,
    ].join(' '),
  'by-claim': () => 'By a VolumeAttributesClass and its claim: the driver would not know of a change by EC2.',
  'snapshot-first': nothing,
  'stripe-in-use': () => 'Never detach one member of a stripe in use.',
  provisional: (risk) => `Provisional: ${restsOnText(risk)}.`,
};

const riskText = (risk: Risk): string => wordsOf<Risk>(risks, risk);

const risksText = ({ risks: all, purpose }: Pick<Recommendation, 'risks' | 'purpose'>): string =>
  all
    .map((risk) =>
      purpose === 'initialization' && risk.code === 'inferred-stripe'
        ? 'That they are one stripe is inferred: `lsblk` on the host shows it.'
        : risk.code === 'provisional' && !isToBeSmaller({ purpose })
          ? `What it lowers is provisional: ${restsOnText(risk)}.`
          : riskText(risk),
    )
    .filter((text) => text !== '')
    .map((text) => ` ${text}`)
    .join('');

const hasRisk = (risks: readonly Risk[], asked: Risk['code']): boolean =>
  risks.some(({ code }) => code === asked);

/** How it is done, for somebody who plans it. */
function howText({ action, inPlace, risks }: Recommendation): string {
  switch (action) {
    case 'modify':
      return inPlace ? ' Online, no downtime.' : '';
    case 'migrate':
      return ' A migration with downtime; not for a root volume.';
    case 'recreate':
      return inPlace ? ' Online.' : ' With downtime.';
    case 'resize-instance':
    case 'set-bandwidth-weighting':
      return ' Downtime: the instance stops and starts.';
    case 'move-volume':
      return ` Downtime: it is detached and attached again.${hasRisk(risks, 'no-root-volume') ? ' Not for a root volume.' : ''}`;
    case 'move-card':
      return ' Detach and attach again.';
    case 'schedule':
      return inPlace ? ' Online, two modifications a day.' : '';
    default:
      return '';
  }
}

const generalWords = ({ purpose, action }: Recommendation): [what: string, more?: string] =>
  purposes[purpose] ?? actions[action] ?? ['Look at it'];

/** What is to be done, without how and at what risk. */
function doText(one: Recommendation): string {
  const to = changeText(one);
  if (to === null) return generalWords(one)[0];
  const each = one.headroomPercent === null ? '' : ` of ${figure(one.headroomPercent, 1)} %`;
  const verb =
    one.purpose === 'raise-in-steps'
      ? `Raise it in steps${each} until the queue is gone. First step: ${to}`
      : verbText(one, to);
  return `${verb}${sizeText(one)}`;
}

/** When each of the two begins. */
function timesText({ change }: Recommendation): string {
  if (change?.of !== 'schedule') return '';
  const { raiseAtUtc, lowerAtUtc } = change;
  return ` Raise at ${shortText(raiseAtUtc, 10)} UTC, lower at ${shortText(lowerAtUtc, 10)} UTC; stripewise does not execute it.`;
}

/** Why it is this volume, and that weighting. */
function whyText({ change }: Recommendation): string {
  if (change?.of === 'bandwidth-weighting')
    return change.from === 'vpc-1' ? ' vpc-1 takes bandwidth from EBS.' : '';
  if (change?.of !== 'volume-move') return '';
  return ` It has ${figure(100 * change.loadShare, 0)} % of the load; the other volumes wait for it.`;
}

/** An instance type alone does not show what it is for. */
function neededText({ change, sizedFor }: Recommendation): string {
  if (sizedFor === null || change?.of !== 'instance') return '';
  const { iops, throughputMiBps } = sizedFor;
  return ` Sized for ${rateText(Math.round(iops), 'IOPS')} and ${rateText(Math.round(throughputMiBps), 'MiB/s')}.`;
}

/** Who raises one limit of a volume does not expect the other one to become lower. */
function loweredText({ change, purpose }: Recommendation): string {
  if (purpose !== 'throttle-nothing' || change?.of !== 'volume' || change.to.members > 1) return '';
  const { from, to } = change;
  if (from.volumeType !== to.volumeType) return '';
  const iops = to.iops < from.iops ? ` Lowers IOPS from ${figure(from.iops, 0)}.` : '';
  const isLess = to.throughputMiBps < from.throughputMiBps;
  return `${iops}${isLess ? ` Lowers throughput from ${figure(from.throughputMiBps, 0)} MiB/s.` : ''}`;
}

function moreText(one: Recommendation): string {
  if (one.purpose === 'raise-in-steps') return ' Or spread the burst.';
  if (one.change !== null) return '';
  const [, more] = generalWords(one);
  return more === undefined ? '' : ` ${more}`;
}

export const fixText = (one: Recommendation): string =>
  `${doText(one)}.${one.change === null ? '' : howText(one)}${timesText(one)}${whyText(one)}${neededText(one)}${loweredText(one)}${moreText(one)}${risksText(one)}`;

/** A change for the sake of performance, of which nobody knows the effect. */
const isUnknown = ({ change, purpose, action }: Recommendation): boolean =>
  change !== null &&
  change.of !== 'volumes' &&
  change.of !== 'bandwidth-weighting' &&
  purpose !== 'less-cost' &&
  action !== 'move-card';

/** What it does; null where there is nothing to say of it. */
export function effectText(one: Recommendation): string | null {
  const { method, throttledMinutesBefore: before, throttledMinutesAfter: after } = one.effect;
  const { limitBefore, limitAfter, throttledMinutesAfterAtMost: atMost, forecastHours } = one.effect;
  const { latencyMsBefore, latencyMsAfterBelow } = one.effect;
  if (latencyMsBefore !== undefined && latencyMsAfterBelow !== undefined)
    return `Average latency below ${figure(latencyMsAfterBelow)} ms instead of ${figure(latencyMsBefore)} ms (estimated: as AWS documents it for 16 KiB I/O).`;
  if (after === 0 && before === 0)
    return method === 'simulated' ? 'No throttled minutes, as before (simulated).' : null;
  if (after !== null && before !== null) {
    const most =
      atMost === undefined || atMost === after ? '' : `; ${figure(atMost, 0)} if it is at its highest`;
    const how = method === 'simulated' ? 'simulated' : `estimated, if demand is as likely${most}`;
    const when = forecastHours === undefined ? '' : ` in the next ${figure(forecastHours, 1)} h`;
    return `${figure(after, 0)} throttled minutes instead of ${figure(before, 0)}${when} (${how}).`;
  }
  if (limitBefore === null || limitAfter === null)
    return isUnknown(one) ? 'Unknown: metrics do not show the whole demand; check again in a day.' : null;
  const to = rateText(Math.round(limitAfter.value), limitAfter.unit);
  return `${capitalized(limitBefore.what)} ${figure(limitBefore.value, 0)} -> ${to}; demand above that is unknown: check again in a day.`;
}

export const refreshText = (region: string): string =>
  `run \`stripewise catalog refresh --region ${shortText(region, 30)}\``;

const priceUnknown: WordsByCode<PriceUnknown> = {
  'no-ebs-prices': ({ region }) => `no prices of ${shortText(region, 30)}; ${refreshText(region)}`,
  'no-ebs-price': ({ volumeType, region }) =>
    `no price of ${shortText(volumeType, 30)} in ${shortText(region, 30)}; ${refreshText(region)}`,
  'no-instance-price': ({ instanceType, region }) =>
    `no price of ${shortText(instanceType, 30)} in ${shortText(region, 30)}; ${refreshText(region)}`,
  'billed-by-rack': () => 'an Outpost is billed by its rack',
  'unknown-instance-type': ({ instanceType, region }) =>
    instanceType === null
      ? 'its instance type is not known'
      : `the catalog has no ${shortText(instanceType, 30)}; ${refreshText(region)}`,
  'no-ebs-limits': ({ instanceType }) => `EC2 states no EBS limits of ${shortText(instanceType, 30)}`,
  'no-type-is-enough': () => 'no instance type of the catalog is enough',
};

export const priceUnknownText = (reason: PriceUnknown): string => wordsOf<PriceUnknown>(priceUnknown, reason);

/** Null where nothing is bought. */
export function costText({ monthlyUsdDelta, priceUnknownReason, change }: Recommendation): string | null {
  if (monthlyUsdDelta !== null)
    return monthlyUsdDelta === 0 ? 'No change.' : `${usdDeltaText(monthlyUsdDelta)}.`;
  if (priceUnknownReason === null) return null;
  const alone =
    change?.of === 'instance' && change.monthlyUsd !== undefined
      ? ` ${shortText(change.to, 30)} costs ${usdText(change.monthlyUsd)} a month.`
      : '';
  return `Unknown: ${priceUnknownText(priceUnknownReason)}.${alone}`;
}

/** Of a price that nobody knows that it is so; null where nothing is bought. */
function priceInShort({ monthlyUsdDelta, priceUnknownReason }: Recommendation): string | null {
  if (monthlyUsdDelta === null) return priceUnknownReason === null ? null : 'price unknown';
  return monthlyUsdDelta === 0 ? 'no change of cost' : usdDeltaText(monthlyUsdDelta);
}

const stopsInstance = (action: Recommendation['action']): boolean =>
  action === 'resize-instance' || action === 'set-bandwidth-weighting';

function howInShort({ action, inPlace }: Recommendation): string {
  if (action === 'migrate') return ', needs a migration with downtime';
  if (action === 'modify' && inPlace) return ', online';
  if (stopsInstance(action)) return ', stop and start';
  return inPlace ? '' : ', needs downtime';
}

const shownInShort: ReadonlySet<Risk['code']> = new Set([
  'data-loss-rate',
  'not-enough',
  'less-network-bandwidth',
  'instance-store-lost',
  'several-go-there',
]);

/** An alternative in one line. */
export function orText(one: Recommendation): string {
  const to = changeText(one);
  if (to === null) return fixText(one);
  const shown = one.risks.filter(
    ({ code }) => shownInShort.has(code) || (code === 'provisional' && isToBeSmaller(one)),
  );
  const price = priceInShort(one) ?? 'price unknown';
  const verb = one.action === 'move-volume' ? 'move ' : '';
  return `${capitalized(`${verb}${to}`)}: ${price}${howInShort(one)}.${shown.map((risk) => ` ${riskText(risk)}`).join('')}`;
}

function besideChange({ action, inPlace }: Recommendation): string {
  if (action === 'modify' && inPlace) return ' online';
  if (stopsInstance(action)) return ' (stop and start)';
  if (action === 'move-volume') return ' (downtime)';
  return action === 'migrate' ? ' (migration with downtime)' : '';
}

/** "gp3, 3,000 IOPS, 125 MiB/s online, -0.66 USD a month": for a message that has two lines for each finding. */
export function fixInShort(one: Recommendation): string {
  const [to, price] = [changeText(one), priceInShort(one)];
  const how = besideChange(one);
  const verb = one.action === 'move-card' || one.action === 'move-volume' ? 'move ' : '';
  const text = to === null ? doText(one) : `${verb}${to}${how}`;
  const isProvisional = isToBeSmaller(one) && one.risks.some(({ code }) => code === 'provisional');
  return `${text}${price === null ? '' : `, ${price}`}${isProvisional ? ', provisional' : ''}.`;
}
