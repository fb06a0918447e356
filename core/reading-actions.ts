import type { OpinionSource } from './schemas/second-opinion.ts';

/**
 * What functions read of an account that they audit: in the account of the stack by their own roles, in a member by the member's role,
 * which allows these and nothing else.
 */
export const readingActions = {
  /** Where the Regions are those that an account has enabled. */
  listTargets: ['account:ListRegions'],
  discoverVolumes: ['ec2:DescribeVolumes', 'ec2:DescribeInstances', 'cloudwatch:ListMetrics'],
  evaluateBatch: ['cloudwatch:GetMetricData'],
  watchVolumes: ['ec2:DescribeVolumes', 'cloudwatch:ListMetrics', 'cloudwatch:GetMetricData'],
} as const;

/** Of all functions, each once. */
export const memberActions: string[] = [...new Set(Object.values(readingActions).flat())].sort();

/** What a stack may ask other services for, where its configuration says so (audit.compareWith). */
export const recommendationActions = {
  'compute-optimizer': ['compute-optimizer:GetEBSVolumeRecommendations'],
  'cost-optimization-hub': [
    'cost-optimization-hub:ListRecommendations',
    'cost-optimization-hub:GetRecommendation',
  ],
} as const satisfies Record<OpinionSource, readonly string[]>;

/** What a run that evaluates from an archive reads beside that: how long modifications took, for schedules of IOPS. */
export const archivedReadingActions = ['ec2:DescribeVolumesModifications'] as const;

/** What changes read of an account, and what they write to a volume. */
export const readsOfChanges = [
  'ec2:DescribeVolumes',
  'ec2:DescribeInstances',
  'ec2:DescribeVolumesModifications',
  'cloudwatch:GetMetricData',
] as const;
export const writesOfChanges = ['ec2:ModifyVolume'] as const;

/** Conditions of a policy: no tag of the volume refuses it. What a stack or its owner keeps is not changed beside them. */
export const mayModify = {
  StringNotEquals: { 'aws:ResourceTag/stripewise:changes': 'never' },
  Null: {
    'aws:ResourceTag/exclude-from-compute-optimizer-automation': 'true',
    'aws:ResourceTag/aws:cloudformation:stack-id': 'true',
    'aws:ResourceTag/stripewise:owner': 'true',
  },
};
