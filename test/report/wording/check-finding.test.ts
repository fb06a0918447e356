/** What people read of a finding of the check: every rule and every fact once, in a file that a person reads in a review. */
import {
  type CheckFacts,
  type CheckFigures,
  type CheckFinding,
  checkFindingSchema,
  checkRuleIds,
} from '../../../core/schemas/check-answer.ts';
import { checkFindingLines, checkFindingText } from '../../../report/wording/check-finding.ts';
import { labelledLine } from '../../../report/wording/finding-lines.ts';
import { everyRule } from '../../fixtures/every-check-rule.ts';
import { codesOf, expectToRead, unreadable } from './rendered.ts';

const gp3 = { volumeType: 'gp3', sizeGiB: 500, iops: null, throughputMiBps: null };
const { findings } = everyRule();

const withFacts = (
  rule: CheckFinding['rule'],
  facts: CheckFacts,
  wayOut: CheckFinding['wayOut'] = [],
): CheckFinding => ({
  ...(findings[0] as CheckFinding), // the plan has findings
  ...{ rule, facts, wayOut },
});
const set = (to: CheckFigures, monthlyUsdDifference: number | null): CheckFinding['wayOut'][number] => ({
  ...{ code: 'set-volumes', changes: [{ address: 'a', device: null, to }], monthlyUsdDifference },
});
const instance = {
  ...{ instanceType: 'm5.8xlarge', baselineIops: 30_000, maximumIops: 30_000 },
  ...{ baselineMiBps: 810.6, maximumMiBps: 810.6 },
};
const together = { iops: 40_000, throughputMiBps: 1_000 };
const unused = { code: 'unused-performance' as const, instance, together, monthlyUsd: null };

/** Beside what the plan has. */
const others: CheckFinding[] = [
  withFacts('refused-by-aws', { code: 'no-such-volume-type', volumeType: 'gp9' }, [set(gp3, null)]),
  withFacts('refused-by-aws', { code: 'volume-shrinks', fromGiB: 500, toGiB: 100 }, [set(gp3, null)]),
  withFacts('refused-by-aws', { code: 'boot-volume-type', volumeType: 'st1' }, [set(gp3, null)]),
  withFacts('refused-by-aws', { code: 'multi-attach-type', volumeType: 'gp3' }),
  withFacts(
    'replaced',
    {
      code: 'replaced',
      what: 'volume',
      isInPlace: true,
      replaceReason: 'attributes',
      replacedFor: ['a', 'b', 'c', 'd'],
      devices: [],
    },
    [{ code: 'modify-in-place', changes: [{ address: 'a', device: null, to: gp3 }] }],
  ),
  withFacts(
    'replaced',
    {
      code: 'replaced',
      what: 'volume',
      isInPlace: false,
      replaceReason: 'attributes',
      replacedFor: ['encrypted'],
      devices: [],
    },
    [{ code: 'snapshot-first', address: 'a', device: null }],
  ),
  ...(['tainted', 'requested'] as const).map((replaceReason) =>
    withFacts(
      'replaced',
      { code: 'replaced', what: 'volume', isInPlace: false, replaceReason, replacedFor: [], devices: [] },
      [
        { code: 'keep', replaceReason, address: 'a', device: null },
        { code: 'snapshot-first', address: 'a', device: null },
      ],
    ),
  ),
  withFacts('replaced', {
    ...{ code: 'replaced', what: 'volume', isInPlace: false, replaceReason: 'unknown' },
    ...{ replacedFor: [], devices: [] },
  }),
  withFacts('unused-performance', { ...unused, unusedIops: 10_000, unusedMiBps: 189.4 }, [set(gp3, 0)]),
  {
    ...withFacts('instance-limit', {
      ...{ code: 'instance-limit', instance, together, volumes: 2, isAboveMaximum: false },
    }),
    region: null,
    wayOut: [
      set({ ...gp3, iops: 20_000 }, null),
      {
        ...{ code: 'set-instance-type', address: 'a', instanceType: 'm5.16xlarge' },
        ...{ baselineIops: 60_000, baselineMiBps: 1_621.2, monthlyUsdDifference: null },
      },
    ],
  },
];

const all = [...findings, ...others];
const blocks = all.map((one) => checkFindingLines(one).map(labelledLine));

test('the lines are those that were read in a review', () => {
  expectToRead(
    'check-finding.txt',
    blocks.flatMap((lines, i) => [...(i === 0 ? [] : ['']), `# ${all[i]?.rule}`, ...lines]),
  );
});

test('every rule and every fact is among them', () => {
  expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(checkRuleIds));
  expect(new Set(all.map(({ facts }) => facts.code))).toEqual(
    new Set(codesOf(checkFindingSchema.shape.facts)),
  );
});

test('none is too long, and nothing is missing in one', () => {
  const texts = all.flatMap((one) => checkFindingLines(one).map(({ text }) => text));
  expect(unreadable(texts)).toEqual([]);
});

test('a line is there only where it has something to say', () => {
  const [shrinks] = others.filter(({ facts }) => facts.code === 'volume-shrinks');
  expect(checkFindingText(shrinks as CheckFinding)).toEqual({
    problem: 'AWS refuses it: a volume cannot shrink, 500 -> 100 GiB.',
    ...{ evidence: null, fix: 'Set gp3 500 GiB.', effect: null, cost: null, alternatives: [] },
  });
});
