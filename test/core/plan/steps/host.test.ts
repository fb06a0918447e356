/** The host's lines, pasted whole into a shell: what fails stops all that needs it, and no other data is touched. */
import { join } from 'node:path';
import type { Layout } from '../../../../core/plan/layout.ts';
import { writtenSteps } from '../../../../report/steps/written-steps.ts';
import { temporaryDirectory } from '../../../fixtures/temporary-directory.ts';
import { HostSandbox } from './host-sandbox.ts';
import { gp2, gp3 } from './layouts.ts';
import { shells } from './paste.ts';

const directory = temporaryDirectory();
const sandbox = (): HostSandbox => new HostSandbox(join(directory.path, 'host'));
const options = { region: 'us-east-1', deployment: 'region' } as const;
const stripe = (members: number, figures: Partial<Layout> = {}): Layout =>
  gp3({ kind: 'stripe', members, ...figures });
const migration = (next: Layout, from: Layout = gp2()): string[] =>
  writtenSteps(next, { layout: from, volumeIds: [] }, options).awsCli;

/** The new ids of a migration, distinguished by a letter: vol-0a1, vol-0a2. */
const ids = (letter: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [`<new-volume-id-${i + 1}>`, `vol-0000000${letter}${i + 1}`]),
  );

const kinds = [
  { layout: gp3({ sizeGiB: 400 }), from: gp3(), makes: ['mkfs.xfs'] },
  { layout: stripe(2), from: gp2(), makes: ['vgcreate', 'lvcreate', 'mkfs.xfs'] },
  { layout: gp3({ kind: 'raid10', members: 4 }), from: gp2(), makes: ['mdadm', 'mkfs.xfs'] },
];
const rows = kinds.flatMap((row) => shells.map((shell) => ({ ...row, shell, kind: row.layout.kind })));

test.each(rows)('$kind, in $shell: all is copied, then it takes the place of the old one', async (row) => {
  const host = sandbox();
  host.mounted('/dev/old', host.old, { one: '1', two: '2' });
  await host.paste(migration(row.layout, row.from), row.shell, ids('a'));
  expect(host.files(host.new)).toEqual(['one', 'two']);
  expect(host.names().slice(0, row.makes.length + 1)).toEqual([...row.makes, 'mount']);
  expect(host.names().filter((name) => name === 'rsync')).toHaveLength(2);
  expect(host.deviceAt(host.new)).toBeNull();
  expect(host.deviceAt(host.old)).toContain('0000000a1');
  expect(host.written()).toContain(`UUID=0000-1111 ${host.old} xfs defaults,noatime,nofail 0 2\n`);
});

const failures = rows.flatMap((row) => [...row.makes, 'mount'].map((failing) => ({ ...row, failing })));
test.each(failures)(
  '$kind, in $shell: where $failing fails, nothing is copied or unmounted',
  async ({ layout, from, shell, failing }) => {
    const host = sandbox().failing(failing);
    host.mounted('/dev/old', host.old, { one: '1' });
    await host.paste(migration(layout, from), shell, ids('a'));
    expect(host.names().filter((name) => /^(rsync|umount)$/.test(name))).toEqual([]);
    expect(host.deviceAt(host.old)).toBe('/dev/old');
    expect(host.written()).toBe('');
  },
);

test.each(shells)('in %s: where the copy fails, nothing is switched', async (shell) => {
  const host = sandbox().failing('rsync');
  host.mounted('/dev/old', host.old, { one: '1' });
  await host.paste(migration(stripe(2)), shell, ids('a'));
  expect(host.names()).not.toContain('umount');
  expect(host.deviceAt(host.old)).toBe('/dev/old');
});

const other = '/dev/data_0000000b1/data';
const waiting = [{ precious: 'p' }, {}].flatMap((files) => shells.map((shell) => ({ files, shell })));
test.each(waiting)(
  'in $shell: another migration that waits at the new mount point, with $files, loses nothing',
  async ({ files, shell }) => {
    const host = sandbox();
    host.mounted('/dev/old', host.old, { one: '1' }).mounted(other, host.new, files);
    await host.paste(migration(stripe(2)), shell, ids('a'));
    expect(host.names()).toEqual([]);
    expect(host.files(host.new)).toEqual(Object.keys(files));
    expect(host.deviceAt(host.new)).toBe(other);
  },
);

