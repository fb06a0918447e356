/**
 * What the targets of a shard have, from when it is read until the next time. The volumes lie in a store, a target at a time;
 * a small index of the shard says when each was read, so that only what is needed is fetched, and what a function still has
 * in memory is used only where no other has read the target since. Whoever has the lease of the shard writes it.
 */
import { z } from 'zod';
import { Unreadable } from '../../core/errors.ts';
import { placeText } from '../../core/monitoring/shards.ts';
import type { MonitoringInventory } from '../../core/monitoring/watched.ts';
import type { Target } from '../../core/schemas/accounts.ts';

const entrySchema = z.object({
  madeEpochSeconds: z.number(),
  /** Every volume has its watch, and no other has. */
  isReconciled: z.boolean(),
});
export const inventoryIndexSchema = z.record(z.string(), entrySchema);
/** By account and Region. */
export type InventoryIndex = z.infer<typeof inventoryIndexSchema>;

export interface TargetInventoryStore {
  get(target: Target): Promise<MonitoringInventory>;
  put(target: Target, inventory: MonitoringInventory): Promise<void>;
  putIndex(index: InventoryIndex): Promise<void>;
  /** Called with what could not be put: it is read again in the next tick. */
  onUnkept(what: string, reason: string): void;
}

/** Of one tick. */
export class TargetInventories {
  private readonly memory: Map<string, MonitoringInventory>;
  private readonly store: TargetInventoryStore;
  private readonly index: InventoryIndex;
  private readonly read = new Map<string, MonitoringInventory>();
  private isChanged = false;

  /**
   * @param index as it was kept.
   * @param memory what is there in the next tick too.
   */
  constructor(index: InventoryIndex, memory: Map<string, MonitoringInventory>, store: TargetInventoryStore) {
    this.index = { ...index };
    this.memory = memory;
    this.store = store;
  }

  entry(target: Target): InventoryIndex[string] | null {
    return this.index[placeText(target)] ?? null;
  }

  /** As it was kept, however old. */
  async kept(target: Target): Promise<MonitoringInventory | null> {
    const place = placeText(target);
    const entry = this.index[place];
    if (entry === undefined) return null;
    const remembered = this.memory.get(place);
    const { madeEpochSeconds } = entry;
    const kept =
      remembered?.madeEpochSeconds === madeEpochSeconds ? remembered : await this.store.get(target);
    this.memory.set(place, kept);
    // Who kept it may have died before it wrote the index.
    const isSame = kept.madeEpochSeconds === madeEpochSeconds;
    return { ...kept, isReconciled: isSame && entry.isReconciled };
  }

  /** It was read in this tick. */
  hold(target: Target, inventory: MonitoringInventory): void {
    this.read.set(placeText(target), inventory);
  }

  /** The tick came to its end with it. Where it cannot be kept it is read again in the next one. */
  async settled(target: Target, isReconciled: boolean): Promise<void> {
    const place = placeText(target);
    const inventory = this.read.get(place);
    try {
      if (inventory !== undefined) {
        await this.store.put(target, inventory);
        this.memory.set(place, inventory);
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return this.store.onUnkept(place, error.message);
    }
    const madeEpochSeconds = (inventory ?? this.memory.get(place))?.madeEpochSeconds;
    if (madeEpochSeconds === undefined) return;
    const before = this.index[place];
    this.index[place] = { madeEpochSeconds, isReconciled };
    this.isChanged ||= before?.madeEpochSeconds !== madeEpochSeconds || before.isReconciled !== isReconciled;
  }

  /** @param targets of the shard: others are left out. */
  async end(targets: readonly Target[]): Promise<void> {
    if (!this.isChanged) return;
    const places = new Set(targets.map(placeText));
    const index = Object.fromEntries(Object.entries(this.index).filter(([place]) => places.has(place)));
    try {
      await this.store.putIndex(index);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.store.onUnkept('the index', error.message);
    }
  }
}
