/** What is recommended, what it does and what it costs: the lines Fix, Effect, Cost and Or. */
import { figure } from '../../core/figures.ts';
import type { Recommendation, Risk } from '../../core/schemas/finding.ts';
import {
  capitalized,
  layoutText,
  minutesText,
  percentText,
  rateText,
  shortText,
  usdDeltaText,
} from './words.ts';

type Change = NonNullable<Recommendation['change']>;

const mostNamed = 3;

function movesText(moves: Extract<Change, { of: 'cards' }>['moves']): string {
  const named = moves
    .slice(0, mostNamed)
    .map(({ volumeId, toCard }) => `${shortText(volumeId, 30)} to card ${toCard}`);
  const rest = moves.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** What it is changed to, in a few words: "gp3, 3,000 IOPS, 125 MiB/s". */
function changeText({ change, action }: Recommendation): string | null {
  if (change === null) return null;
  switch (change.of) {
    case 'volume':
      return layoutText(change.to, action === 'modify' ? change.from : null);
    case 'instance':
      return shortText(change.to, 30);
    case 'volumes':
      return `lower IOPS or throughput of ${change.volumes.length === 1 ? '1 volume' : `${change.volumes.length} volumes`}`;
    case 'cards':
      return movesText(change.moves);
  }
}

/** What is to be done where nothing is sized. */
const purposes: Partial<Record<Recommendation['purpose'], string>> = {
  'larger-or-other-type': 'Take a larger volume of this type, or gp3 for small random I/O',
  'spread-the-burst': 'Spread the burst: checkpoint, flush and batch settings',
  'host-errors': 'Look at the I/O errors of the host and at AWS Health; open a case if it returns',
  initialization: 'Check whether it is still being initialized from its snapshot',
  'replace-member': 'Replace this member by a new volume like its siblings',
  'instance-first': 'The instance is the limit: take another instance type first, or move busy volumes',
  'instance-after': 'A faster volume moves the limit to the instance: raise both',
  'spread-the-load': 'No other volume helps: spread the load over more volumes, or over more time',
  unused: 'Keep a snapshot and delete it, if its owner agrees',
  'keep-figures': 'Lower none: each volume needs what it has for its own peak',
};

const actions: Partial<Record<Recommendation['action'], string>> = {
  'resize-instance': 'Take an instance type with higher EBS limits',
  'set-bandwidth-weighting': 'Set the bandwidth weighting of the instance to default',
};

/** @param to what it is changed to. */
function verbText({ action, change }: Recommendation, to: string): string {
  if (change?.of === 'volumes') return capitalized(to);
  switch (action) {
    case 'modify':
      return `Change to ${to}`;
    case 'recreate':
      return `Recreate from a snapshot as ${to}`;
    case 'resize-instance':
      return `Change the instance type to ${to}`;
    case 'move-card':
      return `Move ${to}`;
    default:
      return capitalized(to);
  }
}

/** The rule behind a size, where it is not the demand. */
const sizes: Partial<Record<NonNullable<Recommendation['sizedBy']>, string>> = {
  headroom: 'with headroom above the peak',
  'type-minimum': "the type's minimum",
  'twice-served': 'twice what was served',
  'limit-headroom': '+25 % above its limit',
  'present-maximum': 'as much as its maximum today',
};

const risks: Record<Risk['code'], (risk: Risk) => string | null> = {
  downtime: () => null,
  'data-loss-rate': ({ from = 0, to = 0 }) =>
    `${percentText(to)} a year to lose the data instead of ${percentText(from)}.`,
  'no-root-volume': () => null,
  'never-shrinks': () => 'A volume never shrinks again.',
  'less-consistent': ({ from = 0, to = 0 }) =>
    `Performance as provisioned ${figure(to)} % of the time instead of ${figure(from)} %.`,
  'less-durable': ({ from = 0, to = 0 }) =>
    `${percentText(to)} of such volumes fail in a year instead of ${percentText(from)}.`,
  'seldom-read': () => 'For data that is seldom read.',
  'on-credits': () => 'Relies on burst credits.',
  'no-more-credits': () => null,
  'type-on-outpost': () => 'Check that the Outpost offers the type.',
  'all-members-alike': ({ count = 0 }) => `Change all ${count} members of the stripe alike.`,
  'inferred-stripe': ({ count = 0 }) => `If these ${count} volumes are one stripe: change all alike.`,
  'unlike-members': () => 'First give its members the same IOPS and throughput.',
  'like-volumes': ({ count = 0 }) =>
    `${count} more on the instance ${count === 1 ? 'is' : 'are'} like it: if they are one stripe, change all alike.`,
  'averages-hide-bursts': ({ minutes = 0 }) =>
    `Averages over ${minutesText(minutes)} hide bursts: read one-minute points first.`,
  'demand-unknown': () => null,
  'instance-limits': ({ minutes = 0 }) =>
    `The instance is the limit in ${minutesText(minutes)} of what is left.`,
  'more-than-the-type': ({ minutes = 0 }) => `${minutesText(minutes)} need more than that.`,
  'also-at-the-limit': () => 'It was throttled at its limit too: for that it needs more.',
  'sequential-stripe-cheaper': () => 'For sequential I/O a stripe of HDD costs less.',
  'small-io-costs-credits': () => 'Small I/O costs as many credits as 1 MiB each.',
  'volumes-peak-together': () => 'Volumes rarely peak together: keep what one needs for its own peak.',
  'need-unknown': ({ count = 0 }) =>
    count === 1
      ? '1 volume stays: its load does not show what it needs.'
      : `${count} volumes stay: their load does not show what they need.`,
  'not-the-whole-need': () => 'What was throttled does not show the whole need.',
  'snapshot-first': () => null,
  'stripe-in-use': () => 'Never detach one member of a stripe in use.',
};

const risksText = ({ risks: all, purpose }: Pick<Recommendation, 'risks' | 'purpose'>): string =>
  all
    .map((risk) =>
      purpose === 'initialization' && risk.code === 'inferred-stripe'
        ? 'That they are one stripe is inferred.'
        : risks[risk.code](risk),
    )
    .filter((text) => text !== null)
    .map((text) => ` ${text}`)
    .join('');

/** How it is done, for somebody who plans it. */
function howText({ action, inPlace }: Recommendation): string {
  switch (action) {
    case 'modify':
      return inPlace ? ' Online, no downtime.' : '';
    case 'migrate':
      return ' A migration with downtime; not for a root volume.';
    case 'recreate':
      return inPlace ? ' Online.' : ' With downtime.';
    case 'resize-instance':
      return ' The instance stops and starts.';
    case 'move-card':
      return ' Detach and attach again.';
    default:
      return '';
  }
}

/** What is to be done, without how and at what risk. */
function doText(one: Recommendation): string {
  const to = changeText(one);
  if (to === null) return purposes[one.purpose] ?? actions[one.action] ?? 'Look at it';
  const size = one.sizedBy === null ? undefined : sizes[one.sizedBy];
  const verb =
    one.purpose === 'raise-in-steps'
      ? `Raise it in steps until the queue is gone. First step: ${to}`
      : verbText(one, to);
  return `${verb}${size === undefined ? '' : ` (${size})`}`;
}

export const fixText = (one: Recommendation): string =>
  `${doText(one)}.${one.change === null ? '' : howText(one)}${risksText(one)}`;

/** A change for the sake of performance, of which nobody knows the effect. */
const isUnknown = ({ change, purpose, action }: Recommendation): boolean =>
  change !== null && change.of !== 'volumes' && purpose !== 'less-cost' && action !== 'move-card';

/** What it does; null where there is nothing to say of it. */
export function effectText(one: Recommendation): string | null {
  const { method, throttledMinutesBefore: before, throttledMinutesAfter: after } = one.effect;
  const { limitBefore, limitAfter } = one.effect;
  if (after === 0 && before === 0)
    return method === 'simulated' ? 'No throttled minutes, as before (simulated).' : null;
  if (after !== null && before !== null) {
    const how = method === 'simulated' ? 'simulated' : 'estimated, if demand is as likely';
    return `${figure(after, 0)} throttled minutes instead of ${figure(before, 0)} (${how}).`;
  }
  if (limitBefore === null || limitAfter === null)
    return isUnknown(one) ? 'Unknown: metrics do not show the whole demand; check again in a day.' : null;
  const to = rateText(Math.round(limitAfter.value), limitAfter.unit);
  return `${capitalized(limitBefore.what)} ${figure(limitBefore.value, 0)} -> ${to}; demand above that is unknown: check again in a day.`;
}

/** Null where nothing is bought. */
export function costText({ monthlyUsdDelta, priceUnknownReason }: Recommendation): string | null {
  if (monthlyUsdDelta !== null)
    return monthlyUsdDelta === 0 ? 'No change.' : `${usdDeltaText(monthlyUsdDelta)}.`;
  return priceUnknownReason === null ? null : `Unknown: ${shortText(priceUnknownReason, 160)}.`;
}

/** Of a price that nobody knows that it is so; null where nothing is bought. */
function priceInShort({ monthlyUsdDelta, priceUnknownReason }: Recommendation): string | null {
  if (monthlyUsdDelta === null) return priceUnknownReason === null ? null : 'price unknown';
  return monthlyUsdDelta === 0 ? 'no change of cost' : usdDeltaText(monthlyUsdDelta);
}

function howInShort({ action, inPlace }: Recommendation): string {
  if (action === 'migrate') return ', needs a migration with downtime';
  if (action === 'modify' && inPlace) return ', online';
  return inPlace ? '' : ', needs downtime';
}

/** An alternative in one line. */
export function orText(one: Recommendation): string {
  const to = changeText(one);
  if (to === null) return fixText(one);
  const loss = one.risks.find(({ code }) => code === 'data-loss-rate');
  const price = priceInShort(one) ?? 'price unknown';
  return `${capitalized(to)}: ${price}${howInShort(one)}.${loss === undefined ? '' : ` ${risks['data-loss-rate'](loss)}`}`;
}

/** "gp3, 3,000 IOPS, 125 MiB/s online, -0.66 USD a month": for a message that has two lines for each finding. */
export function fixInShort(one: Recommendation): string {
  const [to, price] = [changeText(one), priceInShort(one)];
  const how =
    one.action === 'modify' && one.inPlace ? ' online' : one.action === 'migrate' ? ' (migration)' : '';
  const verb = one.action === 'move-card' ? 'move ' : '';
  const text = to === null ? doText(one) : `${verb}${to}${how}`;
  return `${text}${price === null ? '' : `, ${price}`}.`;
}
