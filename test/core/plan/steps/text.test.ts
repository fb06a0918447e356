/** What the lines say, and what they never do: splice a text from outside, or take something away unasked. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { Layout } from '../../../../core/plan/layout.ts';
import { hostSteps, type Present, stepsTo } from '../../../../core/plan/steps.ts';
import { hostileText } from '../../../fixtures/hostile-text.ts';
import { temporaryDirectory } from '../../../fixtures/temporary-directory.ts';
import { examples, gp2, gp3 } from './layouts.ts';

const directory = temporaryDirectory();
const options = { region: 'us-east-1', deployment: 'region' } as const;
const volumeId = 'vol-0123456789abcdef0';
const stripe = (members: number, figures: Partial<Layout> = {}): Layout =>
  gp3({ kind: 'stripe', members, ...figures });

const of = (layout: Layout, present: Partial<Present> = {}): Present => ({
  layout,
  volumeIds: [],
  ...present,
});
/** Every way to every kind of layout. */
const everyWay: string[][] = [
  ...examples.map(({ layout, deployment }) => stepsTo(layout, null, { ...options, deployment })),
  stepsTo(gp3(), of(gp2(), { volumeIds: [volumeId] }), options),
  stepsTo(gp3({ sizeGiB: 20_000 }), of(gp2(), { volumeIds: [volumeId] }), options),
  stepsTo(stripe(5), of(gp2(), { volumeIds: [volumeId] }), options),
  stepsTo(stripe(5, { sizeGiB: 600 }), of(stripe(5), { builtWith: 'lvm' }), options),
  stepsTo(
    gp3({ kind: 'raid5', members: 3, sizeGiB: 600 }),
    of(gp3({ kind: 'raid5', members: 3 }), { builtWith: 'mdadm' }),
    options,
  ),
  stepsTo(gp3(), of(gp3({ volumeType: 'standard' }), { volumeIds: [volumeId] }), options),
].map(({ awsCli }) => awsCli);

