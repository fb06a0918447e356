/** A request with what the command line takes when nothing is said, and what a test changes about it. */
import type { VolumeType } from '../../../core/limits/volume-limits.ts';
import { type Need, needOf } from '../../../core/plan/layout.ts';
import type { PlanRequest } from '../../../core/plan/plan.ts';
import type { Constraints, Ranking } from '../../../core/plan/search.ts';
import { builtInPrices } from '../../../core/prices/prices.ts';
import { aRegionCatalog } from '../../fixtures/region-catalog.ts';

interface Asked extends Partial<Omit<Need, 'iops' | 'throughputMiBps'>> {
  iops?: number;
  throughputMiBps?: number;
}

/** 16 KiB random I/O, 70 % reads; a rate that is left out follows from the other. */
export const aNeed = ({ iops, throughputMiBps, ...others }: Asked): Need =>
  needOf({
    capacityGiB: 1,
    ioSizeKiB: 16,
    access: 'random',
    readShare: 0.7,
    ...others,
    iops: iops ?? null,
    throughputMiBps: throughputMiBps ?? null,
  });

/** Both rates as they are: 0 asks for nothing. */
export const rates = (iops: number, throughputMiBps: number, capacityGiB: number): Need =>
  aNeed({ iops, throughputMiBps, capacityGiB });

export const someConstraints = (changes: Partial<Constraints> = {}): Constraints => ({
  types: ['gp3', 'io2'],
  kinds: ['single', 'stripe'],
  maxMembers: 8,
  deployment: 'region',
  maxAnnualFailureRate: 0.02,
  stripeEfficiency: 1,
  chunkKiB: 64,
  instance: null,
  ...changes,
});

export function aRequest(
  need: Need,
  { types = null, ...changes }: Partial<Omit<Constraints, 'types'>> & { types?: VolumeType[] | null } = {},
  top = 5,
): PlanRequest {
  const { types: _, ...constraints } = someConstraints(changes);
  return { need, types, constraints, top, current: null, keepsCurrent: false, isCapacityAsked: true };
}

/** The EBS prices of us-east-1, and no instance. */
export function usEast1Ranking(): Ranking {
  const { ebs } = builtInPrices('us-east-1');
  if (ebs === null) throw new Error('us-east-1 has prices');
  return { ebs, instances: aRegionCatalog([]).prices };
}
