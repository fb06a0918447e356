import {
  countedPerIo,
  dataMembers,
  deliveredBy,
  instanceNeed,
  memberNeed,
  needOf,
  piecesOf,
  redundancyFactor,
  type Shape,
} from '../../../core/plan/layout.ts';
import { aNeed } from './requests.ts';

const shapeOf = (kind: Shape['kind'], members: number, others: Partial<Shape> = {}): Shape => ({
  kind,
  members,
  volumeType: 'gp3',
  chunkKiB: 64,
  stripeEfficiency: 1,
  ...others,
});

describe('a rate that is left out follows from the other and the I/O size', () => {
  const others = { capacityGiB: 1, access: 'random', readShare: 0.7 } as const;
  test.each([
    [16, 16_000, null, 16_000, 250], // 16,000 x 16 / 1,024
    [8, 16_000, null, 16_000, 125],
    [256, null, 160, 640, 160], // 160 x 1,024 / 256
    [16, null, null, 0, 0], // capacity alone
    [16, 100, 625, 100, 625], // both stay as they are
    [16, 0, null, 0, 0], // none asked is not the same as left out, and comes to the same
  ])('%d KiB: %j IOPS, %j MiB/s', (ioSizeKiB, iops, throughputMiBps, whole, mibps) => {
    expect(needOf({ ...others, ioSizeKiB, iops, throughputMiBps })).toMatchObject({
      iops: whole,
      throughputMiBps: mibps,
    });
  });
});

test('RAID10 keeps data twice, RAID5 gives one member to parity', () => {
  expect(dataMembers({ kind: 'single', members: 1 })).toBe(1);
  expect(dataMembers({ kind: 'stripe', members: 5 })).toBe(5);
  expect(dataMembers({ kind: 'raid10', members: 6 })).toBe(3);
  expect(dataMembers({ kind: 'raid5', members: 5 })).toBe(4);
});

test.each([
  ['stripe', 0.7, 1],
  ['raid10', 0.7, 1.3], // 0.7 + 0.3 x 2
  ['raid10', 1, 1], // reads are not doubled
  ['raid10', 0, 2],
  ['raid5', 0.7, 1.9], // 0.7 + 0.3 x 4
  ['raid5', 0, 4],
] as const)('%s with %d reads: %d member I/Os an I/O', (kind, readShare, factor) => {
  expect(redundancyFactor(aNeed({ readShare }), kind)).toBeCloseTo(factor, 12);
});

describe('how often one I/O is counted', () => {
  test.each([
    // KiB an I/O, members, chunk KiB, times
    [16, 1, 64, 1],
    [256, 1, 64, 1], // one volume has no chunk
    [257, 1, 64, 2], // SSD counts by 256 KiB
    [1_024, 1, 64, 4],
    [256, 4, 64, 4], // 256 / 64 pieces
    [100, 4, 64, 2],
    [64, 4, 64, 1],
    [1_024, 4, 512, 4], // 2 pieces, each 2 x 256 KiB
    [1_024, 2, 1_024, 4], // 1 piece of 4 x 256 KiB
  ])('%d KiB on %d members, chunk %d KiB: %d times', (ioSizeKiB, members, chunkKiB, times) => {
    const kind = members === 1 ? 'single' : 'stripe';
    expect(countedPerIo(aNeed({ ioSizeKiB }), shapeOf(kind, members, { chunkKiB }))).toBe(times);
  });

  test('HDD merges sequential I/O to 1 MiB, whatever the chunk, and no other', () => {
    const st1 = { volumeType: 'st1' } as const;
    const scan = (ioSizeKiB: number) => aNeed({ ioSizeKiB, access: 'sequential' });
    expect(countedPerIo(scan(64), shapeOf('stripe', 4, st1))).toBe(1 / 16);
    expect(countedPerIo(scan(2_048), shapeOf('single', 1, st1))).toBe(2);
    // Random I/O is whole MiB there.
    expect(countedPerIo(aNeed({ ioSizeKiB: 64 }), shapeOf('single', 1, st1))).toBe(1);
  });

  test('a chunk cuts an I/O only where there are members', () => {
    expect(piecesOf(aNeed({ ioSizeKiB: 256 }), shapeOf('single', 1))).toBe(1);
    expect(piecesOf(aNeed({ ioSizeKiB: 256 }), shapeOf('stripe', 2))).toBe(4);
  });
});

test('each of five members has a fifth; at 98 % efficiency a fifth of what is asked / 0.98', () => {
  const need = aNeed({ iops: 15_000, throughputMiBps: 625, capacityGiB: 1_000 });
  expect(memberNeed(need, shapeOf('stripe', 5))).toEqual({
    iops: 3_000,
    throughputMiBps: 125,
    sizeGiB: 200,
  });
  const at98 = memberNeed(need, shapeOf('stripe', 5, { stripeEfficiency: 0.98 }));
  expect(at98.iops).toBeCloseTo(3_061.22, 2); // 15,000 / (5 x 0.98)
  expect(at98.throughputMiBps).toBeCloseTo(127.55, 2); // 625 / (5 x 0.98)
  expect(at98.sizeGiB).toBe(200); // efficiency is of speed
  expect(memberNeed(need, shapeOf('single', 1, { stripeEfficiency: 0.98 })).iops).toBe(15_000); // no stripe
});

test('RAID10 of four: 10,000 IOPS at 70 % reads are 3,250 each, 1,000 GiB are 500 each', () => {
  const need = aNeed({ iops: 10_000, throughputMiBps: 400, capacityGiB: 1_000 });
  const each = memberNeed(need, shapeOf('raid10', 4));
  expect(each.iops).toBeCloseTo(3_250, 9); // 10,000 x 1.3 / 4
  expect(each.throughputMiBps).toBeCloseTo(130, 9); // 400 x 1.3 / 4
  expect(each.sizeGiB).toBe(500); // 1,000 / 2
});

test('an instance carries the member I/Os, all of them; of HDD the I/Os as they are sent', () => {
  const need = aNeed({ iops: 1_000, throughputMiBps: 250, ioSizeKiB: 256 });
  expect(instanceNeed(need, shapeOf('stripe', 4))).toEqual({ iops: 4_000, throughputMiBps: 250 }); // 4 pieces
  expect(instanceNeed(need, shapeOf('single', 1)).iops).toBe(1_000);
  const raid10 = instanceNeed(need, shapeOf('raid10', 4));
  expect(raid10.iops).toBeCloseTo(5_200, 9); // 4 pieces x 1.3
  expect(raid10.throughputMiBps).toBeCloseTo(325, 9); // 250 x 1.3
  expect(instanceNeed(need, shapeOf('stripe', 4, { volumeType: 'st1' })).iops).toBe(1_000);
});

test('what is delivered is what is asked where each member has exactly its need', () => {
  const need = aNeed({ iops: 12_345, throughputMiBps: 678, ioSizeKiB: 200, readShare: 0.3 });
  for (const kind of ['single', 'stripe', 'raid10', 'raid5'] as const) {
    const shape = shapeOf(kind, kind === 'single' ? 1 : 6, { stripeEfficiency: 0.9 });
    const { iops, throughputMiBps } = deliveredBy(memberNeed(need, shape), need, shape);
    expect(iops).toBeCloseTo(12_345, 6);
    expect(throughputMiBps).toBeCloseTo(678, 6);
  }
});