test('a line is a comment, a command on the host or one of aws, and nothing else', () => {
  const others = everyWay.flat().filter((line) => !/^(# |sudo |aws ec2 |ls -l |lsblk |printf )/.test(line));
  expect(others).toEqual([]);
  expect(everyWay.flat().filter((line) => line.includes('\n') || line.includes('undefined'))).toEqual([]);
});

test('nothing is detached or deleted by a line that is pasted, and nothing is forced', () => {
  const commands = everyWay.flat().filter((line) => !line.startsWith('#'));
  expect(commands.filter((line) => /detach|delete-|--force|wipefs|\s-f\b/.test(line))).toEqual([]);
});

/** The lines, pasted one by one into a bash where aws, sudo and ls only write down that they were called. */
function called(lines: readonly string[]): string[] {
  const { path } = directory;
  const log = directory.write('called', '');
  for (const name of ['aws', 'sudo', 'ls']) {
    chmodSync(directory.write(`bin/${name}`, `#!/bin/sh\necho "$0 $*" >> ${log}\n`), 0o755);
  }
  const pasted = lines.map((line) => `eval '${line.replaceAll("'", `'\\''`)}' 2>/dev/null || true`);
  spawnSync('/bin/bash', ['--norc', '-c', pasted.join('\n')], {
    cwd: dirname(directory.write('work/file', '')),
    env: { PATH: join(path, 'bin') },
    stdio: 'ignore',
  });
  expect(readdirSync(join(path, 'work'))).toEqual(['file']); // a redirection has made nothing
  return readFileSync(log, 'utf8').trim().split('\n').filter(Boolean);
}

test('with a placeholder left in, no command runs', () => {
  const commands = [...new Set(everyWay.flat())].filter((line) => !line.startsWith('#'));
  const open = commands.filter((line) => /<[a-z]/.test(line));
  expect(called(open)).toEqual([]);
  const filled = open.map((line) => line.replace(/<[a-z][a-z0-9-]*>/g, 'x'));
  expect(called(filled).length).toBeGreaterThanOrEqual(open.length);
});

test('a text from the account is never spliced: whatever it is, the placeholder stands in its place', () => {
  const to = (text: string, next: Layout) =>
    stepsTo(next, of(gp2(), { volumeIds: [text] }), { ...options, region: text });
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(to(text, gp3())).toEqual(to('', gp3()));
      expect(to(text, stripe(2))).toEqual(to('', stripe(2)));
    }),
  );
  expect(to('', gp3()).awsCli).toContain(
    'aws ec2 modify-volume --region <region> --volume-id <volume-id-1> --volume-type gp3 --size 500 --iops 3000 --throughput 125',
  );
});

test.each([
  `${volumeId}\n`,
  ` ${volumeId}`,
  'vol-0123456',
  'vol-0123456789ABCDEF0',
  `${volumeId};id`,
  '$(id)',
])('%j is no volume id', (id) => {
  const { awsCli } = stepsTo(gp3(), of(gp2(), { volumeIds: [id] }), options);
  expect(awsCli.filter((line) => line.includes('modify-volume'))).toEqual([
    expect.stringContaining('--volume-id <volume-id-1> '),
  ]);
});

test('a stripe of LVM: as many stripes as members, with the chunk that was asked for', () => {
  expect(hostSteps(stripe(5), 256).filter((line) => line.includes('lvcreate'))).toEqual([
    'sudo lvcreate --type striped -i 5 -I 256k -l 100%FREE -n data stripe_5',
  ]);
});

test.each([
  { kind: 'raid10' as const, members: 6, level: 10 },
  { kind: 'raid5' as const, members: 3, level: 5 },
])('a $kind is of mdadm', ({ kind, members, level }) => {
  const made = hostSteps(gp3({ kind, members }), 64).filter((line) => line.includes('--create'));
  expect(made).toEqual([
    expect.stringContaining(
      `sudo mdadm --create /dev/md/${kind}_${members} --level=${level} --raid-devices=${members} --chunk=64K /dev/disk/by-id/`,
    ),
  ]);
});

test.each([null, of(gp2())])(
  'as many volumes as an instance takes: each has a device name of its own',
  (present) => {
    const { awsCli } = stepsTo(stripe(127), present, options);
    const devices = awsCli.flatMap((line) => / --device (\S+)$/.exec(line)?.[1] ?? []);
    expect([devices.length, new Set(devices).size]).toEqual([127, 127]);
    expect(devices.filter((name) => !/^\/dev\/(sd[b-p]|xvd[a-d][a-z]|xvd[q-z])$/.test(name))).toEqual([]);
    expect(devices[0]).toBe(present === null ? '/dev/sdf' : '/dev/xvdca');
  },
);

test('members that have grown are taken up by their ids, then what joins them, then the file system', () => {
  const ids = ['vol-0aaaaaaaaaaaaaaa1', 'vol-0aaaaaaaaaaaaaaa2'];
  const present = of(stripe(2), { volumeIds: ids, builtWith: 'lvm' });
  const { awsCli } = stepsTo(stripe(2, { sizeGiB: 600 }), present, options);
  const byId = '/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_';
  expect(awsCli.filter((line) => /^sudo /.test(line))).toEqual([
    `sudo pvresize ${byId}vol0aaaaaaaaaaaaaaa1 ${byId}vol0aaaaaaaaaaaaaaa2`,
    'sudo lvextend -l +100%FREE <logical-volume>',
  ]);
});

const says = (next: Layout, present: Present | null, text: string): boolean =>
  stepsTo(next, present, options).awsCli.some((line) => line.startsWith('#') && line.includes(text));

test.each([
  {
    text: 'cannot be one',
    when: 'a root volume to HDD',
    next: gp3({ volumeType: 'st1' }),
    present: of(gp3()),
  },
  {
    text: 'Above 2 TiB',
    when: 'MBR ends',
    next: gp3({ sizeGiB: 2_049 }),
    present: of(gp3({ sizeGiB: 2_048 })),
  },
  { text: 'Above 16 TiB', when: 'ext4 may end', next: gp3({ sizeGiB: 16_385 }), present: of(gp3()) },
  { text: 'Multi-Attach', when: 'it may be shared', next: gp3(), present: of(gp3({ volumeType: 'io2' })) },
  {
    text: 'Block Express',
    when: 'the instance may be too old',
    next: gp3({ volumeType: 'io2', iops: 64_001 }),
    present: of(gp3()),
  },
  {
    text: 'Above 32,000 IOPS',
    when: 'it has to be attached anew',
    next: gp3({ volumeType: 'io1', sizeGiB: 1_000, iops: 32_001 }),
    present: of(gp3()),
  },
  { text: '4 times in 24 hours', when: 'it is modified', next: gp3(), present: of(gp2()) },
  { text: 'A snapshot is of one volume', when: 'data moves', next: stripe(5), present: of(gp2()) },
  {
    text: 'the slowest member',
    when: 'several are modified',
    next: stripe(2, { iops: 4_000 }),
    present: of(stripe(2)),
  },
  {
    text: 'AWS advises against RAID5',
    when: 'one is made',
    next: gp3({ kind: 'raid5', members: 3 }),
    present: null,
  },
])('it is said where $when: $text', ({ text, next, present }) => {
  expect(says(next, present, text)).toBe(true);
  expect(says(gp3({ sizeGiB: 8 }), null, text)).toBe(false);
});
