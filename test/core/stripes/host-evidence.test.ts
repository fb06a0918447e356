/** From what a host lists to its arrays. */
import { hostEvidence } from '../../../core/stripes/host-evidence.ts';
import {
  disk,
  hostDocument,
  ids,
  type Listed,
  lsblkText,
  lvm,
  lvmStripe,
  md,
  part,
  rootDisk,
} from './hosts.ts';
import { notified, onEach, read, table } from './read-host.ts';

test('a stripe of LVM, and the root volume alone', () => {
  const { lsblk, dmsetup } = lvmStripe();
  expect(hostEvidence(hostDocument({ lsblk, dmsetup }))).toMatchObject({
    value: {
      arrays: [{ name: 'data/data', kind: 'stripe', chunkKiB: 64 }],
      singleVolumeIds: ids(0),
      notes: [],
    },
  });
});

test.each([
  ['raid0', 'stripe'],
  ['raid1', 'mirror'],
  ['raid10', 'raid10'],
  ['raid4', 'raid5'],
  ['raid5', 'raid5'],
  ['raid6', 'raid6'],
  ['linear', 'linear'],
])('md of level %s is a %s', (level, kind) => {
  expect(notified(onEach([1, 2, 3, 4], md('md0', level)))).toEqual([['md0', kind, ids(1, 2, 3, 4)]]);
});

test.each([
  ['striped 2 128 259:1 2048 259:2 2048', 'stripe', 64],
  ['raid raid0 3 256 region_size 1024 2 - 253:1 - 253:3', 'stripe', 128],
  ['raid raid10 3 128 region_size 8192 2 253:0 253:1 253:2 253:3', 'raid10', 64],
  ['raid raid5_ls 3 512 region_size 8192 2 253:0 253:1 253:2 253:3', 'raid5', 256],
  ['raid raid6_zr 3 128 region_size 8192 2 253:0 253:1', 'raid6', 64],
  ['raid raid1 3 0 region_size 8192 2 253:0 253:1 253:2 253:3', 'mirror', null],
  ['mirror core 1 1024 2 259:1 2048 259:2 2048', 'mirror', null],
  ['linear 259:1 2048', 'linear', null],
])('a logical volume with the table "%s" is a %s', (line, kind, chunkKiB) => {
  const devices = onEach([1, 2], lvm('vg-lv'));
  expect(read(devices, table(`vg-lv: 0 8192 ${line}`)).arrays).toMatchObject([
    { name: 'vg/lv', kind, chunkKiB },
  ]);
});

test.each([
  ['vg-lv', 'vg/lv'],
  ['my--vg-my--lv', 'my-vg/my-lv'],
  ['vg-pool-tpool', 'vg-pool-tpool'],
  ['plain', 'plain'],
])('the device %s is called %s', (name, called) => {
  expect(notified(onEach([1, 2], lvm(name)), table(`${name}: 0 8 striped 2 8 1:1 0 1:2 0`))).toEqual([
    [called, 'stripe', ids(1, 2)],
  ]);
});

test('a stripe grown over the same volumes is one; over others it is a line of stripes, which share nothing evenly', () => {
  const four = onEach([1, 2, 3, 4], lvm('vg-lv'));
  const [first, same, others] = [
    'vg-lv: 0 8 striped 2 128 259:1 0 259:2 0',
    'vg-lv: 8 8 striped 2 128 259:2 8 259:1 8',
    'vg-lv: 8 8 striped 2 128 259:3 0 259:4 0',
  ];
  expect(notified(onEach([1, 2], lvm('vg-lv')), table(first, same))).toEqual([
    ['vg/lv', 'stripe', ids(1, 2)],
  ]);
  expect(notified(four, table(first, others))).toEqual([['vg/lv', 'linear', ids(1, 2, 3, 4)]]);
});

test('lines that join in different ways are of no kind', () => {
  const lines = table('vg-lv: 0 8 striped 2 128 259:1 0 259:2 0', 'vg-lv: 8 8 linear 259:1 8');
  expect(notified(onEach([1, 2], lvm('vg-lv')), lines)).toEqual([['vg/lv', 'other', ids(1, 2)]]);
});

test('two partitions of one volume are no array', () => {
  const array = md('md0', 'raid0', { fstype: 'xfs', mountpoint: '/data' });
  const volume = disk(1, {
    children: ['nvme1n1p1', 'nvme1n1p2'].map((name) => part(name, { children: [array] })),
  });
  expect(read([volume])).toMatchObject({ arrays: [], singleVolumeIds: ids(1) });
});

test('an array with a disk of the instance in it shares nothing evenly', () => {
  const local: Listed = { ...disk(9), name: 'nvme9n1', serial: 'AWS6AAE9AAE9C6A6C7A1' };
  const devices = [...onEach([1], md('md0', 'raid1')), { ...local, children: [md('md0', 'raid1')] }];
  expect(notified(devices)).toEqual([['md0', 'other', ids(1)]]);
});

