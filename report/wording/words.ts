/** The small parts of a line: times, limits, layouts, USD. Text of an account is sanitized here, and nowhere cut within a word. */

import { defaultThresholds, type ThresholdName } from '../../core/diagnosis/thresholds.ts';
import { figure, usdText } from '../../core/figures.ts';
import type { Layout } from '../../core/plan/layout.ts';
import { isMetricPriceKnown, metricPriceRegion } from '../../core/prices/metric-prices.ts';
import { escaped } from '../../core/sanitize.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { Finding, Limit } from '../../core/schemas/finding.ts';
import type { FindingKind } from '../../core/schemas/finding-kinds.ts';
import type { KubernetesVolume } from '../../core/schemas/kubernetes-volume.ts';
import { isUntrusted } from '../../core/untrusted.ts';

/**
 * What stands behind a cost of metrics where the price of a Region is not known: " at the price of us-east-1".
 * @param regions that metrics are asked for in; null where they are not known.
 */
export const metricPriceNote = (regions: readonly string[] | null): string =>
  regions?.every(isMetricPriceKnown) === true ? '' : ` at the price of ${metricPriceRegion}`;

const cent = 0.01;

/** What reading costs; that of a few metrics is no round zero. */
export const readingCostText = (usd: number): string =>
  usd > 0 && usd < cent / 2 ? `less than ${usdText(cent)}` : `about ${usdText(usd)}`;

/** Before the number of members; of a single volume nothing is said. */
export const layoutKindWords = {
  single: '',
  stripe: 'stripe of ',
  raid10: 'RAID10 of ',
  raid5: 'RAID5 of ',
  linear: 'linear layout of ',
} as const;

// How a kind of finding is called: "throttled volume IOPS".

export const kindWords = (kind: FindingKind): string =>
  kind
    .replaceAll('-', ' ')
    .replace(/\biops\b/, 'IOPS')
    .replace(/\bebs\b/, 'EBS');

/** The same as a title. */
export const kindTitle = (kind: FindingKind): string => capitalized(kindWords(kind));

/** Words of a union of codes: one function a code, none left out. */
export type WordsByCode<T extends { code: string }, Words = string> = {
  [C in T['code']]: (one: Extract<T, { code: C }>) => Words;
};

export function wordsOf<T extends { code: string }, Words = string>(
  words: WordsByCode<T, Words>,
  one: T,
): Words {
  // The function of a code takes what has this code.
  const byCode = words as unknown as Record<T['code'], (one: T) => Words>;
  return byCode[one.code as T['code']](one);
}

// Words of the audit that mean other figures than documented: whoever reads a result must know.

const isKnown = (name: string): name is ThresholdName => Object.hasOwn(defaultThresholds, name);

/** "throttledWarningMinutes 10 instead of 5", one a word. */
export const thresholdTexts = ({ thresholds = {} }: Pick<AuditResult, 'thresholds'>): string[] =>
  Object.entries(thresholds).map(([name, set]) => {
    const documented = isKnown(name) ? ` instead of ${figure(defaultThresholds[name], 4)}` : '';
    return `${name} ${figure(set, 4)}${documented}`;
  });

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** 22 Nov 14:47 UTC. */
export function timeText(iso: string): string {
  const [month, day] = [months[Number(iso.slice(5, 7)) - 1], Number(iso.slice(8, 10))];
  return month === undefined || Number.isNaN(day)
    ? escaped(iso.slice(0, 30))
    : `${day} ${month} ${escaped(iso.slice(11, 16))} UTC`;
}

/** At most so many characters, but what is marked as untrusted is whole: what is too long ends with the last word that has room. */
export function shortText(text: string, most: number): string {
  if (isUntrusted(text)) return escaped(text);
  // Of a text without end no more is looked at than can be shown.
  const sanitize = escaped(text.slice(0, most + 1));
  if (sanitize.length <= most) return sanitize;
  const head = sanitize.slice(0, most - 2);
  const end = /\s/.test(sanitize[most - 2] ?? '') ? head.length : head.search(/\s\S*$/);
  const whole = (end > 0 ? head.slice(0, end) : [...head].slice(0, -1).join('')).replace(/[\s,;:/]+$/, '');
  return `${whole} …`;
}

/** What AWS, a host or a file says, without the point that the sentence around it has. */
export const cited = (text: string, most = 500): string => shortText(text, most).replace(/[.:;\s]+$/, '');

/** "1 volume", "126 volumes". */
export const counted = (count: number, one: string): string =>
  `${figure(count, 0)} ${one}${count === 1 ? '' : 's'}`;

