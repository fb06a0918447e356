/** What the check of infrastructure code says: problem and way out of each finding, what could not be checked, the totals. */
import { figure, usdText } from '../../core/figures.ts';
import { isHdd, isVolumeType } from '../../core/limits/volume-limits.ts';
import {
  type CheckAnswer,
  type CheckFacts,
  type CheckFigures,
  type CheckFinding,
  type CheckRuleId,
  type CheckWayOut,
  loadClasses,
  type NotCheckedReason,
  type NotMatchedReason,
  type NotPricedReason,
} from '../../core/schemas/check-answer.ts';
import type { Severity } from '../../core/schemas/finding.ts';
import { secondsPerHour, secondsPerMinute } from '../../core/units.ts';
import { severityText } from './severities.ts';
import {
  cited,
  counted,
  layoutText,
  rateText,
  shortText,
  usdDeltaText,
  type WordsByCode,
  wordsOf,
} from './words.ts';

/** What each rule is about, for those who list or ignore it. */
export const ruleTexts: Record<CheckRuleId, { title: string; about: string }> = {
  'refused-by-aws': {
    title: 'AWS refuses it',
    about: 'A size, IOPS, throughput or type that EBS does not have: the apply would fail.',
  },
  'measured-load': {
    title: 'Throttles the measured load',
    about: 'The change was simulated on the load that was measured, and throttles more of it.',
  },
  replaced: {
    title: 'Replaced instead of modified',
    about: 'The plan replaces a volume or an instance, where EBS modifies the volume in place.',
  },
  'lower-throughput': {
    title: 'Lower throughput or IOPS',
    about: 'A change of type lowers what the volume can do: gp3 has 125 MiB/s where nothing else is set.',
  },
  'instance-limit': {
    title: 'Above the instance limit',
    about: 'The volumes together can do more than their instance.',
  },
  'unused-performance': {
    title: 'Paid for and not usable',
    about: 'IOPS or throughput are paid for that the instance cannot use.',
  },
  credits: {
    title: 'Burst credits used up',
    about: 'The class of load uses up the burst credits of the volume or the instance.',
  },
  'gp2-to-gp3': { title: 'gp3 costs less', about: 'gp3 with the same performance costs less than gp2.' },
  'stripe-cheaper': {
    title: 'A stripe costs less',
    about: 'A stripe of gp3 with the same performance costs less than one volume.',
  },
};

const longestAddress = 160;

/** "modules/db.yaml:12". */
export const placeText = ({ file, line }: Pick<CheckFinding, 'file' | 'line'>, most: number): string =>
  `${shortText(file, most)}${line === null ? '' : `:${line}`}`;

/** "aws_instance.db /dev/sdf". */
export const targetText = ({ address, device }: { address: string; device: string | null }): string =>
  device === null
    ? shortText(address, longestAddress)
    : `${shortText(address, longestAddress)} ${shortText(device, 40)}`;

const name = (text: string): string => shortText(text, 60);

/** "gp3 500 GiB, 6,000 IOPS, 250 MiB/s"; what is not set is not named. */
function figuresText({ volumeType, sizeGiB, iops, throughputMiBps }: CheckFigures): string {
  const size = sizeGiB === null ? '' : ` ${figure(sizeGiB)} GiB`;
  return [
    `${name(volumeType)}${size}`,
    ...(iops === null ? [] : [rateText(iops, 'IOPS')]),
    ...(throughputMiBps === null ? [] : [rateText(throughputMiBps, 'MiB/s')]),
  ].join(', ');
}

interface Ability {
  iops: number;
  throughputMiBps: number;
}

const abilityText = ({ iops, throughputMiBps }: Ability): string =>
  `${rateText(iops, 'IOPS')} and ${rateText(throughputMiBps, 'MiB/s')}`;

/** "31 min", "1.4 h". */
function durationText(seconds: number): string {
  return seconds < secondsPerHour
    ? `${figure(seconds / secondsPerMinute, 0)} min`
    : `${figure(seconds / secondsPerHour, 1)} h`;
}

const daysText = (days: number): string => rateText(days, days === 1 ? 'day' : 'days');

/** "half an hour a day", "8 hours a day". */
function loadText(hours: number): string {
  if (hours === 0.5) return 'half an hour a day';
  return hours === 1 ? 'an hour a day' : `${figure(hours)} hours a day`;
}

type Lower = Extract<CheckFacts, { code: 'lower-performance' }>;

const isHddType = ({ volumeType }: CheckFigures): boolean => isVolumeType(volumeType) && isHdd(volumeType);

