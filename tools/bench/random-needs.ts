/** Random needs over the magnitudes that EBS serves, the same in every run. */
import { needOf } from '../../core/plan/layout.ts';
import type { PlanRequest } from '../../core/plan/plan.ts';
import { uniformSource } from '../../test/simulator/random.ts';

export const requestText =
  'an instance of x86_64 with 8 vCPU and 64 GiB to choose, gp3, io2, st1 and sc1 single and in stripes of up to 8, steps and reasons included';

/** So many different needs, as the command line asks for them. */
export function randomRequests(count: number): PlanRequest[] {
  const uniform = uniformSource(1, 'needs');
  const between = (least: number, most: number): number => Math.round(least * (most / least) ** uniform());
  const oneOf = <T>(values: readonly [T, ...T[]]): T =>
    values[Math.floor(uniform() * values.length)] ?? values[0];
  return Array.from({ length: count }, () => ({
    need: needOf({
      iops: between(100, 300_000),
      throughputMiBps: between(10, 8_000),
      capacityGiB: between(10, 50_000),
      ioSizeKiB: oneOf([4, 8, 16, 64, 256, 1_024]),
      access: oneOf(['random', 'sequential']),
      readShare: oneOf([0, 0.3, 0.7, 1]),
    }),
    types: null,
    constraints: {
      kinds: ['single', 'stripe'],
      maxMembers: 8,
      deployment: 'region',
      maxAnnualFailureRate: 0.02,
      stripeEfficiency: 1,
      chunkKiB: 64,
      instance: { vcpus: 8, memoryGiB: 64, architecture: 'x86_64' },
    },
    top: 5,
    current: null,
    keepsCurrent: false,
    isCapacityAsked: true,
  }));
}