/** "1,440 min". */
export const minutesText = (minutes: number): string => `${figure(minutes, 1)} min`;

export const rateText = (rate: number, unit: string): string => `${figure(rate, 1)} ${unit}`;

/** "baseline of 100 IOPS". */
export const limitText = ({ what, value, unit }: Limit): string => `${what} of ${rateText(value, unit)}`;

const provisionedFigures = ({ volumeType, iops, throughputMiBps }: Layout): string[] => {
  if (volumeType === 'gp3') return [rateText(iops, 'IOPS'), rateText(throughputMiBps, 'MiB/s')];
  return volumeType === 'io1' || volumeType === 'io2' ? [rateText(iops, 'IOPS')] : [];
};

/** "gp3, 3,000 IOPS, 125 MiB/s"; with its size where that changes. */
export function layoutText(to: Layout, from: Layout | null): string {
  const isSized = from === null || to.members > 1 || to.sizeGiB !== from.sizeGiB;
  const size = isSized ? ` ${figure(to.sizeGiB, 0)} GiB` : '';
  const one = [`${to.volumeType}${size}`, ...provisionedFigures(to)].join(', ');
  return to.members === 1 ? one : `stripe of ${to.members} x ${one} each`;
}

/** "-0.66 USD a month", "+5.00 USD a month". */
export const usdDeltaText = (usd: number): string => `${usd > 0 ? '+' : ''}${usdText(usd)} a month`;

/** "0.2 %": of a rate that is small one digit stays. */
export function percentText(share: number): string {
  const percent = 100 * share;
  return `${percent >= 0.1 || percent === 0 ? figure(percent, 1) : percent.toPrecision(1)} %`;
}

/** "orders (111122223333)"; the number alone where no name is known. */
export function accountText(
  { account, name }: { account: string; name: string | null },
  maxName = 60,
): string {
  const id = shortText(account, 30);
  return name === null || name === '' || name === account ? id : `${shortText(name, maxName)} (${id})`;
}

/** Of a namespace and a claim what Kubernetes takes at most in a label; longer ones are cut. */
const maxLabel = 63;

/** "payments/orders-data"; the part that no tag names is left out. Null: no tag names the claim. */
export function claimName({
  claim,
  namespace,
}: Pick<KubernetesVolume, 'claim' | 'namespace'>): string | null {
  if (claim === null) return null;
  const name = shortText(claim, maxLabel);
  return namespace === null ? name : `${shortText(namespace, maxLabel)}/${name}`;
}

/** "claim payments/orders-data (cluster prod)". */
export function kubernetesText(of: KubernetesVolume): string {
  const { claim, namespace, volume, cluster } = of;
  const name = claimName(of);
  const what =
    name !== null
      ? `claim ${name}`
      : volume === null
        ? 'volume of Kubernetes'
        : `persistent volume ${shortText(volume, maxLabel)}`;
  const notes = [
    ...(namespace === null ? (claim === null ? [] : ['namespace unknown']) : []),
    ...(cluster === null ? [] : [`cluster ${shortText(cluster, 40)}`]),
  ];
  return `${what}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

/** Where a claim names it too, its Name tag is short: the driver makes it of cluster and persistent volume. */
const maxName = ({ kubernetes }: Finding['resource']): number => (kubernetes === undefined ? 60 : 30);

/** The id with its name, claim, type, Region and the account that has a name, as far as they are known. */
export function resourceText(resource: Finding['resource'], what: string | null): string {
  const { id, name, kubernetes, region, account, accountName } = resource;
  const parts = [
    shortText(id, 60),
    ...(name === null || name === '' || id.endsWith(`/${name}`)
      ? []
      : [`"${shortText(name, maxName(resource))}"`]),
    ...(kubernetes === undefined ? [] : [kubernetesText(kubernetes)]),
    ...(what === null ? [] : [shortText(what, 40)]),
    shortText(region, 30),
    ...(account === null || accountName === undefined
      ? []
      : [accountText({ account, name: accountName }, 30)]),
  ];
  return parts.join(' ');
}

/** Nothing changes in a name or an abbreviation: gp3, m5.large, EBS. */
export const capitalized = (text: string): string =>
  /^[a-z]+(?:[ -]|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
export const lowered = (text: string): string =>
  /^[A-Z][a-z]|^A /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** The benchmark's own volumes, which are none of those above. @param count more than 0. */
export const benchmarkVolumesText = (count: number): string =>
  `${count === 1 ? '1 more volume is' : `${figure(count, 0)} more volumes are`} of hosts of the benchmark, by its records: neither read nor evaluated.`;
