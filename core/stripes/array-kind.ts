/** What a device makes of those that it stands on: a stripe, a mirror and so on; also of arrays of arrays. */
import type { HostDevice, HostReport, TableLine } from './host-report.ts';

/** `linear`: one after the other. `other`: joined in a way that shares no load evenly, or that is not known here. */
export type ArrayKind = 'stripe' | 'raid10' | 'raid5' | 'raid6' | 'mirror' | 'linear' | 'other';

/** What the device itself does, and its chunk. */
export interface OwnKind {
  kind: ArrayKind;
  chunkKiB: number | null;
}

const mdKinds: Partial<Record<string, ArrayKind>> = {
  raid0: 'stripe',
  raid1: 'mirror',
  raid4: 'raid5',
  raid5: 'raid5',
  raid6: 'raid6',
  raid10: 'raid10',
  linear: 'linear',
};

/** Words of device-mapper tables, as they begin: raid5_ls is raid5. */
const tableKinds: [RegExp, ArrayKind][] = [
  [/^(striped|raid0)/, 'stripe'],
  [/^raid10/, 'raid10'],
  [/^(mirror|raid1)/, 'mirror'],
  [/^raid[45]/, 'raid5'],
  [/^raid6/, 'raid6'],
  [/^linear/, 'linear'],
];

const kindOfLine = ({ does }: TableLine): ArrayKind =>
  tableKinds.find(([word]) => word.test(does))?.[1] ?? 'other';

/** Of several lines only where all join the same devices in the same way: a stripe that was grown over others is none. */
function kindOfTable(lines: readonly TableLine[]): OwnKind {
  const [first, ...others] = lines;
  if (first === undefined) return { kind: 'other', chunkKiB: null };
  const kind = kindOfLine(first);
  if (others.some((line) => kindOfLine(line) !== kind)) return { kind: 'other', chunkKiB: null };
  if (kind === 'linear') return { kind, chunkKiB: null };
  if (others.some(({ devices }) => devices !== first.devices)) return { kind: 'linear', chunkKiB: null };
  const { chunkKiB } = first;
  return { kind, chunkKiB: others.every((line) => line.chunkKiB === chunkKiB) ? chunkKiB : null };
}

/** Null where nobody could tell: device-mapper was not asked. */
export function ownKindOf({ name, type }: HostDevice, { md, tables }: HostReport): OwnKind | null {
  const mdKind = mdKinds[type];
  if (mdKind !== undefined) return { kind: mdKind, chunkKiB: md.get(name)?.chunkKiB ?? null };
  return tables === null ? null : kindOfTable(tables.get(name) ?? []);
}

/** Arrays that deal their I/O out evenly, so that what is above them is as if it stood on the volumes. */
const composed: Partial<Record<`${ArrayKind} of ${ArrayKind}`, ArrayKind>> = {
  'stripe of stripe': 'stripe',
  'stripe of mirror': 'raid10',
  'stripe of raid10': 'raid10',
  'mirror of stripe': 'raid10',
  'mirror of mirror': 'mirror',
};

/**
 * A kind over others: a stripe of mirrors is RAID10.
 * @param below of what it stands on; null is a disk.
 */
export function composedKind(own: ArrayKind, below: readonly (ArrayKind | null)[]): ArrayKind {
  const [first = null] = below;
  if (below.some((kind) => kind !== first)) return own === 'linear' ? own : 'other';
  if (first === null || own === 'linear') return own;
  return composed[`${own} of ${first}`] ?? 'other';
}
