/** What was read so far: each reader adds its resources, and counts what it does not know. */
import type { Planned, PlannedResource, UnreadableDocument } from '../../core/check/planned.ts';
import { sanitize } from '../../core/sanitize.ts';

export interface Reading {
  readonly resources: PlannedResource[];
  readonly unreadable: UnreadableDocument[];
  understood: number;
  notMade: number;
  readonly unknownTypes: Map<string, number>;
}

export const newReading = (): Reading => ({
  resources: [],
  unreadable: [],
  understood: 0,
  notMade: 0,
  unknownTypes: new Map(),
});

const addCount = (counts: Map<string, number>, key: string, count = 1): void => {
  counts.set(key, (counts.get(key) ?? 0) + count);
};

/** One resource of the file; without any it is of a type that brings no volume. */
export function addResource(
  reading: Reading,
  type: string,
  planned: readonly PlannedResource[] | null,
): void {
  if (planned === null) {
    addCount(reading.unknownTypes, sanitize(type));
    return;
  }
  reading.understood++;
  for (const one of planned) reading.resources.push(one);
}

export function addReading(to: Reading, from: Reading): void {
  for (const one of from.resources) to.resources.push(one);
  for (const one of from.unreadable) to.unreadable.push(one);
  to.understood += from.understood;
  to.notMade += from.notMade;
  for (const [type, count] of from.unknownTypes) addCount(to.unknownTypes, type, count);
}

/** Most first, then by name. */
const sorted = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1));

export class PassedOver {
  private readonly counts = new Map<string, number>();

  add(ending: string): void {
    addCount(this.counts, sanitize(ending));
  }

  sorted(): { ending: string; count: number }[] {
    return sorted(this.counts).map(([ending, count]) => ({ ending, count }));
  }
}

export function plannedOf(reading: Reading, files: number, passedOver: PassedOver): Planned {
  const unknown = sorted(reading.unknownTypes).map(([type, count]) => ({ type, count }));
  const ofUnknown = unknown.reduce((sum, { count }) => sum + count, 0);
  const { resources, unreadable, understood, notMade } = reading;
  return {
    resources,
    coverage: {
      ...{ seen: understood + notMade + ofUnknown, understood, notMade, unknown },
      ...{ files, passedOver: passedOver.sorted(), unreadable },
    },
  };
}
