/** `audit --archive`: evaluated from the minutes of an archive, as far back as it reaches, a part of the fleet at a time. */
import { statSync } from 'node:fs';
import { type ArchivedTarget, archivedTargets, endOfArchive } from '../adapters/archive/archived-targets.ts';
import { ArchiveDirectory } from '../adapters/archive/directory.ts';
import { readMinutes } from '../adapters/archive/read-minutes.ts';
import type { ArchiveStore } from '../adapters/archive/store.ts';
import { readModifications } from '../adapters/files/aws-cli-modifications.ts';
import { readHosts } from '../adapters/files/host-evidence.ts';
import { manifestsPrefix } from '../core/archive/keys.ts';
import { seriesOf } from '../core/archive/resource-minutes.ts';
import { audit } from '../core/audit/audit.ts';
import { type AuditBatch, batchesOf, longestArchivedDays, mergeResults } from '../core/audit/batches.ts';
import { unusedHostNotices } from '../core/audit/notices.ts';
import { resourceIdsOf, type SelectedResources } from '../core/audit/selected-resources.ts';
import type { KeptTags } from '../core/config/tags.ts';
import { type AuditWindow, secondsOf, type Thresholds } from '../core/diagnosis/thresholds.ts';
import { BadInput } from '../core/errors.ts';
import {
  type FleetMetrics,
  finestEbsPeriodSeconds,
  type MetricName,
  type MetricSet,
  metricNames,
} from '../core/load/metrics.ts';
import type { Series } from '../core/load/series.ts';
import type { NotRead } from '../core/schemas/audit-notice.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { isoFromEpochSeconds, msPerSecond, secondsPerDay } from '../core/units.ts';
import { type FileOptions, type Listeners, opinionsFor, readFleet } from './audit-files.ts';
import type { ComparedWith } from './audit-opinions.ts';
import { asking, nothingThere, openArchive } from './history-archive.ts';
import type { Io } from './io.ts';
import { progress } from './progress.ts';
import { regionCatalogsFor } from './region-catalogs.ts';

interface WindowAsked {
  lookbackDays: number;
  /** Null: the end of the archive. */
  until: Date | null;
}

interface ArchiveInput {
  selected: SelectedResources | null;
  listeners: Listeners;
  tags: KeptTags;
  thresholds: Thresholds;
  window: WindowAsked;
  compared: ComparedWith;
}

async function storeAt(path: string, profile: string | undefined): Promise<ArchiveStore> {
  if (path.startsWith('s3:'))
    return (await openArchive({ archive: path, ...(profile === undefined ? {} : { profile }) })).store;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new BadInput(`--archive ${path}: there is no such directory: give one that --save made`);
  return new ArchiveDirectory(path);
}

async function windowOf(
  { lookbackDays, until }: WindowAsked,
  store: ArchiveStore,
  targets: readonly ArchivedTarget[],
): Promise<AuditWindow> {
  if (lookbackDays > longestArchivedDays)
    throw new BadInput(
      `--lookback-days ${lookbackDays}: an archive is read for at most ${longestArchivedDays} days`,
    );
  if (targets.length === 0) await nothingThere(store, manifestsPrefix);
  const end = until === null ? await endOfArchive(store, targets) : until.getTime() / msPerSecond;
  if (end === null)
    throw new BadInput(
      `--archive ${store.name}: no metrics of an archive are in it: make one with --save, or give --until where its manifests cannot be read`,
    );
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

type ArchiveFileOptions = FileOptions & { archive: string; profile?: string };

/** Who reads S3 without credentials can put that right. */
export const auditArchive = (
  options: ArchiveFileOptions,
  io: Io,
  input: ArchiveInput,
): Promise<AuditResult> => asking(options, () => auditOpened(options, io, input));

async function auditOpened(
  { archive, profile, ...files }: ArchiveFileOptions,
  io: Io,
  { selected, listeners, tags, thresholds, window: asked, compared }: ArchiveInput,
): Promise<AuditResult> {
  const { volumes, metrics, recorded } = files;
  if (metrics !== undefined || recorded !== undefined)
    throw new BadInput('--archive is instead of --metrics and --recorded: leave out one of them');
  if (volumes === undefined)
    throw new BadInput('--archive holds metrics alone: give --volumes (and --instances) too');
  const store = await storeAt(archive, profile);
  const { inventory, excludedIds } = readFleet(volumes, files.instances, tags);
  selected?.excluded(excludedIds);
  const targets = await archivedTargets(store);
  const window = await windowOf(asked, store, targets);
  const fleet = selected === null ? inventory : selected.narrow(inventory);
  const hosts = readHosts(files.hosts ?? []);
  const modifications = readModifications(files.modifications ?? []);
  const regions = [...new Set(fleet.volumes.map(({ region }) => region))].sort();
  const regionCatalogs = await regionCatalogsFor(regions, { prices: files.prices ?? [] }, io);
  const batches = batchesOf(fleet.volumes, fleet.instances, null, {
    ...{ periodSeconds: finestEbsPeriodSeconds, windowSeconds: secondsOf(window) },
  });
  const runId = io.newRunId();
  const { opinions, opinionReads } = opinionsFor(compared, inventory.volumes);
  const broken = new Map<string, NotRead>();
  const results: AuditResult[] = [];
  const reading = progress(io, 'reading the archive and evaluating', batches.length);
  for (const batch of batches) {
    const read = await readBatch(store, targets, batch, window);
    for (const { key, reason } of read.broken)
      broken.set(key, { code: 'archive-file-not-read', file: key, reason });
    results.push(
      audit({
        runId,
        inventory: { volumes: batch.volumes, instances: batch.instances, hosts, modifications },
        read: { metrics: read.metrics, window },
        rules: { regionCatalogs, thresholds },
        opinions,
        ...listeners,
      }),
    );
    reading.step();
  }
  reading.done();
  const merged = mergeResults(results, {
    runId,
    window: {
      start: isoFromEpochSeconds(window.startEpochSeconds),
      end: isoFromEpochSeconds(window.endEpochSeconds),
    },
    notices: unusedHostNotices(hosts, resourceIdsOf(inventory)),
    incomplete: [...broken.values()],
    apiCalls: 0,
    excluded: excludedIds.length,
    opinionReads,
  });
  const places = new Map(fleet.volumes.map(({ volumeId }, place) => [volumeId, place]));
  const placeOf = ({ volumeId }: { volumeId: string }): number => places.get(volumeId) ?? 0;
  return { ...merged, volumes: [...merged.volumes].sort((a, b) => placeOf(a) - placeOf(b)) };
}
