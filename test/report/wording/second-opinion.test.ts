/** A comparison with another service as people read it: every label and reason, in a file that a person reads in a review. */
import type { OpinionRead, SecondOpinion } from '../../../core/schemas/second-opinion.ts';
import { comparedSources, opinionTotals } from '../../../core/second-opinion/totals.ts';
import {
  configurationText,
  opinionHeadline,
  opinionNotes,
  opinionText,
  recommendedText,
} from '../../../report/wording/second-opinion.ts';
import { aConfiguration, allOpinions, anOpinion, anOpinionRead } from '../../fixtures/second-opinion.ts';
import { expectToRead, unreadable } from './rendered.ts';

const source = 'compute-optimizer' as const;
const headlineOf = (rows: readonly SecondOpinion[]): string =>
  opinionHeadline({ source, rows: [...rows], totals: opinionTotals(rows) });
const notesOf = (reads: readonly OpinionRead[], rows: readonly SecondOpinion[] = []): string[] =>
  comparedSources({ secondOpinion: [...rows], secondOpinionReads: [...reads] }).flatMap(opinionNotes);

const denied =
  'User: arn:aws:sts::111122223333:assumed-role/audit/x is not authorized to perform: compute-optimizer:GetEBSVolumeRecommendations';

/** A status that is missing does not compile. */
const reads: Readonly<Record<OpinionRead['status'], OpinionRead[]>> = {
  read: [anOpinionRead({ rdsRows: 5, otherAccounts: 1, unmatched: 2, otherRows: 3 })],
  empty: [anOpinionRead({ status: 'empty', recommendations: 0 })],
  'not-enabled': [
    anOpinionRead({ status: 'not-enabled' }),
    anOpinionRead({ status: 'not-enabled', region: 'eu-central-1' }),
    anOpinionRead({ status: 'not-enabled', account: '444455556666' }),
  ],
  denied: [anOpinionRead({ status: 'denied', error: denied })],
  failed: [anOpinionRead({ status: 'failed', error: 'connect ETIMEDOUT' })],
};

const ofHub = (read: OpinionRead): OpinionRead => ({
  ...read,
  source: 'cost-optimization-hub',
  region: null,
});
const stale = allOpinions.filter(({ reason }) => reason.code === 'stale');

const lines = [
  headlineOf(allOpinions),
  ...allOpinions.map(opinionText),
  ...Object.values(reads).flatMap((some) => notesOf(some)),
  ...notesOf(Object.values(reads).flat().map(ofHub)),
  ...notesOf([anOpinionRead({ account: null, region: null, status: 'empty' })]),
  ...notesOf([anOpinionRead()], stale),
];

test('the lines are those that were read in a review (UPDATE_LINES=1 writes them anew)', () => {
  expectToRead('second-opinion.txt', lines);
});

test('no sentence is too long, nothing is missing, each ends, and no two volumes read alike', () => {
  expect(unreadable(lines)).toEqual([]);
  expect(lines.filter((line) => !line.endsWith('.'))).toEqual([]);
  const ofVolumes = allOpinions.map(opinionText);
  expect(new Set(ofVolumes).size).toBe(ofVolumes.length);
});

test('the headline counts every row, and says it too where none is unsafe', () => {
  const leaves = (monthlyUsdDifference: number | null) =>
    anOpinion({ label: 'leaves-money', reason: { code: 'more-than-needed' }, monthlyUsdDifference });
  const compared = 'Compared with AWS Compute Optimizer:';
  expect(headlineOf([anOpinion()])).toBe(`${compared} 0 unsafe, 1 agrees.`);
  expect(headlineOf([leaves(5)])).toBe(`${compared} 0 unsafe, 1 leaves 5.00 USD a month.`);
  expect(headlineOf([leaves(5), leaves(null)])).toBe(
    `${compared} 0 unsafe, 2 leave 5.00 USD a month (1 without a known price).`,
  );
  expect(headlineOf([leaves(null)])).toBe(`${compared} 0 unsafe, 1 leaves money, how much is not known.`);
  expect(headlineOf([])).toBe(`${compared} nothing to compare.`);
});

