/** What a Region of an account has, in batches that one evaluation takes. */
import { uniqBy } from 'es-toolkit/array';
import {
  type AuditBatch,
  batchesOf,
  isInPasses,
  type PublishedChecks,
  type ReadingPlan,
} from '../../core/audit/batches.ts';
import { withoutExcluded } from '../../core/audit/excluded.ts';
import { queriesAtLeast } from '../../core/audit/passes/two-passes.ts';
import { type BenchmarkHosts, noHosts } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import type { TagFilter } from '../../core/config/tags.ts';
import { secondsOf, type Thresholds } from '../../core/diagnosis/thresholds.ts';
import type { Volume } from '../../core/inventory.ts';
import { expectedChecks } from '../../core/load/metrics.ts';
import { mostPointsAt, type PointRates, quotaOfAge } from '../../core/load/point-rates.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import { msPerSecond, secondsPerDay, secondsPerHour } from '../../core/units.ts';
import { type DescribeFrom, orMissing, wholeInventory } from './whole-inventory.ts';

export interface DiscoverFrom extends DescribeFrom {
  listPublishedChecks(): Promise<Exclude<PublishedChecks, null>>;
  /** Hosts of the benchmark in that Region; asked for after the volumes are described, so that none of them is newer. */
  benchmarkHosts(): Promise<BenchmarkHosts>;
  now(): Date;
}

export interface Discovered {
  batches: AuditBatch[];
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
  const reading = { periodSeconds, windowSeconds: secondsOf(plan), ...mostPointsOf(rates, plan, now) };
  const checks = withUnlisted(published, volumes, plan, now);
  const queriesOf = isInPasses(plan)
    ? (batch: AuditBatch) => queriesAtLeast(batch, plan, thresholds)
    : undefined;
  return {
    batches: batchesOf(volumes, instances, checks, reading, queriesOf),
    volumes: volumes.length,
    excludedIds,
    benchmarkIds,
    incomplete,
  };
}
