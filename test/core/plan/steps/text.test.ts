/** What the lines say, and what they never do: splice a text from outside, or take something away unasked. */
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { Layout } from '../../../../core/plan/layout.ts';
import { type Current, hostSteps } from '../../../../core/plan/step-commands.ts';
import { writtenLine } from '../../../../report/steps/note-lines.ts';
import { writtenSteps } from '../../../../report/steps/written-steps.ts';
import { temporaryDirectory } from '../../../fixtures/temporary-directory.ts';
import { untrustedText } from '../../../fixtures/untrusted-text.ts';
import { examples, gp2, gp3 } from './layouts.ts';
import { fill, paste } from './paste.ts';

const directory = temporaryDirectory();
const options = { region: 'us-east-1', deployment: 'region' } as const;
const volumeId = 'vol-0123456789abcdef0';
const stripe = (members: number, figures: Partial<Layout> = {}): Layout =>
  gp3({ kind: 'stripe', members, ...figures });

const of = (layout: Layout, current: Partial<Current> = {}): Current => ({
  layout,
  volumeIds: [],
  ...current,
});
/** Every way to every kind of layout. */
const everyWay: string[][] = [
  ...examples.map(({ layout, deployment }) => writtenSteps(layout, null, { ...options, deployment })),
  writtenSteps(gp3(), of(gp2(), { volumeIds: [volumeId] }), options),
  writtenSteps(gp3({ sizeGiB: 20_000 }), of(gp2(), { volumeIds: [volumeId] }), options),
  writtenSteps(stripe(5), of(gp2(), { volumeIds: [volumeId] }), options),
  writtenSteps(stripe(5, { sizeGiB: 600 }), of(stripe(5), { builtWith: 'lvm' }), options),
  writtenSteps(
    gp3({ kind: 'raid5', members: 3, sizeGiB: 600 }),
    of(gp3({ kind: 'raid5', members: 3 }), { builtWith: 'mdadm' }),
    options,
  ),
  writtenSteps(gp3(), of(gp3({ volumeType: 'standard' }), { volumeIds: [volumeId] }), options),
].map(({ awsCli }) => awsCli);

test('a line is a comment, a command on the host or one of aws, and nothing else', () => {
  const form =
    /^(# |sudo |aws ec2 |ls -l |lsblk |unset |[A-Z]+_?[A-Z]*\d*=|may_copy\(?|(! )?mountpoint -q |\[ "\$\{COPIED:\?)/;
  const others = everyWay.flat().filter((line) => !form.test(line));
  expect(others).toEqual([]);
  expect(everyWay.flat().filter((line) => line.includes('\n') || line.includes('undefined'))).toEqual([]);
});

test('nothing is detached or deleted by a line that is pasted, and nothing is forced', () => {
  const commands = everyWay.flat().filter((line) => !line.startsWith('#'));
  expect(commands.filter((line) => /detach|delete-|--force|wipefs|\s-f\b/.test(line))).toEqual([]);
});

/** The lines, pasted into a bash where what they call only writes down that it was called. */
async function called(lines: readonly string[]): Promise<string[]> {
  const { path } = directory;
  const log = directory.write('called', '');
  for (const name of ['aws', 'sudo', 'ls', 'mountpoint', 'lsblk']) {
    chmodSync(directory.write(`bin/${name}`, `#!/bin/sh\necho "$0 $*" >> ${log}\n`), 0o755);
  }
  const cwd = dirname(directory.write('work/file', ''));
  await paste(lines, { shell: '/bin/bash', bin: join(path, 'bin'), cwd });
  expect(readdirSync(join(path, 'work'))).toEqual(['file']); // a redirection has made nothing
  return readFileSync(log, 'utf8').trim().split('\n').filter(Boolean);
}

test.each(everyWay.map((lines, i) => ({ lines, i })))(
  'with a placeholder left in, no command runs that needs it, nor one after it: way $i',
  async ({ lines }) => {
    const open = lines.filter((line) => /<[a-z]|:\?\}|^[A-Z]\w*=/.test(line));
    expect(await called(open)).toEqual([]);
    const filled = await called(open.map((line) => fill(line)));
    expect(filled.length === 0).toBe(open.length === 0 || open.every((line) => line.startsWith('#')));
  },
);

