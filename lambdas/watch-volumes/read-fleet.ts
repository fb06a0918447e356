/** The volumes of a Region: as they were read within the hour, or read now. */

import type { PublishedChecks } from '../../core/audit/batches.ts';
import { withoutExcluded } from '../../core/audit/excluded.ts';
import type { WantedTags } from '../../core/config/tags.ts';
import { Unreadable } from '../../core/errors.ts';
import type { Volume } from '../../core/inventory.ts';
import { isFresh, type PulseInventory } from '../../core/pulse/inventory.ts';
import type { RegionFleet } from './watch-volumes.ts';

export interface FleetFrom {
  nowEpochSeconds: number;
  excludeTags: WantedTags;
  /** Null where there is none. */
  kept(region: string): Promise<PulseInventory | null>;
  keep(region: string, inventory: PulseInventory): Promise<void>;
  describeVolumes(region: string): Promise<Volume[]>;
  listPublishedChecks(region: string): Promise<PublishedChecks>;
  /** Told what could not be read. */
  onUnread(region: string, because: string): void;
}

/** What was kept before, however old: better than to watch nothing, while a Region cannot be read. */
async function readNow(
  region: string,
  before: PulseInventory | null,
  from: FleetFrom,
): Promise<PulseInventory> {
  try {
    const volumes = await from.describeVolumes(region);
    const published = await from.listPublishedChecks(region).catch((error: unknown) => {
      if (!(error instanceof Unreadable)) throw error;
      from.onUnread(region, error.message);
      return before?.published ?? null;
    });
    const { volumes: kept } = withoutExcluded(volumes, [], from.excludeTags);
    const inventory = { madeEpochSeconds: from.nowEpochSeconds, volumes: kept, published };
    await from.keep(region, inventory);
    return inventory;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    from.onUnread(region, error.message);
    if (before === null) throw error;
    return before;
  }
}

const fleetOf = (region: string, { volumes, published }: PulseInventory, isNew: boolean): RegionFleet => ({
  ...{ region, isNew },
  fleet: { volumes: new Map(volumes.map((volume) => [volume.volumeId, volume])), published },
});

/** Without the Regions that cannot be read and never were. */
export async function readFleets(regions: readonly string[], from: FleetFrom): Promise<RegionFleet[]> {
  const read = regions.map(async (region): Promise<RegionFleet[]> => {
    const before = await from.kept(region);
    if (before !== null && isFresh(before, from.nowEpochSeconds)) return [fleetOf(region, before, false)];
    try {
      const now = await readNow(region, before, from);
      return [fleetOf(region, now, now !== before)];
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return [];
    }
  });
  return (await Promise.all(read)).flat();
}
