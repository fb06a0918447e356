/**
 * What was read becomes part of the archive. Readers stage what they have read, under a prefix that nobody queries; who commits
 * puts it, with what an object held before, in the place of that object. A row's object is fixed before the row is written, and each
 * put keeps all rows that were there: so after each single put a glob sees each row once (docs/contribute/decisions/0041-archive.md).
 */
import { once } from 'es-toolkit/function';
import { z } from 'zod';
import {
  type ArchiveTarget,
  chooseLayout,
  dayOf,
  dayStart,
  manifestKey,
  type Slot,
  slotsOf,
  stagedKey,
  stagingPrefixOf,
} from '../../core/archive/keys.ts';
import {
  daysOf,
  type Manifest,
  type Read,
  readSchema,
  readsOfDay,
  withMore,
} from '../../core/archive/manifest.ts';
import { between, merged, type ResourceMinutes } from '../../core/archive/resource-minutes.ts';
import { Unavailable } from '../../core/errors.ts';
import type { MetricName } from '../../core/load/metrics.ts';
import { secondsPerDay } from '../../core/units.ts';
import { BrokenFile, everything, isOfOneFile, type MetricsFile, openMetrics } from './open-metrics.ts';
import { keptManifest, readManifest } from './read-manifest.ts';
import type { ArchiveStore, StoredObject } from './store.ts';
import { MetricsWriter } from './write-metrics.ts';

/** Others who commit the same target are few: a run that was started twice. */
const maxTries = 4;

const notesSchema = z.object({ readAtSeconds: z.number(), reads: z.array(readSchema) });
const notesKey = 'stripewise';

export interface Batch {
  /** A name within the run. */
  name: string;
  /** When it was read: of two values of one point the later one is kept. */
  readAtSeconds: number;
  reads: readonly Read[];
  /** Each resource once, in any order. */
  minutes: readonly ResourceMinutes[];
}

function daysRead(reads: readonly Read[], minutes: readonly ResourceMinutes[]): string[] {
  const days = new Set(reads.flatMap(({ fromSeconds, endSeconds }) => daysOf(fromSeconds, endSeconds)));
  for (const { epochSeconds } of minutes) {
    if (epochSeconds.length === 0) continue;
    for (const day of daysOf(epochSeconds[0] as number, (epochSeconds.at(-1) as number) + 1)) days.add(day);
  }
  return [...days].sort();
}

/** Keeps what was read until it is committed: an object a day, so that each is read once for its day. */
export async function stage(
  store: ArchiveStore,
  target: ArchiveTarget,
  runId: string,
  { name, readAtSeconds, reads, minutes }: Batch,
): Promise<void> {
  const sorted = [...minutes].sort((a, b) => (a.resourceId < b.resourceId ? -1 : 1));
  for (const day of daysRead(reads, minutes)) {
    const ofDay = { readAtSeconds, reads: readsOfDay(reads, day) };
    const writer = new MetricsWriter({ [notesKey]: JSON.stringify(ofDay) });
    const start = dayStart(day);
    for (const one of sorted) writer.add(between(one, start, start + secondsPerDay));
    await store.put(stagedKey(target, runId, `${day}-${name}`, readAtSeconds), writer.finish(), null);
  }
}

interface Staged {
  file: MetricsFile;
  days: readonly string[];
  readAtSeconds: number;
  reads: Read[];
}

export interface Committed {
  /** Days that something was staged of. */
  days: string[];
  /** Objects that were written; those that would not have changed are not. */
  written: string[];
  /** Files that could not be read, and why. What they hold, or would have come to hold, is not in the archive by now. */
  broken: { key: string; reason: string }[];
  /** False where time was over before all days were put: the next call goes on. True where it would come no further. */
  isWhole: boolean;
}

const emptyManifest = (
  day: string,
  { account, region }: ArchiveTarget,
  layout: Manifest['layout'],
): Manifest => ({
  version: 1,
  day,
  account,
  region,
  layout,
  objects: [],
  rows: 0,
  metrics: [],
  reads: [],
  watermarkSeconds: null,
});

const bytesOf = (manifest: Manifest): Uint8Array => new TextEncoder().encode(`${JSON.stringify(manifest)}\n`);

