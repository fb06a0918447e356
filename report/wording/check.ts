/** What the check of infrastructure code says: the lines of each finding, what could not be checked, the totals. */
import { figure, usdFigure, usdText } from '../../core/figures.ts';
import {
  type CheckAnswer,
  type CheckFinding,
  type CheckRuleId,
  loadClasses,
  type NotCheckedReason,
  type NotMatchedReason,
  type NotPricedReason,
  type PricedKind,
} from '../../core/schemas/check-answer.ts';
import type { Severity } from '../../core/schemas/finding.ts';
import { daysText, nameText } from './check-finding.ts';
import { severityText } from './severities.ts';
import { cited, counted, shortText, usdDeltaText, type WordsByCode, wordsOf } from './words.ts';

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
    title: 'Replaced',
    about:
      'The plan replaces a volume, whose data is lost; or an instance, where EBS modifies its volumes in place.',
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
  'stripe-faster': {
    title: 'A stripe is faster',
    about: 'One volume cannot do more, and a stripe of gp3 of the same size can.',
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

// What was not checked.

type Why = Extract<NotCheckedReason, { code: 'figure-unknown' }>['why'];

const whyTexts: Record<Why, (detail: string | null) => string> = {
  'known-after-apply': () => 'known after the apply',
  sensitive: () => 'marked as sensitive',
  parameter: (detail) => `a parameter${detail === null ? '' : ` (${detail})`}`,
  'not-resolved': (detail) => `not resolved${detail === null ? '' : ` (${detail})`}`,
  'not-readable': (detail) => `not readable${detail === null ? '' : ` (${detail})`}`,
  elsewhere: () => 'defined elsewhere',
  'size-of-claim': () => 'depending on the size of a claim',
  'not-set': () => 'not set',
};

const reasonTexts: WordsByCode<NotPricedReason | NotCheckedReason> = {
  'figure-unknown': ({ figure: what, why, detail }) =>
    `${what} ${whyTexts[why](detail === null ? null : shortText(detail, 60))}`,
  refused: () => 'AWS refuses it',
  'no-such-instance-type': ({ instanceType }) => `no instance type ${nameText(instanceType)} is known here`,
  'no-ebs-limits': ({ instanceType }) => `EC2 reports no EBS limits of ${nameText(instanceType)}`,
  'region-unknown': () => 'its Region is not known (--region)',
  'no-prices': ({ region }) => `no prices of ${nameText(region)}`,
  'no-instance-price': ({ instanceType, region }) =>
    `no price of ${nameText(instanceType)} in ${nameText(region)}`,
  dedicated: () => 'dedicated tenancy has other prices',
  spot: () => 'a Spot instance has no fixed price',
  'several-instance-types': ({ types }) => `a group of ${figure(types)} instance types`,
};

const notCheckedText = (reason: NotCheckedReason | NotPricedReason): string => wordsOf(reasonTexts, reason);

const notMatchedTexts: Record<NotMatchedReason, string> = {
  'no-id-and-no-tags': 'it has no volume id and no tags',
  'not-found': 'no such volume in --volumes',
  several: 'several volumes have its tags',
  'no-figures': 'its figures are not known',
  'no-metrics': 'no metrics of it were read',
  'not-on-outposts': 'no Outpost has such a volume',
};

// Totals.

/** "1 critical, 2 warnings". */
function severityCounts(findings: readonly { severity: Severity }[]): string {
  const count = (severity: Severity): number => findings.filter((one) => one.severity === severity).length;
  const text = severityText({ critical: count('critical'), warning: count('warning'), info: count('info') });
  return text === '' ? 'no findings' : text;
}

function priceText({ price }: Pick<CheckAnswer, 'price'>): string {
  const { monthlyUsdDifference, isOfChange, notPriced, resources } = price;
  if (resources.length === 0 && notPriced.length > 0)
    return `Price: unknown, of ${counted(notPriced.length, 'resource')}`;
  const beside = notPriced.length === 0 ? '' : `, ${figure(notPriced.length)} without a known price`;
  const usd = isOfChange ? usdDeltaText(monthlyUsdDifference) : `${usdText(monthlyUsdDifference)} a month`;
  return `Price: ${usd}${partsText(price)}${beside}`;
}

/** "+23.00" of a change; "23.00" of what a template or a manifest says. */
export const priceFigure = ({ isOfChange }: Pick<CheckAnswer['price'], 'isOfChange'>, usd: number): string =>
  `${isOfChange && usd > 0 ? '+' : ''}${usdFigure(usd)}`;

/** " (volumes +23.00, instances +100.00 on demand)"; of one kind alone its name. */
function partsText(price: CheckAnswer['price']): string {
  const { resources } = price;
  const has = (kind: PricedKind): boolean => resources.some((one) => one.kind === kind);
  if (!has('instance')) return has('volume') ? ' (volumes)' : '';
  if (!has('volume')) return ' (instances on demand)';
  const [volumes, instances] = [price.volumesMonthlyUsdDifference, price.instancesMonthlyUsdDifference];
  return ` (volumes ${priceFigure(price, volumes)}, instances ${priceFigure(price, instances)} on demand)`;
}

/** Above the resources and what each costs. */
export const priceTitle = ({ isOfChange }: CheckAnswer['price']): string =>
  isOfChange ? 'USD a month more or less, by resource' : 'USD a month, by resource';

export const checkHeadline = (answer: CheckAnswer): string =>
  `stripewise check: ${severityCounts(answer.findings)}. ${priceText(answer)}.`;

/** Reasons with how many they are, the most frequent first. */
function byReason(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([text, count]) => `${figure(count)} x ${text}`);
}