/** Those of the two that become lower. */
function loweredText({ before, after, to }: Lower): string {
  const parts = [
    ...(after.throughputMiBps < before.throughputMiBps
      ? [`${figure(before.throughputMiBps, 1)} -> ${rateText(after.throughputMiBps, 'MiB/s')}`]
      : []),
    // Of an HDD the IOPS are made of its MiB/s: they are no figure of EBS.
    ...(after.iops < before.iops && !isHddType(to)
      ? [`${figure(before.iops, 1)} -> ${rateText(after.iops, 'IOPS')}`]
      : []),
  ];
  return parts.length === 0
    ? `its ${rateText(before.iops, 'IOPS')} to those of a hard disk`
    : parts.join(' and ');
}

type OfInstance = Extract<CheckFacts, { code: 'instance-limit' }>;

function instanceLimitText({ instance, together, isAboveMaximum, volumes }: OfInstance): string {
  const { instanceType, baselineIops, maximumIops, baselineMiBps, maximumMiBps } = instance;
  const what = volumes === 1 ? 'Its volume' : `Its ${figure(volumes)} volumes`;
  const most = isAboveMaximum
    ? `at most ${abilityText({ iops: maximumIops, throughputMiBps: maximumMiBps })}`
    : `a baseline of ${abilityText({ iops: baselineIops, throughputMiBps: baselineMiBps })}`;
  return `${what} can do ${abilityText(together)}. ${name(instanceType)} has ${most}.`;
}

const problems: WordsByCode<CheckFacts> = {
  'configuration-refused': ({ reason }) => `AWS refuses it: ${cited(reason)}.`,
  'no-such-volume-type': ({ volumeType }) => `AWS refuses it: there is no volume type "${name(volumeType)}".`,
  'volume-shrinks': ({ fromGiB, toGiB }) =>
    `AWS refuses it: a volume cannot shrink, ${figure(fromGiB)} -> ${figure(toGiB)} GiB.`,
  'boot-volume-type': ({ volumeType }) => `AWS refuses it: ${volumeType} cannot be a boot volume.`,
  'multi-attach-type': ({ volumeType }) =>
    `AWS refuses it: ${volumeType} has no Multi-Attach, io1 and io2 alone do.`,
  'instance-limit': instanceLimitText,
  'unused-performance': ({ instance, unusedIops, unusedMiBps, monthlyUsd }) => {
    const parts = [
      ...(unusedIops > 0 ? [rateText(unusedIops, 'IOPS')] : []),
      ...(unusedMiBps > 0 ? [rateText(unusedMiBps, 'MiB/s')] : []),
    ];
    const usd = monthlyUsd === null ? '' : `, ${usdText(monthlyUsd)} a month`;
    return `${parts.join(' and ')} can never be used: ${name(instance.instanceType)} is the limit${usd}.`;
  },
  gp2: ({ figures, now }) =>
    now === null
      ? 'gp2: gp3 costs less a GiB, and has 3,000 IOPS at any size.'
      : `${figuresText(figures)}: gp3 costs less with the same ${abilityText(now)}.`,
  'lower-performance': (facts) =>
    `${facts.from.volumeType} -> ${facts.to.volumeType} lowers ${loweredText(facts)}${facts.isSet || facts.to.volumeType !== 'gp3' ? '' : ', as nothing else is set'}.`,
  replaced: ({ what, devices }) =>
    what === 'volume'
      ? 'The volume is replaced, and its data is lost. EBS makes this change in place.'
      : `The instance is replaced for ${counted(devices.length, 'changed volume')}. EBS makes this change in place.`,
  'single-volume': ({ figures, can }) =>
    `${figuresText(figures)}: a stripe with ${abilityText(can)} costs less.`,
  'credits-used-up': ({ of, name: called, loadHours, rate, baseline, unit, lastsSeconds }) =>
    `Burst credits of ${of === 'volume' ? called : `the instance (${name(called)})`} last ${durationText(lastsSeconds)} at ${rateText(rate, unit)}, not ${loadText(loadHours)}. Then ${rateText(baseline, unit)} are left.`,
  'throttles-measured-load': ({
    from,
    to,
    throttledMinutesADayBefore,
    throttledMinutesADayAfter,
    measuredDays,
  }) => {
    const after = figure(throttledMinutesADayAfter, 1);
    const before =
      throttledMinutesADayBefore > 0 ? ` instead of ${figure(throttledMinutesADayBefore, 1)}` : '';
    return `${changedText(from, to)}: ${after} throttled minutes a day${before}, at the load of the last ${daysText(measuredDays)} (simulated).`;
  },
};