test.each(shells)('in %s: a directory with files in it is no mount point', async (shell) => {
  const host = sandbox();
  host.mounted('/dev/old', host.old, { one: '1' }).mounted(other, host.new, { precious: 'p' });
  await host.paste([`umount ${host.new}`, ...migration(stripe(2))], shell, ids('a'));
  expect(host.names()).toEqual(['umount']);
  expect(host.files(host.new)).toEqual(['precious']);
});

test('what was set for another migration is not taken for this one, where its ids were not put in', async () => {
  const host = sandbox();
  host.mounted('/dev/old', host.old, { one: '1' }).mounted(other, host.new, { precious: 'p' });
  const earlier = ['V1=vol-0000000b1', 'D1=/dev/b1', 'D2=/dev/b2', `DATA=${other}`, `COPIED=${other}`];
  const open = Object.fromEntries(Object.keys(ids('a')).map((id) => [id, id])); // left as they are
  await host.paste([...earlier, ...migration(stripe(2))], '/bin/bash', open);
  expect(host.names()).toEqual([]);
  expect(host.files(host.new)).toEqual(['precious']);
});

test('two migrations to the same layout, one after the other, have names of their own', async () => {
  const host = sandbox();
  host.mounted('/dev/old', host.old, { one: '1' });
  await host.paste(migration(stripe(2)), '/bin/bash', ids('a'));
  const first = host.deviceAt(host.old);
  const before = host.calls().length;
  const newDirectory = join(directory.path, 'host', 'second');
  const again = migration(stripe(2, { sizeGiB: 400 }), stripe(2));
  await host.paste(again, '/bin/bash', { ...ids('c'), '<new-mount-point>': newDirectory });
  expect([first, host.deviceAt(host.old)]).toEqual(['/dev/data_0000000a1/data', '/dev/data_0000000c1/data']);
  const second = host.calls().slice(before);
  expect(second.filter((line) => line.includes('0000000a1'))).toEqual([]);
  expect(host.files(newDirectory)).toEqual(['one']);
});

test('the new device at both mount points is not copied onto itself', async () => {
  const host = sandbox();
  const values = { ...ids('a'), '<new-mount-point>': join(directory.path, 'host', 'old') };
  await host.paste(migration(stripe(2)), '/bin/bash', values);
  expect(host.deviceAt(host.old)).toBe('/dev/data_0000000a1/data');
  expect(host.names()).not.toContain('rsync');
});

test.each([stripe(2), gp3({ kind: 'raid5', members: 3 })])(
  'no line of rsync runs without the check that the new device is mounted: $kind',
  async (layout) => {
    const lines = migration(layout);
    const copies = lines.filter((line) => line.includes('sudo rsync')).map((line) => line.replace(/^# /, ''));
    expect(copies).toHaveLength(3);
    const check = lines.filter((line) => line.startsWith('may_copy() '));
    const data = '/dev/data_0000000a1/data';
    const set = (host: HostSandbox): string[] => [
      `MOUNT=${host.old}`,
      `NEW_MOUNT=${host.new}`,
      `DATA=${data}`,
    ];
    const pasted = async (before: string[], at: 'old' | 'new'): Promise<string[]> => {
      const host = sandbox();
      host.mounted('/dev/old', host.old, { one: '1' }).mounted(data, host[at], {});
      await host.paste([...set(host), ...before, ...copies], '/bin/bash');
      return host.names();
    };
    expect(await pasted(check, 'new')).toEqual(['rsync', 'rsync', 'rsync']);
    expect(await pasted([], 'new')).toEqual([]);
    expect(await pasted(check, 'old')).toEqual([]);
  },
);

test('a volume from a snapshot is not mounted over the old one that is still mounted', async () => {
  const steps = migration(gp3(), gp3({ volumeType: 'standard', iops: 100, throughputMiBps: 40 }));
  const host = sandbox().failing('umount');
  host.mounted('/dev/old', host.old, { one: '1' });
  await host.paste(steps, '/bin/bash', ids('a'));
  expect(host.names()).toEqual(['umount']);
});
