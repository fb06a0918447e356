/** Arrays with something below or above them: partitions, encryption, LVM, other arrays. */
import type { HostArray } from '../../../core/stripes/host-evidence.ts';
import { crypt, disk, ids, lvm, md, part } from './hosts.ts';
import { notified, onEach, read, table } from './read-host.ts';

test('partitions and encryption below an array are looked through, and what lies on it brings its mount points', () => {
  const data = lvm('vg-data', { fstype: 'xfs', mountpoint: '/data' });
  const log = lvm('vg-log', { fstype: 'xfs', mountpoint: '/log' });
  const array = md('md0', 'raid0', { children: [crypt('secret', { children: [data, log] })] });
  const devices = [1, 2].map((number) =>
    disk(number, { children: [part(`nvme${number}n1p1`, { children: [array] })] }),
  );
  expect(read(devices, table('vg-data: 0 8 linear 253:0 0', 'vg-log: 0 8 linear 253:0 8')).arrays).toEqual([
    {
      name: 'md0',
      kind: 'stripe',
      chunkKiB: null,
      memberVolumeIds: ids(1, 2),
      mountPoints: ['/data', '/log'],
      builtWith: 'mdadm',
    } satisfies HostArray,
  ]);
});

test('each volume encrypted by itself: the stripe is above it', () => {
  const devices = [1, 2].map((number) =>
    disk(number, {
      fstype: 'crypto_LUKS',
      children: [crypt(`luks-${number}`, { children: [lvm('vg-lv')] })],
    }),
  );
  expect(notified(devices, table('vg-lv: 0 8 striped 2 128 253:0 0 253:1 0'))).toEqual([
    ['vg/lv', 'stripe', ids(1, 2)],
  ]);
});

/** Two arrays of two volumes, joined by a logical volume. */
const nested = (level: string, line: string, secondLevel = level) => {
  const top = lvm('vg-lv', { mountpoint: '/data' });
  const devices = [
    ...onEach([1, 2], md('md1', level, { children: [top] })),
    ...onEach([3, 4], md('md2', secondLevel, { children: [top] })),
  ];
  return notified(devices, table(`vg-lv: 0 8 ${line}`));
};

test.each([
  ['raid1', 'striped 2 128 9:1 0 9:2 0', 'raid10'],
  ['raid0', 'striped 2 128 9:1 0 9:2 0', 'stripe'],
  ['raid0', 'raid raid1 3 0 region_size 1 2 - 9:1 - 9:2', 'raid10'],
])('arrays of arrays that share evenly are one: %s below "%s" is %s', (level, line, kind) => {
  expect(nested(level, line)).toEqual([['vg/lv', kind, ids(1, 2, 3, 4)]]);
});

test('stripes one after the other stay stripes of their own, below what joins them', () => {
  expect(nested('raid0', 'linear 9:1 0')).toEqual([
    ['md1', 'stripe', ids(1, 2)],
    ['md2', 'stripe', ids(3, 4)],
    ['vg/lv', 'linear', ids(1, 2, 3, 4)],
  ]);
  expect(nested('raid0', 'striped 2 128 9:1 0 9:2 0', 'raid5').map(([name, kind]) => [name, kind])).toEqual([
    ['md1', 'stripe'],
    ['md2', 'raid5'],
    ['vg/lv', 'other'],
  ]);
});

test('stripes below a line are mounted where the line is', () => {
  const top = lvm('vg-lv', { mountpoint: '/data' });
  const devices = [
    ...onEach([1, 2], md('md1', 'raid0', { children: [top] })),
    ...onEach([3, 4], md('md2', 'raid0', { children: [top] })),
  ];
  const { arrays } = read(devices, table('vg-lv: 0 8 linear 9:1 0'));
  expect(arrays.map(({ mountPoints }) => mountPoints)).toEqual([['/data'], ['/data'], ['/data']]);
});

test('RAID of LVM: its images and metadata lie on the same volumes and are not arrays', () => {
  const devices = [1, 2, 3, 4].map((number, image) =>
    disk(number, {
      children: [
        lvm(`vg-lv_rimage_${image}`, { children: [lvm('vg-lv')] }),
        lvm(`vg-lv_rmeta_${image}`, { children: [lvm('vg-lv')] }),
      ],
    }),
  );
  expect(
    notified(devices, table('vg-lv: 0 8 raid raid10 3 128 region_size 8 4 1:1 1:2 1:3 1:4 1:5 1:6 1:7 1:8')),
  ).toEqual([['vg/lv', 'raid10', ids(1, 2, 3, 4)]]);
});

test('a thin pool on a stripe is the stripe, its metadata on one of the volumes is none', () => {
  const thin = lvm('vg-pool', { children: [lvm('vg-thin', { mountpoint: '/data' })] });
  const data = lvm('vg-pool_tdata', { children: [thin] });
  const devices = [
    disk(1, { children: [lvm('vg-pool_tmeta', { children: [thin] }), data] }),
    disk(2, { children: [data] }),
  ];
  const { arrays } = read(
    devices,
    table('vg-pool_tdata: 0 8 striped 2 128 259:1 0 259:2 0', 'vg-pool_tmeta: 0 8 linear 259:1 0'),
  );
  expect(arrays).toMatchObject([{ name: 'vg/pool_tdata', kind: 'stripe', mountPoints: ['/data'] }]);
});
