/** What members could cost less: for all of a stripe, or not at all. */

import { run } from '../../../core/recommendations/recommendation.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { aFinding } from '../../fixtures/findings.ts';
import { ids } from './hosts.ts';
import { aRecommendation, id, notified, on, only, saving } from './member-findings.ts';
import { aStripe } from './stripes.ts';

test('a saving that is right for all is one, at the price of all', () => {
  const finding = only(
    [1, 2, 3].map((number) => saving(number)),
    aStripe(3),
  );
  expect(finding).toMatchObject({
    // 3 x 10 = 30 USD: more than 20
    severity: 'warning',
    evidence: {
      monthlyUsd: 69,
      recommendedMonthlyUsd: 39,
      recommendedMembers: 3,
      recommendedIops: 4_000,
      peakIops: 9_300,
      alike: [],
    },
    recommendations: [
      {
        monthlyUsdDelta: -30,
        steps: [
          { code: 'plan-note', note: { code: 'managed-elsewhere' } },
          ...ids(1, 2, 3).map((one) =>
            run(`aws ec2 modify-volume --region us-east-1 --volume-id ${one} --volume-type gp3 --iops 4000`),
          ),
          run(
            `aws ec2 describe-volumes-modifications --region us-east-1 --volume-ids ${ids(1, 2, 3).join(' ')} --output text`,
          ),
        ],
      },
    ],
  });
});

test('what the member that needs the most would do with is recommended for all', () => {
  const needier = saving(2, {}, { recommendedIops: 4_300, recommendedMonthlyUsd: 14.5 });
  const finding = only([saving(1), needier], aStripe(2));
  expect(finding.evidence).toMatchObject({
    recommendedIops: 4_300,
    recommendedMonthlyUsd: 29,
    worstMember: id(2),
  });
});

test('a saving on averages that hide bursts stays an information however large it is', () => {
  const findings = [1, 2, 3].map((number) => saving(number, { confidence: 'low' }));
  expect(only(findings, aStripe(3)).severity).toBe('info');
});

test.each([
  ['some members only', [saving(1), saving(2)], aStripe(3)],
  ['members that are not alike', [saving(1), saving(2)], aStripe([{}, { iops: 6_000 }])],
  ['other types for each', [saving(1), saving(2, {}, { recommendedVolumeType: 'io2' })], aStripe(2)],
  [
    'one that needs much more of one figure',
    [saving(1), saving(2, {}, { recommendedThroughputMiBps: 500, recommendedMonthlyUsd: 12 })],
    aStripe(2),
  ],
  ['another stripe in the place of one member', [saving(1, { kind: 'cheaper-stripe' })], aStripe(2)],
  ['one idle member: the others need it', [aFinding({ kind: 'idle', resource: on(1) })], aStripe(2)],
])('nothing is reported of a saving for %s', (_, findings, stripe) => {
  const { findings: all, inPlaceOf } = notified(findings, stripe);
  expect(all).toEqual([]);
  expect([...inPlaceOf.values()]).toEqual(findings.map(() => null));
});

describe('a schedule', () => {
  const hours = {
    ...{ scheduledDays: 'daily' as const, busyFromUtc: '01:00', busyUntilUtc: '03:00' },
    ...{ raiseAtUtc: '00:30', lowerAtUtc: '03:00', lowIops: 3_000, lowMiBps: 125, allMonthMonthlyUsd: 20 },
  };
  const scheduled = (number: number, evidence: object = {}): Finding =>
    saving(number, { kind: 'schedule-iops' }, { ...hours, ...evidence });

  test('at the same hours of all members is one, with commands for each', () => {
    const one = scheduled(1);
    const command = `aws ec2 modify-volume --volume-id ${id(1)} --region us-east-1 --iops 3000`;
    const steps = [
      { code: 'scheduled' as const, what: 'lower' as const, days: '*', atUtc: '03:00', command },
    ];
    const recommendations = one.recommendations.map((all) => ({ ...all, steps }));
    const finding = only([{ ...one, recommendations }, scheduled(2)], aStripe(2));
    expect(finding).toMatchObject({
      kind: 'schedule-iops',
      evidence: { monthlyUsd: 46, recommendedMonthlyUsd: 26, allMonthMonthlyUsd: 40 },
      recommendations: [
        {
          monthlyUsdDelta: -20,
          steps: [{ command }, { command: command.replace(id(1), id(2)), atUtc: '03:00' }],
        },
      ],
    });
  });

  test.each<[string, Finding[], Parameters<typeof aStripe>[0]]>([
    ['some members only', [scheduled(1)], 2],
    ['other hours of each', [scheduled(1), scheduled(2, { busyFromUtc: '02:00' })], 2],
    ['lower figures that are not enough for another', [scheduled(1), scheduled(2, { lowIops: 6_000 })], 2],
    ['members that are not alike', [scheduled(1), scheduled(2)], [{}, { iops: 6_000 }]],
  ])('of %s is none', (_, findings, volumes) => {
    expect(notified(findings, aStripe(volumes)).findings).toEqual([]);
  });
});

test('a stripe that nobody uses is kept or removed as a whole, with snapshots of one moment', () => {
  const idle = (number: number): Finding =>
    aFinding({
      id: `idle-${number}`,
      kind: 'idle',
      severity: 'info',
      resource: on(number),
      evidence: { monthlyUsd: 12, operations: 3, opsPerMinute: 0.002 },
      recommendations: [
        aRecommendation({
          monthlyUsdDelta: -12,
          steps: [
            run(`aws ec2 create-snapshot --volume-id ${id(number)} --region us-east-1`),
            run(`aws ec2 delete-volume --volume-id ${id(number)} --region us-east-1`),
          ],
        }),
      ],
    });
  expect(only([idle(1), idle(2)], aStripe(2))).toMatchObject({
    severity: 'warning',
    evidence: { monthlyUsd: 24, operations: 6 },
    recommendations: [
      {
        risks: [{ code: 'all-members-or-none', count: 2 }],
        monthlyUsdDelta: -24,
        steps: [
          run(
            'aws ec2 create-snapshots --region us-east-1 --instance-specification InstanceId=i-0123456789abcdef0,ExcludeBootVolume=true',
          ),
          ...ids(1, 2).map((one) => run(`aws ec2 delete-volume --volume-id ${one} --region us-east-1`)),
        ],
      },
    ],
  });
});
