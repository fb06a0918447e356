/** What a comparison comes to, and which row is read first. */
import { opinionLabels, type SecondOpinion } from '../../../core/schemas/second-opinion.ts';
import {
  comparedSources,
  inOpinionOrder,
  notAgreed,
  opinionTotals,
} from '../../../core/second-opinion/totals.ts';
import { allOpinions, anOpinion, anOpinionRead } from '../../fixtures/second-opinion.ts';

const unsafe = (volumeId: string, throttledMinutes: number): SecondOpinion =>
  anOpinion({
    ...{ volumeId, label: 'unsafe', throttledMinutesIfFollowed: throttledMinutes },
    reason: { code: 'throttled-if-followed', throttledMinutesNow: 0, throttledMinutes },
  });
const leaves = (volumeId: string, monthlyUsdDifference: number | null): SecondOpinion =>
  anOpinion({
    ...{ volumeId, label: 'leaves-money', monthlyUsdDifference },
    reason: { code: 'more-than-needed' },
  });

test('money that is left and minutes of the unsafe are summed, each of its label alone', () => {
  const cheaper = { ...unsafe('vol-1', 84), monthlyUsdDifference: -40 };
  expect(
    opinionTotals([cheaper, unsafe('vol-2', 6), leaves('vol-3', 12.4), leaves('vol-4', 200), anOpinion()]),
  ).toEqual({
    byLabel: { unsafe: 2, 'leaves-money': 2, unseen: 0, agree: 1, 'not-comparable': 0 },
    leftMonthlyUsd: 212.4, // 12.40 + 200, without the -40 of an unsafe one
    leftUnknown: 0,
    unsafeMinutes: 90, // 84 + 6
  });
});

test('money of an amount that is not known is counted as that, not as 0', () => {
  expect(opinionTotals([leaves('vol-1', null), leaves('vol-2', 5)])).toMatchObject({
    ...{ leftMonthlyUsd: 5, leftUnknown: 1 },
  });
});

test('every row is in exactly one count', () => {
  const { byLabel } = opinionTotals(allOpinions);
  expect(Object.values(byLabel).reduce((sum, count) => sum + count, 0)).toBe(allOpinions.length);
  expect(Object.keys(byLabel)).toEqual([...opinionLabels]);
});

test('unsafe ones by minutes, then money left, then unseen by minutes, then agree, then what cannot be compared', () => {
  const unseen = (volumeId: string, minutes: number): SecondOpinion =>
    anOpinion({ volumeId, label: 'unseen', reason: { code: 'credits', minutes } });
  const rows = [
    anOpinion({ volumeId: 'i', label: 'not-comparable', reason: { code: 'price-unknown' } }),
    anOpinion({ volumeId: 'h' }),
    ...[unseen('g', 3), unseen('f', 30)],
    ...[leaves('e', null), leaves('d', 1), leaves('c', 9)],
    ...[unsafe('b', 10), unsafe('a', 84)],
  ];
  expect(inOpinionOrder(rows).map(({ volumeId }) => volumeId)).toEqual([...'abcdefghi']);
  expect(rows[0]?.volumeId).toBe('i');
});

test('the deletion of what is used comes before all minutes', () => {
  const deleted = anOpinion({
    ...{ volumeId: 'z', label: 'unsafe' },
    reason: { code: 'deletes-what-is-used', activeMinutes: 1 },
  });
  expect(inOpinionOrder([unsafe('a', 20_160), deleted]).map(({ volumeId }) => volumeId)).toEqual(['z', 'a']);
  expect(opinionTotals([deleted])).toMatchObject({ unsafeMinutes: 0 });
});

test('of the same weight by account, Region and id, whatever order they came in', () => {
  const rows = ['c', 'a', 'b'].map((volumeId) => anOpinion({ volumeId }));
  const order = ['a', 'b', 'c'];
  expect(inOpinionOrder(rows).map(({ volumeId }) => volumeId)).toEqual(order);
  expect(inOpinionOrder([...rows].reverse()).map(({ volumeId }) => volumeId)).toEqual(order);
});

test('each source has its own rows and reads, also one that gave none; nothing was compared where none was asked', () => {
  const compared = comparedSources({
    secondOpinion: [leaves('vol-1', 5), { ...leaves('vol-1', 5), source: 'cost-optimization-hub' }],
    secondOpinionReads: [anOpinionRead()],
  });
  expect(
    compared.map(({ source, totals, rows, reads }) => [
      ...[source, totals.leftMonthlyUsd, rows.length, reads.length],
    ]),
  ).toEqual([
    ['compute-optimizer', 5, 1, 1],
    ['cost-optimization-hub', 5, 1, 0],
  ]);
  const refused = anOpinionRead({ status: 'not-enabled' });
  expect(comparedSources({ secondOpinion: [], secondOpinionReads: [refused] })).toHaveLength(1);
  expect(comparedSources({})).toEqual([]);
});

test('what agrees needs nobody', () => {
  const labels = new Set(notAgreed(allOpinions).map(({ label }) => label));
  expect([...labels]).toEqual(['unsafe', 'leaves-money', 'unseen', 'not-comparable']);
});