/** The manifest of a day, made before the first row of it is: it says which object each row will be in. */
async function begunManifest(
  store: ArchiveStore,
  day: string,
  target: ArchiveTarget,
  resourceIds: () => Promise<string[]>,
): Promise<Manifest> {
  const kept = await readManifest(store, day, target);
  if (kept !== null) return kept;
  const begun = emptyManifest(day, target, chooseLayout(await resourceIds()));
  if (await store.put(manifestKey(day, target), bytesOf(begun), { isNew: true })) return begun;
  const others = await readManifest(store, day, target);
  if (others === null) throw new Unavailable(`${manifestKey(day, target)}: was removed meanwhile`);
  return others;
}

async function changeManifest(
  store: ArchiveStore,
  day: string,
  target: ArchiveTarget,
  more: Parameters<typeof withMore>[1],
): Promise<void> {
  for (let tried = 0; tried < maxTries; tried++) {
    const kept = await keptManifest(store, day, target);
    if (kept === null) throw new Unavailable(`${manifestKey(day, target)}: was removed meanwhile`);
    const [before, after] = [bytesOf(kept.manifest), bytesOf(withMore(kept.manifest, more))];
    if (Buffer.compare(before, after) === 0) return;
    if (await store.put(manifestKey(day, target), after, { etag: kept.etag })) return;
  }
  throw new Unavailable(`${manifestKey(day, target)}: others changed it ${maxTries} times meanwhile`);
}

interface Source {
  readAtSeconds: number;
  isKept: boolean;
  resources: AsyncGenerator<ResourceMinutes>;
}

/** Resources of all sources in the order of ids, with what each source has of one. */
async function* together(sources: readonly Source[]): AsyncGenerator<[Source, ResourceMinutes][]> {
  const next = await Promise.all(
    sources.map(async (source) => (await source.resources.next()).value ?? null),
  );
  for (;;) {
    const ids = next.flatMap((one) => (one === null ? [] : [one.resourceId]));
    if (ids.length === 0) return;
    const lowest = ids.reduce((least, id) => (id < least ? id : least));
    const found: [Source, ResourceMinutes][] = [];
    for (const [i, source] of sources.entries()) {
      const one = next[i];
      if (one?.resourceId !== lowest) continue;
      found.push([source, one]);
      next[i] = (await source.resources.next()).value ?? null;
    }
    yield found;
  }
}

interface RowsOfDay {
  rows: number;
  metrics: Set<MetricName>;
}

interface Written {
  bytes: Uint8Array;
  rows: number;
  isChanged: boolean;
  ofDay: Map<string, RowsOfDay>;
}

function count(ofDay: Map<string, RowsOfDay>, { epochSeconds, metrics }: ResourceMinutes): void {
  for (let first = 0, end = 0; first < epochSeconds.length; first = end) {
    const day = dayOf(epochSeconds[first] as number);
    const dayEnd = dayStart(day) + secondsPerDay;
    while (end < epochSeconds.length && (epochSeconds[end] as number) < dayEnd) end++;
    const counted = ofDay.get(day) ?? { rows: 0, metrics: new Set() };
    ofDay.set(day, counted);
    counted.rows += end - first;
    for (const [metric, values] of metrics) {
      if (counted.metrics.has(metric)) continue;
      for (let i = first; i < end; i++) {
        if (Number.isNaN(values[i])) continue;
        counted.metrics.add(metric);
        break;
      }
    }
  }
}

/** What the object held, and what was staged of its resources and days. */
async function madeAnew(
  slot: Slot,
  days: readonly string[],
  before: MetricsFile | null,
  staged: readonly Staged[],
): Promise<Written> {
  const { firstId, endId } = slot;
  const asked = { ...everything, firstId, endId };
  const keptAt = Number(before?.note('readAtSeconds') ?? Number.NEGATIVE_INFINITY);
  const sources: Source[] = [
    ...(before === null ? [] : [{ readAtSeconds: keptAt, isKept: true, resources: before.resources(asked) }]),
    ...staged.map(({ file, readAtSeconds }) => ({
      readAtSeconds,
      isKept: false,
      resources: file.resources(asked),
    })),
  ];
  const inOrder = [...sources].sort((a, b) => a.readAtSeconds - b.readAtSeconds);
  const readAtSeconds = inOrder.at(-1)?.readAtSeconds ?? keptAt;
  const writer = new MetricsWriter({ readAtSeconds: String(readAtSeconds) });
  const ofDay = new Map<string, RowsOfDay>();
  let isChanged = false;
  for await (const found of together(inOrder)) {
    let kept: ResourceMinutes | null = null;
    let all: ResourceMinutes | null = null;
    for (const [source, minutes] of found) {
      if (source.isKept) kept = minutes;
      // What is staged may be of days that other objects hold.
      const parts = source.isKept
        ? [minutes]
        : days.map((day) => between(minutes, dayStart(day), dayStart(day) + secondsPerDay));
      for (const part of parts)
        if (part.epochSeconds.length > 0) all = all === null ? part : merged(all, part).minutes;
    }
    if (all === null) continue;
    if (kept === null || (all !== kept && merged(kept, all).isChanged)) isChanged = true;
    writer.add(all);
    count(ofDay, all);
  }
  return { bytes: writer.finish(), rows: writer.rows, isChanged, ofDay };
}

