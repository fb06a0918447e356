/** Which volumes a host has joined, and which it uses alone: from its own list of devices. */
import type { Remarks } from '../audit/remarks.ts';
import { firstFew } from '../few.ts';
import type { HostReading } from '../host/ebs-statistics.ts';
import { isVolumeId } from '../ids.ts';
import type { Instance, Volume } from '../inventory.ts';
import { type Known, known } from '../known.ts';
import {
  type ArrayKind,
  composedKind,
  type HostDevice,
  type HostNote,
  type HostReason,
  type HostReport,
  hostReport,
  type NotReadHosts,
  ownKindOf,
} from './host-report.ts';

// Which hosts can say more than their volumes do: running, with two volumes or more.

/** What came of asking, besides the evidence. */
interface HostsAsked {
  notRead: readonly NotReadHosts[];
  denied: readonly string[];
}

interface Fleet {
  volumes: readonly Volume[];
  instances: readonly Instance[];
}

/** Their ids. One volume alone is no stripe, and a root volume is seldom part of one. */
export function hostsToAsk({ volumes, instances }: Fleet): string[] {
  const count = new Map<string, number>();
  for (const { attachments } of volumes) {
    for (const { instanceId } of attachments) count.set(instanceId, (count.get(instanceId) ?? 0) + 1);
  }
  return instances
    .filter(({ instanceId, state }) => state === 'running' && (count.get(instanceId) ?? 0) > 1)
    .map(({ instanceId }) => instanceId);
}

/** What a reader should know of hosts that did not say: their stripes are found by tags and likeness. */
export const remarksOnHosts = (asked: HostsAsked | null): Remarks => ({
  notices: (asked?.notRead ?? []).map(({ instanceIds, reason }) => ({
    code: 'host-not-read' as const,
    ...{ instanceIds: firstFew(instanceIds), count: instanceIds.length, reason },
  })),
  incomplete: (asked?.denied ?? []).map((reason) => ({ code: 'hosts-denied' as const, reason })),
});

/** What is known of hosts from files goes before what they say now; of what their volumes counted all is used. */
export function mergedHosts(
  fromFiles: ReadonlyMap<string, HostEvidence>,
  asked: ReadonlyMap<string, HostEvidence>,
): Map<string, HostEvidence> {
  const merged = new Map([...asked, ...fromFiles]);
  for (const [instanceId, { readings: now = [] }] of asked) {
    const file = fromFiles.get(instanceId);
    if (file === undefined || now.length === 0) continue;
    const readings = [...(file.readings ?? []), ...now].sort((a, b) => a.epochSeconds - b.epochSeconds);
    merged.set(instanceId, { ...file, readings });
  }
  return merged;
}

/** Volumes that the host has joined. */
export interface HostArray {
  /** `vg/lv` of LVM; of md the name it was given, else its number (md127). */
  name: string;
  kind: ArrayKind;
  chunkKiB: number | null;
  memberVolumeIds: string[];
  mountPoints: string[];
  /** Null: device-mapper without LVM. */
  builtWith: 'lvm' | 'mdadm' | null;
}

export interface HostEvidence {
  arrays: HostArray[];
  /** Volumes with a file system or swap of their own, in no array. */
  singleVolumeIds: string[];
  /** What the host could not tell. */
  notes: HostNote[];
  /** What its volumes counted, in the order of time; absent where nobody read it. */
  readings?: HostReading[] | undefined;
}

/** What stands on several disks; `disks` by name. */
interface Joined {
  name: string;
  kind: ArrayKind;
  chunkKiB: number | null;
  builtWith: HostArray['builtWith'];
  disks: ReadonlySet<string>;
  mountPoints: Set<string>;
  /** Arrays that it stands on and that stay arrays of their own, since it deals no I/O out evenly. */
  inner: Joined[];
  isPartOfAnother: boolean;
}

/** What a device stands on: one disk, or disks that are joined somewhere below. */
type Base = { disk: string } | Joined;
const isJoined = (base: Base): base is Joined => 'kind' in base;
const disksOf = (base: Base): ReadonlySet<string> => (isJoined(base) ? base.disks : new Set([base.disk]));

/** NVMe: `vol0123456789abcdef0`, in some lists with the model before it or a namespace after it. */
function volumeIdOf({ serial }: HostDevice): string | null {
  const [, digits] = /(?:^|_)vol-?([0-9a-f]{8,17})(?:_\d+)?$/.exec(serial ?? '') ?? [];
  const id = `vol-${digits}`;
  return isVolumeId(id) ? id : null;
}

/** `vg-lv` as LVM names its devices, a hyphen of a name doubled. */
function lvmName(device: string): string {
  const [, group, volume] = /^((?:[^-]|--)+)-((?:[^-]|--)+)$/.exec(device) ?? [];
  const plain = (text: string): string => text.replaceAll('--', '-');
  return group === undefined || volume === undefined ? device : `${plain(group)}/${plain(volume)}`;
}

class Host {
  readonly joined: Joined[] = [];
  readonly notes: HostNote[];
  /** Disks below something of which nobody said how it joins them. */
  readonly undetermined = new Set<string>();
  private readonly report: HostReport;
  private readonly bases = new Map<string, Base>();

  constructor(report: HostReport) {
    this.report = report;
    this.notes = [...report.notes];
    for (const { name, mountPoint } of report.devices.values()) {
      const base = this.baseOf(name);
      if (mountPoint !== null && isJoined(base)) mount(base, mountPoint);
    }
  }

