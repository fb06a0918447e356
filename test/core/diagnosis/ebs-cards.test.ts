/** Volumes on the wrong EBS card of an instance that has several. */
import fc from 'fast-check';
import { type CardImbalance, ebsCardImbalance } from '../../../core/diagnosis/unreachable.ts';
import type { Instance, Volume } from '../../../core/inventory.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';
import { anInstanceType, ebs } from '../../fixtures/region-catalog.ts';

/** Two cards of 20,000 IOPS and 1,000 MiB/s each. */
const type = anInstanceType({
  instanceType: 'c8gn.48xlarge',
  ebs: ebs(40_000, 2_000),
  cards: [ebs(20_000, 1_000), ebs(20_000, 1_000)],
});

const evaluate = (
  volumes: (Partial<Volume> & { card: number | null })[],
  instance: Partial<Instance> = {},
): CardImbalance | null =>
  ebsCardImbalance(
    anInstance(instance),
    type,
    volumes.map(({ card, ...volume }, i) =>
      aVolume({
        volumeId: `vol-${i}`,
        sizeGiB: 1_000,
        attachments: [{ instanceId: 'i-1', ebsCardIndex: card }],
        ...volume,
      }),
    ),
  );

const moves = (found: CardImbalance | null) =>
  found?.moves.map(({ volume, toCard }) => `${volume.volumeId} to ${toCard}`);

test('all on one card: what is too much of it moves, and the evidence tells each card', () => {
  const found = evaluate([{ card: 0, throughputMiBps: 700 }, { card: 0, throughputMiBps: 700 }, { card: 0 }]);
  // 700 + 700 + 125 = 1,525 of 1,000; moving one leaves 825 and 700
  expect(moves(found)).toEqual(['vol-0 to 1']);
  expect(found?.draft).toMatchObject({
    ...{ kind: 'ebs-card-imbalance', severity: 'warning', status: 'standing', firstSeen: null },
    limit: { what: 'maximum', value: 1_000, unit: 'MiB/s', scope: 'card' },
  });
  const most = { maximumIops: 20_000, maximumMiBps: 1_000 };
  expect(found?.draft.evidence).toEqual({
    instanceType: 'c8gn.48xlarge',
    cards: [
      { card: 0, iops: 9_000, mibps: 1_525, ...most, volumes: 3 },
      { card: 1, iops: 0, mibps: 0, ...most, volumes: 0 },
    ],
    excessIops: 0,
    excessMiBps: 525,
    volumes: ['vol-0', 'vol-1', 'vol-2'],
  });
});

test.each([
  {
    name: 'spread',
    volumes: [
      { card: 0, iops: 16_000 },
      { card: 1, iops: 16_000 },
    ],
  },
  {
    name: 'both cards full',
    volumes: [
      { card: 0, iops: 24_000 },
      { card: 1, iops: 24_000 },
    ],
  },
  { name: 'one volume that no card carries', volumes: [{ card: 0, iops: 24_000 }] },
  {
    name: 'a card that nobody told',
    volumes: [{ card: 0, iops: 16_000 }, { card: 0, iops: 16_000 }, { card: null }],
  },
  {
    name: 'a type that is not known',
    volumes: [
      { card: 0, iops: 16_000 },
      { card: 0, iops: 16_000 },
      { card: 0, volumeType: 'gp9' },
    ],
  },
  {
    name: 'a card that the type does not have',
    volumes: [
      { card: 0, iops: 16_000 },
      { card: 2, iops: 16_000 },
    ],
  },
])('silent: $name', ({ volumes }) => {
  expect(evaluate(volumes)).toBeNull();
});

test('IOPS bind too; a Multi-Attach volume counts and is not the one that moves', () => {
  const shared = {
    card: 0,
    volumeType: 'io2',
    iops: 16_000,
    multiAttach: true,
    attachments: [
      { instanceId: 'i-1', ebsCardIndex: 0 },
      { instanceId: 'i-2', ebsCardIndex: 1 },
    ],
  };
  // 16,000 + 6,000 = 22,000 of 20,000; io2 brings 4,000 MiB/s, too much for any card
  expect(moves(evaluate([shared, { card: 0, iops: 6_000 }]))).toEqual(['vol-1 to 1']);
});

test('vpc-1: MiB/s are not evaluated, IOPS are', () => {
  const vpc = { bandwidthWeighting: 'vpc-1' };
  expect(
    evaluate(
      [
        { card: 0, throughputMiBps: 700 },
        { card: 0, throughputMiBps: 700 },
      ],
      vpc,
    ),
  ).toBeNull();
  expect(
    moves(
      evaluate(
        [
          { card: 0, iops: 16_000 },
          { card: 0, iops: 16_000 },
        ],
        vpc,
      ),
    ),
  ).toEqual(['vol-0 to 1']);
});

test('a type with one card is never evaluated', () => {
  const volumes = [
    aVolume({ sizeGiB: 1_000, iops: 80_000, attachments: [{ instanceId: 'i-1', ebsCardIndex: 0 }] }),
  ];
  expect(ebsCardImbalance(anInstance(), anInstanceType(), volumes)).toBeNull();
});

test('moves always leave less out of reach, and never one volume twice', () => {
  const volume = fc.record({
    card: fc.integer({ min: 0, max: 1 }),
    iops: fc.integer({ min: 3_000, max: 16_000 }),
    throughputMiBps: fc.integer({ min: 125, max: 750 }),
  });
  const over = (volumes: { card: number; iops: number; throughputMiBps: number }[]): number =>
    [0, 1].reduce((total, card) => {
      const own = volumes.filter((one) => one.card === card);
      const iops = own.reduce((sum, one) => sum + one.iops, 0);
      const mibps = own.reduce((sum, one) => sum + one.throughputMiBps, 0);
      return total + Math.max(0, iops / 20_000 - 1) + Math.max(0, mibps / 1_000 - 1);
    }, 0);
  fc.assert(
    fc.property(fc.array(volume, { maxLength: 8 }), (volumes) => {
      const found = evaluate(volumes);
      if (found === null) return;
      const after = volumes.map((one, i) => ({
        ...one,
        card: found.moves.find((move) => move.volume.volumeId === `vol-${i}`)?.toCard ?? one.card,
      }));
      expect(over(after)).toBeLessThan(over(volumes));
      expect(new Set(moves(found)?.map((move) => move.split(' ')[0])).size).toBe(found.moves.length);
    }),
    { seed: 21, numRuns: 300 },
  );
});
