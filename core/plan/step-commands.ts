/** The commands of a change: of volumes by the AWS CLI, of a host by LVM, mdadm and rsync, with the names that they share. */
import { IllegalConfiguration } from '../errors.ts';
import { figure } from '../figures.ts';
import { isRegionName, isVolumeId } from '../ids.ts';
import { type Deployment, type VolumeConfiguration, volumeLimits } from '../limits/volume-limits.ts';
import type { PlainStepCode, RouteMember, RouteReason, StepNote } from '../schemas/plan-steps.ts';
import { type Layout, provisioned } from './layout.ts';

// A line of the steps: a command, or what a person has to know or do there, as a code.

export type StepLine = string | StepNote;

export const note = (code: PlainStepCode): StepNote => ({ code });

// What stands today, as far as the steps depend on it.

export interface Current {
  layout: Layout;
  /** In the order of the members; where one is missing, a placeholder stands in its place. */
  volumeIds: readonly string[];
  /** What joins several volumes. Left out, it is unknown, and a stripe is not grown where it stands. */
  builtWith?: 'lvm' | 'mdadm' | undefined;
}

// The names that commands carry. What comes from an account is spliced only where its form is known to be harmless in
// a shell; otherwise a placeholder in angle brackets, which a shell takes for a redirection and stops at.
// What is new is in shell variables: a line that reads one that is not set, by ${V1:?}, does not run either.

export const regionOrPlaceholder = (region: string): string => (isRegionName(region) ? region : '<region>');

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/**
 * Of the members that stand today. An id that stands there twice counts once, so that no member is modified twice; of
 * more ids than members, nobody knows which are meant.
 */
export function currentVolumeIds(volumeIds: readonly string[], members: number): string[] {
  const known = volumeIds.length > members ? [] : volumeIds;
  return upTo(members).map((number, i) => {
    const id = known[i];
    return id !== undefined && isVolumeId(id) && known.indexOf(id) === i ? id : `<volume-id-${number}>`;
  });
}

/** The variable as a value: the line stops where it is not set. */
export const set = (variable: string): string => `"\${${variable}:?}"`;

const byId = '/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_';
/** Variables on both sides: V1 is the id of the first new volume, D1 (on the host only) the device. */
export const newVolumeVariables = (members: number): string[] => upTo(members).map((number) => `V${number}`);
const newDeviceVariables = (members: number): string[] => upTo(members).map((number) => `D${number}`);
/** The only lines that a new volume's id is put into by hand. */
const newDeviceLines = (members: number): string[] =>
  upTo(members).map(
    (number) => `V${number}=<new-volume-id-${number}> && D${number}=${byId}vol\${V${number}#vol-}`,
  );
export const snapshotIds = (members: number): string[] =>
  upTo(members).map((number) => `<snapshot-id-${number}>`);

/** Where Linux shows a volume on a Nitro instance: its serial number is the volume id without the dash. */
export function hostDevice(volumeId: string): string {
  const serial = isVolumeId(volumeId) ? volumeId.replace('-', '') : volumeId.replace(/>$/, '-without-dash>');
  return `${byId}${serial}`;
}

const named = (prefix: string, first: string, last: string): string[] => {
  const codes = Array.from(
    { length: last.charCodeAt(0) - first.charCodeAt(0) + 1 },
    (_, i) => first.charCodeAt(0) + i,
  );
  return codes.map((code) => prefix + String.fromCharCode(code));
};

/**
 * What EC2 recommends for EBS, then what else it takes (EC2 user guide, device_naming, HVM). xvdf is the same as sdf;
 * whether xvd[a-d][yz] are names differs by the edition of the guide, so they are the last: 129 names for 127 members.
 */
const usualNames = named('/dev/sd', 'f', 'p');
const letters = ['b', 'c', 'd', 'a'];
const names = [
  ...usualNames,
  ...letters.flatMap((letter) => named(`/dev/xvd${letter}`, 'a', 'x')),
  ...named('/dev/xvd', 'q', 'z'),
  ...named('/dev/sd', 'b', 'e'),
];
const lastNames = letters.flatMap((letter) => named(`/dev/xvd${letter}`, 'y', 'z'));
const besideFrom = usualNames.length + 24;

/** What AttachVolume wants to be reported; `beside` others that are attached, which have the first names. */
export function attachmentNames(members: number, beside: boolean): string[] {
  const from = beside ? besideFrom : 0;
  return [...names.slice(from), ...names.slice(0, from), ...lastNames].slice(0, members);
}

// What of a layout and its members is legal, and the figures of a member.

