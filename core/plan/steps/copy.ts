/**
 * The data from the old file system to the new one, and the new one to the place of the old one. `rsync --delete` onto
 * another migration's file system would take its data away, so nothing is copied before may_copy has looked.
 * Sources: rsync(1), mountpoint(1), fstab(5), read 2026-11-21.
 */

import type { Current } from './current.ts';
import { holdsNew, holdsOther } from './host.ts';
import { note, type StepLine } from './line.ts';
import { set } from './names.ts';

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