const openedOrNull = async (object: StoredObject | null): Promise<MetricsFile | null> =>
  object === null ? null : openMetrics(object);

interface Put {
  isWritten: boolean;
  bytes: number;
  rows: number;
  ofDay: Map<string, RowsOfDay>;
}

/** What has more columns would lose them. @throws BrokenFile */
function requireKnownColumns(key: string, file: MetricsFile): void {
  const unknown = file.unknownColumns();
  if (unknown.length > 0)
    throw new BrokenFile(
      key,
      `a newer version of stripewise wrote its column ${unknown.join(', ')}`,
      undefined,
      {
        advice: 'deploy that version again, and do not remove it',
      },
    );
}

/** @returns what the object holds now. */
async function putSlot(
  store: ArchiveStore,
  slot: Slot,
  days: readonly string[],
  staged: readonly Staged[],
): Promise<Put> {
  for (let tried = 0; tried < maxTries; tried++) {
    const before = await openedOrNull(await store.open(slot.key));
    if (before !== null) requireKnownColumns(slot.key, before);
    const { bytes, rows, isChanged, ofDay } = await madeAnew(slot, days, before, staged);
    if (!isChanged) return { isWritten: false, bytes: before?.bytes ?? 0, rows, ofDay };
    const where = before === null ? ({ isNew: true } as const) : { etag: before.etag };
    if (await store.put(slot.key, bytes, where))
      return { isWritten: true, bytes: bytes.byteLength, rows, ofDay };
  }
  throw new Unavailable(`${slot.key}: others changed it ${maxTries} times meanwhile`);
}

const daysOfStaged = (file: MetricsFile, reads: readonly Read[]): string[] => [
  ...reads.flatMap(({ fromSeconds, endSeconds }) => daysOf(fromSeconds, endSeconds)),
  ...file.groups.flatMap(({ times }) => (times === null ? [] : daysOf(times[0], times[1] + 1))),
];

async function openStaged(
  store: ArchiveStore,
  target: ArchiveTarget,
  broken: Committed['broken'],
): Promise<Staged[]> {
  const staged: Staged[] = [];
  for (const key of await store.list(stagingPrefixOf(target))) {
    try {
      const object = await store.open(key);
      if (object === null) continue;
      const file = await openMetrics(object);
      requireKnownColumns(key, file);
      const notes = notesSchema.safeParse(JSON.parse(file.note(notesKey) ?? 'null'));
      if (!notes.success) throw new BrokenFile(key, 'it does not say what was read');
      staged.push({ file, ...notes.data, days: daysOfStaged(file, notes.data.reads) });
    } catch (error) {
      if (!isOfOneFile(error)) throw error;
      broken.push({ key, reason: error.message });
    }
  }
  return staged;
}

/** Days whose rows are put together: those of one month where a month is an object, else each by itself. */
interface DayGroup {
  days: string[];
  slots: Map<string, { slot: Slot; days: string[] }>;
}

async function groupedDays(
  store: ArchiveStore,
  target: ArchiveTarget,
  days: readonly string[],
  resourceIds: () => Promise<string[]>,
  broken: Committed['broken'],
): Promise<DayGroup[]> {
  const groups = new Map<string, DayGroup>();
  for (const day of days) {
    let layout: Manifest['layout'];
    try {
      layout = (await begunManifest(store, day, target, resourceIds)).layout;
    } catch (error) {
      // Which object its rows belong to is not known: it stays staged.
      if (!isOfOneFile(error)) throw error;
      broken.push({ key: error.key, reason: error.message });
      continue;
    }
    const slots = slotsOf(day, target, layout);
    const name = layout.kept === 'month' ? (slots[0] as Slot).key : day;
    const group: DayGroup = groups.get(name) ?? { days: [], slots: new Map() };
    groups.set(name, group);
    group.days.push(day);
    for (const slot of slots) {
      const found = group.slots.get(slot.key) ?? { slot, days: [] };
      group.slots.set(slot.key, { slot, days: [...found.days, day] });
    }
  }
  return [...groups.values()];
}

