/**
 * EBS limits of the instance types in the fleet, as EC2 reports them (Mbit/s and MB/s are decimal).
 * Source: DescribeInstanceTypes, EbsInfo.EbsOptimizedInfo.
 */
import { bytesPerMiB } from '../../core/units.ts';

export interface InstanceLimits {
  nitro: boolean;
  baselineIops: number;
  maximumIops: number;
  baselineMiBps: number;
  maximumMiBps: number;
  /** Alike, each with its share of the instance's limits. */
  ebsCards: number;
}

const mibpsFromMbps = (mbps: number): number => (mbps * 1e6) / 8 / bytesPerMiB;

/** [baseline IOPS, maximum IOPS, baseline Mbit/s, maximum Mbit/s] */
type Figures = readonly [number, number, number, number];

const limitsFrom = (
  nitro: boolean,
  [baselineIops, maximumIops, mbps, maximumMbps]: Figures,
  ebsCards = 1,
): InstanceLimits => ({
  nitro,
  ebsCards,
  baselineIops,
  maximumIops,
  baselineMiBps: mibpsFromMbps(mbps),
  maximumMiBps: mibpsFromMbps(maximumMbps),
});

const instanceTypes = {
  't3.medium': limitsFrom(true, [2_000, 11_800, 347, 2_085]),
  'm5.large': limitsFrom(true, [3_600, 18_750, 650, 4_750]),
  'm5.2xlarge': limitsFrom(true, [12_000, 18_750, 2_300, 4_750]),
  'm5.4xlarge': limitsFrom(true, [18_750, 18_750, 4_750, 4_750]),
  'm5.8xlarge': limitsFrom(true, [30_000, 30_000, 6_800, 6_800]),
  'm5.12xlarge': limitsFrom(true, [40_000, 40_000, 9_500, 9_500]),
  'm6i.large': limitsFrom(true, [3_600, 40_000, 650, 10_000]),
  'm6i.8xlarge': limitsFrom(true, [40_000, 40_000, 10_000, 10_000]),
  'c5.4xlarge': limitsFrom(true, [20_000, 20_000, 4_750, 4_750]),
  'c5.9xlarge': limitsFrom(true, [40_000, 40_000, 9_500, 9_500]),
  'r5.8xlarge': limitsFrom(true, [30_000, 30_000, 6_800, 6_800]),
  'r5b.4xlarge': limitsFrom(true, [43_333, 43_333, 10_000, 10_000]),
  'r5b.8xlarge': limitsFrom(true, [86_667, 86_667, 20_000, 20_000]),
  'c8gn.48xlarge': limitsFrom(true, [480_000, 480_000, 120_000, 120_000], 2),
  'm8g.large': limitsFrom(true, [3_600, 40_000, 630, 10_000]),
  'm8g.8xlarge': limitsFrom(true, [40_000, 40_000, 10_000, 10_000]),
  'm8g.12xlarge': limitsFrom(true, [60_000, 60_000, 15_000, 15_000]),
  'm4.xlarge': limitsFrom(false, [6_000, 6_000, 750, 750]),
  'm4.10xlarge': limitsFrom(false, [32_000, 32_000, 4_000, 4_000]),
} satisfies Record<string, InstanceLimits>;

export type InstanceTypeName = keyof typeof instanceTypes;

export const instanceTypeNames = Object.keys(instanceTypes) as InstanceTypeName[];

/** `ebs-1`: the baseline rises by 25 %, and the burst not above what it was unless the baseline does. */
export function instanceLimits(name: InstanceTypeName, weighting?: 'default' | 'ebs-1'): InstanceLimits {
  const limits = instanceTypes[name];
  if (weighting !== 'ebs-1') return limits;
  const baselineMiBps = limits.baselineMiBps * 1.25;
  return { ...limits, baselineMiBps, maximumMiBps: Math.max(limits.maximumMiBps, baselineMiBps) };
}

export const canBurst = (limits: InstanceLimits): boolean =>
  limits.maximumIops > limits.baselineIops || limits.maximumMiBps > limits.baselineMiBps;
