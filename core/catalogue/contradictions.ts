/** Does a catalogue contradict itself? Checked when it is generated, refreshed, and in the tests. */
import { byFamilyAndSize, type EbsFigures, type InstanceType, type InstanceTypes } from './instance-type.ts';
import type { Override } from './overrides.ts';

const figures = ['baselineIops', 'maximumIops', 'baselineMiBps', 'maximumMiBps'] as const;

/** Figures are rounded to 0.001 each. */
const roundingMiBps = 0.01;

const aboveMaximum = (of: EbsFigures): boolean =>
  of.baselineIops > of.maximumIops || of.baselineMiBps > of.maximumMiBps;

/** What one type says against itself, in a sentence each, without its name. */
export function contradictionsOf({ ebs, cards, attachments, instanceStore }: InstanceType): string[] {
  const said: string[] = [];
  if (ebs !== null && aboveMaximum(ebs)) said.push('its baseline is above its maximum');
  if (cards.length === 1) said.push('it lists one EBS card; one is not listed');
  if (cards.length > 0 && ebs === null) said.push('it has EBS cards and no limits');
  if (cards.some(aboveMaximum)) said.push('the baseline of a card is above its maximum');
  for (const figure of figures) {
    const sum = cards.reduce((total, card) => total + card[figure], 0);
    if (ebs !== null && cards.length > 0 && Math.abs(sum - ebs[figure]) > roundingMiBps)
      said.push(`${figure} of its cards is ${sum} together, of the instance ${ebs[figure]}`);
  }
  if (attachments !== null && attachments.most < 2) said.push('it takes no volume beside its root volume');
  if (instanceStore !== null && instanceStore.totalGB < instanceStore.disks)
    said.push('its disks are below 1 GB each');
  return said;
}

/** @returns one sentence a contradiction; none where it is sound. */
export function contradictions({ types }: InstanceTypes): string[] {
  const twice = types.filter(({ instanceType }, i) => types[i - 1]?.instanceType === instanceType);
  const unsorted = types.find((row, i) => i > 0 && byFamilyAndSize(types[i - 1] as InstanceType, row) > 0);
  return [
    ...types.flatMap((type) => contradictionsOf(type).map((text) => `${type.instanceType}: ${text}`)),
    ...twice.map(({ instanceType }) => `${instanceType}: it is there twice`),
    ...(unsorted === undefined ? [] : [`${unsorted.instanceType}: not sorted by family and size`]),
  ];
}

/** @returns overrides that somebody must look at, on an ISO date. */
export const overdue = (corrections: readonly Override[], today: string): string[] =>
  corrections
    .filter(({ recheckBy }) => recheckBy <= today)
    .map(
      ({ instanceType, because, recheckBy }) => `${instanceType}: recheck since ${recheckBy} (${because})`,
    );
