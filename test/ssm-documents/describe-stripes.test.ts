/** The script that Run Command runs on hosts, alone: tools are stubs that print what the real ones do. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostEvidence } from '../../core/stripes/host-evidence.ts';
import { commandDocument } from '../../lib/shared/command-document.ts';
import {
  disk,
  ids,
  lsblkText,
  lvm,
  lvmStripe,
  md,
  oldLsblkText,
  rootDisk,
  volumeId,
} from '../core/stripes/hosts.ts';
import { directory, Host, pathOf, type Stub, script } from './stub-host.ts';

/** With a device of device-mapper in /sys. */
const withDm = { 'sys/block/dm-0/dm/name': 'data-data\n' };
/** dmsetup is asked once for each target. */
const tables = (text: string): Stub => ({ does: `[ "$3" != striped ] || cat <<'END'\n${text}\nEND` });
const lsblkOf = ({ document }: { document: Record<string, unknown> }) =>
  document['lsblk'] as { output?: string; error?: string };

const shells = ['sh', 'dash', 'bash --posix', 'busybox sh'].filter(
  (shell) => pathOf(shell.split(' ')[0] ?? '') !== null,
);

test.each(shells)('a stripe of LVM is reported by %s', (shell) => {
  const { lsblk, dmsetup } = lvmStripe();
  const host = new Host({ lsblk: { prints: lsblk }, dmsetup: tables(dmsetup) }).with(withDm);
  const { status, stderr, text } = host.run(shell);
  expect([status, stderr]).toEqual([0, '']);
  expect(text.split('\n')).toHaveLength(2);
  expect(hostEvidence(text)).toEqual({
    known: true,
    value: {
      arrays: [
        {
          name: 'data/data',
          kind: 'stripe',
          chunkKiB: 64,
          memberVolumeIds: ids(1, 2, 3, 4),
          mountPoints: ['/data'],
          builtWith: 'lvm',
        },
      ],
      singleVolumeIds: ids(0),
      notes: [],
    },
  });
});

test('each tool gets 10 seconds, columns that an old lsblk knows too, and no table with keys is asked for', () => {
  const { lsblk, dmsetup } = lvmStripe();
  const host = new Host({ lsblk: { prints: lsblk }, dmsetup: tables(dmsetup) }).with(withDm);
  host.run();
  expect(host.calls).toEqual([
    'lsblk --json --exclude 1,7,11 --output NAME,TYPE,SERIAL,FSTYPE,MOUNTPOINT',
    'dmsetup table --target linear',
    'dmsetup table --target striped',
    'dmsetup table --target raid',
    'dmsetup table --target mirror',
  ]);
  expect(new Set(readFileSync(join(host.root, 'limits'), 'utf8').trim().split('\n'))).toEqual(
    new Set(['-k 2 10']),
  );
});

test('where no device is of device-mapper, dmsetup is not run: it would load it', () => {
  const host = new Host({ lsblk: { prints: lsblkText(rootDisk) }, dmsetup: { prints: '' } });
  expect(host.run().document['dmsetup']).toBeNull();
  expect(host.calls.filter((call) => call.startsWith('dmsetup'))).toEqual([]);
});

test('a stripe of md is reported by the kernel, with its chunk, its spare and the name it was given', () => {
  const array = md('md127', 'raid10', { fstype: 'ext4', mountpoint: '/data' });
  const members = [1, 2, 3, 4, 5].map((number) =>
    disk(number, { fstype: 'linux_raid_member', children: [array] }),
  );
  const slots = [1, 2, 3, 4].map((number, slot) => [
    `sys/block/md127/md/dev-nvme${number}n1/slot`,
    `${slot}\n`,
  ]);
  const host = new Host({ lsblk: { prints: oldLsblkText(rootDisk, ...members) } })
    .with({
      'sys/block/md127/md/chunk_size': '524288\n',
      'sys/block/md127/md/dev-nvme5n1/slot': 'none\n',
      ...Object.fromEntries(slots),
    })
    .linked('dev/md/data', '../md127');
  expect(hostEvidence(host.run().text)).toMatchObject({
    value: {
      arrays: [
        { name: 'data', kind: 'raid10', chunkKiB: 512, memberVolumeIds: ids(1, 2, 3, 4), builtWith: 'mdadm' },
      ],
    },
  });
});

test('a tool that hangs is ended, and the rest is reported', () => {
  const host = new Host({ lsblk: { prints: lsblkText(rootDisk) }, dmsetup: { does: 'exec sleep 60' } }).with(
    withDm,
  );
  const { status, document } = host.run();
  expect(status).toBe(0);
  expect(document['dmsetup']).toEqual({ error: 'dmsetup took longer than 10 s' });
  expect(lsblkOf({ document }).output).toContain('nvme0n1');
});

