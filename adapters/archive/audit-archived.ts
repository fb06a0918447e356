/** An audit of the minutes of an archive, a part of the fleet at a time: what was read of one is forgotten before the next. */
import { seriesOf } from '../../core/archive/resource-minutes.ts';
import { type AuditedInventory, type AuditInput, audit } from '../../core/audit/audit.ts';
import { type AuditBatch, batchesOf, mergeResults } from '../../core/audit/batches.ts';
import { unusedHostNotices } from '../../core/audit/notices.ts';
import { resourceIdsOf } from '../../core/audit/selected-resources.ts';
import { type AuditWindow, secondsOf } from '../../core/diagnosis/thresholds.ts';
import {
  type FleetMetrics,
  finestEbsPeriodSeconds,
  type MetricName,
  type MetricSet,
  metricNames,
} from '../../core/load/metrics.ts';
import type { Series } from '../../core/load/series.ts';
import type { NotRead } from '../../core/schemas/audit-notice.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { isoFromEpochSeconds, secondsPerDay } from '../../core/units.ts';
import { type ArchivedTarget, endOfArchive } from './archived-targets.ts';
import { readMinutes } from './read-minutes.ts';
import type { ArchiveStore } from './store.ts';

/**
 * The window in whole minutes.
 * @param untilSeconds null: the end of the archive.
 * @returns null where none of the manifests says up to when was read.
 */
export async function archivedWindow(
  store: ArchiveStore,
  targets: readonly ArchivedTarget[],
  lookbackDays: number,
  untilSeconds: number | null,
): Promise<AuditWindow | null> {
  const end = untilSeconds ?? (await endOfArchive(store, targets));
  if (end === null) return null;
  const whole = (seconds: number): number =>
    Math.round(seconds / finestEbsPeriodSeconds) * finestEbsPeriodSeconds;
  const endEpochSeconds = Math.floor(end / finestEbsPeriodSeconds) * finestEbsPeriodSeconds;
  const seconds = Math.max(whole(lookbackDays * secondsPerDay), finestEbsPeriodSeconds);
  return { startEpochSeconds: endEpochSeconds - seconds, endEpochSeconds };
}

interface ReadBatch {
  metrics: FleetMetrics;
  broken: { key: string; reason: string }[];
}

/** A resource whose account nobody told is looked for in all of its Region: ids are of one account alone. */
async function readBatch(
  store: ArchiveStore,
  targets: readonly ArchivedTarget[],
  { volumes, instances }: AuditBatch,
  { startEpochSeconds, endEpochSeconds }: AuditWindow,
): Promise<ReadBatch> {
  const resources = [
    ...volumes.map(({ volumeId: id, account, region }) => ({ id, account, region })),
    ...instances.map(({ instanceId: id, account, region }) => ({ id, account, region })),
  ];
  const sets = new Map<string, MetricSet>();
  const broken: ReadBatch['broken'] = [];
  for (const target of targets) {
    const own = resources.filter(
      ({ account, region }) => region === target.region && (account ?? target.account) === target.account,
    );
    if (own.length === 0) continue;
    const read = await readMinutes(store, target, {
      fromSeconds: startEpochSeconds,
      endSeconds: endEpochSeconds,
      resourceIds: own.map(({ id }) => id),
      metrics: metricNames,
      evaluation: false,
    });
    broken.push(...read.broken);
    for (const minutes of read.minutes) {
      const set = new Map<MetricName, Series>();
      for (const metric of metricNames) {
        const series = seriesOf(minutes, metric);
        if (series !== null) set.set(metric, series);
      }
      sets.set(minutes.resourceId, set);
    }
  }
  const none: MetricSet = new Map();
  const metrics: FleetMetrics = {
    of: (id) => sets.get(id) ?? none,
    resourceIds: () => [...sets.keys()],
    repeatedPoints: () => 0,
    unusableReason: () => null,
    series: [...sets.values()].reduce((total, set) => total + set.size, 0),
  };
  return { metrics, broken };
}

export interface ArchivedAudit
  extends Pick<AuditInput, 'runId' | 'rules' | 'opinions' | 'opinionReads' | 'onDiagnosed' | 'onEvaluated'> {
  store: ArchiveStore;
  targets: readonly ArchivedTarget[];
  window: AuditWindow;
  /** What is evaluated. */
  fleet: Pick<AuditedInventory, 'volumes' | 'instances'>;
  /** All that is described, of which hosts may tell. */
  described: Pick<AuditedInventory, 'volumes' | 'instances'>;
  hosts: NonNullable<AuditedInventory['hosts']>;
  modifications: NonNullable<AuditedInventory['modifications']>;
  /** Volumes that the configuration leaves out. */
  excluded: number;
}

/**
 * @param progressOf is called with the number of parts; what it returns is told of each of them.
 * @returns volumes in the order of the fleet.
 */
export async function auditArchived(
  { store, targets, window, fleet, described, hosts, modifications, excluded, ...input }: ArchivedAudit,
  progressOf: (parts: number) => { step: () => void; done: () => void },
): Promise<AuditResult> {
  const batches = batchesOf(fleet.volumes, fleet.instances, null, {
    ...{ periodSeconds: finestEbsPeriodSeconds, windowSeconds: secondsOf(window) },
  });
  const broken = new Map<string, NotRead>();
  const results: AuditResult[] = [];
  const { opinionReads, ...each } = input;
  const reading = progressOf(batches.length);
  for (const batch of batches) {
    const read = await readBatch(store, targets, batch, window);
    for (const { key, reason } of read.broken)
      broken.set(key, { code: 'archive-file-not-read', file: key, reason });
    results.push(
      audit({
        ...each,
        inventory: { volumes: batch.volumes, instances: batch.instances, hosts, modifications },
        read: { metrics: read.metrics, window },
      }),
    );
    reading.step();
  }
  reading.done();
  const merged = mergeResults(results, {
    runId: input.runId,
    window: {
      start: isoFromEpochSeconds(window.startEpochSeconds),
      end: isoFromEpochSeconds(window.endEpochSeconds),
    },
    notices: unusedHostNotices(hosts, resourceIdsOf(described)),
    incomplete: [...broken.values()],
    apiCalls: 0,
    excluded,
    opinionReads,
  });
  const places = new Map(fleet.volumes.map(({ volumeId }, place) => [volumeId, place]));
  const placeOf = ({ volumeId }: { volumeId: string }): number => places.get(volumeId) ?? 0;
  return { ...merged, volumes: [...merged.volumes].sort((a, b) => placeOf(a) - placeOf(b)) };
}
