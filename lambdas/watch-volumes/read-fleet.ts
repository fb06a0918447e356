/** The volumes of a Region: as they were read within the hour, or read now. */

import type { PublishedChecks } from '../../core/audit/batches.ts';
import { withoutExcluded } from '../../core/audit/excluded.ts';
import { type BenchmarkHosts, noHosts } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import type { TagFilter } from '../../core/config/tags.ts';
import { NotEntered, Unreadable } from '../../core/errors.ts';
import type { Volume } from '../../core/inventory.ts';
import { isFresh, type MonitoringInventory } from '../../core/monitoring/watched.ts';
import type { RegionFleet } from './watch-volumes.ts';

export interface FleetFrom {
  nowEpochSeconds: number;
  excludeTags: TagFilter;
  /** Null where there is none. */
  kept(region: string): Promise<MonitoringInventory | null>;
  /** Called with what was read now. */
  hold(region: string, inventory: MonitoringInventory): void;
  /** Whether what is too old may be read anew in this tick, asked once for a Region. @default always */
  mayRead?(): boolean;
  describeVolumes(region: string): Promise<Volume[]>;
  listPublishedChecks(region: string): Promise<PublishedChecks>;
  /** Hosts of the benchmark. */
  benchmarkHosts(region: string): Promise<BenchmarkHosts>;
  /** Called with what could not be read. */
  onUnread(region: string, reason: string): void;
}

/** Goes on with something else where AWS cannot be read; any other failure is a fault of ours. */
function orElse<T>(region: string, from: FleetFrom, instead: () => T): (error: unknown) => T {
  return (error) => {
    if (!(error instanceof Unreadable) || error instanceof NotEntered) throw error;
    from.onUnread(region, error.message);
    return instead();
  };
}

/** What was kept before, however old: better than to watch nothing, while a Region cannot be read. */
async function readNow(
  region: string,
  before: MonitoringInventory | null,
  from: FleetFrom,
): Promise<MonitoringInventory | null> {
  const volumes = await from.describeVolumes(region).catch(orElse(region, from, () => null));
  if (volumes === null) return before;
  const published = await from
    .listPublishedChecks(region)
    .catch(orElse(region, from, () => before?.published ?? null));
  // After the volumes: a host that is launched meanwhile is not among them. Where it cannot be read all are watched.
  const hosts = await from.benchmarkHosts(region).catch(orElse(region, from, () => noHosts));
  const { volumes: kept } = withoutExcluded(volumes, [], from.excludeTags, hosts);
  const madeEpochSeconds = from.nowEpochSeconds;
  const inventory = { madeEpochSeconds, volumes: kept, published, isReconciled: false };
  from.hold(region, inventory);
  return inventory;
}

const fleetOf = (region: string, { volumes, published, isReconciled }: MonitoringInventory): RegionFleet => ({
  ...{ region, isNew: !isReconciled },
  fleet: { volumes: new Map(volumes.map((volume) => [volume.volumeId, volume])), published },
});

/** Without the Regions that cannot be read and never were. */
export async function readFleets(regions: readonly string[], from: FleetFrom): Promise<RegionFleet[]> {
  const read = regions.map(async (region): Promise<RegionFleet[]> => {
    // What an earlier version kept may be of another form: it is read anew.
    const before = await from.kept(region).catch(orElse(region, from, () => null));
    if (before !== null && isFresh(before, from.nowEpochSeconds)) return [fleetOf(region, before)];
    const now = (from.mayRead?.() ?? true) ? await readNow(region, before, from) : before;
    return now === null ? [] : [fleetOf(region, now)];
  });
  return (await Promise.all(read)).flat();
}
