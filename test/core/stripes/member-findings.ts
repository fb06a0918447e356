/** Findings of members, and what is reported of their stripe in the place of them. */

import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { run } from '../../../core/recommendations/recommendation.ts';
import type { AnyEvidence, Finding, Recommendation } from '../../../core/schemas/finding.ts';
import { findingsAsOne } from '../../../core/stripes/findings-as-one.ts';
import type { Stripe } from '../../../core/stripes/stripes.ts';
import {
  aFinding,
  aRecommendation as aFixtureRecommendation,
  onVolume,
  type SomeFinding,
} from '../../fixtures/findings.ts';
import { ids } from './hosts.ts';

export const id = (number: number): string => ids(number)[0] as string;
export const on = (number: number): Finding['resource'] =>
  onVolume(id(number), { name: `data-${number}`, account: '111122223333' });
export const aRecommendation = (recommendation: Partial<Recommendation>): Recommendation =>
  aFixtureRecommendation({ monthlyUsdDelta: null, ...recommendation });

/** A member that was throttled so many minutes of a day. */
export const throttled = (number: number, minutes: number, finding: SomeFinding = {}): Finding =>
  aFinding({
    id: `throttled-${number}`,
    kind: 'throttled-volume-iops',
    severity: minutes >= 60 ? 'critical' : 'warning',
    resource: on(number),
    evidence: {
      throttledMinutesPeak24h: minutes,
      throttledMinutesInWindow: 2 * minutes,
      throttledMinutesOfLastFive: 0,
      limitIops: 3_000,
      limitMiBps: 125,
      baselineIops: 3_000,
      baselineMiBps: 125,
      topAverageIops: 3_000,
      topQueueLength: 9,
    },
    recommendations: [
      aRecommendation({
        steps: [run(`aws ec2 modify-volume --volume-id ${id(number)} --iops 4000`)],
      }),
    ],
    ...finding,
  });

export const saving = (number: number, finding: SomeFinding = {}, evidence: AnyEvidence = {}): Finding =>
  aFinding({
    id: `saving-${number}`,
    kind: 'over-provisioned',
    severity: 'info',
    resource: on(number),
    firstSeen: null,
    evidence: {
      monthlyUsd: 23,
      recommendedMonthlyUsd: 13,
      recommendedVolumeType: 'gp3',
      recommendedMembers: 1,
      recommendedIops: 4_000,
      recommendedThroughputMiBps: 125,
      peakIops: 3_100,
      peakMiBps: 50,
      alike: ['vol-x'],
      ...evidence,
    },
    recommendations: [
      aRecommendation({
        monthlyUsdDelta: -10,
        steps: [
          { code: 'plan-note', note: { code: 'managed-elsewhere' } },
          run(
            `aws ec2 modify-volume --region us-east-1 --volume-id ${id(number)} --volume-type gp3 --iops 4000`,
          ),
          run(
            `aws ec2 describe-volumes-modifications --region us-east-1 --volume-ids ${id(number)} --output text`,
          ),
        ],
      }),
    ],
    ...finding,
  });

export const notified = (findings: readonly Finding[], stripe: Stripe) =>
  findingsAsOne(findings, stripe, null, defaultThresholds);
export const only = (findings: readonly Finding[], stripe: Stripe): Finding => {
  const { findings: all } = notified(findings, stripe);
  expect(all).toHaveLength(1);
  return all[0] as Finding;
};
