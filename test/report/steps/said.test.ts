/** What the comments say, and when. */
import type { Layout } from '../../../core/plan/layout.ts';
import type { Current } from '../../../core/plan/step-commands.ts';
import { writtenSteps } from '../../../report/steps/written-steps.ts';
import { gp2, gp3 } from '../../core/plan/steps/layouts.ts';
import { snippets } from './snippets.ts';

const options = { region: 'us-east-1', deployment: 'region' } as const;
const stripe = (members: number, figures: Partial<Layout> = {}): Layout =>
  gp3({ kind: 'stripe', members, ...figures });
const raid5 = gp3({ kind: 'raid5', members: 3 });
const magnetic = gp3({ volumeType: 'standard', iops: 100, throughputMiBps: 40 });
const of = (layout: Layout, builtWith?: Current['builtWith']): Current => ({
  layout,
  volumeIds: [],
  builtWith,
});

const says = (next: Layout, current: Current | null, text: string): boolean =>
  writtenSteps(next, current, options).awsCli.some((line) => line.startsWith('#') && line.includes(text));

test.each([
  {
    text: 'cannot be one',
    when: 'a root volume to HDD',
    next: gp3({ volumeType: 'st1' }),
    current: of(gp3()),
  },
  {
    text: 'Above 2 TiB',
    when: 'MBR ends',
    next: gp3({ sizeGiB: 2_049 }),
    current: of(gp3({ sizeGiB: 2_048 })),
  },
  { text: 'Above 16 TiB', when: 'ext4 may end', next: gp3({ sizeGiB: 16_385 }), current: of(gp3()) },
  { text: 'Multi-Attach', when: 'it may be shared', next: gp3(), current: of(gp3({ volumeType: 'io2' })) },
  {
    text: 'Block Express',
    when: 'the instance may be too old',
    next: gp3({ volumeType: 'io2', iops: 64_001 }),
    current: of(gp3()),
  },
  {
    text: 'Above 32,000 IOPS',
    when: 'it has to be attached anew',
    next: gp3({ volumeType: 'io1', sizeGiB: 1_000, iops: 32_001 }),
    current: of(gp3()),
  },
  { text: '4 times in 24 hours', when: 'it is modified', next: gp3(), current: of(gp2()) },
  { text: 'A snapshot is of one volume', when: 'data moves', next: stripe(5), current: of(gp2()) },
  {
    text: 'the slowest member',
    when: 'several are modified',
    next: stripe(2, { iops: 4_000 }),
    current: of(stripe(2)),
  },
  {
    text: 'cannot be one',
    when: 'one from a snapshot is HDD',
    next: gp3({ volumeType: 'st1' }),
    current: of(magnetic),
  },
  {
    text: 'Less than what is there, each: 6,000 -> 3,000 IOPS, 500 -> 125 MiB/s.',
    when: 'both are lowered',
    next: stripe(2),
    current: of(stripe(2, { iops: 6_000, throughputMiBps: 500 })),
  },
  { text: 'there: 250 -> 125 MiB/s.', when: 'one is lowered', next: gp3(), current: of(gp2()) },
  { text: 'needs lvm2, xfsprogs and rsync.', when: 'data moves to LVM', next: stripe(5), current: of(gp2()) },
  { text: 'needs mdadm and xfsprogs.', when: 'an array is made', next: raid5, current: null },
  { text: 'cat /proc/mdstat', when: 'an array synchronises', next: raid5, current: null },
  { text: 'an hour for 1,000 GiB', when: 'all is compared', next: stripe(5), current: of(gp2()) },
  { text: '--checksum', when: 'it is left to the reader', next: stripe(5), current: of(gp2()) },
  {
    text: 'LVM: sudo vgchange -an <volume-group>; mdadm:',
    when: 'either may join',
    next: stripe(5),
    current: of(stripe(4)),
  },
  {
    text: 'AWS advises against RAID5',
    when: 'one is made',
    next: gp3({ kind: 'raid5', members: 3 }),
    current: null,
  },
])('it is said where $when: $text', ({ text, next, current }) => {
  expect(says(next, current, text)).toBe(true);
  expect(says(gp3({ sizeGiB: 8 }), null, text)).toBe(false);
});