type Layout = Parameters<typeof layoutText>[0];

/** "6,000 -> 3,000 IOPS"; of more than one figure the layouts. */
function changedText(from: Layout, to: Layout): string {
  const isSameVolume = from.volumeType === to.volumeType && from.sizeGiB === to.sizeGiB;
  if (isSameVolume && from.throughputMiBps === to.throughputMiBps)
    return `${figure(from.iops)} -> ${rateText(to.iops, 'IOPS')}`;
  if (isSameVolume && from.iops === to.iops)
    return `${figure(from.throughputMiBps)} -> ${rateText(to.throughputMiBps, 'MiB/s')}`;
  return `${layoutText(from, null)} -> ${layoutText(to, from)}`;
}

/** One or two sentences. */
export const checkProblem = ({ facts }: Pick<CheckFinding, 'facts'>): string => wordsOf(problems, facts);

const differenceText = (usd: number | null): string => (usd === null ? '' : `: ${usdDeltaText(usd)}`);

const maxNamed = 3;

type Changes = Extract<CheckWayOut, { code: 'set-volumes' }>['changes'];

function changesText(changes: Changes): string {
  if (changes.length === 1) return figuresText((changes[0] as Changes[number]).to);
  const named = changes
    .slice(0, maxNamed)
    .map(({ address, device, to }) => `${figuresText(to)} (${shortText(device ?? address, 60)})`);
  const rest = changes.length - named.length;
  return `${named.join('; ')}${rest > 0 ? `; and ${figure(rest)} more` : ''}`;
}

const ways: WordsByCode<CheckWayOut> = {
  'set-volumes': ({ changes, monthlyUsdDifference }) =>
    `Set ${changesText(changes)}${differenceText(monthlyUsdDifference)}.`,
  'set-instance-type': ({ instanceType, baselineIops, baselineMiBps, monthlyUsdDifference }) =>
    `Take ${name(instanceType)}, with a baseline of ${abilityText({ iops: baselineIops, throughputMiBps: baselineMiBps })}${differenceText(monthlyUsdDifference)}.`,
  stripe: ({ layout, monthlyUsdDifference }) =>
    `Take a ${layoutText(layout, null)}${differenceText(monthlyUsdDifference)}. Any member lost loses the data.`,
  'modify-in-place': ({ changes }) =>
    `Modify the volume with ModifyVolume, or as a resource of its own: ${changesText(changes)}.`,
};

export const wayOutText = (way: CheckWayOut): string => wordsOf(ways, way);

/** The usual way out, or why there is none. */
export const firstWayOut = ({ wayOut: [first] }: Pick<CheckFinding, 'wayOut'>): string =>
  first === undefined ? 'None with these figures.' : wayOutText(first);

// What was not checked.

type Why = Extract<NotCheckedReason, { code: 'figure-unknown' }>['why'];

const whyTexts: Record<Why, (detail: string | null) => string> = {
  'known-after-apply': () => 'known after the apply',
  sensitive: () => 'marked as sensitive',
  parameter: (detail) => `a parameter${detail === null ? '' : ` (${detail})`}`,
  'not-resolved': (detail) => `not resolved${detail === null ? '' : ` (${detail})`}`,
  'not-readable': (detail) => `not readable${detail === null ? '' : ` (${detail})`}`,
  elsewhere: () => 'defined elsewhere',
  'not-set': () => 'not set',
};

const reasonTexts: WordsByCode<NotPricedReason | NotCheckedReason> = {
  'figure-unknown': ({ figure: what, why, detail }) =>
    `${what} ${whyTexts[why](detail === null ? null : shortText(detail, 60))}`,
  refused: () => 'AWS refuses it',
  'no-such-instance-type': ({ instanceType }) => `no instance type ${name(instanceType)} is known here`,
  'no-ebs-limits': ({ instanceType }) => `EC2 reports no EBS limits of ${name(instanceType)}`,
  'region-unknown': () => 'its Region is not known (--region)',
  'no-prices': ({ region }) => `no prices of ${name(region)}`,
};

const notCheckedText = (reason: NotCheckedReason | NotPricedReason): string => wordsOf(reasonTexts, reason);

const notMatchedTexts: Record<NotMatchedReason, string> = {
  'no-id-and-no-tags': 'it has no volume id and no tags',
  'not-found': 'no such volume in --volumes',
  several: 'several volumes have its tags',
  'no-figures': 'its figures are not known',
  'no-metrics': 'no metrics of it were read',
};

