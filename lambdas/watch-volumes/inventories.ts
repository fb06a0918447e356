/**
 * What the Regions have, from when it is read until the next time: in memory as long as Lambda keeps the function, and in a
 * store. What a tick read is kept when the tick has come to its end: one that dies before leaves it to the next to read again,
 * to compare it with the watches, and to watch what came. More than one tick makes of watches is left to the next ones, who
 * need not read it again.
 */
import { Unreadable } from '../../core/errors.ts';
import type { MonitoringInventory } from '../../core/monitoring/watched.ts';

export interface InventoryStore {
  /** Null where there is none. */
  get(region: string): Promise<MonitoringInventory | null>;
  put(region: string, inventory: MonitoringInventory): Promise<void>;
  /** Called with what could not be put. */
  onUnkept(region: string, reason: string): void;
}

/** Of one tick. */
export class Inventories {
  private readonly memory: Map<string, MonitoringInventory>;
  private readonly store: InventoryStore;
  private readonly read = new Map<string, MonitoringInventory>();

  /** @param memory by Region: what is there in the next tick too. */
  constructor(memory: Map<string, MonitoringInventory>, store: InventoryStore) {
    this.memory = memory;
    this.store = store;
  }

  /** As it was kept, however old. */
  async kept(region: string): Promise<MonitoringInventory | null> {
    const before = this.memory.get(region) ?? (await this.store.get(region));
    if (before !== null) this.memory.set(region, before);
    return before;
  }

  /** It was read in this tick. */
  hold(region: string, inventory: MonitoringInventory): void {
    this.read.set(region, inventory);
  }

  /**
   * The tick came to its end with it. Where it cannot be kept it is read again in the next one.
   * @param isReconciled every volume has its watch, and no other has.
   */
  async settled(region: string, isReconciled: boolean): Promise<void> {
    const read = this.read.get(region);
    const before = read ?? this.memory.get(region);
    if (before === undefined || (read === undefined && before.isReconciled === isReconciled)) return;
    const inventory = { ...before, isReconciled };
    try {
      await this.store.put(region, inventory);
      this.memory.set(region, inventory);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.store.onUnkept(region, error.message);
    }
  }
}
