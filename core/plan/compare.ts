/** A present configuration, and what an option changes about it. */
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import { volumeLimits } from '../limits/volume-limits.ts';
import { knownMonthlyUsd, roundUsd } from '../prices/prices.ts';
import type { CurrentAnswer, PlanOption } from '../schemas/plan-answer.ts';
import { annualFailureRate } from './cheapest-member.ts';
import { isEnoughFor, notified } from './delivered.ts';
import { dataMembers, deliveredBy, type Layout, type Need, provisioned } from './layout.ts';
import type { Candidate, Constraints } from './search.ts';

export interface Comparing {
  need: Need;
  constraints: Constraints;
  regionCatalog: RegionCatalog;
}

/** What it has all the time, what it costs, and whether that is what is needed. */
export function currentOf(layout: Layout, { need, constraints, regionCatalog }: Comparing): CurrentAnswer {
  const { deployment, chunkKiB, stripeEfficiency } = constraints;
  const config = provisioned(layout, deployment);
  const { baselineIops, baselineMiBps, burstIops, burstMiBps } = volumeLimits(config);
  const shape = { ...layout, chunkKiB, stripeEfficiency };
  const delivered = deliveredBy({ iops: baselineIops, throughputMiBps: baselineMiBps }, need, shape);
  const { iops: deliveredIops, throughputMiBps: deliveredMiBps } = notified(delivered);
  const usd = knownMonthlyUsd(config, regionCatalog.prices);
  const capacityGiB = layout.sizeGiB * dataMembers(layout);
  return {
    layout,
    deliveredIops,
    deliveredMiBps,
    bursts: layout.volumeType !== 'standard' && (burstIops > baselineIops || burstMiBps > baselineMiBps),
    capacityGiB,
    annualFailureRate: annualFailureRate(layout.kind, layout.members, layout.volumeType),
    monthlyUsd: usd.known ? roundUsd(usd.value.total * layout.members) : null,
    // Of magnetic volumes AWS promises nothing.
    isEnough:
      layout.volumeType !== 'standard' && isEnoughFor(need, delivered) && capacityGiB >= need.capacityGiB,
  };
}

/** Volumes against volumes: neither what an instance costs nor what it lets through is part of it. */
export function changeFrom(
  current: CurrentAnswer,
  { layout, shape }: Pick<Candidate, 'layout' | 'shape'>,
  need: Need,
  volumesUsd: number | null,
): NonNullable<PlanOption['change']> {
  const { iops, throughputMiBps } = notified(deliveredBy(layout, need, shape));
  const { kind, members, volumeType } = layout;
  const difference = (a: number, b: number): number => Math.round((a - b) * 100) / 100;
  return {
    monthlyUsdDelta:
      current.monthlyUsd === null || volumesUsd === null ? null : roundUsd(volumesUsd - current.monthlyUsd),
    iopsDelta: difference(iops, current.deliveredIops),
    throughputMiBpsDelta: difference(throughputMiBps, current.deliveredMiBps),
    annualFailureRateDelta: annualFailureRate(kind, members, volumeType) - current.annualFailureRate,
  };
}
