/** The volumes of the targets of a shard: of those that have something to do, and that let somebody in. */
import { limitAsync, withTimeout } from 'es-toolkit/promise';
import { NotEntered } from '../../core/errors.ts';
import { pace } from '../../core/monitoring/pace.ts';
import { placeText, rotated } from '../../core/monitoring/shards.ts';
import { isFresh } from '../../core/monitoring/watched.ts';
import type { Refused, Target } from '../../core/schemas/accounts.ts';
import { msPerSecond } from '../../core/units.ts';
import { type FleetFrom, readFleets } from './read-fleet.ts';
import type { TargetInventories } from './target-inventories.ts';
import type { RegionFleet } from './watch-volumes.ts';

/** How a Region of one account is read, by who entered it. */
type TargetFleetFrom = Omit<FleetFrom, 'nowEpochSeconds' | 'kept' | 'hold' | 'mayRead' | 'onUnread'>;

export interface TargetsFrom {
  nowEpochSeconds: number;
  tickSeconds: number;
  inventories: TargetInventories;
  /** Whether a volume of it is due. */
  isDue(target: Target): boolean;
  /** @throws NotEntered where the account lets nobody in. */
  enter(target: Target): Promise<TargetFleetFrom>;
  onRefused(target: Target, refused: Refused): void;
  /** Called with what could not be read. */
  onUnread(target: Target, reason: string): void;
}

/** Those that are left out stay as they are: what is due of them stays due, and nothing is said of it. */
export async function readTargets(
  targets: readonly Target[],
  from: TargetsFrom,
): Promise<(RegionFleet & Target)[]> {
  const { nowEpochSeconds, tickSeconds, inventories } = from;
  let anew = 0;

  async function readOne(target: Target): Promise<(RegionFleet & Target)[]> {
    const entry = inventories.entry(target);
    const isOld = entry === null || !isFresh(entry, nowEpochSeconds);
    const hasWork = from.isDue(target) || entry?.isReconciled === false;
    if (!hasWork && (!isOld || anew >= pace.inventoriesPerTick)) return [];
    const entered = await from.enter(target);
    const fleets = await readFleets([target.region], {
      ...entered,
      nowEpochSeconds,
      kept: () => inventories.kept(target),
      hold: (_, inventory) => inventories.hold(target, inventory),
      mayRead: () => anew++ < pace.inventoriesPerTick,
      onUnread: (_, reason) => from.onUnread(target, reason),
    });
    return fleets.map((fleet) => ({ ...fleet, ...target }));
  }

  const one = limitAsync(async (target: Target) => {
    try {
      return await withTimeout(() => readOne(target), pace.mostTargetSeconds * msPerSecond);
    } catch (error) {
      if (error instanceof NotEntered) from.onRefused(target, error.refused);
      else if (error instanceof Error && error.name === 'TimeoutError')
        from.onUnread(target, `${placeText(target)} did not answer in ${pace.mostTargetSeconds} s`);
      else throw error;
      return [];
    }
  }, pace.targetsAtOnce);
  const turn = Math.floor(nowEpochSeconds / tickSeconds) * pace.inventoriesPerTick;
  return (await Promise.all(rotated(targets, turn).map((target) => one(target)))).flat();
}
