/** What stands between two commands: every note once, in a file that a person reads in a review. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StepNote } from '../../../core/schemas/plan-steps.ts';
import { writtenLine } from '../../../report/steps/note-lines.ts';
import { samplesOf } from '../wording/samples-of.ts';

const file = join(__dirname, 'note-lines.txt');

const notes = samplesOf<StepNote>({
  'managed-elsewhere': [{}],
  'multi-attach': [{}],
  'io2-block-express': [{}],
  'attach-again-above-32000-iops': [{}],
  'one-after-the-other': [{}],
  'snapshot-before-growing': [{}],
  'repeat-until-completed': [{}],
  'modification-limits': [{}],
  'encryption-by-default': [{}],
  'outpost-types': [{}],
  'device-name-in-use': [{}],
  'keep-until-snapshots': [{}],
  'wait-gives-up': [{}],
  'delete-last': [{}],
  'stop-volume-group': [{}],
  'stop-array': [{}],
  'root-volume-stops-instance': [{}],
  'unmount-first': [{}],
  'blocks-fetched-late': [{}],
  'put-in-id': [{}],
  'fstab-unchanged': [{}],
  'file-system-not-grown': [{}],
  'copied-as-files': [{}],
  'root-needs-instance': [{}],
  'may-copy': [{}],
  'database-copy': [{}],
  'stop-writers': [{}],
  'compare-all': [{}],
  'switch-over': [{}],
  'start-again': [{}],
  'device-by-id': [{}],
  'one-command': [{}],
  'raid5-not-recommended': [{}],
  'first-synchronisation': [{}],
  'mdadm-conf-place': [{}],
  'grow-on-host': [{}],
  'gpt-above-2-tib': [{}],
  'ext4-above-16-tib': [{}],
  'stripe-grown-alike': [{}],
  'raid10-far': [{}],
  'array-synchronises': [{}],
  'not-for-root': [{ volumeType: 'st1' }],
  lowered: [
    { isEach: true, iops: { from: 6_000, to: 3_000 }, throughputMiBps: { from: 500, to: 125 } },
    { isEach: false, iops: null, throughputMiBps: { from: 250, to: 125 } },
  ],
  'host-packages': [{ packages: ['xfsprogs'] }, { packages: ['lvm2', 'xfsprogs', 'rsync'] }],
  'stop-joined': [{ lvm: 'sudo vgchange -an <volume-group>', mdadm: 'sudo mdadm --stop <md-device>' }],
  'grow-partition': [{ command: 'sudo growpart <device> <partition-number>' }],
  'grow-xfs': [{ command: 'sudo xfs_growfs -d <mount-point>' }],
  'grow-ext4': [{ command: 'sudo resize2fs <device>' }],
  'nothing-to-do': [
    {
      reason: {
        code: 'unchanged',
        member: { volumeType: 'gp2', sizeGiB: 500, iops: null, throughputMiBps: null },
      },
    },
  ],
});

const lines = notes.map((note) => ({ code: note.code, words: writtenLine(note) }));
const rendered = `${lines.map(({ code, words }) => [`${code}:`, ...words].join('\n')).join('\n\n')}\n`;

test('the lines are those that were read in a review (UPDATE_LINES=1 writes them anew)', () => {
  if (process.env['UPDATE_LINES'] === '1') writeFileSync(file, rendered);
  expect(rendered).toBe(readFileSync(file, 'utf8'));
});

test('no sentence has more than 25 words, and no line more than 125 characters', () => {
  const sentences = lines.flatMap(({ words }) =>
    words
      .map((line) => line.replace(/^# /, ''))
      .join(' ')
      .split(/(?<=[.!?])\s+/),
  );
  expect(sentences.length).toBeGreaterThan(50);
  expect(sentences.filter((one) => one.split(/\s+/).length > 25)).toEqual([]);
  expect(lines.flatMap(({ words }) => words).filter((line) => line.length > 125)).toEqual([]);
});

test('a note is comments, and a command is as it is', () => {
  for (const note of notes) for (const line of writtenLine(note)) expect(line).toMatch(/^# [^\n]+$/);
  expect(writtenLine('sudo true')).toEqual(['sudo true']);
});