/** gp3, 500 GiB, 3,000 IOPS, 125 MiB/s. */
export function memberText({ volumeType, sizeGiB, iops, throughputMiBps }: VolumeConfiguration): string {
  return [
    volumeType,
    `${figure(sizeGiB)} GiB`,
    ...(iops === undefined ? [] : [`${figure(iops)} IOPS`]),
    ...(throughputMiBps === undefined ? [] : [`${figure(throughputMiBps)} MiB/s`]),
  ].join(', ');
}

/** An instance takes 128 attachments at most, and one is its root volume (EC2 user guide, volume_limits). */
export const maxMembers = 127;

const membersRule: Record<Layout['kind'], { fits: (members: number) => boolean; rule: string }> = {
  single: { fits: (members) => members === 1, rule: 'a single volume has 1 member' },
  stripe: { fits: (members) => members >= 2, rule: 'a stripe has 2 or more' },
  raid10: { fits: (members) => members >= 4 && members % 2 === 0, rule: 'a RAID10 has 4, 6, 8 or more' },
  raid5: { fits: (members) => members >= 3, rule: 'a RAID5 has 3 or more' },
  linear: { fits: (members) => members >= 2, rule: 'a linear layout has 2 or more' },
};

/** @throws IllegalConfiguration where EBS would refuse a member, or the members make no such layout. */
export function requireLegal(layout: Layout, deployment: Deployment): void {
  const { fits, rule } = membersRule[layout.kind];
  if (!Number.isInteger(layout.members) || !fits(layout.members) || layout.members > maxMembers) {
    throw new IllegalConfiguration(
      `${layout.members} members are not a ${layout.kind}: ${rule}, and ${maxMembers} at most`,
    );
  }
  volumeLimits(provisioned(layout, deployment));
}

// Which way leads from what stands to what shall stand.
// Sources: EBS user guide (modify-volume-requirements: no shrinking, four modifications in 24 hours), EC2 API reference
// (ModifyVolume), mdadm(8) (--size: not of RAID0) and lvextend(8), read 2026-11-21.

/**
 * create: nothing stands yet. modify: ModifyVolume of every member. snapshot: a new volume from a snapshot of the
 * old one. copy: new volumes, and the data copied as files. nothing: it is already so.
 */
export const routes = ['create', 'nothing', 'modify', 'snapshot', 'copy'] as const;
export type Route = (typeof routes)[number];

export interface Change {
  route: Route;
  reason: RouteReason;
}

function growthTrouble(next: Layout, { layout, builtWith }: Current): RouteReason | null {
  const { kind, members } = next;
  if (kind === 'single' || next.sizeGiB === layout.sizeGiB) return null;
  if (builtWith === undefined) return { code: 'joined-by-unknown', kind, members };
  if (kind === 'stripe' || kind === 'linear')
    return builtWith === 'lvm' ? null : { code: 'mdadm-stripe-grown' };
  return builtWith === 'mdadm' ? null : { code: 'lvm-raid-grown', kind, members };
}

/** Why the members cannot stay; null where they can. */
function copyReason(next: Layout, current: Current): RouteReason | null {
  const { layout } = current;
  if (next.kind !== layout.kind || next.members !== layout.members) {
    const of = ({ kind, members }: Layout) => ({ kind, members });
    return { code: 'other-layout', from: of(layout), to: of(next) };
  }
  if (next.sizeGiB < layout.sizeGiB) {
    return { code: 'never-shrinks', fromGiB: layout.sizeGiB, toGiB: next.sizeGiB };
  }
  return growthTrouble(next, current);
}

/** Only what can be set: nothing else is changed. */
function memberOf(layout: Layout, deployment: Deployment): RouteMember {
  const { volumeType, sizeGiB, iops = null, throughputMiBps = null } = provisioned(layout, deployment);
  return { volumeType, sizeGiB, iops, throughputMiBps };
}

/** The way, and why it is this one. */
export function changeTo(next: Layout, current: Current | null, deployment: Deployment): Change {
  if (current === null) return { route: 'create', reason: { code: 'nothing-stands' } };
  const copy = copyReason(next, current);
  if (copy !== null) return { route: 'copy', reason: copy };
  const from = memberOf(current.layout, deployment);
  const to = memberOf(next, deployment);
  if (JSON.stringify(from) === JSON.stringify(to))
    return { route: 'nothing', reason: { code: 'unchanged', member: to } };
  if (next.volumeType === 'standard' || current.layout.volumeType === 'standard') {
    const reason = { code: 'magnetic' } as const;
    return next.kind === 'single' ? { route: 'snapshot', reason } : { route: 'copy', reason };
  }
  return { route: 'modify', reason: { code: 'modify-volume', members: next.members, from, to } };
}

// The data from the old file system to the new one, and the new one to the place of the old one. `rsync --delete` onto
// another migration's file system would take its data away, so nothing is copied before may_copy has looked.
// Sources: rsync(1), mountpoint(1), fstab(5), read 2026-11-21.

