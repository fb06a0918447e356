/** What is said of a comparison with another service: the headline, a line for each volume, and what came of asking. */
import { fewOf } from '../../core/few.ts';
import { figure, usdText } from '../../core/figures.ts';
import { groupBy } from '../../core/group-by.ts';
import { isVolumeType } from '../../core/limits/volume-limits.ts';
import type {
  OpinionConfiguration,
  OpinionLabel,
  OpinionRead,
  OpinionReason,
  OpinionSource,
  SecondOpinion,
} from '../../core/schemas/second-opinion.ts';
import type { ComparedSource, OpinionTotals } from '../../core/second-opinion/totals.ts';
import {
  capitalized,
  cited,
  counted,
  lowered,
  minutesText,
  rateText,
  shortText,
  timeText,
  type WordsByCode,
  wordsOf,
} from './words.ts';

export const sourceNames: Readonly<Record<OpinionSource, string>> = {
  'compute-optimizer': 'AWS Compute Optimizer',
  'cost-optimization-hub': 'AWS Cost Optimization Hub',
};

export const opinionLabelTexts: Readonly<Record<OpinionLabel, string>> = {
  unsafe: 'unsafe',
  'leaves-money': 'leaves money',
  unseen: 'unseen',
  agree: 'agree',
  'not-comparable': 'not comparable',
};

// The headline.

function leavesText(count: number, { leftMonthlyUsd, leftUnknown }: OpinionTotals): string {
  const leave = count === 1 ? '1 leaves' : `${figure(count, 0)} leave`;
  if (leftUnknown === count) return `${leave} money, how much is not known`;
  const unknown = leftUnknown === 0 ? '' : ` (${figure(leftUnknown, 0)} without a known price)`;
  return `${leave} ${usdText(leftMonthlyUsd)} a month${unknown}`;
}

const countTexts: Readonly<Record<OpinionLabel, (count: number, totals: OpinionTotals) => string>> = {
  unsafe: (count) => `${figure(count, 0)} unsafe`,
  'leaves-money': leavesText,
  unseen: (count) => `${figure(count, 0)} unseen`,
  agree: (count) => (count === 1 ? '1 agrees' : `${figure(count, 0)} agree`),
  'not-comparable': (count) => `${figure(count, 0)} not comparable`,
};

/** That none is unsafe is said too. */
const isAlwaysSaid = (label: string): boolean => label === 'unsafe';

/** "Compared with AWS Compute Optimizer: 4 unsafe, 7 leave 212.40 USD a month, 9 unseen, 80 agree, 3 not comparable." */
export function opinionHeadline({
  source,
  totals,
  rows,
}: Pick<ComparedSource, 'source' | 'totals' | 'rows'>): string {
  const compared = `Compared with ${sourceNames[source]}`;
  if (rows.length === 0) return `${compared}: nothing to compare.`;
  const counts = (Object.keys(opinionLabelTexts) as OpinionLabel[])
    .filter((label) => totals.byLabel[label] > 0 || isAlwaysSaid(label))
    .map((label) => countTexts[label](totals.byLabel[label], totals));
  return `${compared}: ${counts.join(', ')}.`;
}

// A volume.

/** "gp3, 3,000 IOPS, 125 MiB/s"; with its size where that changes. */
export function configurationText(
  { volumeType, sizeGiB, iops, throughputMiBps }: OpinionConfiguration,
  from: OpinionConfiguration | null,
): string {
  const size = from?.sizeGiB === sizeGiB ? '' : ` ${figure(sizeGiB, 0)} GiB`;
  return [
    `${volumeType}${size}`,
    ...(iops === null ? [] : [rateText(iops, 'IOPS')]),
    ...(throughputMiBps === null ? [] : [rateText(throughputMiBps, 'MiB/s')]),
  ].join(', ');
}

/** What the other service recommends first. */
export function recommendedText({ recommended, current, reason }: SecondOpinion): string {
  if (recommended !== null) return configurationText(recommended, current);
  if (reason.code === 'option-unknown') return 'a configuration that is not known here';
  const isDeleted = reason.code === 'both-delete' || reason.code === 'deletes-what-is-used';
  return isDeleted ? 'to delete it' : 'no other configuration';
}

const leastHours = 30;

function optionUnknown(volumeType: string): string {
  if (volumeType === '') return 'It recommends a configuration without a volume type.';
  return isVolumeType(volumeType)
    ? `It recommends ${volumeType} with figures that are missing or that EBS refuses.`
    : `It recommends the type "${shortText(volumeType, 30)}", which is not known here.`;
}

