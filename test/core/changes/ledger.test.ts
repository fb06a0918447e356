/** What changes came to: claimed is what plans said, realised is what stands. */
import {
  ledgerTotals,
  realisedMonthlyUsd,
  realisedUsd,
  realisedUsdOfAll,
} from '../../../core/changes/ledger.ts';
import type { VolumeChange } from '../../../core/schemas/volume-change.ts';
import { aChange, aPlan, noon } from '../../fixtures/volume-change.ts';

const hour = 3_600;
const completed = (seconds: number | null) => ({
  ...{ askedSeconds: noon, lastStartSeconds: null, startSeconds: noon, completedSeconds: seconds },
  refusal: null,
});
const comparison = (minutes: number, throttledBefore: number, throttledAfter: number) => ({
  ...{ minutes, throttledBefore, throttledAfter, loadRatio: 1, latencyMsBefore: 1, latencyMsAfter: 1 },
});
const standing = aChange({ made: completed(noon) });
const undone = aChange({
  ...{ made: completed(noon), end: { code: 'undone' } },
  undo: { ...completed(noon + 80 * hour), startSeconds: noon + 73 * hour },
});
const hurting = aChange({
  ...{ made: completed(noon), end: { code: 'undo-not-made', reason: 'outcome-unknown' } },
});
const unpriced = aChange({ plan: { ...aPlan, monthlyUsdDelta: null }, made: completed(noon) });

test('a tenth of a month of 730 hours is a tenth of the claim', () => {
  expect(realisedUsd(standing, noon + 73 * hour)).toBeCloseTo(-1.5, 9);
  expect(realisedMonthlyUsd(standing)).toBe(-15);
});

test('of what was undone the time until the undo began counts, and nothing a month', () => {
  expect(realisedUsd(undone, noon + 730 * hour)).toBeCloseTo(-1.5, 9);
  expect(realisedMonthlyUsd(undone)).toBe(0);
});

test('while EC2 modifies the volume nothing is realised', () => {
  expect([
    realisedUsd(aChange({ made: completed(null) }), noon + hour),
    realisedUsd(aChange(), noon),
  ]).toEqual([...[0, 0]]);
});

test('a clock that is behind realises nothing', () => {
  expect(realisedUsd(standing, noon - hour)).toBeCloseTo(0, 9);
});

test('without a price neither one nor all is known, but what was never made counts 0', () => {
  expect(realisedUsd(unpriced, noon + hour)).toBeNull();
  expect(realisedUsdOfAll([standing, unpriced], noon + hour)).toBeNull();
  expect(realisedUsdOfAll([aChange({ plan: unpriced.plan }), standing], noon + 73 * hour)).toBeCloseTo(
    -1.5,
    9,
  );
});

describe('totals', () => {
  const totals = (...changes: VolumeChange[]) => ledgerTotals(changes);

  test('what was undone is claimed, and not realised', () => {
    expect(totals(standing, undone)).toMatchObject({ claimedMonthlyUsd: -30, realisedMonthlyUsd: -15 });
  });

  test('each change is of one count', () => {
    const all = totals(
      ...[standing, undone, hurting],
      aChange({ end: { code: 'not-made', reason: 'rejected' } }),
      aChange({ end: { code: 'modification-failed' } }),
      aChange({ made: completed(noon), end: { code: 'kept', outcome: 'same' } }),
    );
    expect(all).toMatchObject({ changes: 6, open: 1, kept: 1, undone: 1, undoNotMade: 1, notMade: 2 });
  });

  test('an undo that was not made stands, and costs what it costs', () => {
    expect(totals(hurting)).toMatchObject({ realisedMonthlyUsd: -15, undoNotMade: 1, notMade: 0 });
  });

  test('minutes a day are of what was compared and kept', () => {
    const kept = (minutes: number, before: number, after: number, outcome: 'better' | 'not-comparable') =>
      aChange({ comparison: comparison(minutes, before, after), end: { code: 'kept', outcome } });
    const all = totals(
      // 70 and 7 in 7 days: 10 and 1 a day
      kept(10_080, 70, 7, 'better'),
      kept(1_440, 20, 4, 'better'),
      kept(1_440, 1_000, 0, 'not-comparable'),
      { ...undone, comparison: comparison(600, 0, 45) },
    );
    expect([all.throttledMinutesADayBefore, all.throttledMinutesADayAfter]).toEqual([30, 5]);
  });
});
