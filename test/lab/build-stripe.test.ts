/** build-stripe on a kernel: what it makes is what LVM, md and the file systems say it is. */
import type { Ended } from '../../local/lab/guest-agent.ts';
import type { Lab } from '../../local/lab/lab.ts';
import { afterTool, beforeTool, killedAt } from './hooks.ts';
import { KnownStates } from './known-state.ts';
import {
  ask,
  deviceOf,
  diskOf,
  failureOf,
  mountsOf,
  resultOf,
  startLab,
  stepsOf,
  upTo,
  volumeId,
  volumeIds,
} from './stripes.ts';

const disks = 24;
let lab: Lab;
beforeAll(async () => {
  lab = await startLab('build-stripe', disks);
});
afterAll(() => lab?.stop());

const build = (parameters: Readonly<Record<string, string>>) => lab.run('build-stripe', parameters);

interface Case {
  name: string;
  parameters: Record<string, string>;
  /** LVM's segment with stripes and their bytes; md's level, chunk and layout; or a disk. */
  kernel: string;
  /** Of each file system, in blocks of 4 KiB, as it says itself. */
  aligned: string[];
}

const cases: Case[] = [
  {
    name: 'one',
    parameters: { layout: 'single', members: volumeIds(1), fileSystems: 'data=/srv/one:100' },
    kernel: 'disk',
    aligned: ['sunit=0 swidth=0'],
  },
  {
    name: 'linear',
    parameters: { layout: 'linear', members: volumeIds(2, 3), fileSystems: 'data=/srv/linear:100' },
    kernel: 'linear 1 0',
    aligned: ['sunit=0 swidth=0'],
  },
  {
    name: 'stripe',
    parameters: {
      ...{ layout: 'stripe', members: volumeIds(4, 5, 6), chunkKiB: '64' },
      fileSystems: 'journal=/srv/stripe/journal:30,data=/srv/stripe:70',
    },
    kernel: 'striped 3 65536',
    // 64 KiB are 16 blocks of 4 KiB; 3 x 16 = 48
    aligned: ['sunit=16 swidth=48', 'sunit=16 swidth=48'],
  },
  {
    name: 'raid0',
    parameters: {
      ...{ layout: 'raid0', members: volumeIds(7, 8), chunkKiB: '256' },
      ...{ fileSystems: 'data=/srv/raid0:100', fileSystemType: 'ext4' },
    },
    kernel: 'raid0 262144 -1',
    // 256 KiB are 64 blocks; 2 x 64 = 128
    aligned: ['stride=64 width=128'],
  },
  {
    name: 'raid5',
    parameters: {
      ...{ layout: 'raid5', members: volumeIds(9, 10, 11, 12), chunkKiB: '64', initialSync: 'skip' },
      fileSystems: 'data=/srv/raid5/data:60,wij=/srv/raid5/wij:20,journal=/srv/raid5/journal:20',
    },
    kernel: 'raid5 65536 2',
    // of four members three hold data: 3 x 16 = 48
    aligned: ['sunit=16 swidth=48', 'sunit=16 swidth=48', 'sunit=16 swidth=48'],
  },
  {
    name: 'raid10',
    parameters: {
      ...{ layout: 'raid10', members: volumeIds(13, 14, 15, 16), initialSync: 'skip' },
      fileSystems: 'data=/srv/raid10:100',
    },
    // 258: near, 2 copies
    kernel: 'raid10 131072 258',
    // two pairs of 128 KiB, 32 blocks each
    aligned: ['sunit=32 swidth=64'],
  },
  {
    name: 'far',
    parameters: {
      ...{ layout: 'raid10-far2', members: volumeIds(17, 18, 19, 20), initialSync: 'skip', chunkKiB: '512' },
      ...{ fileSystems: 'data=/srv/far/data:50,wij=/srv/far/wij:50', fileSystemType: 'ext4' },
    },
    // 513: far, 2 copies
    kernel: 'raid10 524288 513',
    // reads of far copies go over all four: 4 x 128
    aligned: ['stride=128 width=512', 'stride=128 width=512'],
  },
];

const placesOf = ({ parameters }: Case): string[] =>
  [...(parameters['fileSystems'] ?? '').matchAll(/=([^:]+):/g)].map(([, place = '']) => place).toSorted();

const kernelOf = ({ name, parameters }: Case): Promise<string> => {
  const layout = parameters['layout'] ?? '';
  if (layout === 'single')
    return ask(lab, `lsblk --noheadings --output TYPE "$(findmnt -no SOURCE /srv/${name})"`);
  if (!layout.startsWith('raid'))
    return ask(
      lab,
      `lvs --noheadings --units b --nosuffix --options segtype,stripes,stripe_size stripewise_${name} | sort -u | xargs`,
    );
  return ask(
    lab,
    `cd /sys/block/"$(basename "$(readlink /dev/md/stripewise_${name})")"/md && cat level chunk_size layout | xargs`,
  );
};