test('a new id and a mount point are put in at one place', () => {
  const counts = everyWay.map((lines) => {
    const placeholders = lines.join('\n').match(/<(new-volume-id-\d+|new-mount-point)>/g) ?? [];
    return placeholders.length - new Set(placeholders).size;
  });
  expect(counts).toEqual(everyWay.map(() => 0));
});

test('a text from the account is never spliced: whatever it is, the placeholder stands in its place', () => {
  const to = (text: string, next: Layout) =>
    writtenSteps(next, of(gp2(), { volumeIds: [text] }), { ...options, region: text });
  fc.assert(
    fc.property(untrustedText, (text) => {
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
  const { awsCli } = writtenSteps(gp3(), of(gp2(), { volumeIds: [id] }), options);
  expect(awsCli.filter((line) => line.includes('modify-volume'))).toEqual([
    expect.stringContaining('--volume-id <volume-id-1> '),
  ]);
});

const onHost = (layout: Layout, chunkKiB: number): string[] =>
  hostSteps(layout, chunkKiB).flatMap(writtenLine);
const commandsIn = (lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' && '));

test('a stripe of LVM: as many stripes as members, with the chunk that was asked for', () => {
  const lvcreate = commandsIn(onHost(stripe(5), 256)).filter((line) => line.includes('lvcreate'));
  expect(lvcreate).toEqual([
    `sudo lvcreate --type striped -i 5 -I 256k -l 100%FREE -n data "data_\${V1#vol-}"`,
  ]);
});

test.each([
  { kind: 'raid10' as const, members: 6, level: 10 },
  { kind: 'raid5' as const, members: 3, level: 5 },
])('a $kind is of mdadm', ({ kind, members, level }) => {
  const lines = onHost(gp3({ kind, members }), 64);
  expect(lines).toContain(`DATA=\${D1:+/dev/md/data_\${V1#vol-}}`);
  expect(commandsIn(lines).filter((line) => line.includes('--create'))).toEqual([
    expect.stringContaining(
      `sudo mdadm --create "\${DATA:?}" --level=${level} --raid-devices=${members} --chunk=64K "\${D1:?}" "\${D2:?}"`,
    ),
  ]);
});

test('the device of a new volume is found by its id, as NVMe has it: without the dash', () => {
  expect(onHost(gp3(), 64)).toContain(
    `V1=<new-volume-id-1> && D1=/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol\${V1#vol-}`,
  );
});

test.each([null, of(gp2())])(
  'as many volumes as an instance takes: each has a device name of its own',
  (current) => {
    const { awsCli } = writtenSteps(stripe(127), current, options);
    const devices = awsCli.flatMap((line) => / --device (\S+)$/.exec(line)?.[1] ?? []);
    expect([devices.length, new Set(devices).size]).toEqual([127, 127]);
    expect(devices.filter((name) => !/^\/dev\/(sd[b-p]|xvd[a-d][a-z]|xvd[q-z])$/.test(name))).toEqual([]);
    expect(devices[0]).toBe(current === null ? '/dev/sdf' : '/dev/xvdca');
  },
);

test('members that have grown are taken up by their ids, then what joins them, then the file system', () => {
  const ids = ['vol-0aaaaaaaaaaaaaaa1', 'vol-0aaaaaaaaaaaaaaa2'];
  const current = of(stripe(2), { volumeIds: ids, builtWith: 'lvm' });
  const { awsCli } = writtenSteps(stripe(2, { sizeGiB: 600 }), current, options);
  const byId = '/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_';
  expect(awsCli.filter((line) => /^sudo /.test(line))).toEqual([
    `sudo pvresize ${byId}vol0aaaaaaaaaaaaaaa1 ${byId}vol0aaaaaaaaaaaaaaa2`,
    'sudo lvextend -l +100%FREE <logical-volume>',
  ]);
});
