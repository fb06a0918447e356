/**
 * The audit of one batch in two passes: which metrics each asks for, and whom the first one clears. First few metrics of
 * all volumes; then, of those that these do not clear, the few that would; then everything of the suspects. Volumes without
 * published checks (Xen, Outposts, magnetic, Multi-Attach) have nothing cheap that shows short bursts: they are suspects
 * from the start. A metric costs the same in any period: what is not asked of all volumes, and the queue length, is asked
 * in points of the second pass at once, so that nothing is asked twice in the same points.
 */

import { builtInRegionCatalog, type RegionCatalogs } from '../../catalog/region-catalog.ts';
import type { Thresholds } from '../../diagnosis/thresholds.ts';
import type { Volume } from '../../inventory.ts';
import {
  type FleetMetrics,
  type MetricName,
  type MetricQuery,
  queriesOfInstance,
  queriesOfVolume,
} from '../../load/metrics.ts';
import { idsToSimulate } from '../../second-opinion/given.ts';
import type { HostEvidence } from '../../stripes/host-evidence.ts';
import { type AuditBatch, isInPasses, type PassPlan, queriesOfBatch, type ReadingPlan } from '../batches.ts';
import { type Cleared, instancesToEvaluate } from '../observed.ts';
import type { SavingsContext } from '../savings-of-volume.ts';
import { boundAfterFirst, type InstanceState, readChecks, readOfInstance, StripeStates } from './groups.ts';
import {
  clearedVolume,
  exceededChecks,
  hasBucket,
  isCleared,
  metricsToClear,
  type Reads,
  readFirst,
  readSecond,
  recommendedElsewhere,
  suspect,
  type VolumeState,
  volumeState,
  withoutChecks,
} from './volumes.ts';

// Metrics of several readings as one.

/**
 * @param resourceIds whose they are.
 * @param read what is evaluated by; of a metric that two of them have, the later one's.
 * @param beside what could not be read of it is not evaluated either.
 */
export function joinedMetrics(
  resourceIds: readonly string[],
  read: readonly FleetMetrics[],
  beside: FleetMetrics,
): FleetMetrics {
  const all = [...read, beside];
  return {
    of: (id) => {
      const [only, ...others] = read.map((metrics) => metrics.of(id)).filter(({ size }) => size > 0);
      if (only === undefined) return new Map();
      return others.length === 0 ? only : new Map([only, ...others].flatMap((set) => [...set]));
    },
    resourceIds: () => [...resourceIds],
    repeatedPoints: (id) => Math.max(...read.map((metrics) => metrics.repeatedPoints(id))),
    unusableReason: (id) => {
      for (const metrics of all) {
        const reason = metrics.unusableReason(id);
        if (reason !== null) return reason;
      }
      return null;
    },
    series: read.reduce((total, { series }) => total + series, 0),
  };
}

/** Metrics that a batch asks for at most, whatever its first pass shows: each once in the finest points, and what clears many also in longer ones. */
export function mostMetricsOf(batch: AuditBatch, plan: ReadingPlan): number {
  const all = queriesOfBatch(batch, plan.periodSeconds);
  const first: readonly MetricName[] = isInPasses(plan) ? [...exceededChecks, 'BurstBalance'] : [];
  return all.length + all.filter(({ metric }) => first.includes(metric)).length;
}

export class TwoPasses {
  private readonly batch: AuditBatch;
  private readonly plan: PassPlan;
  private readonly around: SavingsContext;
  private readonly volumes: ReadonlyMap<string, VolumeState>;
  private readonly instances: ReadonlyMap<string, InstanceState>;
  /** "id metric" of what was asked in points of the second pass. */
  private readonly asked = new Set<string>();

  /** @param hosts what they said of how their volumes are joined, by instance id. */
  constructor(
    batch: AuditBatch,
    plan: PassPlan,
    regionCatalogs: RegionCatalogs,
    thresholds: Thresholds,
    hosts?: ReadonlyMap<string, HostEvidence>,
  ) {
    this.batch = batch;
    this.plan = plan;
    this.volumes = new Map(
      batch.volumes.map((volume) => [volume.volumeId, volumeState(volume, batch.published)]),
    );
    for (const id of idsToSimulate(batch.opinions)) {
      const state = this.volumes.get(id);
      if (state !== undefined) suspect(state, recommendedElsewhere);
    }
    const described = new Map(batch.instances.map((instance) => [instance.instanceId, instance]));
    const toEvaluate = instancesToEvaluate(batch.instances, batch.volumes);
    const volumesOn = new Map(toEvaluate.map(({ instance, volumes }) => [instance.instanceId, volumes]));
    const volumesOf = (id: string): readonly Volume[] => volumesOn.get(id) ?? [];
    this.around = { instances: described, regionCatalogs, volumesOf, thresholds };
    this.instances = new Map(
      toEvaluate.map(({ instance, volumes }) => {
        const { instanceId } = instance;
        const states = volumes.map(({ volumeId }) => this.volumes.get(volumeId) as VolumeState);
        const state: InstanceState = {
          instance,
          isDescribed: described.has(instanceId),
          volumes: states,
          stripes: new StripeStates(instanceId, states, hosts?.get(instanceId) ?? null, thresholds),
          bound: { asks: [], couldReadBound: false },
          isSuspect: false,
          isUnread: false,
        };
        return [instanceId, state];
      }),
    );
  }