test('a spare is no member', () => {
  const more = {
    md: 'md0 chunk_size 65536\nmd0 slot 0 nvme1n1\nmd0 slot 1 nvme2n1\nmd0 slot none nvme3n1\nmd0 link host:data\n',
  };
  expect(read(onEach([1, 2, 3], md('md0', 'raid1')), more).arrays).toMatchObject([
    { name: 'host:data', chunkKiB: 64, memberVolumeIds: ids(1, 2) },
  ]);
});

test.each([
  ['a file system of its own', disk(1, { fstype: 'ext4', mountpoint: '/data' }), true],
  ['swap', disk(1, { fstype: 'swap' }), true],
  ['a logical volume that is all on it', disk(1, { children: [lvm('vg-lv', { fstype: 'xfs' })] }), true],
  ['nothing that shows: a database may use it raw', disk(1), false],
  ['btrfs, which may span several', disk(1, { fstype: 'btrfs', mountpoint: '/data' }), false],
  ['ZFS', disk(1, { fstype: 'zfs_member' }), false],
  ['an array that is not running', disk(1, { fstype: 'linux_raid_member' }), false],
  ['a file system nobody names', disk(1, { mountpoint: '/data' }), false],
  [
    'a file system beside a part of ZFS',
    disk(1, {
      children: [part('nvme1n1p1', { fstype: 'xfs' }), part('nvme1n1p2', { fstype: 'zfs_member' })],
    }),
    false,
  ],
])('a volume with %s', (_, volume, isSingle) => {
  expect(read([volume]).singleVolumeIds).toEqual(isSingle ? ids(1) : []);
});

test('Xen shows no serial numbers: nothing is taken for known, and that is said', () => {
  const xen = (name: string, child: Listed): Listed => ({
    ...disk(1),
    name,
    serial: null,
    children: [child],
  });
  const array = md('md0', 'raid0');
  expect(read([xen('xvdf', array), xen('xvdg', array)])).toEqual({
    arrays: [],
    singleVolumeIds: [],
    notes: [{ code: 'no-serial-numbers', devices: ['xvdf', 'xvdg'], count: 2 }],
  });
});

test.each([
  'vol0123456789abcdef0',
  'vol-0123456789abcdef0',
  'Amazon_Elastic_Block_Store_vol0123456789abcdef0_1',
  ' vol0123456789abcdef0 ',
])('the serial number "%s" is a volume', (serial) => {
  const [volume] = read([{ ...disk(1), serial, fstype: 'xfs' }]).singleVolumeIds;
  expect(volume).toBe('vol-0123456789abcdef0');
});

test('device-mapper could not be asked: how LVM joins is not known, arrays of md are', () => {
  const devices = [...onEach([1, 2], lvm('vg-lv')), ...onEach([3, 4], md('md0', 'raid0'))];
  const document = JSON.parse(hostDocument({ lsblk: lsblkText(...devices) }));
  const evidence = hostEvidence(JSON.stringify({ ...document, dmsetup: { error: 'dmsetup is not there' } }));
  expect(evidence).toEqual({
    known: true,
    value: {
      arrays: [expect.objectContaining({ name: 'md0', memberVolumeIds: ids(3, 4) })],
      singleVolumeIds: [],
      notes: [
        { code: 'device-mapper-unread', text: 'dmsetup is not there' },
        { code: 'join-unknown', device: 'vg-lv', disks: 2 },
      ],
    },
  });
});

test.each([
  ['', { code: 'not-the-document' }],
  ['{"version":1,"lsblk":{"output":"{\\"blockdev', { code: 'not-the-document' }],
  [
    JSON.stringify({ version: 2, lsblk: { output: '' }, dmsetup: null, md: '' }),
    { code: 'not-the-document' },
  ],
  [
    JSON.stringify({ version: 1, lsblk: { error: 'lsblk is not there' }, dmsetup: null, md: '' }),
    { code: 'lsblk-failed', text: 'lsblk is not there' },
  ],
  [hostDocument({ lsblk: 'lsblk from somewhere else' }), { code: 'lsblk-unreadable' }],
  [hostDocument({ lsblk: '{"blockdevices":[{"type":"disk"}]}' }), { code: 'lsblk-unreadable' }],
])('%s tells nothing: %j', (text, reason) => {
  expect(hostEvidence(text)).toEqual({ known: false, reason });
});

test('fields that a newer script or lsblk adds do no harm', () => {
  const document = JSON.parse(hostDocument({ lsblk: lsblkText({ ...rootDisk, ...{ size: 8 } }) }));
  expect(hostEvidence(JSON.stringify({ ...document, kernel: '6.12' }))).toMatchObject({
    value: { singleVolumeIds: ids(0) },
  });
});

test('a device that stands on itself, which no lsblk lists, ends', () => {
  const knot = md('md0', 'raid0', { children: [md('md1', 'raid0', { children: [md('md0', 'raid0')] })] });
  expect(() => read(onEach([1, 2], knot))).not.toThrow();
});