/** "It" is the other service, or what it recommends. */
const reasonWords: WordsByCode<OpinionReason> = {
  'both-keep': () => 'Both keep it as it is.',
  'same-configuration': () => 'Both recommend the same configuration.',
  'like-cost': () => 'What each recommends costs about the same.',
  'both-delete': () => 'It would delete the volume, and nothing uses it.',
  'costs-less-than-ours': () =>
    'What it recommends costs less than what this audit does, and the simulation finds no harm in it.',
  'keeps-what-can-cost-less': () => 'It keeps a configuration for which this audit has a cheaper one.',
  'more-than-needed': () => 'It recommends more than the load needs.',
  'throttled-if-followed': ({ throttledMinutes, throttledMinutesNow }) =>
    `It would throttle up to ${minutesText(throttledMinutes)} (simulated; now ${figure(throttledMinutesNow, 1)}).`,
  'deletes-what-is-used': ({ activeMinutes }) =>
    `It would delete a volume that had I/O in ${minutesText(activeMinutes)} of the window.`,
  stripe: ({ members }) => `One of ${counted(members, 'volume')} of a stripe; it looks at each alone.`,
  'instance-limit': ({ instanceId, minutes }) =>
    `Throttled ${minutesText(minutes)} by the limit of ${shortText(instanceId, 40)}, which it does not look at.`,
  credits: ({ minutes }) =>
    minutes === 0
      ? 'Burst credits run out soon, which it does not look at.'
      : `Throttled ${minutesText(minutes)} with burst credits exhausted, which it does not look at.`,
  'keeps-throttled': ({ minutes }) =>
    `Throttled ${minutesText(minutes)} by the limit of the volume; it recommends no change.`,
  detached: () => 'Detached: it sizes attached volumes only.',
  'under-30-hours': ({ hours }) => {
    const has = hours === null ? 'the volume has fewer' : `${counted(Math.floor(hours), 'hour')} had figures`;
    return `It needs ${leastHours} hours attached without a break, and ${has}.`;
  },
  'no-recommendation': () => 'It says nothing of this volume.',
  stale: ({ lastRefreshed, hours }) =>
    `Its recommendation is of ${timeText(lastRefreshed)}, ${counted(Math.floor(hours), 'hour')} old.`,
  undated: () => 'It does not say when it was made.',
  'other-window': ({ days, auditDays }) =>
    `It looks at ${counted(days, 'day')}, this audit at ${figure(auditDays, 1)}: too little in common.`,
  'configuration-changed': () => 'The volume is not configured as it was when this was recommended.',
  'option-unknown': ({ volumeType }) => optionUnknown(volumeType),
  'not-evaluated': () => 'This audit has no load of the volume to simulate.',
  'smaller-size': () =>
    'It recommends a smaller volume. None shrinks, and whether the data fits is not known.',
  'demand-unknown': () => 'The demand is not known closely enough for a simulation to decide.',
  'price-unknown': () => 'A price is not known, so costs cannot be compared.',
};

type Reasoned = Pick<SecondOpinion, 'reason' | 'recommended'>;

/** Where it changes the volume, minutes are those of the simulation with its change; else they were measured. */
export function opinionReasonText({ reason, recommended }: Reasoned): string {
  const isStill = reason.code === 'keeps-throttled' || reason.code === 'credits';
  return isStill && recommended !== null
    ? `Still throttled with what it recommends: up to ${minutesText(reason.minutes)} (simulated).`
    : wordsOf<OpinionReason>(reasonWords, reason);
}

/** "Unsafe: it would throttle 84 min (simulated; now 0)." */
export const opinionText = (row: Reasoned & Pick<SecondOpinion, 'label'>): string =>
  `${capitalized(opinionLabelTexts[row.label])}: ${lowered(opinionReasonText(row))}`;

/** Below a table with a column of money. */
export const usdColumnNote =
  'USD a month: what following it costs more (+) or less (-) than following this audit.';

// What came of asking.

interface Asked {
  /** What to allow where it is denied. */
  permissions: string;
}

const asked: Readonly<Record<OpinionSource, Asked>> = {
  'compute-optimizer': {
    permissions: 'compute-optimizer:GetEBSVolumeRecommendations and ec2:DescribeVolumes',
  },
  'cost-optimization-hub': {
    permissions: 'cost-optimization-hub:ListRecommendations and cost-optimization-hub:GetRecommendation',
  },
};

/** "account 111122223333 (us-east-1)". */
function placeText({ account, region }: OpinionRead): string | null {
  const where = region === null ? null : shortText(region, 30);
  if (account === null) return where;
  const id = `account ${shortText(account, 30)}`;
  return where === null ? id : `${id} (${where})`;
}

