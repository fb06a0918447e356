/** Price against IOPS: the sentence, the table and the marks say the same. */
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { planDefaults } from '../../../core/plan/asked.ts';
import { priceCurve } from '../../../core/plan/price-curve.ts';
import { dark, light } from '../../../report/charts/palette.ts';
import { crossingsText, priceAgainstIops } from '../../../report/charts/price-against-iops.ts';

const curveOf = (maxMembers: number) =>
  priceCurve(
    { ...planDefaults, throughputMiBps: null, capacityGiB: 1_000, maxMembers },
    builtInRegionCatalog('us-east-1'),
  );

test('which one is the cheapest up to where, and where each ends', () => {
  expect(crossingsText(curveOf(8))).toBe(
    'The cheapest is one gp3 up to 3,000 IOPS, then a stripe of gp3 up to 640,000 IOPS. One gp3 ends at 80,000, a stripe of gp3 at 640,000, one io2 at 256,000 IOPS.',
  );
  expect(crossingsText(curveOf(1))).toBe(
    'The cheapest is one gp3 up to 80,000 IOPS, then one io2 up to 256,000 IOPS. One gp3 ends at 80,000, one io2 at 256,000 IOPS.',
  );
});

test('the table has the last of one and the first of the next', () => {
  const { rows } = priceAgainstIops(curveOf(8), { iops: 8_000 }, light).table();
  const at = (iops: number) => rows.find(([first]) => first === iops);
  // 1,000 x 0.08; one IOPS more is 0.005; the cheapest stripe is of 2 x 500 GiB; io2 is 1,000 x 0.125 + 3,000 x 0.065
  expect(at(3_000)?.map((value) => (typeof value === 'number' ? Number(value.toFixed(3)) : value))).toEqual([
    ...[3_000, 80, 80, 320, 2, 'one gp3'],
  ]);
  expect(at(3_001)?.at(-1)).toBe('a stripe of gp3');
  expect(at(640_000)?.at(-1)).toBe('a stripe of gp3');
  expect(at(640_001)?.at(-1)).toBe('none');
});

test('what is asked is marked, on light and on dark ground, wide and narrow', () => {
  for (const palette of [light, dark])
    for (const width of ['wide', 'narrow'] as const) {
      const { option } = priceAgainstIops(curveOf(8), { iops: 8_000 }, palette, width);
      expect(JSON.stringify(option)).toContain('"xAxis":8000');
      expect(JSON.stringify(option)).toContain(palette.recommended);
    }
});
