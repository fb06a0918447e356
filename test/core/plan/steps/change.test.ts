/** Where the volumes stay and where the data has to move, and why. */
import type { Deployment } from '../../../../core/limits/volume-limits.ts';
import type { Layout } from '../../../../core/plan/layout.ts';
import type { Current } from '../../../../core/plan/step-commands.ts';
import { wayTo } from '../../../../core/plan/steps.ts';
import type { RouteMember, RouteReason } from '../../../../core/schemas/plan-steps.ts';
import { writtenSteps } from '../../../../report/steps/written-steps.ts';
import { gp2, gp3 } from './layouts.ts';

const region = 'us-east-1';
const deployment: Deployment = 'region';
const stripe = (members: number, figures: Partial<Layout> = {}): Layout =>
  gp3({ kind: 'stripe', members, ...figures });
const magnetic = (figures: Partial<Layout> = {}): Layout =>
  gp3({ volumeType: 'standard', iops: 100, throughputMiBps: 40, ...figures });
const raid = (kind: 'raid10' | 'raid5', members: number, sizeGiB = 500): Layout =>
  gp3({ kind, members, sizeGiB });
const of = (layout: Layout, builtWith?: Current['builtWith']): Current => ({
  layout,
  volumeIds: [],
  builtWith,
});

interface Row {
  from: Current;
  to: Layout;
  reason: RouteReason;
}

/** What can be set of a gp3; of a gp2, st1 and standard nothing but the size. */
const member = (figures: Partial<RouteMember> = {}): RouteMember => ({
  ...{ volumeType: 'gp3', sizeGiB: 500, iops: 3_000, throughputMiBps: 125 },
  ...figures,
});
const ofSize = (volumeType: 'gp2' | 'st1'): RouteMember =>
  member({ volumeType, iops: null, throughputMiBps: null });
const modified = (from: RouteMember, to: RouteMember, members = 1): RouteReason => ({
  ...{ code: 'modify-volume', members, from, to },
});

const stays: Row[] = [
  { from: of(gp2()), to: gp3(), reason: modified(ofSize('gp2'), member()) },
  { from: of(gp3()), to: gp3({ iops: 6_000 }), reason: modified(member(), member({ iops: 6_000 })) },
  { from: of(gp3()), to: gp3({ sizeGiB: 501 }), reason: modified(member(), member({ sizeGiB: 501 })) },
  // Less of it is no shrinking.
  { from: of(gp3({ iops: 6_000 })), to: gp3(), reason: modified(member({ iops: 6_000 }), member()) },
  {
    from: of(gp3()),
    to: gp3({ volumeType: 'st1', iops: 20, throughputMiBps: 20 }),
    reason: modified(member(), ofSize('st1')),
  },
  {
    from: of(stripe(5)),
    to: stripe(5, { iops: 6_000 }),
    reason: modified(member(), member({ iops: 6_000 }), 5),
  },
  {
    from: of(gp2({ kind: 'stripe', members: 2 })),
    to: stripe(2),
    reason: modified(ofSize('gp2'), member(), 2),
  },
  {
    from: of(stripe(5), 'lvm'),
    to: stripe(5, { sizeGiB: 600 }),
    reason: modified(member(), member({ sizeGiB: 600 }), 5),
  },
  {
    from: of(raid('raid10', 4), 'mdadm'),
    to: raid('raid10', 4, 600),
    reason: modified(member(), member({ sizeGiB: 600 }), 4),
  },
  {
    from: of(raid('raid5', 3), 'mdadm'),
    to: raid('raid5', 3, 600),
    reason: modified(member(), member({ sizeGiB: 600 }), 3),
  },
  { from: of(gp3()), to: gp3(), reason: { code: 'unchanged', member: member() } },
  // IOPS of a gp2 are not set.
  { from: of(gp2()), to: gp2({ iops: 1 }), reason: { code: 'unchanged', member: ofSize('gp2') } },
];

const other = (from: [Layout['kind'], number], to: [Layout['kind'], number]): RouteReason => ({
  code: 'other-layout',
  from: { kind: from[0], members: from[1] },
  to: { kind: to[0], members: to[1] },
});
const smaller: RouteReason = { code: 'never-shrinks', fromGiB: 500, toGiB: 499 };

