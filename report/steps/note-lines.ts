/** What a person has to know or do between two commands, in words. */
import { figure } from '../../core/figures.ts';
import type { StepLine } from '../../core/plan/step-commands.ts';
import type { StepNote } from '../../core/schemas/plan-steps.ts';
import { routeText } from '../wording/plan.ts';
import { type WordsByCode, wordsOf } from '../wording/words.ts';

type Lowered = Extract<StepNote, { code: 'lowered' }>;

export function loweredText({ isEach, iops, throughputMiBps }: Lowered): string {
  const text = (fall: Lowered['iops'], unit: string): string[] =>
    fall === null ? [] : [`${figure(fall.from)} -> ${figure(fall.to)} ${unit}`];
  const figures = [...text(iops, 'IOPS'), ...text(throughputMiBps, 'MiB/s')].join(', ');
  return `Less than what is there${isEach ? ', each' : ''}: ${figures}.`;
}

/** One line each, or several where one would be too long. */
const texts: WordsByCode<StepNote> = {
  'managed-elsewhere': () => 'If CloudFormation or Terraform manages these volumes, change it there instead.',
  'multi-attach': () => 'With Multi-Attach on, EC2 refuses a change of type, and of an io1 any change.',
  'io2-block-express': () =>
    'Above 16 TiB or 64,000 IOPS the instance it is attached to has to support io2 Block Express.',
  'attach-again-above-32000-iops': () =>
    'Above 32,000 IOPS it may need to be detached and attached again, or the instance restarted.',
  'one-after-the-other': () =>
    'All of them, one after the other: until the last is done, the slowest member sets the pace.',
  'snapshot-before-growing': () => 'Before anything grows, a way back:',
  'repeat-until-completed': () =>
    'Repeat until every volume says completed; optimizing is in use already, between the old and the new performance.',
  'modification-limits': () =>
    'A volume is modified at most 4 times in 24 hours, each time after the one before is completed; it never shrinks.',
  'encryption-by-default': () =>
    'Encryption is as the account has it by default; where that says false, add --encrypted below.',
  'outpost-types': () => 'Not every Outpost offers every type.',
  'device-name-in-use': () => 'Where EC2 says that a device name is in use, take another one.',
  'keep-until-snapshots': () =>
    'Keep what was there until its snapshots are completed; take them when all is unmounted and stopped.',
  'wait-gives-up': () => 'It gives up after ten minutes: repeat it then.',
  'delete-last': () => 'Only when the new ones have proved themselves; deleting cannot be undone:',
  'stop-volume-group': () => 'On the host, stop the volume group of the old ones:',
  'stop-array': () => 'On the host, stop the array of the old ones, and take its line out of <mdadm-conf>:',
  'root-volume-stops-instance': () =>
    'A root volume: stop the instance in the place of unmounting, and attach the new one by the name of the old one.',
  'unmount-first': () =>
    'On the host: stop everything that writes to the volume. Go on only when it is unmounted.',
  'blocks-fetched-late': () =>
    'The new volume fetches each block from the snapshot when it is first read: slow until all were read.',
  'put-in-id': () => 'On the host; put in the id that was printed:',
  'fstab-unchanged': () =>
    'In /etc/fstab nothing changes where it names the UUID: the copy has the same. Never mount both at once.',
  'file-system-not-grown': () => 'The file system is still as large as it was.',
  'copied-as-files': () =>
    'A snapshot is of one volume: it cannot turn it into several, nor into a smaller one. The data is copied as files.',
  'root-needs-instance': () =>
    'Not for a root volume: start a new instance with the new layout in its place.',
  'may-copy': () => 'Nothing is copied unless the new device is at NEW_MOUNT and another at MOUNT:',
  'database-copy': () =>
    'A database: its own replication or restore onto the new volumes is better than the copy of files below.',
  'stop-writers': () => 'Stop everything that writes, then copy what has changed since.',
  'compare-all': () =>
    [
      'Only if you can wait, as it has to be at rest: compare all. It reads everything on both sides, no faster than the',
      "slower of the two: often over an hour for 1,000 GiB. It may print nothing but 'compared'.",
    ].join('\n'),
  'switch-over': () =>
    'Switch, only after that copy; before the next start, take the line of the old one out of /etc/fstab.',
  'start-again': () => 'Start what was stopped, and look whether all is there.',
  'device-by-id': () =>
    'A volume is found by its id: the order of /dev/nvme1n1 and so on can change at a start.',
  'one-command': () =>
    'One command, which stops at the first error. The directory has to be empty, and nothing mounted at it.',
  'raid5-not-recommended': () =>
    'AWS advises against RAID5 on EBS: parity is written too, and takes a share of the IOPS.',
  'first-synchronisation': () =>
    'The first synchronisation loads the members until it is done: cat /proc/mdstat shows how far it is.',
  'mdadm-conf-place': () =>
    'The file is /etc/mdadm/mdadm.conf on Debian and Ubuntu, /etc/mdadm.conf elsewhere.',
  'grow-on-host': () => 'On the host, when every volume says optimizing or completed:',
  'gpt-above-2-tib': () => 'Above 2 TiB a partition table has to be GPT: MBR ends there.',
  'ext4-above-16-tib': () => 'Above 16 TiB ext4 has to have its 64bit feature.',
  'stripe-grown-alike': () => 'It stays a stripe: all its members have grown alike.',
  'raid10-far': () => 'mdadm refuses it for a RAID10 of layout far (not its default).',
  'array-synchronises': () =>
    'The array synchronises the part that is new: cat /proc/mdstat shows how far it is.',
  'not-for-root': ({ volumeType }) => `Not for a root volume: ${volumeType} cannot be one.`,
  lowered: loweredText,
  'host-packages': ({ packages }) =>
    `On the host. It needs ${packages.join(', ').replace(/, ([^,]+)$/, ' and $1')}. Put in the ids that were printed:`,
  'stop-joined': ({ lvm, mdadm }) =>
    `On the host, stop what joined the old ones. LVM: ${lvm}; mdadm: ${mdadm}`,
  'grow-partition': ({ command }) => `If the file system is in a partition: ${command}`,
  'grow-xfs': ({ command }) => `XFS: ${command}`,
  'grow-ext4': ({ command }) => `ext4: ${command}`,
  'nothing-to-do': ({ reason }) => `Nothing to do: ${routeText(reason)}.`,
};

/** A command as it is, a note as comments of the shell. */
export const writtenLine = (line: StepLine): string[] =>
  typeof line === 'string'
    ? [line]
    : wordsOf<StepNote>(texts, line)
        .split('\n')
        .map((text) => `# ${text}`);