const fstabCommand =
  `id=$(sudo blkid -s UUID -o value "$DATA") && printf 'UUID=%s %s xfs defaults,noatime,nofail 0 2\\n' ` +
  `"\${id:?}" "$MOUNT" | sudo tee -a /etc/fstab`;

/** So that it is mounted at the next start too; the device's UUID, as its name may change. */
export const fstabSteps = (): string[] => [`${holdsNew('MOUNT')} && ${fstabCommand}`];

const rsync = 'sudo rsync --archive --hard-links --acls --xattrs --numeric-ids';
const fromTo = `${set('MOUNT')}/ ${set('NEW_MOUNT')}/`;
const refused = "echo 'Refused: the new device is not at NEW_MOUNT, or the old one not at MOUNT.' >&2";

/** From the old mount point to the new one: once while in use, once at rest, then compared. */
export function copySteps(): StepLine[] {
  return [
    note('may-copy'),
    `may_copy() { ${holdsOther('MOUNT')} && ${holdsNew('NEW_MOUNT')} || { ${refused}; return 1; }; }`,
    note('database-copy'),
    `may_copy && ${rsync} ${fromTo}`,
    note('stop-writers'),
    `COPIED= && may_copy && ${rsync} --delete ${fromTo} && COPIED=$DATA`,
    note('compare-all'),
    `# may_copy && ${rsync} --delete --checksum --dry-run --itemize-changes ${fromTo} && echo compared`,
    note('switch-over'),
    [
      `[ ${set('COPIED')} = ${set('DATA')} ]`,
      'may_copy',
      'sudo umount "$MOUNT"',
      'sudo umount "$NEW_MOUNT"',
      'sudo mount "$DATA" "$MOUNT"',
      fstabCommand,
    ].join(' && '),
    note('start-again'),
  ];
}

/** Detached while it is active, a volume group or an array fails at its next I/O, and its name stays taken. */
export function stopSteps({ layout, builtWith }: Current): StepLine[] {
  if (layout.members === 1) return [];
  const lvm = 'sudo vgchange -an <volume-group>';
  const mdadm = 'sudo mdadm --stop <md-device>';
  if (builtWith === undefined) return [{ code: 'stop-joined', lvm, mdadm }];
  return builtWith === 'lvm' ? [note('stop-volume-group'), lvm] : [note('stop-array'), mdadm];
}

// What is done on the host (Linux, Nitro). Lines are pasted, so one that is refused does not keep the next from running:
// what needs another is in one line with it, or asks for what that one has left. None has a --force, so what holds data
// is refused. The name of a new device carries its first volume's id: no other migration has it.
// Sources: lvcreate(8), lvextend(8), mdadm(8), mkfs.xfs(8), xfs_growfs(8); EBS user guide, recognize-expanded-volume-linux
// and raid-config, read 2026-11-21.

const chunkBoundsKiB = { min: 4, max: 4_096 };

/** LVM wants a power of two of at most one extent (4 MiB), and RAID5 the same of mdadm. */
export function requireChunk(chunkKiB: number): void {
  const { min, max } = chunkBoundsKiB;
  if (Number.isInteger(Math.log2(chunkKiB)) && chunkKiB >= min && chunkKiB <= max) return;
  throw new IllegalConfiguration(
    `chunk (KiB) ${chunkKiB} is not allowed: LVM and mdadm take a power of two; give one from ${min} to ${max}`,
  );
}

const mdadmLevels = { raid10: 10, raid5: 5 } as const;

/** Of a volume group or an array. */
const newName = `data_\${V1#vol-}`;
/** DATA is empty where D1 is: what reads it stops. */
const newDevice: Record<Layout['kind'], string> = {
  single: '$D1',
  stripe: `\${D1:+/dev/${newName}/data}`,
  linear: `\${D1:+/dev/${newName}/data}`,
  raid10: `\${D1:+/dev/md/${newName}}`,
  raid5: `\${D1:+/dev/md/${newName}}`,
};

const isOfLvm = (kind: Layout['kind']): kind is 'stripe' | 'linear' => kind === 'stripe' || kind === 'linear';

const packagesOf = ({ kind }: Layout): string[] => [
  ...(kind === 'single' ? [] : [isOfLvm(kind) ? 'lvm2' : 'mdadm']),
  'xfsprogs',
];

function joinCommands({ kind, members }: Layout, chunkKiB: number): string[] {
  if (kind === 'single') return [];
  const devices = newDeviceVariables(members).map(set).join(' ');
  const group = `"${newName}"`;
  const type = kind === 'stripe' ? `--type striped -i ${members} -I ${chunkKiB}k` : '--type linear';
  return isOfLvm(kind)
    ? [`sudo vgcreate ${group} ${devices}`, `sudo lvcreate ${type} -l 100%FREE -n data ${group}`]
    : [
        `sudo mdadm --create ${set('DATA')} --level=${mdadmLevels[kind]} --raid-devices=${members} --chunk=${chunkKiB}K ${devices}`,
      ];
}

