/**
 * What is done on the host (Linux, Nitro). Lines are pasted, so one that is refused does not keep the next from running:
 * what needs another is in one line with it, or asks for what that one has left. None has a --force, so what holds data
 * is refused. The name of a new device carries its first volume's id: no other migration has it.
 * Sources: lvcreate(8), lvextend(8), mdadm(8), mkfs.xfs(8), xfs_growfs(8); EBS user guide, recognize-expanded-volume-linux
 * and raid-config, read 2026-11-21.
 */
import { IllegalConfiguration } from '../../errors.ts';
import type { Layout } from '../layout.ts';
import type { Current } from './current.ts';
import { note, type StepLine } from './line.ts';
import { hostDevice, newDeviceLines, newDeviceVariables, set } from './names.ts';

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
  raid10: `\${D1:+/dev/md/${newName}}`,
  raid5: `\${D1:+/dev/md/${newName}}`,
};

const packagesOf = ({ kind }: Layout): string[] => [
  ...(kind === 'single' ? [] : [kind === 'stripe' ? 'lvm2' : 'mdadm']),
  'xfsprogs',
];

function joinCommands({ kind, members }: Layout, chunkKiB: number): string[] {
  if (kind === 'single') return [];
  const devices = newDeviceVariables(members).map(set).join(' ');
  const group = `"${newName}"`;
  return kind === 'stripe'
    ? [
        `sudo vgcreate ${group} ${devices}`,
        `sudo lvcreate --type striped -i ${members} -I ${chunkKiB}k -l 100%FREE -n data ${group}`,
      ]
    : [
        `sudo mdadm --create ${set('DATA')} --level=${mdadmLevels[kind]} --raid-devices=${members} --chunk=${chunkKiB}K ${devices}`,
      ];
}

function arraySteps({ kind }: Layout): StepLine[] {
  if (kind === 'single' || kind === 'stripe') return [];
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
export const holdsNew = (variable: string): string => holds(variable, '=');
export const holdsOther = (variable: string): string => holds(variable, '!=');
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
        note('stripe-grown-alike'),
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
