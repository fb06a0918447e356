/** What describe-stripes.sh prints: devices with what each stands on, tables of device-mapper, arrays of md. */
import { z } from 'zod';
import { ebsStatistics, type HostReading, statisticsNotes } from '../host/ebs-statistics.ts';
import { jsonOrNull } from '../json.ts';
import { type Known, known, unknown } from '../known.ts';
import { kibFromMiB, mibFromBytes } from '../units.ts';

// What a host could not tell of its volumes, and why another said nothing at all.

export const hostNoteSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('join-unknown'),
    device: z.string(),
    disks: z.number().meta({ description: 'so many, of which nobody knows how they are joined' }),
  }),
  z.object({
    code: z.literal('no-serial-numbers'),
    devices: z.array(z.string()).meta({ description: 'the first of those of which no volume is known' }),
    count: z.number(),
  }),
  z.object({
    code: z.literal('device-mapper-unread'),
    text: z.string().meta({ description: 'as the host says' }),
  }),
  ...statisticsNotes,
]);
export type HostNote = z.infer<typeof hostNoteSchema>;

export const hostReasonSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('not-reached') }).meta({
    description: 'no Linux instance that Systems Manager reaches',
  }),
  z.object({ code: z.literal('no-answer'), seconds: z.number() }),
  z.object({
    code: z.literal('command-ended'),
    status: z.string().meta({ description: 'as Systems Manager says' }),
  }),
  z.object({
    code: z.literal('call-failed'),
    reason: z.string().meta({ description: 'what was asked, and what AWS said' }),
  }),
  z.object({ code: z.literal('answer-too-large'), characters: z.number(), most: z.number() }),
  z.object({ code: z.literal('not-the-document') }).meta({
    description: 'the answer is not what the script prints',
  }),
  z.object({ code: z.literal('lsblk-failed'), text: z.string() }),
  z.object({ code: z.literal('lsblk-unreadable') }),
]);
export type HostReason = z.infer<typeof hostReasonSchema>;

/** Hosts that said nothing, and why; none named: all that were asked. */
export interface NotReadHosts {
  instanceIds: string[];
  reason: HostReason;
}

// What a device makes of those that it stands on: a stripe, a mirror and so on; also of arrays of arrays.

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

/** A block device as lsblk names it (device-mapper by its own name: `vg-lv`). */
export interface HostDevice {
  name: string;
  /** As lsblk says: disk, part, crypt, lvm, raid0, raid10 and so on. */
  type: string;
  serial: string | null;
  fileSystem: string | null;
  mountPoint: string | null;
  /** Names of the devices that it stands on; none: a disk. */
  on: Set<string>;
  /** True where something stands on it. */
  isHeld: boolean;
}

/** One line of a device-mapper table. */
interface TableLine {
  /** What it does with its devices: linear, striped, mirror, or the kind of RAID (raid10, raid5_ls and so on). */
  does: string;
  chunkKiB: number | null;
  /** Major and minor numbers, ascending: "259:1 259:2". */
  devices: string;
}

interface MdArray {
  chunkKiB: number | null;
  /** Devices that stand by and carry no data. */
  spares: Set<string>;
  /** The name it was given; null where it has its number only. */
  givenName: string | null;
}

export interface HostReport {
  devices: ReadonlyMap<string, HostDevice>;
  /** By device name; null where device-mapper could not be asked. */
  tables: ReadonlyMap<string, TableLine[]> | null;
  md: ReadonlyMap<string, MdArray>;
  /** What its EBS volumes counted; null where nobody read it. */
  reading: HostReading | null;
  /** What could not be read. */
  notes: HostNote[];
}

const toolSchema = z.union([z.object({ output: z.string() }), z.object({ error: z.string() })]);
const tooLargeSchema = z.object({
  version: z.literal(1),
  tooLarge: z.object({ characters: z.number(), most: z.number() }),
});
const documentSchema = z.object({
  version: z.literal(1),
  lsblk: toolSchema,
  /** Null where the host has no device of it. */
  dmsetup: toolSchema.nullable(),
  md: z.string(),
  /** Absent in answers of earlier scripts. */
  ebsStatistics: z.unknown().optional(),
});

const textOrNull = z.string().nullish();
const deviceSchema = z.object({
  name: z.string().min(1),
  type: z.string(),
  serial: textOrNull,
  fstype: textOrNull,
  mountpoint: textOrNull,
  get children() {
    return z.array(deviceSchema).optional();
  },
});
type ListedDevice = z.infer<typeof deviceSchema>;
const lsblkSchema = z.object({ blockdevices: z.array(deviceSchema) });