const alignmentOf = (place: string): Promise<string> =>
  ask(
    lab,
    `case $(findmnt -no FSTYPE ${place}) in
     xfs) xfs_info ${place} | sed -n 's/^ *= *\\(sunit=[0-9]*\\) *\\(swidth=[0-9]*\\) blks$/\\1 \\2/p' ;;
     *) dumpe2fs -h "$(findmnt -no SOURCE ${place})" 2> /dev/null | awk '/^RAID stride/ { stride = $3 } /^RAID stripe width/ { width = $4 } END { print "stride=" stride " width=" width }' ;;
     esac`,
  );

/** What each of the builds said; a failure is that of its own test. */
const said = new Map<string, Ended>();
const states = new KnownStates(() => lab, upTo(disks).map(diskOf), {
  'all layouts': async () => {
    for (const { name, parameters } of cases) said.set(name, await build({ name, ...parameters }));
  },
  'a stripe on the first volume': async () => resultOf(await build({ name: 'one', ...cases[0]?.parameters })),
});
const { from, reading } = states;

describe.each(cases)('$parameters.layout', (one) => {
  test(
    'is made as LVM, md and the file systems have it, and aligned',
    reading('all layouts', async () => {
      const ended = said.get(one.name);
      expect(ended && resultOf(ended)).toMatchObject({
        ...{ name: one.name, layout: one.parameters['layout'], changed: true },
        members: (one.parameters['members'] ?? '').split(',').map((id) => ({ volumeId: id })),
        fileSystems: placesOf(one).map((mountPoint) => ({ mountPoint })),
      });
      expect(await kernelOf(one)).toBe(one.kernel);
      for (const [index, place] of placesOf(one).entries())
        expect(`${place} ${await alignmentOf(place)}`).toBe(`${place} ${one.aligned[index]}`);
    }),
  );
});

test(
  'of several volumes on an array each begins where a stripe begins',
  reading('all layouts', async () => {
    const sizes = await ask(
      lab,
      'vgs --noheadings --units k --nosuffix --options vg_extent_size,pe_start stripewise_raid5 | xargs',
    );
    // three members of 64 KiB hold data
    for (const kib of sizes.split(' ')) expect(Number(kib) % 192).toBe(0);
  }),
);

test(
  'run again it changes nothing and says so',
  reading('all layouts', async () => {
    const records = 'cat /etc/fstab /var/lib/stripewise/stripes/*';
    const found = await ask(lab, records);
    for (const { name, parameters } of cases.filter(({ name }) =>
      ['one', 'stripe', 'raid5'].includes(name),
    )) {
      const ended = await build({ name, ...parameters });
      expect(resultOf(ended)).toMatchObject({ changed: false });
      expect(ended.stdout).toContain('nothing to do');
    }
    expect(await ask(lab, records)).toBe(found);
  }),
);

test(
  'after a start with disks in another order all is mounted by itself, without access times, and a run says the same',
  from('all layouts', async () => {
    const places = cases.flatMap(placesOf).toSorted();
    await ask(lab, `for at in ${places.join(' ')}; do echo "$at" > "$at/name"; done; sync`);
    const names = await ask(lab, 'lsblk -dno NAME,SERIAL');
    await lab.restart(upTo(disks).toReversed().map(diskOf));
    expect(await ask(lab, 'lsblk -dno NAME,SERIAL')).not.toBe(names);
    expect((await mountsOf(lab)).split('\n').map((line) => line.split(' ')[0])).toEqual(places);
    expect(await ask(lab, `cat ${places.map((place) => `${place}/name`).join(' ')}`)).toBe(places.join('\n'));
    expect(await ask(lab, `grep -c ' /srv/.*noatime' /proc/mounts`)).toBe(`${places.length}`);
    const raid5 = cases.find(({ name }) => name === 'raid5');
    expect(resultOf(await build({ name: 'raid5', ...raid5?.parameters }))).toMatchObject({ changed: false });
  }),
);