test.each([
  { next: gp3({ volumeType: 'st1' }), current: null },
  { next: gp3({ volumeType: 'st1' }), current: of(gp3()) },
  { next: gp3({ volumeType: 'st1' }), current: of(magnetic) },
  { next: stripe(2, { volumeType: 'st1' }), current: of(gp3()) },
])('that it is not for a root volume is said once', ({ next, current }) => {
  const lines = writtenSteps(next, current, options).awsCli;
  expect(lines.filter((line) => /root volume/i.test(line))).toHaveLength(1);
});

test('what is not lowered is not said to be', () => {
  const next = gp3({ iops: 6_000 });
  expect(says(next, of(gp3()), 'Less than')).toBe(false);
});

test.each([
  { builtWith: 'lvm' as const, stops: 'sudo vgchange -an <volume-group>' },
  { builtWith: 'mdadm' as const, stops: 'sudo mdadm --stop <md-device>' },
])('the old $builtWith is stopped before its volumes are detached', ({ builtWith, stops }) => {
  const lines = writtenSteps(stripe(5), of(stripe(4), builtWith), options).awsCli;
  const unmounts = lines.findIndex((line) => line.includes('sudo umount'));
  const detaches = lines.findIndex((line) => line.includes('detach-volume'));
  expect(lines.indexOf(stops)).toBeGreaterThan(unmounts);
  expect(lines.indexOf(stops)).toBeLessThan(detaches);
});

test.each([
  { how: 'copied', next: stripe(5), current: of(gp2()), said: true },
  { how: 'from a snapshot', next: gp3(), current: of(magnetic), said: true },
  { how: 'new', next: stripe(5), current: null, said: false },
  { how: 'changed in place', next: gp3(), current: of(gp2()), said: false },
])('$how: whether CDK and Terraform are all of it', ({ next, current, said }) => {
  const { cdk, terraform } = writtenSteps(next, current, options);
  expect([cdk, terraform].map((text) => text.split('makes the volumes only').length - 1)).toEqual(
    said ? [1, 1] : [0, 0],
  );
});

const [a, b, c] = ['vol-0aaaaaaaaaaaaaaa1', 'vol-0aaaaaaaaaaaaaaa2', 'vol-0aaaaaaaaaaaaaaa3'] as const;
test.each([
  { volumeIds: [a, b], modified: [a, b] },
  { volumeIds: [a, a], modified: [a, '<volume-id-2>'] },
  { volumeIds: [a], modified: [a, '<volume-id-2>'] },
  { volumeIds: [a, b, c], modified: ['<volume-id-1>', '<volume-id-2>'] }, // which two of them?
])('$volumeIds of a stripe of 2: $modified', ({ volumeIds, modified }) => {
  const { awsCli } = writtenSteps(stripe(2, { iops: 4_000 }), { layout: stripe(2), volumeIds }, options);
  const ids = awsCli.flatMap((line) => /modify-volume .*--volume-id (\S+)/.exec(line)?.[1] ?? []);
  expect(ids).toEqual(modified);
});

/** Comments that stand below each other are one text. */
const commentsOf = (text: string): string[] =>
  (text.match(/(^\s*(\/\/|#).*\n)+/gm) ?? []).map((block) =>
    block
      .split('\n')
      .map((line) => line.replace(/^\s*(\/\/|#)\s*/, ''))
      .join(' ')
      .trim(),
  );

test.each(snippets)('$what: no sentence of a comment has more than 25 words', ({ steps }) => {
  for (const text of [steps.cdk, steps.terraform]) {
    const sentences = commentsOf(text).flatMap((comment) => comment.split(/(?<=[.!?])\s+/));
    expect(sentences.length).toBeGreaterThan(2);
    expect(sentences.filter((one) => one.split(/\s+/).length > 25)).toEqual([]);
  }
});