// Totals.

/** "1 critical, 2 warnings". */
function severityCounts(findings: readonly { severity: Severity }[]): string {
  const count = (severity: Severity): number => findings.filter((one) => one.severity === severity).length;
  const text = severityText({ critical: count('critical'), warning: count('warning'), info: count('info') });
  return text === '' ? 'no findings' : text;
}

function priceText({ price }: Pick<CheckAnswer, 'price'>): string {
  const { monthlyUsdDifference, isOfChange, notPriced } = price;
  const beside = notPriced.length === 0 ? '' : `, ${figure(notPriced.length)} without a known price`;
  return isOfChange
    ? `Volumes: ${usdDeltaText(monthlyUsdDifference)}${beside}`
    : `Volumes: ${usdText(monthlyUsdDifference)} a month${beside}`;
}

/** Above the volumes and what each costs. */
export const priceTitle = ({ isOfChange }: CheckAnswer['price']): string =>
  isOfChange ? 'USD a month more or less, by volume' : 'USD a month, by volume';

export const checkHeadline = (answer: CheckAnswer): string =>
  `stripewise check: ${severityCounts(answer.findings)}. ${priceText(answer)}.`;

/** Reasons with how many they are, the most frequent first. */
function byReason(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([text, count]) => `${figure(count)} x ${text}`);
}

const maxReasons = 4;

function listed(texts: readonly string[]): string {
  const all = byReason(texts);
  const rest = all.length - maxReasons;
  return `${all.slice(0, maxReasons).join('; ')}${rest > 0 ? `; and ${figure(rest)} more reasons` : ''}`;
}

/** Below the findings: what was ignored, not checked, not read, not matched; a sentence each. */
export function checkNotes(answer: CheckAnswer): string[] {
  const { ignored, unknownIgnoredRules, notChecked, price, measured, loadClass, regionsUnknown, coverage } =
    answer;
  const unknown = coverage.unknown.reduce((sum, { count }) => sum + count, 0);
  const notes = [
    `Read: ${counted(coverage.files, 'file')}, ${counted(coverage.seen, 'resource')} seen, ${figure(coverage.understood)} understood, ${figure(unknown)} of other types.`,
  ];
  const notMade = coverage.notMade;
  if (notMade > 0) notes.push(`Not made: ${counted(notMade, 'resource')}, by a condition.`);
  if (coverage.unchanged > 0) notes.push(`Left out: ${counted(coverage.unchanged, 'unchanged resource')}.`);
  if (ignored.length > 0)
    notes.push(
      `Ignored by tag: ${listed(ignored.map(({ rule, reason }) => `${rule} (${reason === null ? 'no reason given' : shortText(reason, 80)})`))}.`,
    );
  if (unknownIgnoredRules.length > 0)
    notes.push(
      `Ignored, and no rule: ${listed(unknownIgnoredRules.map(({ rule }) => shortText(rule, 40)))}.`,
    );
  if (notChecked.length > 0)
    notes.push(`Not checked in part: ${listed(notChecked.map(({ reason }) => notCheckedText(reason)))}.`);
  if (loadClass === null)
    notes.push(`Burst credits are not checked: --load (${loadClasses.join(', ')}) adds them.`);
  if (price.notPriced.length > 0)
    notes.push(`Without a price: ${listed(price.notPriced.map(({ reason }) => notCheckedText(reason)))}.`);
  if (regionsUnknown > 0)
    notes.push(
      `Region not known of ${counted(regionsUnknown, 'resource')}: what is cheaper is by the prices of us-east-1. Give --region.`,
    );
  if (measured !== null) notes.push(measuredText(measured));
  for (const { file, line, reason } of coverage.unreadable) {
    // A reason mostly begins with its file.
    const place = reason.startsWith(file) ? '' : `${placeText({ file, line }, 120)}: `;
    notes.push(`Not read: ${place}${cited(reason, 300)}.`);
  }
  return notes;
}

function measuredText({ days, simulated, notMatched }: NonNullable<CheckAnswer['measured']>): string {
  const how = `Compared with measured load: ${counted(simulated.length, 'volume')}${simulated.length === 0 ? '' : `, up to ${daysText(days)}`}`;
  return notMatched.length === 0
    ? `${how}.`
    : `${how}; not matched: ${listed(notMatched.map(({ reason }) => notMatchedTexts[reason]))}.`;
}