  private below({ name, on }: HostDevice): Base[] {
    const spares = this.report.md.get(name)?.spares;
    const bases = [...on].filter((one) => !spares?.has(one)).map((one) => this.baseOf(one));
    const byDisks = new Map(bases.map((base) => [[...disksOf(base)].sort().join(' '), base]));
    const different = [...byDisks.values()];
    // A thin pool stands on its data and, on some of the same disks, on its metadata.
    return different.filter((base) => !different.some((other) => other !== base && contains(other, base)));
  }

  private baseOf(name: string): Base {
    const known = this.bases.get(name);
    if (known !== undefined) return known;
    // A device that stands on itself is none that lsblk would list; it ends here.
    this.bases.set(name, { disk: name });
    const device = this.report.devices.get(name) as HostDevice;
    const below = this.below(device);
    const [first] = below;
    const base = first === undefined ? { disk: name } : below.length === 1 ? first : this.join(device, below);
    this.bases.set(name, base);
    return base;
  }

  private join(device: HostDevice, below: readonly Base[]): Joined {
    const own = ownKindOf(device, this.report);
    const disks = new Set(below.flatMap((base) => [...disksOf(base)]));
    if (own === null) {
      for (const disk of disks) this.undetermined.add(disk);
      this.notes.push({ code: 'join-unknown', device: device.name, disks: disks.size });
    }
    const arrays = below.filter(isJoined);
    const areVolumes = [...disks].every((disk) => this.volumeId(disk) !== null);
    const kind =
      own === null || !areVolumes
        ? 'other'
        : composedKind(
            own.kind,
            below.map((base) => (isJoined(base) ? base.kind : null)),
          );
    const isEven = kind !== 'linear' && kind !== 'other';
    if (isEven) for (const array of arrays) array.isPartOfAnother = true;
    const isLvm = device.type === 'lvm';
    const array: Joined = {
      name: isLvm ? lvmName(device.name) : (this.report.md.get(device.name)?.givenName ?? device.name),
      kind,
      chunkKiB: arrays.length === 0 ? (own?.chunkKiB ?? null) : null,
      builtWith: isLvm ? 'lvm' : /^md/.test(device.name) ? 'mdadm' : null,
      disks,
      mountPoints: new Set(),
      inner: isEven ? [] : arrays,
      isPartOfAnother: false,
    };
    this.joined.push(array);
    return array;
  }

  volumeId(disk: string): string | null {
    const device = this.report.devices.get(disk);
    return device === undefined ? null : volumeIdOf(device);
  }

  /** What nothing stands on, by the disks below it. */
  leavesOf(disk: string): HostDevice[] {
    return [...this.report.devices.values()].filter(
      ({ name, isHeld }) => !isHeld && disksOf(this.baseOf(name)).has(disk),
    );
  }
}

function mount(array: Joined, mountPoint: string): void {
  array.mountPoints.add(mountPoint);
  for (const inner of array.inner) mount(inner, mountPoint);
}

function contains(large: Base, small: Base): boolean {
  const disks = disksOf(large);
  return disks.size > disksOf(small).size && [...disksOf(small)].every((disk) => disks.has(disk));
}

/** File systems that live on one device; btrfs and ZFS, Oracle ASM or a member of something may span several. */
const onOneDevice = /^(ext[234]|xfs|vfat|ntfs|f2fs|jfs|reiserfs|swap)$/;

/** Used alone: each part that holds something holds such a file system. */
function isSingle(leaves: readonly HostDevice[]): boolean {
  const used = leaves.filter(({ fileSystem, mountPoint }) => fileSystem !== null || mountPoint !== null);
  return used.length > 0 && used.every(({ fileSystem }) => onOneDevice.test(fileSystem ?? ''));
}

/** Names that EBS volumes have on a Xen instance, where they show no serial number. */
const xenName = /^(xvd|sd)[a-z]+$/;

function arraysOf(host: Host): HostArray[] {
  return host.joined.flatMap((array) => {
    const { name, kind, chunkKiB, builtWith, disks, mountPoints, isPartOfAnother } = array;
    if (isPartOfAnother || [...disks].some((disk) => host.undetermined.has(disk))) return [];
    const memberVolumeIds = [...disks].flatMap((disk) => host.volumeId(disk) ?? []).sort();
    if (memberVolumeIds.length === 0) return [];
    return [{ name, kind, chunkKiB, memberVolumeIds, mountPoints: [...mountPoints].sort(), builtWith }];
  });
}

/**
 * What a host's answer says of its volumes. Partitions, encryption and a logical volume that lies on one array are looked
 * through; a stripe of mirrors is RAID10. An array that also has disks which are no EBS volumes is of kind `other`.
 * A volume that is in none of its lists may be anything: raw, in ZFS, in an array that is not running.
 */
export function hostEvidence(text: string): Known<HostEvidence, HostReason> {
  const report = hostReport(text);
  if (!report.known) return report;
  const host = new Host(report.value);
  const disks = [...report.value.devices.values()].filter(({ on, type }) => on.size === 0 && type === 'disk');
  const joined = new Set(host.joined.flatMap((array) => [...array.disks]));
  const singleVolumeIds = disks.flatMap(({ name }) => {
    const volumeId = host.volumeId(name);
    return volumeId !== null && !joined.has(name) && isSingle(host.leavesOf(name)) ? [volumeId] : [];
  });
  const unnamed = disks.flatMap(({ name, serial }) => (serial === null && xenName.test(name) ? [name] : []));
  return known({
    arrays: arraysOf(host),
    singleVolumeIds: singleVolumeIds.sort(),
    notes: [
      ...host.notes,
      ...(unnamed.length === 0
        ? []
        : [{ code: 'no-serial-numbers' as const, devices: firstFew(unnamed), count: unnamed.length }]),
    ],
    ...(report.value.reading === null ? {} : { readings: [report.value.reading] }),
  });
}
