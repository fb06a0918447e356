/** What monitoring remembers, in memory: the table of watches and the budget beside it. */
import type { Budget } from '../../core/monitoring/pace.ts';
import type { Watch } from '../../core/monitoring/watch.ts';
import type { WatchStore } from '../../lambdas/watch-volumes/watch-volumes.ts';

export class WatchesInMemory {
  readonly byId = new Map<string, Watch>();
  budget: Budget | null = null;

  /** @param stored a watch as it comes back from where it is kept. */
  store(stored: (watch: Watch) => Watch = (watch) => watch): WatchStore {
    const { byId } = this;
    return {
      due: async ({ region }, at) => {
        const due: Watch[] = [];
        for (const watch of byId.values())
          if (watch.nextPollEpochSeconds <= at && watch.region === region) due.push(watch);
        return due;
      },
      volumeIds: async ({ region }) =>
        [...byId.values()].flatMap((watch) => (watch.region === region ? [watch.volumeId] : [])),
      write: async (watches) => {
        for (const watch of watches) {
          const before = byId.get(watch.volumeId);
          if (before === undefined || before.revision <= watch.revision)
            byId.set(watch.volumeId, stored(watch));
        }
      },
      forget: async (watches) => {
        for (const { volumeId } of watches) byId.delete(volumeId);
      },
    };
  }

  /** False, and nothing is kept, where a later tick has kept its own. */
  keepBudget(budget: Budget): boolean {
    if (this.budget !== null && this.budget.atEpochSeconds > budget.atEpochSeconds) return false;
    this.budget = budget;
    return true;
  }
}
