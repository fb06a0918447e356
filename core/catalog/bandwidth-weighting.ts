/**
 * What an instance can do with EBS under its bandwidth weighting; EC2 tells the figures of `default`.
 * Source: EC2 user guide (configure-bandwidth-weighting) and EBS user guide (instance-bandwidth-configuration), read
 * 2026-11-21: `ebs-1` raises the baseline bandwidth by 25 % and leaves the burst bandwidth (on Flex types it rises by
 * as much), `vpc-1` takes from EBS what it gives to the network. IOPS do not change.
 */
import { type EbsFigures, familyOf } from './instance-type.ts';
import type { WeightingReason } from './type-reason.ts';

const raised = 1.25;

export interface WeightedFigures {
  figures: EbsFigures;
  /** Why the MiB/s cannot be known; null where they can. */
  mibpsUnknownReason: WeightingReason | null;
}

/** @param figures of the instance or of one of its EBS cards, with `default`. */
export function weightedFigures(
  figures: EbsFigures,
  instanceType: string,
  weighting: string | null,
): WeightedFigures {
  if (weighting === null || weighting === 'default') return { figures, mibpsUnknownReason: null };
  if (weighting !== 'ebs-1') {
    return { figures, mibpsUnknownReason: { code: 'bandwidth-weighting', weighting } };
  }
  const { baselineMiBps, maximumMiBps } = figures;
  const baseline = baselineMiBps * raised;
  const maximum = familyOf(instanceType).endsWith('-flex')
    ? maximumMiBps + baseline - baselineMiBps
    : Math.max(maximumMiBps, baseline);
  return {
    figures: { ...figures, baselineMiBps: baseline, maximumMiBps: maximum },
    mibpsUnknownReason: null,
  };
}
