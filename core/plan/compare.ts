/** A present configuration, and what an option changes about it. */
import { knownType, type RegionCatalog } from '../catalog/region-catalog.ts';
import { volumeLimits } from '../limits/volume-limits.ts';
import { knownMonthlyUsd, roundUsd } from '../prices/prices.ts';
import type { CurrentAnswer, PlanOption } from '../schemas/plan-answer.ts';
import { annualFailureRate } from './cheapest-member.ts';
import { deliveredOf, isEnoughFor, notified, type OnInstance } from './delivered.ts';
import { dataMembers, instanceNeed, type Layout, type Need, provisioned } from './layout.ts';
import type { Constraints } from './search.ts';

export interface Comparing {
  need: Need;
  constraints: Constraints;
  regionCatalog: RegionCatalog;
}

/**
 * What it has all the time, what it costs, and whether that is what is needed: on the instance type that is asked about, which is
 * taken for today's too; where none is, by its volumes alone.
 */
export function currentOf(layout: Layout, { need, constraints, regionCatalog }: Comparing): CurrentAnswer {
  const { deployment, chunkKiB, stripeEfficiency } = constraints;
  const config = provisioned(layout, deployment);
  const { baselineIops, baselineMiBps, burstIops, burstMiBps } = volumeLimits(config);
  const shape = { ...layout, chunkKiB, stripeEfficiency };
  const { instance } = constraints;
  const instanceType = instance !== null && 'instanceType' in instance ? instance.instanceType : null;
  const delivered = deliveredOf(need, {
    ...{ shape, instanceRates: instanceNeed(need, shape) },
    layout: { ...layout, iops: baselineIops, throughputMiBps: baselineMiBps },
    instance: instanceType === null ? null : { type: knownType(instanceType, regionCatalog) },
  });
  const { iops: deliveredIops, throughputMiBps: deliveredMiBps } = notified(delivered);
  const usd = knownMonthlyUsd(config, regionCatalog.prices);
  const capacityGiB = layout.sizeGiB * dataMembers(layout);
  return {
    ...{ layout, instanceType },
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

/** The need, and at least what stands today has all the time: of what is good enough for that, nothing is lost. */
export function needWithoutLoss(layout: Layout, comparing: Comparing): Need {
  const { need } = comparing;
  const { deliveredIops, deliveredMiBps, capacityGiB } = currentOf(layout, comparing);
  return {
    ...need,
    iops: Math.max(need.iops, deliveredIops),
    throughputMiBps: Math.max(need.throughputMiBps, deliveredMiBps),
    capacityGiB: Math.max(need.capacityGiB, capacityGiB),
  };
}

/**
 * What is delivered against what is delivered: through the instance on both sides, or by the volumes alone on both. What an
 * instance costs is no part of it: it is the same.
 */
export function changeFrom(
  current: CurrentAnswer,
  candidate: OnInstance,
  need: Need,
  volumesUsd: number | null,
): NonNullable<PlanOption['change']> {
  const instance = current.instanceType === null ? null : candidate.instance;
  const { iops, throughputMiBps } = notified(deliveredOf(need, { ...candidate, instance }));
  const { kind, members, volumeType } = candidate.layout;
  const difference = (a: number, b: number): number => Math.round((a - b) * 100) / 100;
  return {
    monthlyUsdDelta:
      current.monthlyUsd === null || volumesUsd === null ? null : roundUsd(volumesUsd - current.monthlyUsd),
    iopsDelta: difference(iops, current.deliveredIops),
    throughputMiBpsDelta: difference(throughputMiBps, current.deliveredMiBps),
    annualFailureRateDelta: annualFailureRate(kind, members, volumeType) - current.annualFailureRate,
  };
}