  private queriesOf(volume: Volume, periodSeconds: number): MetricQuery[] {
    const { published } = this.batch;
    const checks = published === null ? undefined : (published[volume.volumeId] ?? []);
    return queriesOfVolume(volume, periodSeconds, checks);
  }

  private notAsked(queries: readonly MetricQuery[]): MetricQuery[] {
    return queries.filter(({ resourceId, metric }) => !this.asked.has(`${resourceId} ${metric}`));
  }

  private noted(queries: readonly MetricQuery[]): MetricQuery[] {
    for (const { resourceId, metric, periodSeconds } of queries) {
      if (periodSeconds <= this.plan.periodSeconds) this.asked.add(`${resourceId} ${metric}`);
    }
    return [...queries];
  }

  /** Of every volume its queue length; where its checks are published those, and its balance if it lives on one. */
  firstQueries(): MetricQuery[] {
    const { coarsePeriodSeconds, periodSeconds } = this.plan;
    const queries = [...this.volumes.values()].flatMap(({ volume, configured, suspectedBy }) => {
      if (configured === null) return [];
      const metrics: MetricName[] = suspectedBy === withoutChecks ? [] : [...exceededChecks];
      if (metrics.length > 0 && hasBucket(configured)) metrics.push('BurstBalance');
      return [
        ...this.queriesOf(volume, coarsePeriodSeconds).filter(({ metric }) => metrics.includes(metric)),
        ...this.queriesOf(volume, periodSeconds).filter(({ metric }) => metric === 'VolumeQueueLength'),
      ];
    });
    return this.noted(queries);
  }

  /** After the first queries: what it takes to clear who is not cleared and no suspect yet. */
  secondQueries(reads: Reads): MetricQuery[] {
    for (const state of this.volumes.values()) readFirst(state, reads, this.plan, this.around);
    for (const state of this.instances.values()) boundAfterFirst(state, this.plan, this.around);
    const { periodSeconds } = this.plan;
    const ofVolumes = [...this.volumes.values()].flatMap((state) => {
      const metrics = metricsToClear(state);
      const queries = metrics.length === 0 ? [] : this.queriesOf(state.volume, periodSeconds);
      return queries.filter(({ metric }) => metrics.includes(metric));
    });
    const ofInstances = [...this.instances.values()]
      .filter(({ isDescribed }) => isDescribed)
      .flatMap(({ instance, bound }) =>
        queriesOfInstance(instance, periodSeconds).filter(({ metric }) => bound.asks.includes(metric)),
      );
    return this.noted([...this.notAsked(ofVolumes), ...ofInstances]);
  }

  /** After the second queries: who is a suspect is settled. */
  settle(fine: FleetMetrics): void {
    for (const state of this.volumes.values()) readSecond(state, fine, this.around.thresholds);
    for (const state of this.instances.values()) readChecks(state, fine, this.plan);
  }

  /** Everything that was not asked yet of the suspects in a part of the batch, and of the instances that matter to them. */
  fineQueries({ volumes, instances }: Pick<AuditBatch, 'volumes' | 'instances'>): MetricQuery[] {
    const { periodSeconds } = this.plan;
    const suspects = volumes.filter(({ volumeId }) => this.suspectedBy(volumeId) !== null);
    const ofInstances = instances.flatMap((instance) => {
      const state = this.instances.get(instance.instanceId);
      const metrics = state === undefined ? [] : readOfInstance(state);
      return queriesOfInstance(instance, periodSeconds).filter(({ metric }) => metrics.includes(metric));
    });
    return this.notAsked([
      ...suspects.flatMap((volume) => this.queriesOf(volume, periodSeconds)),
      ...ofInstances,
    ]);
  }

  /** The rule that made a volume a suspect; null where none did. */
  suspectedBy(volumeId: string): string | null {
    return this.volumes.get(volumeId)?.suspectedBy ?? null;
  }

  /** Whom the first pass cleared, with what is known of them. */
  cleared(): Cleared {
    const instanceIds = [...this.instances.values()]
      .filter((state) => state.isDescribed && !state.isUnread && readOfInstance(state).length === 0)
      .filter(({ volumes }) => volumes.some(({ firstRead }) => firstRead !== null))
      .map(({ instance }) => instance.instanceId);
    const volumes = [...this.volumes.values()].flatMap((state) =>
      state.firstRead !== null && isCleared(state)
        ? [[state.volume.volumeId, clearedVolume(state.firstRead)] as const]
        : [],
    );
    const silent = [...this.volumes.values()].filter(({ isSilent }) => isSilent);
    return {
      volumes: new Map(volumes),
      instanceIds: new Set(instanceIds),
      silentIds: new Set(silent.map(({ volume }) => volume.volumeId)),
    };
  }
}

/** What reading a batch takes at least: the first pass, and everything of those who are suspects at once. */
export function queriesAtLeast(batch: AuditBatch, plan: PassPlan, thresholds: Thresholds): MetricQuery[] {
  const passes = new TwoPasses(batch, plan, builtInRegionCatalog, thresholds);
  return [...passes.firstQueries(), ...passes.fineQueries(batch)];
}
