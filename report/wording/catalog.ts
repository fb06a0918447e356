/** Words about instance types, prices and limits of volumes. */
import type { EbsFigure } from '../../core/catalog/changes.ts';
import type { Contradiction, TypeContradiction } from '../../core/catalog/contradiction.ts';
import { figure } from '../../core/figures.ts';
import type { LimitNote } from '../../core/limits/limit-note.ts';
import type { PriceSource } from '../../core/prices/prices.ts';
import type { LimitsAnswer } from '../../core/schemas/answers.ts';
import { priceReasonText } from './reasons.ts';
import { shortText } from './words.ts';

const inFull = 3;

type Of<Code extends Contradiction['code']> = Extract<Contradiction, { code: Code }>;

const contradictionTexts: { [Code in Contradiction['code']]: (of: Of<Code>) => string } = {
  'baseline-above-maximum': () => 'its baseline is above its maximum',
  'one-card-listed': () => 'it lists one EBS card; a single one is never listed',
  'cards-without-limits': () => 'it has EBS cards and no limits',
  'card-baseline-above-maximum': () => 'the baseline of a card is above its maximum',
  'cards-differ-from-instance': ({ figure: name, ofCards, ofInstance }) =>
    `${name} of its cards is ${figure(ofCards, inFull)} together, of the instance ${figure(ofInstance, inFull)}`,
  'root-volume-only': () => 'it takes no volume beside its root volume',
  'disks-below-1-gb': () => 'its disks are below 1 GB each',
  'listed-twice': () => 'it is there twice',
  'not-sorted': () => 'it is not sorted by family and size',
};

const reasonText = (contradiction: Contradiction): string =>
  (contradictionTexts[contradiction.code] as (of: Contradiction) => string)(contradiction);

/** With the name of the type, where a catalog is reported of. */
export const contradictionText = (of: Contradiction | TypeContradiction): string =>
  'contradiction' in of
    ? `${shortText(of.instanceType, 60)}: ${reasonText(of.contradiction)}`
    : reasonText(of);

const partTexts: Readonly<Record<PriceSource['part'], string>> = { ebs: 'EBS', instances: 'Instance' };

/** "EBS prices of us-east-1, 2026-09-30: AWS Price List". */
export function priceSourceText(of: PriceSource): string {
  const { part, region, asOf, source, insteadOf, fromFile, volumeTypes } = of;
  const why =
    insteadOf === null
      ? ''
      : insteadOf.readAsOf === null
        ? ' (comes with stripewise; none was read)'
        : ` (comes with stripewise; newer than what was read, ${insteadOf.readAsOf})`;
  const types = volumeTypes === undefined ? '' : `${volumeTypes.join(', ')} in `;
  return `${partTexts[part]} prices of ${types}${shortText(region, 30)}, ${asOf}: ${shortText(source, 200)}${why}${fromFile === undefined ? '' : ` (given in ${shortText(fromFile, 100)})`}`;
}

/** What is paid for: "a GiB of gp3". */
export function ebsFigureText(of: EbsFigure): string {
  switch (of.code) {
    case 'gib':
      return `a GiB of ${of.volumeType}`;
    case 'iops':
      return `an IOPS of ${of.volumeType}`;
    case 'mibps':
      return `a MiB/s of ${of.volumeType}`;
    case 'io2-iops':
      return of.upTo === null ? 'an IOPS of io2 beyond' : `an IOPS of io2 up to ${figure(of.upTo, 0)}`;
    case 'million-io':
      return `a million I/O on ${of.volumeType}`;
  }
}

function limitNoteTexts(note: LimitNote): string[] {
  if (note.code === 'magnetic') {
    const { averageIops, lowestIops, highestIops, lowestMiBps, highestMiBps } = note;
    return [
      `AWS gives about ${averageIops} IOPS on average (${lowestIops} to ${highestIops}) and ${lowestMiBps} to ${highestMiBps} MiB/s, and promises neither.`,
    ];
  }
  if (note.code === 'io2-mibps-per-iops')
    return [
      `AWS also writes ${note.alsoWritten} MiB/s for each IOPS of io2. ${note.computed} is computed (256 KiB an I/O): only that makes 4,000 MiB/s of 16,000 IOPS.`,
    ];
  const { gp3 } = note;
  return [
    ...(gp3 === null
      ? []
      : [
          `On Outposts gp3 stops at ${figure(gp3.maxSizeGiB, 0)} GiB, ${figure(gp3.maxIops, 0)} IOPS and ${figure(gp3.maxMiBps, 0)} MiB/s.`,
        ]),
    "An Outpost is billed by its rack: the price is the Region's, and only ranks options. Not every Outpost offers every type.",
  ];
}

/** Within a line that has no point at its end. */
export const limitNoteText = (note: LimitNote): string => limitNoteTexts(note).join(' ').replace(/\.$/, '');

/** What to know beside the limits and the price of a volume. */
export const limitNotes = (answer: LimitsAnswer): string[] => [
  ...answer.notes.flatMap(limitNoteTexts),
  ...(answer.priceSource === null ? [] : [`${priceSourceText(answer.priceSource)}.`]),
  ...(answer.priceUnknownReason === null ? [] : [`${priceReasonText(answer.priceUnknownReason)}.`]),
  ...(answer.perMillionIoUsd === null
    ? []
    : [`standard also pays ${answer.perMillionIoUsd} USD per million I/O.`]),
];