function arraySteps({ kind }: Layout): StepLine[] {
  if (kind === 'single' || isOfLvm(kind)) return [];
  return [
    note('first-synchronisation'),
    note('mdadm-conf-place'),
    `sudo mdadm --detail --brief ${set('DATA')} | sudo tee -a <mdadm-conf>`,
  ];
}

/** The variables of the host's lines; unset first, so that none is left over from another migration. */
export function variableSteps(layout: Layout, mounts: readonly string[]): StepLine[] {
  const { members } = layout;
  const names = mounts.map((line) => line.replace(/=.*/, ''));
  return [
    `unset DATA ${[...names, ...newDeviceVariables(members)].join(' ')}`,
    ...mounts,
    ...newDeviceLines(members),
    note('device-by-id'),
    `DATA=${newDevice[layout.kind]}`,
    `ls -l ${newDeviceVariables(members).map(set).join(' ')}`,
  ];
}

export const mountLine = 'MOUNT=<mount-point>';

/** Whether the new device, and nothing over it, is at the mount point that the variable names. */
const holdsNew = (variable: string): string => holds(variable, '=');
const holdsOther = (variable: string): string => holds(variable, '!=');
const holds = (variable: string, is: '=' | '!='): string =>
  `mountpoint -q ${set(variable)} && [ "$(mountpoint -d "$${variable}")" ${is} "$(mountpoint -x ${set('DATA')})" ]`;

/**
 * From attached, empty volumes to a mounted XFS file system.
 * @param chunkKiB of a stripe, RAID10 or RAID5
 * @param beside the old one stays at MOUNT until it is copied: the new one is mounted at NEW_MOUNT.
 * @throws IllegalConfiguration for a chunk that LVM and mdadm refuse.
 */
export function hostSteps(layout: Layout, chunkKiB: number, beside = false): StepLine[] {
  requireChunk(chunkKiB);
  const target = beside ? 'NEW_MOUNT' : 'MOUNT';
  const packages = [...packagesOf(layout), ...(beside ? ['rsync'] : [])];
  const commands = [
    `sudo mkdir -p ${set(target)}`,
    `! mountpoint -q "$${target}"`,
    `[ -z "$(sudo ls -A "$${target}")" ]`,
    ...joinCommands(layout, chunkKiB),
    `sudo mkfs.xfs ${set('DATA')}`,
    `sudo mount "$DATA" "$${target}"`,
  ];
  return [
    { code: 'host-packages', packages },
    ...variableSteps(layout, [mountLine, ...(beside ? ['NEW_MOUNT=<new-mount-point>'] : [])]),
    ...(layout.kind === 'raid5' ? [note('raid5-not-recommended')] : []),
    note('one-command'),
    commands.join(' && '),
    ...arraySteps(layout),
  ];
}

const mbrEndsGiB = 2_048;
const ext4EndsGiB = 16_384;

function growJoined({ layout, builtWith }: Current, devices: readonly string[]): StepLine[] {
  if (layout.kind === 'single') {
    return [{ code: 'grow-partition', command: 'sudo growpart <device> <partition-number>' }];
  }
  return builtWith === 'lvm'
    ? [
        `sudo pvresize ${devices.join(' ')}`,
        ...(layout.kind === 'stripe' ? [note('stripe-grown-alike')] : []),
        'sudo lvextend -l +100%FREE <logical-volume>',
      ]
    : [
        ...(layout.kind === 'raid10' ? [note('raid10-far')] : []),
        'sudo mdadm --grow <md-device> --size=max',
        note('array-synchronises'),
      ];
}

/** After every member has grown: whatever joins them, then the file system. */
export function growSteps(next: Layout, current: Current, currentIds: readonly string[]): StepLine[] {
  const passes = (endGiB: number): boolean =>
    next.kind === 'single' && current.layout.sizeGiB <= endGiB && next.sizeGiB > endGiB;
  return [
    'lsblk --output NAME,SERIAL,SIZE,FSTYPE,MOUNTPOINT',
    ...(passes(mbrEndsGiB) ? [note('gpt-above-2-tib')] : []),
    ...(passes(ext4EndsGiB) ? [note('ext4-above-16-tib')] : []),
    ...growJoined(current, currentIds.map(hostDevice)),
    { code: 'grow-xfs', command: 'sudo xfs_growfs -d <mount-point>' },
    { code: 'grow-ext4', command: 'sudo resize2fs <device>' },
  ];
}
