/**
 * What is done on the host (Linux, Nitro). Every command is complete in itself, so that one that is refused stops
 * nothing but what needs it; none has a --force, so what holds data is refused.
 * Sources: lvcreate(8), lvextend(8), mdadm(8), mkfs.xfs(8), xfs_growfs(8); EBS user guide, recognize-expanded-volume-linux
 * and raid-config, read 2026-11-21.
 */
import { IllegalConfiguration } from '../../errors.ts';
import type { Layout } from '../layout.ts';
import { hostDevice, newVolumeIds } from './names.ts';
import type { Present } from './present.ts';

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

/** The names carry the number of members: the old and the new one stand beside each other while data is copied. */
function joined(layout: Layout): string | null {
  if (layout.kind === 'single') return null;
  const name = `${layout.kind}_${layout.members}`;
  return layout.kind === 'stripe' ? `/dev/${name}/data` : `/dev/md/${name}`;
}

function joinSteps(layout: Layout, chunkKiB: number, devices: readonly string[]): string[] {
  if (layout.kind === 'single') return [];
  const { kind, members } = layout;
  const all = devices.join(' ');
  if (kind === 'stripe') {
    return [
      `sudo pvcreate ${all}`,
      `sudo vgcreate stripe_${members} ${all}`,
      `sudo lvcreate --type striped -i ${members} -I ${chunkKiB}k -l 100%FREE -n data stripe_${members}`,
    ];
  }
  const array = joined(layout);
  return [
    ...(kind === 'raid5'
      ? ['# AWS advises against RAID5 on EBS: parity is written too, and takes a share of the IOPS.']
      : []),
    `sudo mdadm --create ${array} --level=${mdadmLevels[kind]} --raid-devices=${members} --chunk=${chunkKiB}K ${all}`,
    '# The file is /etc/mdadm/mdadm.conf on Debian and Ubuntu, /etc/mdadm.conf elsewhere.',
    `sudo mdadm --detail --brief ${array} | sudo tee -a <mdadm-conf>`,
  ];
}

/**
 * From attached, empty volumes to a mounted XFS file system.
 * @param chunkKiB of a stripe, RAID10 or RAID5
 * @throws IllegalConfiguration for a chunk that LVM and mdadm refuse.
 */
export function hostSteps(
  layout: Layout,
  chunkKiB: number,
  mountPoint: '<mount-point>' | '<new-mount-point>' = '<mount-point>',
): string[] {
  requireChunk(chunkKiB);
  const devices = newVolumeIds(layout.members).map(hostDevice);
  const device = joined(layout) ?? devices.join(' ');
  return [
    '# On the host: a volume is found by its id, as the order of /dev/nvme1n1 and so on can change at a start.',
    `ls -l ${devices.join(' ')}`,
    ...joinSteps(layout, chunkKiB, devices),
    `sudo mkfs.xfs ${device}`,
    `sudo mkdir -p ${mountPoint}`,
    `sudo mount ${device} ${mountPoint}`,
  ];
}

/** So that it is mounted at the next start too; the device's UUID, as its name may change. */
export function fstabSteps(layout: Layout): string[] {
  const device = joined(layout) ?? newVolumeIds(1).map(hostDevice).join(' ');
  return [
    `printf 'UUID=%s %s xfs defaults,noatime,nofail 0 2\\n' "$(sudo blkid -s UUID -o value ${device})" <mount-point> | sudo tee -a /etc/fstab`,
  ];
}

/** From the old mount point to the new one: once while in use, once at rest, then compared. */
export function copySteps(layout: Layout): string[] {
  const rsync = 'sudo rsync --archive --hard-links --acls --xattrs --numeric-ids';
  const device = joined(layout) ?? newVolumeIds(1).map(hostDevice).join(' ');
  return [
    '# A database: its own replication or restore onto the new volumes is better than the copy of files below.',
    `${rsync} <mount-point>/ <new-mount-point>/`,
    '# Stop everything that writes, then copy what has changed since.',
    `${rsync} --delete <mount-point>/ <new-mount-point>/`,
    '# Compare: no line may be printed.',
    `${rsync} --delete --checksum --dry-run --itemize-changes <mount-point>/ <new-mount-point>/`,
    '# Switch, and take the line of the old one out of /etc/fstab.',
    'sudo umount <mount-point>',
    'sudo umount <new-mount-point>',
    `sudo mount ${device} <mount-point>`,
    ...fstabSteps(layout),
    '# Start what was stopped, and look whether all is there.',
  ];
}

const mbrEndsGiB = 2_048;
const ext4EndsGiB = 16_384;

function growJoined({ layout, builtWith }: Present, devices: readonly string[]): string[] {
  if (layout.kind === 'single') {
    return ['# If the file system is in a partition: sudo growpart <device> <partition-number>'];
  }
  return builtWith === 'lvm'
    ? [
        `sudo pvresize ${devices.join(' ')}`,
        '# It stays a stripe: all its members have grown alike.',
        'sudo lvextend -l +100%FREE <logical-volume>',
      ]
    : [
        ...(layout.kind === 'raid10'
          ? ['# mdadm refuses it for a RAID10 of layout far (not its default).']
          : []),
        'sudo mdadm --grow <md-device> --size=max',
        '# The array synchronises the part that is new: cat /proc/mdstat shows how far it is.',
      ];
}

/** After every member has grown: whatever joins them, then the file system. */
export function growSteps(next: Layout, present: Present, presentIds: readonly string[]): string[] {
  const passes = (endGiB: number): boolean =>
    next.kind === 'single' && present.layout.sizeGiB <= endGiB && next.sizeGiB > endGiB;
  return [
    'lsblk --output NAME,SERIAL,SIZE,FSTYPE,MOUNTPOINT',
    ...(passes(mbrEndsGiB) ? ['# Above 2 TiB a partition table has to be GPT: MBR ends there.'] : []),
    ...(passes(ext4EndsGiB) ? ['# Above 16 TiB ext4 has to have its 64bit feature.'] : []),
    ...growJoined(present, presentIds.map(hostDevice)),
    '# XFS: sudo xfs_growfs -d <mount-point>',
    '# ext4: sudo resize2fs <device>',
  ];
}