/** lsblk repeats a device below each that it stands on: here it is one. */
function addDevice(devices: Map<string, HostDevice>, listed: ListedDevice, on: string | null): void {
  const { name, type, serial, fstype, mountpoint, children = [] } = listed;
  const device = devices.get(name) ?? {
    name,
    type,
    serial: serial?.trim() || null,
    fileSystem: fstype || null,
    mountPoint: mountpoint || null,
    on: new Set(),
    isHeld: false,
  };
  devices.set(name, device);
  if (on !== null) device.on.add(on);
  if (children.length > 0) device.isHeld = true;
  for (const child of children) addDevice(devices, child, name);
}

/** Device-mapper counts in sectors of 512 bytes, whatever the device's own are. */
const bytesPerSector = 512;
const kibFromBytes = (bytes: number): number => kibFromMiB(mibFromBytes(bytes));
const chunkKiBOf = (bytes: number): number | null => (bytes > 0 ? kibFromBytes(bytes) : null);

/** "vg-lv: 0 8192 striped 2 128 259:1 2048 259:2 2048"; of raid: "raid raid10 3 128 ... 4 - 253:0 - 253:1". */
function tableLine(target: string, parameters: string): TableLine {
  const words = parameters.split(' ');
  const devices = [...new Set(words.filter((word) => /^\d+:\d+$/.test(word)))].sort().join(' ');
  if (target === 'striped') {
    return { does: target, chunkKiB: chunkKiBOf(Number(words[1]) * bytesPerSector), devices };
  }
  if (target !== 'raid') return { does: target, chunkKiB: null, devices };
  return { does: words[0] ?? '', chunkKiB: chunkKiBOf(Number(words[2]) * bytesPerSector), devices };
}

function tablesOf(text: string): Map<string, TableLine[]> {
  const tables = new Map<string, TableLine[]>();
  for (const line of text.split('\n')) {
    const [, name, target, parameters] =
      /^(.+): \d+ \d+ (linear|striped|raid|mirror) (.+)$/.exec(line.trim()) ?? [];
    if (name === undefined || target === undefined || parameters === undefined) continue;
    tables.set(name, [...(tables.get(name) ?? []), tableLine(target, parameters)]);
  }
  return tables;
}

/** "md0 chunk_size 65536", "md0 slot none nvme3n1", "md127 link data". */
function mdArrays(text: string): Map<string, MdArray> {
  const arrays = new Map<string, MdArray>();
  for (const line of text.split('\n')) {
    const [, name, what, value] = /^(md\S*) (chunk_size|slot|link) (.+)$/.exec(line.trim()) ?? [];
    if (name === undefined || what === undefined || value === undefined) continue;
    const array = arrays.get(name) ?? { chunkKiB: null, spares: new Set(), givenName: null };
    arrays.set(name, array);
    if (what === 'chunk_size') array.chunkKiB = chunkKiBOf(Number(value));
    else if (what === 'link') array.givenName = value;
    else if (value.startsWith('none ')) array.spares.add(value.slice('none '.length));
  }
  return arrays;
}

/** Reads the document; unknown where it is not one, or where it does not list the devices. */
export function hostReport(text: string): Known<HostReport, HostReason> {
  const json = jsonOrNull(text);
  const tooLarge = tooLargeSchema.safeParse(json);
  if (tooLarge.success) {
    const { characters, most } = tooLarge.data.tooLarge;
    return unknown({ code: 'answer-too-large', characters, most });
  }
  const document = documentSchema.safeParse(json);
  if (!document.success) return unknown({ code: 'not-the-document' });
  const { lsblk, dmsetup, md } = document.data;
  if ('error' in lsblk) return unknown({ code: 'lsblk-failed', text: lsblk.error.trim() });
  const listed = lsblkSchema.safeParse(jsonOrNull(lsblk.output));
  if (!listed.success) return unknown({ code: 'lsblk-unreadable' });
  const devices = new Map<string, HostDevice>();
  for (const device of listed.data.blockdevices) addDevice(devices, device, null);
  const failed = dmsetup !== null && 'error' in dmsetup;
  const statistics = ebsStatistics(document.data.ebsStatistics);
  return known({
    devices,
    tables: failed ? null : tablesOf(dmsetup?.output ?? ''),
    md: mdArrays(md),
    reading: statistics.reading,
    notes: [
      ...(failed ? [{ code: 'device-mapper-unread' as const, text: dmsetup.error.trim() }] : []),
      ...statistics.notes,
    ],
  });
}