test('an account that has not enabled it is named once, however many Regions were asked', () => {
  const [note] = notesOf(reads['not-enabled']);
  expect(note?.match(/111122223333/g)).toHaveLength(1);
  expect(note).not.toMatch(/us-east-1|eu-central-1/);
});

test('of hundred accounts that deny it one note is made, which names the first; of many failures the first five', () => {
  const accounts = Array.from({ length: 100 }, (_, i) => `${100_000_000_000 + i}`);
  const ofAll = (status: 'denied' | 'failed'): OpinionRead[] =>
    accounts.map((account) => anOpinionRead({ account, status, error: `of ${account}` }));
  const [only, ...others] = notesOf(ofAll('denied'));
  expect(others).toEqual([]);
  expect(only).toContain('account 100000000004 (us-east-1), 95 more: access is denied.'); // 100 - 5
  const failed = notesOf(ofAll('failed'));
  expect(failed).toHaveLength(6);
  expect(failed.at(-1)).toBe('AWS Compute Optimizer could not be read for 95 more reasons (--json has all).');
});

test('nothing is said of what was read in whole', () => {
  expect(notesOf([anOpinionRead()], [anOpinion()])).toEqual([]);
});

test('a size is said where it changes, and figures that follow from type and size are left out', () => {
  const from = aConfiguration();
  expect(configurationText(aConfiguration({ iops: 4_000 }), from)).toBe('gp3, 4,000 IOPS, 125 MiB/s');
  expect(configurationText(aConfiguration({ sizeGiB: 50 }), from)).toMatch(/^gp3 50 GiB, /);
  const st1 = aConfiguration({ volumeType: 'st1', iops: null, throughputMiBps: null });
  expect(configurationText(st1, from)).toBe('st1');
  expect(configurationText(st1, null)).toBe('st1 100 GiB');
  expect(recommendedText(anOpinion())).toBe('no other configuration');
  const unknown = { code: 'option-unknown', volumeType: 'gp9' } as const;
  expect(recommendedText(anOpinion({ label: 'not-comparable', reason: unknown }))).toBe(
    'a configuration that is not known here',
  );
});

test('minutes are measured where it changes nothing, and simulated where it changes the volume', () => {
  const volumeLimit = anOpinion({ label: 'unseen', reason: { code: 'keeps-throttled', minutes: 480 } });
  expect(opinionText(volumeLimit)).toBe(
    'Unseen: throttled 480 min by the limit of the volume; it recommends no change.',
  );
  expect(opinionText({ ...volumeLimit, recommended: aConfiguration({ throughputMiBps: 155 }) })).toBe(
    'Unseen: still throttled with what it recommends: up to 480 min (simulated).',
  );
});

test('credits that will be exhausted are not said to have throttled', () => {
  const soon = anOpinion({ label: 'unseen', reason: { code: 'credits', minutes: 0 } });
  expect(opinionText(soon)).toBe('Unseen: burst credits run out soon, which it does not look at.');
});

test('what the account and AWS say stays in its line', () => {
  const untrusted = 'i-1\n\u001b[31m\u202e';
  const texts = [
    opinionText(
      anOpinion({ label: 'unseen', reason: { code: 'instance-limit', instanceId: untrusted, minutes: 1 } }),
    ),
    opinionText(
      anOpinion({ label: 'not-comparable', reason: { code: 'option-unknown', volumeType: untrusted } }),
    ),
    ...notesOf([
      anOpinionRead({ status: 'failed', error: untrusted, account: untrusted, region: untrusted }),
      anOpinionRead({ status: 'denied', error: untrusted }),
    ]),
  ];
  for (const text of texts) expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
});
