/** Instance types and prices of a Region, for people. */

import type { PriceChange, RegionCatalogChanges } from '../../core/catalog/changes.ts';
import { builtInCatalog } from '../../core/catalog/instance-types.ts';
import { unpricedTypes } from '../../core/prices/prices.ts';
import type { CatalogAnswer } from '../../core/schemas/catalog-answer.ts';
import { gibFromMiB } from '../../core/units.ts';
import { ebsFigureText, priceSourceText } from '../wording/catalog.ts';
import { priceReasonText } from '../wording/reasons.ts';
import { number, plural, usd, whole } from './text.ts';

type Row = NonNullable<CatalogAnswer['instanceType']>;
type Figures = NonNullable<Row['ebs']>;

const pair = (iops: number, mibps: number): string => `${number(iops)} IOPS, ${number(mibps)} MiB/s`;

function figuresText({ baselineIops, maximumIops, baselineMiBps, maximumMiBps }: Figures): string {
  const baseline = pair(baselineIops, baselineMiBps);
  const bursts = maximumIops > baselineIops || maximumMiBps > baselineMiBps;
  return bursts ? `baseline ${baseline}; maximum ${pair(maximumIops, maximumMiBps)}` : baseline;
}

function attachmentsText({ attachments }: Row): string {
  if (attachments === null) return 'unknown to EC2';
  const shared = attachments.shared ? '; each network interface beyond the first takes one' : '';
  return `${attachments.most} with the root volume${shared}`;
}

function rowText(row: Row, region: string): string[] {
  const { instanceType, vcpus, memoryMiB, architectures, ebs, cards, bandwidthWeightings, instanceStore } =
    row;
  return [
    `${instanceType} in ${region}: ${plural(vcpus, 'vCPU')}, ${number(gibFromMiB(memoryMiB))} GiB, ${architectures.join(', ')}`,
    `  EBS          ${ebs === null ? 'EC2 reports no limits' : figuresText(ebs)}`,
    ...cards.map((card, index) => `  EBS card ${index}   ${figuresText(card)}`),
    `  volumes      ${attachmentsText(row)}`,
    `  weightings   ${bandwidthWeightings.length === 0 ? 'none' : bandwidthWeightings.join(', ')}`,
    `  own disks    ${instanceStore === null ? 'none' : `${plural(instanceStore.disks, 'disk')}, ${whole(instanceStore.totalGB)} GB together`}`,
    `  price        ${row.monthlyUsd === null ? `unknown: ${row.monthlyUsdUnknownReason === null ? '' : priceReasonText(row.monthlyUsdUnknownReason)}` : `${usd(row.monthlyUsd)} a month of 730 hours (Linux, On-Demand)`}`,
    ...(row.currentGeneration ? [] : ['  note         a type of an earlier generation']),
  ];
}

/** Some prices can come with stripewise though the Region was read: newer ones, or where it told none. */
function fromText({ refreshedAt, instanceTypes }: CatalogAnswer): string {
  if (refreshedAt !== null) return `this Region, read ${refreshedAt.slice(0, 10)}`;
  const isRefreshed = instanceTypes.source !== builtInCatalog().source;
  return `${isRefreshed ? 'this Region, and ' : ''}the tables that come with stripewise`;
}

const usdOrUnknown = (usd: number | null): string => (usd === null ? 'unknown' : `${usd} USD`);

export function catalogText(answer: CatalogAnswer, invokedAs: string): string[] {
  const { region, refreshedAt, instanceTypes: types, ebsPrices, priceSources, instanceType } = answer;
  const from = [
    `  from         ${fromText(answer)}`,
    `  types        ${types.asOf}: ${types.source}`,
    ...priceSources.map((source) => `  prices       ${priceSourceText(source)}`),
  ];
  if (instanceType !== null) return [...rowText(instanceType, region), ...from];
  return [
    `${region}: ${plural(types.known, 'instance type')}, EBS limits of ${whole(types.withEbsLimits)}, prices of ${whole(types.withPrice)}`,
    ebsPrices === null
      ? '  EBS          prices are not known'
      : `  EBS          a GiB of gp3 ${usdOrUnknown(ebsPrices.storagePerGiB.gp3)} a month, of io2 ${usdOrUnknown(ebsPrices.storagePerGiB.io2)}`,
    ...(ebsPrices === null || unpricedTypes(ebsPrices).length === 0
      ? []
      : [`  no price of  ${unpricedTypes(ebsPrices).join(', ')}`]),
    ...from,
    ...(refreshedAt === null ? [`Next: ${invokedAs} catalog refresh --region ${region}`] : []),
  ];
}

const maxNamed = 5;

function list(items: readonly string[], one: string, what: string): string[] {
  if (items.length === 0) return [];
  const more = items.length > maxNamed ? ` and ${whole(items.length - maxNamed)} more` : '';
  return [`  ${plural(items.length, one)} ${what}: ${items.slice(0, maxNamed).join(', ')}${more}`];
}

const changed = ({ of, beforeUsd, afterUsd }: PriceChange<string>): string =>
  `${of} ${number(beforeUsd)} -> ${number(afterUsd)} USD`;

/** @param against what is compared with, such as "the tables that come with stripewise". */
export function changesText(changes: RegionCatalogChanges, against: string): string[] {
  const ebs = changes.ebsPrices.map(
    ({ of, beforeUsd, afterUsd }) => `${ebsFigureText(of)} ${beforeUsd} -> ${afterUsd} USD`,
  );
  const lines = [
    ...list(changes.typesAdded, 'type', 'added'),
    ...list(changes.typesRemoved, 'type', 'removed'),
    ...list(changes.typesChanged, 'type', 'with other limits'),
    ...list(changes.instancePrices.map(changed), 'price', 'of instances changed, a month'),
    ...list(ebs, 'price', 'of EBS changed'),
    ...list(changes.pricesAdded, 'price', 'not known before'),
    ...list(changes.pricesRemoved, 'price', 'not known any more'),
  ];
  return lines.length === 0
    ? [`  nothing is different from ${against}`]
    : [`  against ${against}:`, ...lines];
}