const moves: Row[] = [
  { from: of(gp3()), to: stripe(5), reason: other(['single', 1], ['stripe', 5]) },
  { from: of(stripe(5)), to: gp3(), reason: other(['stripe', 5], ['single', 1]) },
  { from: of(stripe(5)), to: stripe(8), reason: other(['stripe', 5], ['stripe', 8]) },
  { from: of(stripe(4)), to: raid('raid10', 4), reason: other(['stripe', 4], ['raid10', 4]) },
  { from: of(gp3()), to: gp3({ sizeGiB: 499 }), reason: smaller },
  { from: of(stripe(5)), to: stripe(5, { sizeGiB: 499 }), reason: smaller },
  {
    from: of(stripe(5)),
    to: stripe(5, { sizeGiB: 501 }),
    reason: { code: 'joined-by-unknown', kind: 'stripe', members: 5 },
  },
  {
    from: of(stripe(5), 'mdadm'),
    to: stripe(5, { sizeGiB: 501 }),
    reason: { code: 'mdadm-stripe-grown' },
  },
  {
    from: of(raid('raid5', 3)),
    to: raid('raid5', 3, 501),
    reason: { code: 'joined-by-unknown', kind: 'raid5', members: 3 },
  },
  {
    from: of(raid('raid10', 4), 'lvm'),
    to: raid('raid10', 4, 501),
    reason: { code: 'lvm-raid-grown', kind: 'raid10', members: 4 },
  },
  { from: of(magnetic()), to: gp3(), reason: { code: 'magnetic' } },
  { from: of(gp3()), to: magnetic(), reason: { code: 'magnetic' } },
  { from: of(magnetic({ kind: 'stripe', members: 2 })), to: stripe(2), reason: { code: 'magnetic' } },
];

const named = (rows: Row[]): (Row & { what: string })[] =>
  rows.map((row) => ({ ...row, what: `${layoutName(row.from.layout)} to ${layoutName(row.to)}` }));
const layoutName = ({ kind, members, volumeType, sizeGiB, iops }: Layout): string =>
  `${kind} ${members} x ${volumeType} ${sizeGiB} GiB ${iops} IOPS`;

test.each(named(stays))('the volumes stay: $what', ({ from, to, reason }) => {
  const steps = writtenSteps(to, from, { region, deployment });
  expect(wayTo(to, from, { region, deployment })).toMatchObject({ inPlace: true, reason });
  expect(steps.awsCli.filter((line) => /(create|attach)-volume /.test(line))).toEqual([]);
});

test.each(named(moves))('the data moves: $what', ({ from, to, reason }) => {
  const steps = writtenSteps(to, from, { region, deployment });
  expect(wayTo(to, from, { region, deployment })).toMatchObject({ inPlace: false, reason });
  expect(steps.awsCli.filter((line) => line.includes('modify-volume'))).toEqual([]);
  expect(steps.awsCli.filter((line) => /^V\d+=\$\(aws ec2 create-volume /.test(line))).toHaveLength(
    to.members,
  );
});

test.each([
  { to: gp3({ iops: 80_001, sizeGiB: 1_000 }), why: 'IOPS 80,001 is not allowed' },
  { to: gp3({ throughputMiBps: 2_001, iops: 16_000 }), why: 'throughput (MiB/s) 2,001 is not allowed' },
  { to: gp3({ sizeGiB: 1.5 }), why: 'size (GiB) 1.5 is not allowed' },
  { to: gp3({ members: 2 }), why: 'a single volume has 1 member' },
  { to: stripe(1), why: 'a stripe has 2 or more' },
  { to: stripe(128), why: '127 at most' },
  { to: raid('raid10', 5), why: 'a RAID10 has 4, 6, 8 or more' },
  { to: raid('raid5', 2), why: 'a RAID5 has 3 or more' },
])('there are no steps to what cannot be: $why', ({ to, why }) => {
  expect(() => writtenSteps(to, null, { region, deployment })).toThrow(why);
});

test('an Outpost has bounds of its own', () => {
  const to = gp3({ iops: 16_001, sizeGiB: 1_000 });
  expect(() => writtenSteps(to, null, { region, deployment: 'outposts' })).toThrow(
    'gp3 on Outposts has 3,000 to 16,000',
  );
  expect(writtenSteps(to, null, { region, deployment }).awsCli.join('\n')).toContain('--iops 16001');
});

test.each([0, 3, 48, 8_192, 1.5, Number.NaN])('a chunk of %d KiB is refused', (chunkKiB) => {
  expect(() => writtenSteps(stripe(2), null, { region, deployment, chunkKiB })).toThrow('a power of two');
});
