/** What the archive holds of a day and target: how it is kept, what was read of it, and its objects. */
import { z } from 'zod';
import { groupBy } from '../group-by.ts';
import { type MetricName, metricNames } from '../load/metrics.ts';
import { secondsPerDay } from '../units.ts';
import { dayOf, dayStart } from './keys.ts';

/** A reading: of which resources, which metrics, from when on, up to (without) when. What gave no point was read, too. */
export const readSchema = z.object({
  fromSeconds: z.number().int(),
  endSeconds: z.number().int(),
  metrics: z.array(z.string()),
  resourceIds: z.array(z.string()),
});
export type Read = z.infer<typeof readSchema>;

const layoutSchema = z.union([
  z.object({ kept: z.literal('month') }),
  z.object({ kept: z.literal('day'), firstIds: z.array(z.string()).min(1) }),
]);

export const manifestSchema = z.object({
  version: z.literal(1),
  day: z.iso.date(),
  account: z.string(),
  region: z.string(),
  /** Chosen before the first row is written; never changed. */
  layout: layoutSchema,
  /** Of the metrics of the day; those of a month hold other days, too. Empty: chosen, and nothing written by now. */
  objects: z.array(z.object({ key: z.string(), bytes: z.number().int(), rows: z.number().int() })),
  /** Rows of this day alone. */
  rows: z.number().int(),
  /** Metrics that have a point on this day. */
  metrics: z.array(z.string()),
  reads: z.array(readSchema),
  /** Read up to here; null: nothing was read. */
  watermarkSeconds: z.number().int().nullable(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** Metrics in the order of the columns; what a newer version named stays behind them. */
const inOrder = (names: Iterable<string>): string[] => {
  const all = new Set(names);
  const known = metricNames.filter((name) => all.has(name));
  return [...known, ...[...all].filter((name) => !known.includes(name as MetricName)).sort()];
};

const ofSame = ({ metrics, resourceIds }: Read): string => JSON.stringify([metrics, resourceIds]);

/** Readings that say the same in fewer: one window where windows of the same meet, one list where windows are the same. */
export function compacted(reads: readonly Read[]): Read[] {
  const sorted = reads.map((read) => ({
    ...read,
    metrics: inOrder(read.metrics),
    resourceIds: [...new Set(read.resourceIds)].sort(),
  }));
  const alike = groupBy(sorted, ({ fromSeconds, endSeconds, metrics }) =>
    JSON.stringify([fromSeconds, endSeconds, metrics]),
  );
  const listed = [...alike.values()].map((same) => ({
    ...(same[0] as Read),
    resourceIds: [...new Set(same.flatMap(({ resourceIds }) => resourceIds))].sort(),
  }));
  return [...groupBy(listed, ofSame).values()].flatMap((same) => {
    const windows: Read[] = [];
    for (const read of [...same].sort((a, b) => a.fromSeconds - b.fromSeconds)) {
      const last = windows.at(-1);
      if (last !== undefined && read.fromSeconds <= last.endSeconds) {
        last.endSeconds = Math.max(last.endSeconds, read.endSeconds);
      } else windows.push({ ...read });
    }
    return windows;
  });
}

/** The days that a window touches. */
export function daysOf(fromSeconds: number, endSeconds: number): string[] {
  const days: string[] = [];
  for (let start = dayStart(dayOf(fromSeconds)); start < endSeconds; start += secondsPerDay)
    days.push(dayOf(start));
  return days;
}

/** The part of readings that is of one day. */
export function readsOfDay(reads: readonly Read[], day: string): Read[] {
  const start = dayStart(day);
  return reads.flatMap((read) => {
    const fromSeconds = Math.max(read.fromSeconds, start);
    const endSeconds = Math.min(read.endSeconds, start + secondsPerDay);
    return fromSeconds < endSeconds ? [{ ...read, fromSeconds, endSeconds }] : [];
  });
}

function rowsOfDay(
  { layout, rows }: Manifest,
  more: Pick<Manifest, 'objects' | 'rows'>,
  all: Manifest['objects'],
): number {
  // Objects of a day hold no other day: those that did not change count too.
  if (layout.kept === 'day') return all.reduce((sum, object) => sum + object.rows, 0);
  // Nothing was read of it anew.
  return more.objects.length === 0 ? rows : more.rows;
}

/** A manifest after more was written: what it said stays true. */
export function withMore(
  before: Manifest,
  more: Pick<Manifest, 'objects' | 'rows' | 'metrics' | 'reads'>,
): Manifest {
  const reads = compacted([...before.reads, ...more.reads]);
  const objects = new Map([...before.objects, ...more.objects].map((object) => [object.key, object]));
  const all = [...objects.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  return {
    ...before,
    objects: all,
    rows: rowsOfDay(before, more, all),
    metrics: inOrder([...before.metrics, ...more.metrics]),
    reads,
    watermarkSeconds: reads.length === 0 ? null : Math.max(...reads.map(({ endSeconds }) => endSeconds)),
  };
}
