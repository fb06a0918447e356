/** What a candidate delivers of the load that was asked for, and which limit ends it. */
import { ebsFiguresOf, type InstanceType } from '../catalog/instance-types.ts';
import { deliveredBy, type Need, type Rates, slack } from './layout.ts';
import type { Candidate } from './search.ts';

export const bindingLimits = ['iops', 'throughput', 'instance-iops', 'instance-throughput'] as const;
export type BindingLimit = (typeof bindingLimits)[number];

export interface Delivered extends Rates {
  /** The limits that a load of the same mix meets first; none where nothing is asked but capacity. */
  bindingLimits: BindingLimit[];
  /** How much more of the same mix it would carry, as a share; infinite where nothing is asked. */
  headroom: number;
}

/** A layout, and the instance that it is on; null: nobody asked about instances. */
export interface OnInstance extends Pick<Candidate, 'layout' | 'shape' | 'instanceRates'> {
  instance: { type: InstanceType } | null;
}

interface Limit {
  name: BindingLimit;
  /** What there is for what is asked. */
  ratio: number;
}

const ratioOf = (has: number, asked: number): number =>
  asked === 0 ? Number.POSITIVE_INFINITY : has / asked;

/** What the instance lets through, as the application sees it. */
function throughInstance(need: Need, { instance, instanceRates }: OnInstance): Rates | null {
  const figures = instance && ebsFiguresOf(instance.type);
  if (!figures?.known) return null;
  const { baselineIops, baselineMiBps } = figures.value;
  return {
    iops: instanceRates.iops === 0 ? baselineIops : (need.iops * baselineIops) / instanceRates.iops,
    throughputMiBps:
      instanceRates.throughputMiBps === 0
        ? baselineMiBps
        : (need.throughputMiBps * baselineMiBps) / instanceRates.throughputMiBps,
  };
}

const limitsOf = (rates: Rates, need: Need, prefix: '' | 'instance-'): Limit[] => [
  { name: `${prefix}iops`, ratio: ratioOf(rates.iops, need.iops) },
  { name: `${prefix}throughput`, ratio: ratioOf(rates.throughputMiBps, need.throughputMiBps) },
];

export function deliveredOf(need: Need, candidate: OnInstance): Delivered {
  const { layout, shape } = candidate;
  const volumes = deliveredBy(layout, need, shape);
  const instance = throughInstance(need, candidate);
  const limits = [
    ...limitsOf(volumes, need, ''),
    ...(instance === null ? [] : limitsOf(instance, need, 'instance-')),
  ];
  const least = Math.min(...limits.map(({ ratio }) => ratio));
  const binding = limits.filter(({ ratio }) => ratio <= least * slack);
  return {
    iops: Math.min(volumes.iops, instance?.iops ?? volumes.iops),
    throughputMiBps: Math.min(volumes.throughputMiBps, instance?.throughputMiBps ?? volumes.throughputMiBps),
    bindingLimits: Number.isFinite(least) ? binding.map(({ name }) => name) : [],
    headroom: least - 1,
  };
}

/** As an answer tells it: to the hundredth, never more than there is. */
export const notified = ({ iops, throughputMiBps }: Rates): Rates => ({
  iops: Math.floor(iops * slack * 100) / 100,
  throughputMiBps: Math.floor(throughputMiBps * slack * 100) / 100,
});

export const isEnoughFor = (need: Need, { iops, throughputMiBps }: Rates): boolean =>
  iops * slack >= need.iops && throughputMiBps * slack >= need.throughputMiBps;
