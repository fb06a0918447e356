/** An instance on its way through the passes, and what it makes of the volumes on it. */
import { unreachablePerformance } from '../../diagnosis/unreachable.ts';
import type { Instance, Volume } from '../../inventory.ts';
import type { FleetMetrics } from '../../load/fleet-metrics.ts';
import { type MetricName, metricsOfInstance } from '../../load/metrics.ts';
import { exactMonthlyUsd } from '../../prices/volume-price.ts';
import type { PassPlan } from '../reading-plan.ts';
import type { Surroundings } from '../savings-of-volume.ts';
import { type InstanceBound, instanceBound, instanceChecks } from './instance-bound.ts';
import { isCovered, isEverSet } from './queue.ts';
import type { StripeStates } from './stripe-state.ts';
import { neighbourRules } from './volume-rules.ts';
import { suspect, type VolumeState } from './volume-state.ts';

export interface InstanceState {
  instance: Instance;
  /** False where it is known from its volumes alone: nothing is asked of it then. */
  isDescribed: boolean;
  /** Of its volumes, those that have anything to read. */
  volumes: VolumeState[];
  stripes: StripeStates;
  bound: InstanceBound;
  isSuspect: boolean;
  isUnread: boolean;
}

const readsOf = ({ volumes }: InstanceState) =>
  volumes.flatMap(({ firstRead }) => (firstRead === null ? [] : [firstRead]));

type Around = Pick<Surroundings, 'regionCatalogs' | 'thresholds'>;

/** Volumes that are paid for what the instance cannot do; no volume throttled is the most that can be lowered. */
function suspectUnreachable(
  { instance, volumes }: InstanceState,
  { regionCatalogs, thresholds }: Around,
): void {
  const { instanceTypes, prices } = regionCatalogs(instance.region);
  const type = instance.instanceType === null ? undefined : instanceTypes.get(instance.instanceType);
  if (type === undefined) return;
  const all = volumes.map(({ volume }) => volume);
  const found = unreachablePerformance(instance, type, all, prices.ebs, new Set(), thresholds);
  if (found === null || !prices.ebs.known) return;
  const paid = new Set<Volume>();
  for (const { volume, config } of found.lowerable) {
    const { iops, throughput } = exactMonthlyUsd(config, prices.ebs.value);
    if (iops + throughput > 0) paid.add(volume);
  }
  for (const state of volumes) if (paid.has(state.volume)) suspect(state, neighbourRules.unreachable.name);
}

/** After the first pass: what of the instance could have throttled its volumes, and which of those it makes suspects. */
export function boundAfterFirst(state: InstanceState, plan: PassPlan, around: Around): void {
  const { instance, volumes } = state;
  suspectUnreachable(state, around);
  state.stripes.afterFirst();
  const reads = readsOf(state);
  // Nothing was seen to go through it.
  if (reads.length === 0 && volumes.every(({ suspectedBy }) => suspectedBy === null)) return;
  const { instanceTypes } = around.regionCatalogs(instance.region);
  const configured = volumes.map((one) => one.configured);
  const isWhole = instance.excludedVolumes === undefined;
  state.bound = instanceBound(
    {
      instance,
      type: instance.instanceType === null ? undefined : instanceTypes.get(instance.instanceType),
      volumes: isWhole && configured.every((one) => one !== null) ? configured : null,
      queues: isWhole && reads.length === volumes.length ? reads.map(({ queue }) => queue.series) : null,
    },
    plan,
    plan.periodSeconds,
  );
}

/** A check of 1, or one that does not tell of a time in which one of the volumes had something in flight. */
function isThrottled(state: InstanceState, fine: FleetMetrics, plan: PassPlan): boolean {
  const metrics = fine.of(state.instance.instanceId);
  const reads = readsOf(state);
  return state.bound.asks.some((name) => {
    const check = metrics.get(name);
    if (check === undefined) return true;
    if (isEverSet(check)) return true;
    return reads.some(({ queue }) => !isCovered(queue.series, check, plan.periodSeconds));
  });
}

/** After the second look: an instance that may have throttled makes all its volumes suspects; so does one of a group. */
export function readChecks(state: InstanceState, fine: FleetMetrics, plan: PassPlan): void {
  state.isUnread = fine.unusableReason(state.instance.instanceId) !== null;
  if (state.isDescribed && !state.isUnread) state.isSuspect = isThrottled(state, fine, plan);
  if (state.isSuspect) for (const one of state.volumes) suspect(one, neighbourRules.instance.name);
  state.stripes.afterSecond(fine);
}

/**
 * What is read of it in the second pass: everything where it may have throttled. Where it did not, both checks, since
 * they say so of what the sum over its volumes could be taken for.
 */
export function readOfInstance(state: InstanceState): readonly MetricName[] {
  const { isDescribed, isUnread, isSuspect, bound, volumes } = state;
  if (!isDescribed || isUnread) return [];
  if (isSuspect) return metricsOfInstance();
  const hasSuspect = volumes.some(({ suspectedBy }) => suspectedBy !== null);
  return hasSuspect && (bound.asks.length > 0 || bound.couldReadBound) ? Object.values(instanceChecks) : [];
}
