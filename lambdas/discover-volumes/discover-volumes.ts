/** What a Region of an account has, in batches that one judge takes. */
import { uniqBy } from 'es-toolkit/array';
import { type AuditBatch, batchesOf, type PublishedChecks } from '../../core/audit/batches.ts';
import { queriesAtLeast } from '../../core/audit/passes/two-passes.ts';
import { isInPasses, type ReadingPlan } from '../../core/audit/reading-plan.ts';
import { secondsOf } from '../../core/diagnosis/audit-window.ts';
import { Unreadable } from '../../core/errors.ts';
import type { Instance, Volume } from '../../core/inventory.ts';
import { expectedChecks } from '../../core/load/metric-queries.ts';
import { msPerSecond, secondsPerDay, secondsPerHour } from '../../core/units.ts';

export interface DiscoverFrom {
  describeVolumes(): Promise<Volume[]>;
  describeInstances(): Promise<Instance[]>;
  listPublishedChecks(): Promise<Exclude<PublishedChecks, null>>;
  now(): Date;
}

export interface Discovered {
  batches: AuditBatch[];
  volumes: number;
  /** What could not be read; the volumes are judged without it. */
  incomplete: string[];
}

/** What can be done without is said to be missing; any error but ours is a mistake and thrown. */
async function orMissing<T>(
  read: () => Promise<T>,
  instead: T,
  consequence: string,
  incomplete: string[],
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    incomplete.push(`${error.message}; ${consequence}`);
    return instead;
  }
}

/** CloudWatch lists series with figures in the last two weeks; an hour more is of no matter. */
const listedSeconds = 14 * secondsPerDay + secondsPerHour;

/** For a window that begins earlier a check may be there without being listed: asked for as it is expected. */
function withOlder(
  published: PublishedChecks,
  volumes: readonly Volume[],
  { startEpochSeconds }: ReadingPlan,
  now: Date,
): PublishedChecks {
  if (published === null || now.getTime() / msPerSecond - startEpochSeconds <= listedSeconds)
    return published;
  return Object.fromEntries(
    volumes.map((volume) => {
      const all = [...(published[volume.volumeId] ?? []), ...expectedChecks(volume)];
      return [volume.volumeId, uniqBy(all, ({ metric, instanceId }) => `${metric} ${instanceId}`)];
    }),
  );
}

/** @throws Unreadable where the volumes themselves cannot be listed. */
export async function discoverVolumes(from: DiscoverFrom, plan: ReadingPlan): Promise<Discovered> {
  const incomplete: string[] = [];
  const volumes = await from.describeVolumes();
  const attached = volumes.some(({ attachments }) => attachments.length > 0);
  const instances = await orMissing(
    from.describeInstances,
    [],
    'instances were not judged, and volumes without them',
    incomplete,
  );
  const published = attached
    ? await orMissing<PublishedChecks>(
        from.listPublishedChecks,
        null,
        'the checks of volumes were asked for as published with their present instance',
        incomplete,
      )
    : {};
  const reading = { periodSeconds: plan.periodSeconds, windowSeconds: secondsOf(plan) };
  const checks = withOlder(published, volumes, plan, from.now());
  const queriesOf = isInPasses(plan) ? (batch: AuditBatch) => queriesAtLeast(batch, plan) : undefined;
  return {
    batches: batchesOf(volumes, instances, checks, reading, queriesOf),
    volumes: volumes.length,
    incomplete,
  };
}