describe('refuses', () => {
  const blank = { name: 'new', layout: 'single', members: volumeId(21), fileSystems: 'data=/srv/new:100' };
  const device = deviceOf(21);
  const partitioned = `"$(readlink -f ${device})p1"`;
  /** Nothing is left of what was refused. */
  const refusal = async (parameters: Record<string, string>) => {
    const why = failureOf(await build({ ...blank, ...parameters }));
    const traces =
      'grep new /etc/fstab; ls -A /var/lib/stripewise/stripes /srv 2> /dev/null | grep new; true';
    expect(await ask(lab, traces)).toBe('');
    return why;
  };

  test(
    'what contradicts itself or the host, by one line that names the step',
    from('a stripe on the first volume', async () => {
      await ask(lab, 'touch /opt/x');
      const refusals: [Record<string, string>, string][] = [
        [{ layout: 'stripe', members: volumeIds(21, 21) }, 'is there twice in members'],
        [{ layout: 'raid5', members: volumeIds(21, 22) }, 'has three members or more'],
        [{ fileSystems: 'a=/srv/a:60,b=/srv/b:50' }, 'take 110 percent'],
        [{ fileSystems: 'a=/usr/local/a:100' }, "is the system's own"],
        [{ members: volumeId(99) }, 'is not attached to this host'],
        [{ members: volumeId(1), dataOnMembers: 'destroy' }, 'belongs to the stripe one'],
        [{ fileSystems: 'a=/srv/one:100' }, 'belongs to the stripe one'],
        [{ fileSystems: 'a=/opt:100' }, '/opt is not empty'],
        [{ name: 'one', members: volumeId(1) }, 'was begun with fileSystems=data=/srv/one:100'],
      ];
      for (const [parameters, why] of refusals)
        expect(await refusal(parameters)).toMatch(new RegExp(`^build-stripe: step "[^"]+" failed: .*${why}`));
    }),
  );

  // A table of MS-DOS: one partition of 100 MiB from 1 MiB on.
  const partition = [0, 0, 0, 0, 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 0x20, 3, 0];
  const octal = (bytes: readonly number[]): string =>
    bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  const withTable = `printf '${octal(partition)}' | dd of=${device} bs=1 seek=446; printf '${octal([0x55, 0xaa])}' | dd of=${device} bs=1 seek=510
    blockdev --rereadpt ${device}; udevadm settle`;
  const withFileSystem = `mkfs.ext4 -q -F ${device} 64M`;
  test.each([
    [
      'bytes at the very end',
      `printf x | dd of=${device} bs=1 seek=1073741823`,
      {},
      'has data on it (bytes that are not zero)',
    ],
    ['a file system', withFileSystem, {}, 'has data on it (ext4)'],
    [
      'data, where the first synchronisation is to be skipped',
      withFileSystem,
      { layout: 'raid10', members: volumeIds(21, 22, 23, 24), dataOnMembers: 'destroy', initialSync: 'skip' },
      'has data on it (ext4), so it is not all zero: give initialSync=run',
    ],
    ['a table of partitions', withTable, {}, 'has data on it (dos)'],
    [
      'a mounted partition, even when data may go',
      `${withTable}; mkfs.ext4 -q ${partitioned} && mkdir -p /mnt/x && mount ${partitioned} /mnt/x`,
      { dataOnMembers: 'destroy' },
      'p1 is mounted at /mnt/x',
    ],
    [
      'a volume of LVM that is not active, even when data may go',
      `vgcreate -qq -y someones ${device}`,
      { dataOnMembers: 'destroy' },
      'belongs to the volume group someones',
    ],
  ])(
    '%s',
    from('blank', async (_: string, put: string, parameters: Record<string, string>, what: string) => {
      await ask(lab, `{ ${put}\n} 2>&1`);
      expect(await refusal(parameters)).toContain(what);
    }),
  );
});

test(
  'killed as a tool has done its work, again and again, it goes on with the next run, and at last it is whole',
  from('blank', async () => {
    const half = { name: 'half', layout: 'raid0', members: volumeIds(21, 22), dataOnMembers: 'destroy' };
    const parameters = { ...half, fileSystems: 'data=/srv/half/data:50,wij=/srv/half/wij:50' };
    const mounted = () => ask(lab, `awk '$2 ~ "^/srv/half" { print $2, $3 }' /proc/mounts | sort | xargs`);
    // Something to clear.
    await ask(lab, `mkfs.ext4 -q -F ${deviceOf(21)} 64M`);
    for (const [point, state, step] of [
      [beforeTool('wipefs', '--noheadings*'), '', 'look for data on the members'],
      [afterTool('dd', '*'), 'begun', 'clear the members'],
      [afterTool('mdadm', '--create*'), 'cleared', 'join the members'],
      [afterTool('vgcreate', '*'), 'cleared', 'join the members'],
      [afterTool('lvcreate', '*wij*'), 'cleared', 'make the volumes'],
      [afterTool('mkfs.xfs', '*'), 'cleared', 'make the file systems'],
      [afterTool('mv', '*/etc/fstab'), 'made', 'write /etc/fstab'],
      [afterTool('mount', '*'), 'made', 'mount'],
    ] as const) {
      const killed = await killedAt(lab, point, () => build(parameters));
      expect([killed.signal, stepsOf(killed).at(-1)]).toEqual([9, step]);
      const record = '/var/lib/stripewise/stripes/half';
      expect(await ask(lab, `[ ! -e ${record} ] || sed -n s/^state=//p ${record}`)).toBe(state);
      expect(await mounted()).toBe(point.tool === 'mount' ? '/srv/half/data xfs' : '');
    }
    expect(resultOf(await build(parameters))).toMatchObject({ changed: true });
    expect(await mounted()).toBe('/srv/half/data xfs /srv/half/wij xfs');
    expect(resultOf(await build(parameters))).toMatchObject({ changed: false });
  }),
);