test('a tool that fails is a field with its message; one that warns and does not fail is not', () => {
  const failing = { does: `echo '{"half":'; echo 'lsblk: unknown column: "SERIAL"' >&2; exit 1` };
  const warning = {
    does: `echo 'File descriptor 3 leaked' >&2; [ "$3" != striped ] || echo 'a-b: 0 8 striped 2 8 1:1 0 1:2 0'`,
  };
  const { status, document } = new Host({ lsblk: failing, dmsetup: warning }).with(withDm).run();
  expect(status).toBe(0);
  expect(document['lsblk']).toEqual({
    error: 'lsblk failed with status 1: lsblk: unknown column: "SERIAL"\n',
  });
  expect(document['dmsetup']).toEqual({ output: 'a-b: 0 8 striped 2 8 1:1 0 1:2 0\n' });
});

test('with no tools at all it still says so', () => {
  const { status, document } = new Host({}, false).with(withDm).run();
  expect(status).toBe(0);
  expect(document).toEqual({
    version: 1,
    lsblk: { error: 'lsblk is not there' },
    dmsetup: { error: 'dmsetup is not there' },
    md: '',
    ebsStatistics: null,
  });
});

test('without timeout the tools run as they are', () => {
  const { document } = new Host({ lsblk: { prints: lsblkText(rootDisk) } }, false).run();
  expect(lsblkOf({ document }).output).toContain(volumeId(0).replace('-', ''));
});

test('names are data: what looks like a command is printed and not run', () => {
  const name = '/srv/$(touch pwned)`touch pwned`; touch pwned "quoted" \\back %s é';
  const stripe = lvm('data-data', { fstype: 'xfs', mountpoint: name });
  const { lsblk, dmsetup } = lvmStripe(stripe);
  const host = new Host({ lsblk: { prints: lsblk }, dmsetup: tables(dmsetup) })
    .with({ ...withDm, 'sys/block/md0/md/chunk_size': '$(touch pwned)\n' })
    .linked('dev/md/$(touch pwned)', '../md0');
  const before = readdirSync(host.bin);
  expect(hostEvidence(host.run().text)).toMatchObject({ value: { arrays: [{ mountPoints: [name] }] } });
  expect(readdirSync(host.bin)).toEqual(before);
});

test('what is longer than Run Command hands over is said, and not cut in the middle', () => {
  const disks = Array.from({ length: 400 }, (_, number) => disk(number, { fstype: 'xfs' }));
  const { status, text, document } = new Host({ lsblk: { prints: lsblkText(...disks) } }).run();
  expect(status).toBe(0);
  expect(document).toEqual({ version: 1, tooLarge: { characters: expect.any(Number), most: 23_999 } });
  expect(text.length).toBeLessThan(100);
  expect(hostEvidence(text)).toMatchObject({
    known: false,
    reason: { code: 'answer-too-large', characters: expect.any(Number), most: 23_999 },
  });
});

test('a stripe of 28 volumes with two logical volumes, each below every member, is not too large', () => {
  const volumes = [lvm('data-data', { mountpoint: '/data' }), lvm('data-log', { mountpoint: '/log' })];
  const disks = Array.from({ length: 28 }, (_, number) => disk(number, { children: volumes }));
  const { text, document } = new Host({ lsblk: { prints: lsblkText(...disks) } }).run();
  expect(document['lsblk']).toHaveProperty('output');
  expect(text.length).toBeLessThan(24_000);
});

test('where it cannot print, it fails', () => {
  const full = openSync('/dev/full', 'w');
  const { status } = spawnSync('sh', [script, directory.path], { stdio: ['ignore', full, 'ignore'] });
  closeSync(full);
  expect(status).not.toBe(0);
});

test('nothing is redirected into a file, and no word has the braces that Systems Manager would fill in', () => {
  const { runCommand } = commandDocument(join(__dirname, '../..'), 'describe-stripes').mainSteps[0].inputs;
  const text = `${runCommand.join('\n')}\n`;
  // Comparisons of awk are no redirections.
  const code = text.replaceAll(/^\s*#.*$/gm, '').replaceAll(/awk[^']*'[^']*'|page_functions='[^']*'/g, '');
  const redirections = [...code.matchAll(/>+\s*(\S+)/g)].map(([, target]) => target);
  expect(new Set(redirections.map((target) => target?.replace(/[;)]$/, '')))).toEqual(
    new Set(['/dev/null', '&1']),
  );
  expect(text).not.toContain('{{');
});

test('it runs on this machine as it is', () => {
  const { status, stdout, stderr } = spawnSync('sh', [script], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ version: 1 });
});
