/** What a campaign found for a finding. */
import { campaignReport } from '../../../../core/benchmark/campaign/campaign-report.ts';
import { validationOf } from '../../../../core/benchmark/from-finding/validation.ts';
import type { CampaignReport } from '../../../../core/schemas/campaign-report.ts';
import type { FindingKind } from '../../../../core/schemas/finding.ts';
import { aCampaign, anEnd, aResult } from '../campaign/campaigns.ts';
import { aLayout } from '../campaign/requests.ts';

const id = '0123456789abcdef';
const gradedAt = '2026-11-22T13:00:00.000Z';
const now = Date.parse('2026-11-23T13:00:00Z') / 1_000;
const day = 86_400;

type Point = [iops: number, p95Ms: number];
const single = (name: string) => aLayout({ name, kind: 'single', members: 1 });

/** Runs of present and recommended. */
function report(
  current: Point[],
  recommended: Point[],
  change: Partial<CampaignReport> = {},
): CampaignReport {
  const campaign = aCampaign({ layouts: [single('current'), single('recommended')], findingId: id });
  const runs = (points: Point[]) =>
    points.map(([iops, p95Ms], i) => ({ runId: `r${i + 1}`, result: aResult(`r${i + 1}`, 16, iops, p95Ms) }));
  const measured = new Map([
    ['current-m1-large', runs(current)],
    ['recommended-m1-large', runs(recommended)],
  ]);
  const ends = [...measured.keys()].map((cellId) => anEnd(cellId));
  return { ...campaignReport(campaign, ends, measured, gradedAt), ...change };
}

const validated = (made: CampaignReport, kind: FindingKind = 'throttled-volume-iops', at = now) =>
  validationOf(made, { id, kind }, at);

test('what was 3,000 IOPS is 12,000', () => {
  expect(validated(report([[3_000, 5.28]], [[12_000, 1.2]]))).toEqual({
    ...{ isValidated: true, gradedAt, campaignId: 'c1', label: null },
    current: { iops: 3_000, p95Ms: expect.closeTo(5.28, 1) },
    recommended: { iops: 12_000, p95Ms: expect.closeTo(1.2, 1) },
  });
});

test('the label goes with it', () => {
  const made = report([[3_000, 5]], [[12_000, 1]], { label: 'emulated' });
  expect(validated(made)?.label).toBe('emulated');
});

test('of repeats it is the mean', () => {
  const made = report(
    [
      [3_000, 5],
      [3_200, 5],
    ],
    [
      [6_000, 1],
      [6_200, 1],
    ],
  );
  expect(validated(made)).toMatchObject({ current: { iops: 3_100 }, recommended: { iops: 6_100 } });
});

test.each<[string, FindingKind, Point, Point, boolean]>([
  ['no faster is not validated', 'throttled-volume-iops', [3_000, 5], [3_010, 5], false],
  ['as many operations, much sooner', 'micro-burst', [3_000, 5], [3_000, 1], true],
  ['a saving is as good', 'over-provisioned', [8_000, 1], [7_900, 1], true],
  ['a saving that serves less', 'cheaper-type', [8_000, 1], [6_000, 1], false],
  ['a saving that waits longer', 'cheaper-type', [8_000, 1], [8_000, 3], false],
])('%s', (_, kind, current, recommended, isValidated) => {
  expect(validated(report([current], [recommended]), kind)).toMatchObject({ isValidated });
});

test('on two instance types the first is today’s', () => {
  const made = report([[3_000, 5]], [[6_000, 1]]);
  const layouts = made.request.layouts.slice(0, 1);
  expect(
    validated({ ...made, request: { ...made.request, layouts } }, 'throttled-instance-iops'),
  ).toMatchObject({ current: { iops: 3_000 }, recommended: { iops: 6_000 } });
});

test('none where one of the two was not measured, where it is of another finding, or too old', () => {
  expect(validated(report([[3_000, 5]], []))).toBeNull();
  expect(validated(report([[3_000, 5]], [[6_000, 1]], { findingId: 'ffffffffffffffff' }))).toBeNull();
  const made = report([[3_000, 5]], [[6_000, 1]]);
  expect(validated(made, 'micro-burst', now + 89 * day)).not.toBeNull(); // 90 days after it
  expect(validated(made, 'micro-burst', now + 90 * day)).toBeNull();
});
