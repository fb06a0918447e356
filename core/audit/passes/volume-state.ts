/** A volume on its way through the passes: suspected by which rule, or cleared by what. */
import type { Thresholds } from '../../diagnosis/thresholds.ts';
import type { Instance, Volume } from '../../inventory.ts';
import { type Configured, configurationOf } from '../../limits/volume-configuration.ts';
import type { FleetMetrics } from '../../load/fleet-metrics.ts';
import { expectedChecks } from '../../load/metric-queries.ts';
import { type MetricName, metricsOfVolume } from '../../load/metrics.ts';
import { minimum } from '../../load/series.ts';
import type { PublishedChecks } from '../batches.ts';
import type { ClearedVolume } from '../cleared.ts';
import type { PassPlan } from '../reading-plan.ts';
import { type Surroundings, savingsBeside } from '../savings-of-volume.ts';
import { queueRead } from './queue.ts';
import { savingRead } from './saving-read.ts';
import {
  exceededChecks,
  type FirstRead,
  hasBucket,
  loadMetrics,
  type VolumeRule,
  volumeRules,
} from './volume-rules.ts';

/** What was read so far: in points of the first pass, and in points of the second. */
export interface Reads {
  coarse: FleetMetrics;
  fine: FleetMetrics;
}

/** Its checks are not published: nothing cheap would show that it is throttled. */
export const withoutChecks = 'no published checks';

export interface VolumeState {
  volume: Volume;
  /** Null where it cannot be evaluated whatever is read, or has nothing to read: then nothing is asked. */
  configured: Configured | null;
  /** By which rule; null where none did. */
  suspectedBy: string | null;
  /** What the first pass showed; null before it, and where it showed nothing. */
  firstRead: FirstRead | null;
  /** The first pass showed nothing of it, and its instances are stopped: there is nothing to read. */
  isSilent: boolean;
  /** CloudWatch did not give what was asked: it must not be evaluated on the rest. */
  isUnread: boolean;
  /** Its load would show whether it carries one with another volume. */
  asksLoad: boolean;
  /** Rules that take more metrics to tell. */
  open: { rule: VolumeRule; metrics: readonly MetricName[] }[];
}

export function volumeState(volume: Volume, published: PublishedChecks): VolumeState {
  const configured = configurationOf(volume);
  const isRead = configured.known && metricsOfVolume(volume).length > 0;
  const checks = published === null ? expectedChecks(volume) : (published[volume.volumeId] ?? []);
  const hasChecks = exceededChecks.every((check) => checks.some(({ metric }) => metric === check));
  return {
    volume,
    configured: isRead ? configured.value : null,
    suspectedBy: isRead && !hasChecks ? withoutChecks : null,
    firstRead: null,
    isSilent: false,
    isUnread: false,
    asksLoad: false,
    open: [],
  };
}

/** The first suspicion names it. */
export function suspect(state: VolumeState, by: string): void {
  if (state.configured !== null && !state.isUnread) state.suspectedBy ??= by;
}

export const isCleared = ({ firstRead, isUnread, suspectedBy }: VolumeState): boolean =>
  firstRead !== null && !isUnread && suspectedBy === null;

const isStopped = ({ attachments }: Volume, instances: ReadonlyMap<string, Instance>): boolean =>
  attachments.every(({ instanceId }) => instances.get(instanceId)?.state === 'stopped');

/** What the first pass shows of a volume, and what each rule makes of it. */
export function readFirst(state: VolumeState, reads: Reads, plan: PassPlan, around: Surroundings): void {
  const { volume, configured } = state;
  const { volumeId } = volume;
  if (configured === null) return;
  state.isUnread =
    reads.coarse.unusableReason(volumeId) !== null || reads.fine.unusableReason(volumeId) !== null;
  if (state.isUnread) return;
  const metrics = new Map([...reads.coarse.of(volumeId), ...reads.fine.of(volumeId)]);
  const queue = metrics.get('VolumeQueueLength');
  state.isSilent = metrics.size === 0 && isStopped(volume, around.instances);
  if (state.isSilent) state.suspectedBy = null;
  else if (queue === undefined || queue.periodSeconds !== plan.periodSeconds)
    suspect(state, 'no queue length');
  if (queue === undefined || state.suspectedBy !== null) return;
  const prices = around.regionCatalogs(volume.region).prices.ebs;
  const firstRead: FirstRead = {
    volume,
    configured,
    window: plan,
    coarsePeriodSeconds: plan.coarsePeriodSeconds,
    queue: queueRead(queue),
    metrics,
    savings: savingRead(savingsBeside({ volume, prices, ...configured }, around), plan, plan.periodSeconds),
  };
  state.firstRead = firstRead;
  for (const rule of volumeRules) {
    const opinion = rule.first(firstRead, around.thresholds);
    if (opinion === 'suspect') suspect(state, rule.name);
    else if (opinion !== 'clear') state.open.push({ rule, metrics: opinion });
  }
}

/** What it takes to clear a volume, or to know what it belongs to. */
export const metricsToClear = ({ suspectedBy, open, asksLoad, isUnread }: VolumeState): MetricName[] => [
  ...(suspectedBy === null && !isUnread ? open.flatMap(({ metrics }) => metrics) : []),
  ...(asksLoad && !isUnread ? loadMetrics : []),
];

/** What the rules make of it that asked for more. */
export function readSecond(state: VolumeState, fine: FleetMetrics, thresholds: Thresholds): void {
  const { firstRead, volume } = state;
  if (firstRead === null || state.suspectedBy !== null) return;
  state.isUnread = fine.unusableReason(volume.volumeId) !== null;
  for (const { rule } of state.open) {
    if (rule.isSuspect?.(firstRead, fine.of(volume.volumeId), thresholds)) suspect(state, rule.name);
  }
}

/** What is known of a volume that the first pass cleared. */
export function clearedVolume({ configured, queue, metrics }: FirstRead): ClearedVolume {
  const balance = hasBucket(configured) ? metrics.get('BurstBalance') : undefined;
  return {
    knownSeconds: queue.knownSeconds,
    activePeriods: queue.activePeriods,
    lowestBalancePercent: balance === undefined ? null : minimum(balance.values),
  };
}
