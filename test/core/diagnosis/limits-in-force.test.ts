/** The limit that held in a period, and how near a load came to it: with credits the best, without them the baseline. */
import type { DiagnosedVolume } from '../../../core/diagnosis/diagnosed-volume.ts';
import { limitsInForce, topShareOfLimit } from '../../../core/diagnosis/limits-in-force.ts';
import type { Volume } from '../../../core/inventory.ts';
import { type Columns, diagnosed } from '../audit/diagnosed.ts';

/** 100 IOPS and 25 MiB/s without credits, 3,000 IOPS and 128 MiB/s with them. */
const gp2: Partial<Volume> = { volumeType: 'gp2', sizeGiB: 33, iops: 100, throughputMiBps: null };

function ofGp2(atBaseline: number[], columns: Columns): DiagnosedVolume {
  const one = diagnosed(gp2, columns);
  return { ...one, attribution: { ...one.attribution, atBaseline: Uint8Array.from(atBaseline) } };
}

test('without credits the baseline is in force, before and after what they allow', () => {
  const one = ofGp2([0, 1, 1, 0], { iops: [2_000, 100, 20, 20] });
  expect([0, 1, 2, 3].map((i) => limitsInForce(one, i))).toEqual([
    { iops: 3_000, mibps: 128 },
    { iops: 100, mibps: 25 },
    { iops: 100, mibps: 25 },
    { iops: 3_000, mibps: 128 },
  ]);
});

test('in the minute in which credits run out, what was served was the limit', () => {
  const one = ofGp2([1], { iops: [1_500], mibps: [30] });
  expect(limitsInForce(one, 0)).toEqual({ iops: 1_500, mibps: 30 });
  expect(topShareOfLimit(one)).toBe(1);
});

test('more than the burst never was the limit', () => {
  expect(limitsInForce(ofGp2([1], { iops: [3_030], mibps: [130] }), 0)).toEqual({ iops: 3_000, mibps: 128 });
});

test('who has no bucket has one limit', () => {
  expect(limitsInForce(diagnosed({}, { iops: [10] }), 0)).toEqual({ iops: 3_000, mibps: 125 });
});

test.each<[string, DiagnosedVolume, number | null]>([
  ['100 IOPS without credits are all', ofGp2([1, 1], { iops: [100, 40] }), 1],
  ['the same with credits is a thirtieth', ofGp2([0, 0], { iops: [100, 40] }), 100 / 3_000],
  ['the fullest minute counts, not the busiest', ofGp2([0, 1], { iops: [1_500, 90] }), 0.9],
  ['the nearer of IOPS and MiB/s', diagnosed({}, { iops: [300], mibps: [100] }), 0.8], // 10 % and 100 of 125
  // 1,000 of 1 MiB count as 4,000 of 256 KiB, of 16,000; 1,000 MiB/s are all
  [
    'large operations count as several',
    diagnosed({ iops: 16_000, throughputMiBps: 1_000 }, { iops: [1_000], mibps: [1_000] }),
    1,
  ],
  [
    'what is not known is passed over',
    diagnosed({}, { iops: [Number.NaN, 600], mibps: [Number.NaN, 1] }),
    0.2,
  ],
  ['and so are bytes alone', diagnosed({}, { iops: [600], mibps: [Number.NaN] }), 0.2],
  ['nothing known', diagnosed({}, { iops: [Number.NaN], mibps: [Number.NaN] }), null],
  ['nothing done', diagnosed({}, { iops: [0], mibps: [0] }), 0],
])('%s', (_, one, share) => {
  const top = topShareOfLimit(one);
  if (share === null) expect(top).toBeNull();
  else expect(top).toBeCloseTo(share, 10);
});

/** 2 TiB: 80 MiB/s without credits, 500 with them, and as many operations of 1 MiB. */
const st1: Partial<Volume> = { volumeType: 'st1', sizeGiB: 2_048, iops: null, throughputMiBps: null };

test('on HDD more operations than the limit had merged: then bytes alone count', () => {
  expect(topShareOfLimit(diagnosed(st1, { iops: [4_000], mibps: [250] }))).toBe(0.5);
  expect(topShareOfLimit(diagnosed(st1, { iops: [450], mibps: [50] }))).toBe(0.9);
});
