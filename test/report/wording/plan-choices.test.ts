/** What people read of the choice between more IOPS and a bigger instance: every code once, in a file that a person reads in a review. */
import {
  type ChoiceCaution,
  type ChoiceWhy,
  cautionSchema,
  type RuledOut,
  ruledOutSchema,
  whySchema,
} from '../../../core/schemas/plan-choices.ts';
import { choiceCautionText, choiceWhyText, ruledOutText } from '../../../report/wording/plan-choices.ts';
import { codesOf, expectToRead, unreadable } from './rendered.ts';

const cheaper = { number: 2, monthlyUsdLess: 92.2, disruption: 'migration', isLessDurable: false } as const;
const against = { code: 'against-first', isMoreDisruptive: false, isLessDurable: false } as const;

const whys: ChoiceWhy[] = [
  { code: 'nothing-to-change' },
  { code: 'only-enough' },
  { code: 'least-disruptive', cheaper },
  { code: 'least-disruptive', cheaper: { ...cheaper, disruption: 'restart', isLessDurable: true } },
  { code: 'least-disruptive', cheaper: { ...cheaper, disruption: 'online' } },
  { code: 'least-disruptive', cheaper: null },
  { code: 'saves', number: 3, monthlyUsdLess: 106.79, share: 0.2234 },
  { ...against, monthlyUsdMore: 300.76 },
  { ...against, monthlyUsdMore: 0 },
  { ...against, monthlyUsdMore: -92.2, isMoreDisruptive: true },
  { ...against, monthlyUsdMore: -92.2, isMoreDisruptive: true, isLessDurable: true },
  { ...against, monthlyUsdMore: null },
  { code: 'not-enough', limits: ['instance-iops'] },
  { code: 'not-enough', limits: ['iops', 'throughput', 'instance-throughput'] },
];

const cautions: ChoiceCaution[] = [
  { code: 'network-bandwidth', instanceType: 'm8i.4xlarge' },
  { code: 'instance-store-lost', instanceType: 'm5d.large' },
  { code: 'nitro-drivers', instanceType: 'm6i.large' },
  { code: 'loses-data-more-often', annualFailureRate: 0.013_916, currentAnnualFailureRate: 0.002 },
  { code: 'ebs-cards', volumes: [4, 3] },
];

const ruledOuts: RuledOut[] = [
  { code: 'volumes-in-place', iops: 900_000, throughputMiBps: 14_062.5 },
  { code: 'instance-is-not-the-limit', instanceType: 't3.large' },
  { code: 'no-instance-carries', iops: 900_000, throughputMiBps: 14_062.5 },
  { code: 'none-of-family', family: 'r6i' },
  { code: 'instance-limits-unknown', instanceType: 'm1.small' },
];

const parts: [string, string[]][] = [
  ['why', whys.map(choiceWhyText)],
  ['to know before', cautions.map(choiceCautionText)],
  ['ruled out', ruledOuts.map(ruledOutText)],
];

test('the lines are those that were read in a review', () => {
  expectToRead(
    'plan-choices.txt',
    parts.flatMap(([title, lines], i) => [...(i === 0 ? [] : ['']), `# ${title}`, ...lines]),
  );
});

test('every code is among them', () => {
  const codes = (all: readonly { code: string }[]) => new Set(all.map(({ code }) => code));
  expect(codes(whys)).toEqual(new Set(codesOf(whySchema)));
  expect(codes(cautions)).toEqual(new Set(codesOf(cautionSchema)));
  expect(codes(ruledOuts)).toEqual(new Set(codesOf(ruledOutSchema)));
});

test('none is too long, and nothing is missing in one', () => {
  expect(unreadable(parts.flatMap(([, lines]) => lines))).toEqual([]);
});
