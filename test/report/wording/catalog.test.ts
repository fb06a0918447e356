/** Words about instance types, prices and limits: every code once, in a file that a person reads in a review. */
import type { EbsFigure } from '../../../core/catalog/changes.ts';
import { type Contradiction, contradictionSchema } from '../../../core/catalog/contradiction.ts';
import { type LimitNote, limitNoteSchema } from '../../../core/limits/limit-note.ts';
import { magneticFigures, volumeLimits } from '../../../core/limits/volume-limits.ts';
import type { PriceSource } from '../../../core/prices/prices.ts';
import type { LimitsAnswer } from '../../../core/schemas/answers.ts';
import {
  contradictionText,
  ebsFigureText,
  limitNotes,
  priceSourceText,
} from '../../../report/wording/catalog.ts';
import { codesOf, expectToRead, unreadable } from './rendered.ts';

const contradictions: Contradiction[] = [
  { code: 'baseline-above-maximum' },
  { code: 'one-card-listed' },
  { code: 'cards-without-limits' },
  { code: 'card-baseline-above-maximum' },
  { code: 'cards-differ-from-instance', figure: 'baselineMiBps', ofCards: 9_000, ofInstance: 10_000.125 },
  { code: 'root-volume-only' },
  { code: 'disks-below-1-gb' },
  { code: 'listed-twice' },
  { code: 'not-sorted' },
];

const figures: EbsFigure[] = [
  { code: 'gib', volumeType: 'gp3' },
  { code: 'iops', volumeType: 'gp3' },
  { code: 'mibps', volumeType: 'gp3' },
  { code: 'io2-iops', upTo: 64_000 },
  { code: 'io2-iops', upTo: null },
  { code: 'million-io', volumeType: 'standard' },
];

const source: PriceSource = {
  ...{ part: 'ebs', region: 'us-east-1', asOf: '2026-09-30', source: 'AWS Price List, AmazonEC2' },
  insteadOf: null,
};
const sources: PriceSource[] = [
  source,
  { ...source, part: 'instances', insteadOf: { readAsOf: null } },
  { ...source, insteadOf: { readAsOf: '2026-08-01' } },
];

const notes: LimitNote[] = [
  { code: 'magnetic', ...magneticFigures },
  { code: 'on-outposts', gp3: { maxSizeGiB: 16_384, maxIops: 16_000, maxMiBps: 1_000 } },
  { code: 'on-outposts', gp3: null },
  { code: 'io2-mibps-per-iops', computed: 0.25, alsoWritten: 0.256 },
];

const { approximate: _, ...limits } = volumeLimits({ volumeType: 'gp3', sizeGiB: 100, deployment: 'region' });
const answer: LimitsAnswer = {
  ...{ ...limits, deployment: 'region', monthlyUsd: 8, monthlyUsdParts: null, priceRegion: 'us-east-1' },
  ...{ priceSource: null, priceUnknownReason: null, perMillionIoUsd: null, notes: [] },
};
const answers: LimitsAnswer[] = [
  ...notes.map((note) => ({ ...answer, notes: [note] })),
  { ...answer, priceSource: source, perMillionIoUsd: 0.05 },
  { ...answer, priceUnknownReason: { code: 'no-ebs-prices', region: 'eu-central-1' } },
];

const parts: [string, string[]][] = [
  [
    'contradictions',
    [
      ...contradictions.map((one) => contradictionText(one)),
      contradictionText({ instanceType: 'm1.large', contradiction: { code: 'listed-twice' } }),
    ],
  ],
  ['what is paid for', figures.map(ebsFigureText)],
  ['sources of prices', sources.map(priceSourceText)],
  ['notes on limits', answers.flatMap(limitNotes)],
];

test('the lines are those that were read in a review', () => {
  expectToRead(
    'catalog.txt',
    parts.flatMap(([title, lines], i) => [...(i === 0 ? [] : ['']), `# ${title}`, ...new Set(lines)]),
  );
});

test('every code is among them', () => {
  expect(contradictions.map(({ code }) => code)).toEqual(codesOf(contradictionSchema));
  expect(new Set(notes.map(({ code }) => code))).toEqual(new Set(codesOf(limitNoteSchema)));
});

test('none is too long, and nothing is missing in one', () => {
  expect(unreadable(parts.flatMap(([, lines]) => lines))).toEqual([]);
});