/** " in account 111122223333 (us-east-1)"; nothing where none is known, as of a file. */
function inPlaces(places: readonly (string | null)[]): string {
  const known = [...new Set(places.filter((place) => place !== null))];
  return known.length === 0 ? '' : ` in ${fewOf(known)}`;
}

/** Who enables it enables it for an account: its Regions are not named. */
const inAccounts = (reads: readonly OpinionRead[]): string =>
  inPlaces(reads.map((read) => placeText({ ...read, region: read.account === null ? read.region : null })));

const inRegions = (reads: readonly OpinionRead[]): string => inPlaces(reads.map(placeText));

const orFile = 'or pass a file.';

type Unread = Exclude<OpinionRead['status'], 'read'>;

const statusWords: Readonly<
  Record<Unread, (source: OpinionSource, reads: readonly OpinionRead[], error: string | null) => string>
> = {
  empty: (source, reads) =>
    `${sourceNames[source]} has no recommendations of EBS volumes${inRegions(reads)}.`,
  'not-enabled': (source, reads) =>
    `${sourceNames[source]} is not enabled${inAccounts(reads)}: nothing was enabled. Enable it in its console, ${orFile}`,
  denied: (source, reads, error) =>
    `${sourceNames[source]} could not be read${inRegions(reads)}: access is denied. Allow ${asked[source].permissions}, ${orFile}${error === null ? '' : ` AWS says: ${cited(error, 300)}.`}`,
  failed: (source, reads, error) =>
    `${sourceNames[source]} could not be read${inRegions(reads)}${error === null ? '' : `: ${cited(error, 300)}`}.`,
};

const isOr = (count: number): string => (count === 1 ? 'is' : 'are');

type Left = 'rdsRows' | 'otherAccounts' | 'unmatched' | 'otherRows';

/** What is not among its rows, and why. */
const leftTexts: Readonly<Record<Left, (rows: string, is: string) => string>> = {
  rdsRows: (rows) => `${rows} of Amazon RDS storage: not covered yet.`,
  otherAccounts: (rows, is) => `${rows} ${is} of accounts that this audit did not read.`,
  unmatched: (rows, is) => `${rows} ${is} of volumes that are not in the inventory.`,
  otherRows: (rows, is) => `${rows} ${is} of other resources, or without a volume id.`,
};

const leftOut = (reads: readonly OpinionRead[]): string[] =>
  (Object.keys(leftTexts) as Left[]).flatMap((left) => {
    const count = reads.reduce((total, read) => total + (read[left] ?? 0), 0);
    return count === 0 ? [] : leftTexts[left](counted(count, 'row'), isOr(count));
  });

function staleText(rows: readonly SecondOpinion[]): string[] {
  const stale = rows.filter(({ reason }) => reason.code === 'stale').length;
  if (stale === 0) return [];
  return [`${counted(stale, 'recommendation')} ${isOr(stale)} older than 48 hours, and not compared.`];
}

const maxUnread = 5;

/** Those of a failure together; what AWS says where access is denied has the name of each account in it: the first one stands for all. */
const groupOf = ({ status, error }: OpinionRead): string =>
  status === 'failed' ? `${status} ${error ?? ''}` : status;

function unreadTexts(source: OpinionSource, reads: readonly OpinionRead[]): string[] {
  const groups = [...groupBy(reads, groupOf).values()];
  const texts = groups.flatMap((same) => {
    const [first] = same;
    return first === undefined || first.status === 'read'
      ? []
      : statusWords[first.status](source, same, first.error);
  });
  const rest = texts.length - maxUnread;
  return rest <= 0
    ? texts
    : [
        ...texts.slice(0, maxUnread),
        `${sourceNames[source]} could not be read for ${counted(rest, 'more reason')} (--json has all).`,
      ];
}

/** What a reader must know of a source: where it could not be read, what is left out. Empty where all was read and is there. */
export function opinionNotes({
  source,
  rows,
  reads,
}: Pick<ComparedSource, 'source' | 'rows' | 'reads'>): string[] {
  return [...unreadTexts(source, reads), ...staleText(rows), ...leftOut(reads)];
}

// Lists of rows.

/** "10 of 23 that do not agree". */
export const disagreeingText = (shown: number, all: number): string =>
  shown === all
    ? `${figure(all, 0)} that ${all === 1 ? 'does' : 'do'} not agree`
    : `${figure(shown, 0)} of ${figure(all, 0)} that do not agree`;

/** Where no row of them is shown: "... and 19 volumes that do not agree (--top N shows them)". */
export const noneShownText = (all: number): string =>
  `... and ${counted(all, 'volume')} that ${all === 1 ? 'does' : 'do'} not agree (--top N shows them)`;