const mayHoldRowsOf = ({ firstId, endId }: Slot, { groups }: MetricsFile): boolean =>
  groups.some(({ ids }) => ids === null || (ids[1] >= firstId && (endId === null || ids[0] < endId)));

/** Puts the days of a group. What belongs to an object that cannot be read stays staged: it waits for that to be put right. */
async function commitGroup(
  store: ArchiveStore,
  target: ArchiveTarget,
  { days, slots }: DayGroup,
  staged: readonly Staged[],
): Promise<Pick<Committed, 'written' | 'broken'>> {
  const written: string[] = [];
  const broken: Committed['broken'] = [];
  const more = new Map(
    days.map((day) => [day, { objects: [] as Manifest['objects'], rows: 0, metrics: new Set<string>() }]),
  );
  for (const { slot, days: own } of slots.values()) {
    const ofSlot = staged.filter(
      (one) => one.days.some((day) => own.includes(day)) && mayHoldRowsOf(slot, one.file),
    );
    if (ofSlot.length === 0) continue;
    try {
      const { isWritten, bytes, rows, ofDay } = await putSlot(store, slot, own, ofSlot);
      if (isWritten) written.push(slot.key);
      for (const day of own) {
        const [sum, found] = [more.get(day), ofDay.get(day)];
        if (sum === undefined || rows === 0) continue;
        sum.objects.push({ key: slot.key, bytes, rows });
        sum.rows += found?.rows ?? 0;
        for (const metric of found?.metrics ?? []) sum.metrics.add(metric);
      }
    } catch (error) {
      if (!isOfOneFile(error)) throw error;
      broken.push({ key: error.key, reason: error.message });
    }
  }
  if (broken.length > 0) return { written, broken };
  const reads = staged.flatMap((one) => one.reads);
  for (const [day, { objects, rows, metrics }] of more) {
    const ofDay = readsOfDay(reads, day);
    await changeManifest(store, day, target, { objects, rows, metrics: [...metrics], reads: ofDay });
  }
  return { written, broken };
}

export interface CommitOptions {
  /** Asked before each day, or month, after the first one: whether there is time for another. */
  mayGoOn?: () => boolean;
  /** All resources of the target, as far as they are known: a day is kept for these, also where few of them were read. */
  discoveredIds?: () => Promise<readonly string[]>;
}

/**
 * Puts what is staged of a target into the archive, and removes it from the stage. It may be stopped anywhere and called again: what
 * was put stays, the rest follows, nothing is there twice. The newest day goes first: what waits for a broken object is mostly older.
 */
export async function commit(
  store: ArchiveStore,
  target: ArchiveTarget,
  { mayGoOn = () => true, discoveredIds = async () => [] }: CommitOptions = {},
): Promise<Committed> {
  const broken: Committed['broken'] = [];
  const staged = await openStaged(store, target, broken);
  const days = [...new Set(staged.flatMap((one) => one.days))].sort();
  const resourceIds = once(async () => [
    ...staged.flatMap(({ reads }) => reads.flatMap((read) => read.resourceIds)),
    ...(await discoveredIds()),
  ]);
  const written: string[] = [];
  const done = new Set<string>();
  let removed = new Set<Staged>();
  const groups = (await groupedDays(store, target, days, resourceIds, broken)).reverse();
  for (const [index, group] of groups.entries()) {
    // Where nothing left the stage the next call would come as far as this one.
    if (index > 0 && !mayGoOn()) return { days, written, broken, isWhole: removed.size === 0 };
    const put = await commitGroup(store, target, group, staged);
    written.push(...put.written);
    broken.push(...put.broken);
    if (put.broken.length > 0) continue;
    for (const day of group.days) done.add(day);
    const gone = staged.filter((one) => !removed.has(one) && one.days.every((day) => done.has(day)));
    for (const { file } of gone) await store.remove(file.key);
    removed = new Set([...removed, ...gone]);
  }
  return { days, written, broken, isWhole: true };
}
