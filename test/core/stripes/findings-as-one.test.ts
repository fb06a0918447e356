/** What members are reported, told once of their stripe; recommendation is for all of them. */

import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { run } from '../../../core/recommendations/recommendation.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { findingsAsOne, wholeStripesOnly } from '../../../core/stripes/findings-as-one.ts';
import { loadAsOne } from '../../../core/stripes/load-as-one.ts';
import { aFinding, evidenceIn, onInstance } from '../../fixtures/findings.ts';
import { ids } from './hosts.ts';
import { loadBy } from './loads.ts';
import { aRecommendation, id, notified, on, only, throttled } from './member-findings.ts';
import { aStripe } from './stripes.ts';

test('members that are throttled are one finding of the stripe, as bad as the worst of them', () => {
  const stripe = aStripe(4);
  const findings = [throttled(1, 12), throttled(2, 70), throttled(3, 12), throttled(4, 12)];
  const load = loadAsOne([1, 2, 3, 4].map(() => loadBy([180_000, 60_000])));
  const { findings: all, inPlaceOf } = findingsAsOne(findings, stripe, load, defaultThresholds);
  expect(all).toHaveLength(1);
  expect(all[0]).toMatchObject({
    kind: 'throttled-volume-iops',
    severity: 'critical',
    resource: {
      type: 'stripe',
      id: 'i-0123456789abcdef0/data/data',
      arn: null,
      name: 'data/data',
      region: 'us-east-1',
    },
    evidence: {
      // The most of any member, no sum: they are the same minutes.
      throttledMinutesPeak24h: 70,
      throttledMinutesInWindow: 140,
      // 4 x 3,000 and 4 x 125
      limitIops: 12_000,
      limitMiBps: 500,
      // 4 x 180,000 / 60
      topAverageIops: 12_000,
      topQueueLength: null,
      members: ids(1, 2, 3, 4),
      membersConcerned: ids(1, 2, 3, 4),
      worstMember: id(2),
      unlikeMembers: [],
      stripeEvidence: 'host',
      stripeConfidence: 'high',
    },
    confidence: 'high',
    // 4 x 3,000, and four times what each demanded
    limit: { what: 'maximum', value: 12_000, unit: 'IOPS', scope: 'volume' },
    demand: { known: true, atLeast: 12_800, likely: 14_000, atMost: 16_000, unit: 'IOPS' },
  });
  expect(all[0]?.resource.type).toBe('stripe');
  expect([...inPlaceOf]).toEqual(findings.map((finding) => [finding.id, all[0]?.id]));
});

test('the identity is of the stripe: the same whichever member is the worst, another for another kind', () => {
  const stripe = aStripe(2);
  const [first, second] = [only([throttled(1, 12)], stripe), only([throttled(2, 90)], stripe)];
  expect(first.id).toBe(second.id);
  const other = only([throttled(1, 12, { kind: 'micro-burst' })], stripe);
  expect(other.id).not.toBe(first.id);
});

test('one member that is throttled throttles the stripe: it is reported with how many they are', () => {
  const finding = only([throttled(3, 12)], aStripe(4));
  expect(finding.evidence).toMatchObject({
    membersConcerned: ids(3),
    members: ids(1, 2, 3, 4),
    topAverageIops: null,
  });
});

test('a member with other figures is named: the stripe has 4 times its limit', () => {
  const stripe = aStripe([{ iops: 6_000 }, { iops: 6_000 }, {}, { iops: 6_000 }]);
  const { limitIops, unlikeMembers } = evidenceIn(only([throttled(3, 12)], stripe));
  expect(limitIops).toBe(12_000);
  expect(unlikeMembers).toMatchObject([
    {
      volumeId: id(3),
      configuration: { volumeType: 'gp3', sizeGiB: 100, iops: 3_000 },
      othersConfiguration: { volumeType: 'gp3', sizeGiB: 100, iops: 6_000 },
    },
  ]);
});

test('every command is for every member, in turn, and the risks say so', () => {
  const [recommendation] = only([throttled(2, 12)], aStripe(3)).recommendations;
  expect(recommendation?.risks).toEqual([{ code: 'all-members-alike', count: 3 }]);
  expect(recommendation?.steps).toEqual(
    ids(1, 2, 3).map((one) => run(`aws ec2 modify-volume --volume-id ${one} --iops 4000`)),
  );
});

test('an inferred stripe is said to be one', () => {
  const [recommendation] = only(
    [throttled(2, 12)],
    aStripe(3, { evidence: 'inferred', name: null }),
  ).recommendations;
  expect(recommendation?.risks).toEqual([{ code: 'inferred-stripe', count: 3 }]);
});

test('credits that run out soonest decide, and rates of all add up', () => {
  const soon = (number: number, seconds: number): Finding =>
    aFinding({
      kind: 'credits-will-exhaust',
      severity: 'warning',
      resource: on(number),
      evidence: {
        secondsToEmpty: seconds,
        recentRatePerSecond: 1_000,
        drainPerSecond: 700,
      },
      confidence: 'low',
    });
  expect(only([soon(1, 5_000), soon(2, 4_000)], aStripe(2))).toMatchObject({
    confidence: 'low',
    evidence: { secondsToEmpty: 4_000, recentRatePerSecond: 2_000, worstMember: id(2) },
  });
  // Of a member that has no such finding the rate is not known.
  expect(evidenceIn(only([soon(1, 5_000)], aStripe(2))).recentRatePerSecond).toBeNull();
});

test('the price for members that are not alike is not known from one of them', () => {
  const finding = throttled(1, 12, { recommendations: [aRecommendation({ monthlyUsdDelta: 5 })] });
  expect(only([finding], aStripe(2)).recommendations[0]?.monthlyUsdDelta).toBe(10);
  expect(only([finding], aStripe([{}, { sizeGiB: 200 }])).recommendations[0]).toMatchObject({
    ...{ monthlyUsdDelta: null, change: null, sizedFor: null, steps: [] },
    // Neither has the figures of more than half of them.
    risks: [
      { code: 'unlike-members', count: 2 },
      { code: 'all-members-alike', count: 2 },
    ],
  });
});

test('what is the trouble of one volume stays on it, and other volumes are left alone', () => {
  const findings = [
    aFinding({ id: 'a', kind: 'stripe-straggler', resource: on(1) }),
    aFinding({ id: 'b', kind: 'stalled', resource: on(2) }),
    throttled(9, 12),
    aFinding({
      id: 'c',
      kind: 'throttled-instance-iops',
      resource: onInstance('i-1'),
    }),
  ];
  const { findings: all, inPlaceOf } = notified(findings, aStripe(2));
  expect(all).toEqual(findings);
  expect(inPlaceOf.size).toBe(0);
});

test('of volumes picked one by one, members come together or not at all', () => {
  const stripe = aStripe(2);
  expect(wholeStripesOnly([id(1), id(7)], [stripe])).toEqual([id(7)]);
  expect(wholeStripesOnly([id(1), id(7), id(2)], [stripe])).toEqual([id(1), id(7), id(2)]);
  expect(wholeStripesOnly([id(7)], [])).toEqual([id(7)]);
});