const maxReasons = 4;
const maxUnreadable = 10;

function listed(texts: readonly string[]): string {
  const all = byReason(texts);
  const rest = all.length - maxReasons;
  return `${all.slice(0, maxReasons).join('; ')}${rest > 0 ? `; and ${counted(rest, 'more reason')}` : ''}`;
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
  const { passedOver } = coverage;
  const passed = passedOver.reduce((sum, { count }) => sum + count, 0);
  if (passed > 0)
    notes.push(
      `Passed over, as no infrastructure: ${counted(passed, 'file')} (${passedOver
        .slice(0, maxReasons)
        .map(
          ({ ending, count }) => `${figure(count)} x ${shortText(ending === '' ? 'no ending' : ending, 20)}`,
        )
        .join(', ')}${passedOver.length > maxReasons ? ', and others' : ''}).`,
    );
  if (coverage.unchanged > 0) notes.push(`Left out: ${counted(coverage.unchanged, 'unchanged resource')}.`);
  if (ignored.length > 0)
    notes.push(
      `Ignored by tag: ${listed(ignored.map(({ rule, reason }) => `${rule} (${reason === null ? 'no reason given' : shortText(reason, 80)})`))}.`,
    );
  if (unknownIgnoredRules.length > 0)
    notes.push(
      `Unknown rule in a tag: ${listed(unknownIgnoredRules.map(({ rule }) => shortText(rule, 40)))}.`,
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
  const { unreadable } = coverage;
  for (const { file, line, reason } of unreadable.slice(0, maxUnreadable)) {
    // A reason mostly begins with its file.
    const place = reason.startsWith(file) ? '' : `${placeText({ file, line }, 120)}: `;
    notes.push(`Not read: ${place}${cited(reason, 300)}.`);
  }
  if (unreadable.length > maxUnreadable)
    notes.push(`Not read: and ${figure(unreadable.length - maxUnreadable)} more.`);
  return notes;
}

function measuredText({ days, simulated, notMatched }: NonNullable<CheckAnswer['measured']>): string {
  const how = `Compared with measured load: ${counted(simulated.length, 'volume')}${simulated.length === 0 ? '' : `, up to ${daysText(days)}`}`;
  return notMatched.length === 0
    ? `${how}.`
    : `${how}; not matched: ${listed(notMatched.map(({ reason }) => notMatchedTexts[reason]))}.`;
}
