/** What of the recommendations makes something smaller because of its load. */

import type { Layout } from '../../../core/plan/layout.ts';
import { markedProvisional } from '../../../core/recommendations/provisional.ts';
import type { Finding, Recommendation } from '../../../core/schemas/finding.ts';
import { aFinding, aRecommendation, onVolume } from '../../fixtures/findings.ts';

const day = 86_400;
const end = Date.parse('2026-11-21T00:00Z') / 1_000;
const windowOf = (days: number) => () => ({ startEpochSeconds: end - days * day, endEpochSeconds: end });

const layout = (more: Partial<Layout>): Layout => ({
  ...{ kind: 'single', members: 1, volumeType: 'gp3', sizeGiB: 100, iops: 6_000, throughputMiBps: 250 },
  ...more,
});

type Given = Pick<Recommendation, 'action' | 'change' | 'sizedBy'>;

const isMarked = (kind: Finding['kind'], given: Partial<Given>, days = 14): boolean => {
  const recommendation = aRecommendation({
    action: 'modify',
    change: null,
    sizedBy: null,
    risks: [],
    ...given,
  });
  const finding = aFinding({ kind, resource: onVolume('vol-1'), recommendations: [recommendation] });
  const [marked] = markedProvisional([finding], windowOf(days));
  return marked?.recommendations[0]?.risks.some(({ code }) => code === 'provisional') ?? false;
};

const to = (more: Partial<Layout>): Given['change'] => ({ of: 'volume', from: layout({}), to: layout(more) });

test.each<[string, Finding['kind'], Partial<Given>, boolean]>([
  ['fewer IOPS', 'over-provisioned', { change: to({ iops: 3_000 }), sizedBy: 'headroom' }, true],
  [
    'fewer MiB/s',
    'over-provisioned',
    { change: to({ throughputMiBps: 125 }), sizedBy: 'type-minimum' },
    true,
  ],
  [
    'as fast as at its best',
    'cheaper-type',
    { change: to({ iops: 3_000 }), sizedBy: 'current-maximum' },
    false,
  ],
  ['more IOPS', 'throttled-volume-iops', { change: to({ iops: 9_000 }), sizedBy: 'demand' }, false],
  // 2 x 3,000 are 6,000, and 2 x 125 are 250; 2 x 50 GiB are 100.
  [
    'two members with the same together',
    'cheaper-stripe',
    { change: to({ members: 2, iops: 3_000, throughputMiBps: 125, sizeGiB: 50 }), sizedBy: 'headroom' },
    false,
  ],
  ['a volume without I/O is deleted', 'idle', { action: 'delete' }, true],
  ['what is attached to nothing is deleted', 'unattached', { action: 'delete' }, false],
])('%s (%s)', (_name, kind, given, expected) => {
  expect(isMarked(kind, given)).toBe(expected);
});

test.each([
  // From 22 October on: 31 October is in it.
  [30, false],
  [29, true],
])('%d days with the end of a month: provisional %s', (days, expected) => {
  expect(isMarked('idle', { action: 'delete' }, days)).toBe(expected);
});

test('without a window nothing is said of it', () => {
  const recommendations = [aRecommendation({ action: 'delete', change: null, sizedBy: null, risks: [] })];
  const finding = aFinding({ kind: 'idle', resource: onVolume('vol-1'), recommendations });
  expect(markedProvisional([finding], () => null)).toEqual([finding]);
});
