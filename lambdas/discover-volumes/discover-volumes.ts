/** What a Region of an account has, in batches that one evaluation takes. */
import { uniqBy } from 'es-toolkit/array';
import type { ArchivedMetrics } from '../../core/archive/columns.ts';
import { compacted } from '../../core/archive/manifest.ts';
import {
  archivedQueries,
  continuedQueries,
  distinctQueries,
  planReading,
} from '../../core/archive/reading-plan.ts';
import {
  type AuditBatch,
  batchesOf,
  isInPasses,
  maxArchivedPointsPerBatch,
  type PublishedChecks,
  queriesOfBatch,
  type ReadingPlan,
} from '../../core/audit/batches.ts';
import { withoutExcluded } from '../../core/audit/excluded.ts';
import { queriesAtLeast } from '../../core/audit/passes/two-passes.ts';
import { type BenchmarkHosts, noHosts } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import type { TagFilter } from '../../core/config/tags.ts';
import { secondsOf, type Thresholds } from '../../core/diagnosis/thresholds.ts';
import { groupBy } from '../../core/group-by.ts';
import type { Volume } from '../../core/inventory.ts';
import { expectedChecks, type MetricQuery } from '../../core/load/metrics.ts';
import { mostPointsAt, type PointRates, quotaOfAge } from '../../core/load/point-rates.ts';
import type { Modifications } from '../../core/recommendations/modifications.ts';
import { leastHistorySeconds } from '../../core/recommendations/schedule.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import { msPerSecond, secondsPerDay, secondsPerHour } from '../../core/units.ts';
import type { ArchivedReads } from './archived.ts';
import { type DescribeFrom, orMissing, wholeInventory } from './whole-inventory.ts';

export interface DiscoverFrom extends DescribeFrom {
  listPublishedChecks(): Promise<Exclude<PublishedChecks, null>>;
  /** Hosts of the benchmark in that Region; asked for after the volumes are described, so that none of them is newer. */
  benchmarkHosts(): Promise<BenchmarkHosts>;
  now(): Date;
  /** What the archive has, and what it keeps of each volume; null where runs do not evaluate from one. */
  archive: {
    keeps: ArchivedMetrics;
    read(): Promise<ArchivedReads>;
    /** Earlier modifications of the volumes; null where they cannot be read. */
    readModifications(): Promise<Modifications | null>;
  } | null;
}

export interface Discovered {
  batches: (AuditBatch & { archived?: ArchivedReads })[];
  volumes: number;
  /** Of the others, which are not among them. */
  excludedIds: string[];
  /** Of hosts of the benchmark: not among the others either. */
  benchmarkIds: string[];
  /** What could not be read; the volumes are evaluated without it. */
  incomplete: AuditNotice[];
}

/** CloudWatch lists series with figures in the last two weeks; an hour more is of no matter. */
const listedSeconds = 14 * secondsPerDay + secondsPerHour;

/**
 * CloudWatch publishes all checks of a volume or none, and lists each name by itself: one that is missing beside another
 * was lost on the way. For a window that begins earlier than what is listed any may be there. Such are asked for as
 * they are expected.
 */
function withUnlisted(
  published: PublishedChecks,
  volumes: readonly Volume[],
  { startEpochSeconds }: ReadingPlan,
  now: Date,
): PublishedChecks {
  if (published === null) return null;
  const isOlder = now.getTime() / msPerSecond - startEpochSeconds > listedSeconds;
  return Object.fromEntries(
    volumes.flatMap((volume) => {
      const listed = published[volume.volumeId] ?? [];
      if (listed.length === 0 && !isOlder) return [];
      const names = new Set(listed.map(({ metric }) => metric));
      const expected = expectedChecks(volume).filter(({ metric }) => isOlder || !names.has(metric));
      const all = uniqBy([...listed, ...expected], ({ metric, instanceId }) => `${metric} ${instanceId}`);
      return [[volume.volumeId, all]];
    }),
  );
}

/** How many points a batch may come to, so that it is read in time at its rate. */
function mostPointsOf(rates: PointRates | null, { startEpochSeconds }: ReadingPlan, now: Date) {
  if (rates === null) return {};
  return { mostPoints: mostPointsAt(rates[quotaOfAge(now.getTime() / msPerSecond - startEpochSeconds)]) };
}

