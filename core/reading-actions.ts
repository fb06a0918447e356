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
