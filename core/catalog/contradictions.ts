/** Does a catalog contradict itself? Checked when it is generated, refreshed, and in the tests. */
import type { Contradiction, TypeContradiction } from './contradiction.ts';
import {
  byFamilyAndSize,
  type EbsFigures,
  type InstanceType,
  type InstanceTypes,
  type Override,
} from './instance-types.ts';

const figures = ['baselineIops', 'maximumIops', 'baselineMiBps', 'maximumMiBps'] as const;

/** Figures are rounded to 0.001 each. */
const roundingMiBps = 0.01;

const aboveMaximum = (of: EbsFigures): boolean =>
  of.baselineIops > of.maximumIops || of.baselineMiBps > of.maximumMiBps;

/** What one type says against itself. */
export function contradictionsOf({ ebs, cards, attachments, instanceStore }: InstanceType): Contradiction[] {
  const said: Contradiction[] = [];
  if (ebs !== null && aboveMaximum(ebs)) said.push({ code: 'baseline-above-maximum' });
  if (cards.length === 1) said.push({ code: 'one-card-listed' });
  if (cards.length > 0 && ebs === null) said.push({ code: 'cards-without-limits' });
  if (cards.some(aboveMaximum)) said.push({ code: 'card-baseline-above-maximum' });
  for (const figure of figures) {
    const ofCards = cards.reduce((total, card) => total + card[figure], 0);
    if (ebs !== null && cards.length > 0 && Math.abs(ofCards - ebs[figure]) > roundingMiBps)
      said.push({ code: 'cards-differ-from-instance', figure, ofCards, ofInstance: ebs[figure] });
  }
  if (attachments !== null && attachments.most < 2) said.push({ code: 'root-volume-only' });
  if (instanceStore !== null && instanceStore.totalGB < instanceStore.disks)
    said.push({ code: 'disks-below-1-gb' });
  return said;
}

/** None where it is sound. */
export function contradictions({ types }: InstanceTypes): TypeContradiction[] {
  const twice = types.filter(({ instanceType }, i) => types[i - 1]?.instanceType === instanceType);
  const unsorted = types.find((row, i) => i > 0 && byFamilyAndSize(types[i - 1] as InstanceType, row) > 0);
  return [
    ...types.flatMap((type) =>
      contradictionsOf(type).map((contradiction) => ({ instanceType: type.instanceType, contradiction })),
    ),
    ...twice.map(({ instanceType }) => ({ instanceType, contradiction: { code: 'listed-twice' } as const })),
    ...(unsorted === undefined
      ? []
      : [{ instanceType: unsorted.instanceType, contradiction: { code: 'not-sorted' } as const }]),
  ];
}

/** @returns overrides that somebody must look at, on an ISO date. */
export const overdue = (corrections: readonly Override[], today: string): Override[] =>
  corrections.filter(({ recheckBy }) => recheckBy <= today);