/** Batches that are read from the archive, each with what the archive has of it: as large as one call after the other is full. */
function archivedBatches(
  whole: AuditBatch,
  {
    reading,
    queriesOf,
    archived: { reads, startEpochSeconds },
    keeps,
    now,
    evaluated,
  }: {
    reading: { periodSeconds: number; windowSeconds: number; mostPoints?: number };
    queriesOf: ((batch: AuditBatch) => MetricQuery[]) | undefined;
    archived: ArchivedReads;
    keeps: ArchivedMetrics;
    now: Date;
    evaluated: ReadingPlan;
  },
): Discovered['batches'] {
  const { volumes, instances, published } = whole;
  const wanted = [...groupBy(archivedQueries(whole, keeps), ({ resourceId }) => resourceId)].map(
    ([resourceId, own]) => ({ resourceId, metrics: own.map(({ metric }) => metric) }),
  );
  const open = new Map<string, number>();
  for (const { fromSeconds, endSeconds, wanted: inWindow } of planReading(
    wanted,
    reads,
    now.getTime() / msPerSecond,
    evaluated,
  ))
    for (const { resourceId } of inWindow)
      open.set(resourceId, Math.max(open.get(resourceId) ?? 0, endSeconds - fromSeconds));
  // What nobody reads by default is a suspect's, and its last reading is not known to be any nearer.
  const longest = Math.max(0, ...open.values());
  const continued = continuedQueries(reads);
  const batches = batchesOf(
    volumes,
    instances,
    published,
    {
      ...reading,
      maxPoints: maxArchivedPointsPerBatch,
      readSecondsOf: (resourceId) => open.get(resourceId) ?? longest,
      fillsCalls: true,
    },
    (batch) => {
      const least = queriesOf?.(batch) ?? queriesOfBatch(batch, reading.periodSeconds);
      return distinctQueries([...least, ...archivedQueries(batch, keeps), ...continued(batch)]);
    },
  );
  return batches.map((batch) => {
    const ids = new Set([
      ...batch.volumes.map(({ volumeId }) => volumeId),
      ...batch.instances.map(({ instanceId }) => instanceId),
    ]);
    const own = reads.flatMap((read) => {
      const resourceIds = read.resourceIds.filter((id) => ids.has(id));
      return resourceIds.length === 0 ? [] : [{ ...read, resourceIds }];
    });
    return { ...batch, archived: { reads: compacted(own), startEpochSeconds } };
  });
}

/** Nobody asks for them where the window is too short for a schedule of IOPS. */
const needsModifications = (window: ReadingPlan): boolean => secondsOf(window) >= leastHistorySeconds;

/** Each with the modifications of its volumes. */
const withModifications = (
  batches: Discovered['batches'],
  modifications: Modifications | null,
): Discovered['batches'] =>
  modifications === null
    ? batches
    : batches.map((batch) => ({
        ...batch,
        modifications: Object.fromEntries(
          batch.volumes.flatMap(({ volumeId }) => {
            const own = modifications.get(volumeId);
            return own === undefined ? [] : [[volumeId, own]];
          }),
        ),
      }));

/**
 * @param excludeTags of which one is enough to leave a volume alone.
 * @param rates at which each batch is read; null: as fast as CloudWatch answers.
 * @throws Unreadable where the volumes themselves cannot be listed.
 */
export async function discoverVolumes(
  from: DiscoverFrom,
  plan: ReadingPlan,
  thresholds: Thresholds,
  excludeTags: TagFilter = {},
  rates: PointRates | null = null,
): Promise<Discovered> {
  const incomplete: AuditNotice[] = [];
  const whole = await wholeInventory(from, incomplete);
  const hosts =
    whole.volumes.length === 0
      ? noHosts
      : await orMissing(
          from.benchmarkHosts,
          noHosts,
          (reason) => ({ code: 'benchmark-hosts-not-read', reason }),
          incomplete,
        );
  const { volumes, instances, excludedIds, benchmarkIds } = withoutExcluded(
    whole.volumes,
    whole.instances,
    excludeTags,
    hosts,
  );
  const attached = volumes.some(({ attachments }) => attachments.length > 0);
  const published = attached
    ? await orMissing<PublishedChecks>(
        from.listPublishedChecks,
        null,
        (reason) => ({ code: 'checks-not-listed', reason }),
        incomplete,
      )
    : {};
  const now = from.now();
  const { periodSeconds } = plan;
  const archived = from.archive === null || volumes.length === 0 ? null : await from.archive.read();
  const window = archived === null ? plan : { ...plan, startEpochSeconds: archived.startEpochSeconds };
  const reading = { periodSeconds, windowSeconds: secondsOf(window), ...mostPointsOf(rates, plan, now) };
  const checks = withUnlisted(published, volumes, plan, now);
  const queriesOf = isInPasses(plan)
    ? (batch: AuditBatch) => queriesAtLeast(batch, plan, thresholds)
    : undefined;
  return {
    batches:
      archived === null || from.archive === null
        ? batchesOf(volumes, instances, checks, reading, queriesOf)
        : withModifications(
            archivedBatches(
              { volumes, instances, published: checks },
              {
                ...{ reading, queriesOf, archived, keeps: from.archive.keeps, now },
                evaluated: plan,
              },
            ),
            needsModifications(window) ? await from.archive.readModifications() : null,
          ),
    volumes: volumes.length,
    excludedIds,
    benchmarkIds,
    incomplete,
  };
}
