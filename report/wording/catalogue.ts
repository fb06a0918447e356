/** Words about instance types and prices of a Region. */
import type { Contradiction, TypeContradiction } from '../../core/catalogue/contradiction.ts';
import { figure } from '../../core/figures.ts';
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

/** With the name of the type, where a catalogue is told of. */
export const contradictionText = (of: Contradiction | TypeContradiction): string =>
  'contradiction' in of
    ? `${shortText(of.instanceType, 60)}: ${reasonText(of.contradiction)}`
    : reasonText(of);
