import type { VolumeType } from '../../../core/limits/volume-limits.ts';
import { annualFailureRate, rateText, volumeFailureRate } from '../../../core/plan/cheapest-member.ts';
import type { LayoutKind } from '../../../core/plan/layout.ts';

test('one volume: 0.2 %, and 0.001 % of io2', () => {
  for (const type of ['gp2', 'gp3', 'io1', 'st1', 'sc1'] as const)
    expect(volumeFailureRate(type)).toBe(0.002);
  expect(volumeFailureRate('io2')).toBe(0.000_01);
  expect(annualFailureRate('single', 1, 'gp3')).toBe(0.002);
  expect(annualFailureRate('single', 1, 'io2')).toBe(0.000_01);
});

test.each<[LayoutKind, number, VolumeType, number]>([
  ['stripe', 2, 'gp3', 0.003_996], // 1 - 0.998^2
  ['stripe', 5, 'gp3', 0.009_960_08], // 1 - 0.998^5
  ['stripe', 8, 'gp3', 0.015_888_45],
  ['stripe', 10, 'gp3', 0.019_821], // the most below the ceiling of 0.02
  ['stripe', 8, 'io2', 0.000_079_997_2], // 1 - 0.99999^8
  ['raid10', 4, 'gp3', 7.999_984e-6], // 1 - (1 - 0.002^2)^2
  ['raid10', 8, 'gp3', 1.599_990_4e-5],
  ['raid10', 4, 'io2', 2e-10], // 1 - (1 - 1e-10)^2: lost by plain subtraction
  ['raid5', 3, 'gp3', 1.198_4e-5], // 1 - 0.998^3 - 3 x 0.002 x 0.998^2
  ['raid5', 5, 'gp3', 3.984_024e-5],
])('%s of %d %s', (kind, members, type, rate) => {
  const found = annualFailureRate(kind, members, type);
  expect(found / rate).toBeCloseTo(1, 4);
});

test('more members of a stripe fail more often, those of RAID less often than one volume', () => {
  for (let members = 4; members < 24; members += 2) {
    const [stripe, raid5, raid10] = (['stripe', 'raid5', 'raid10'] as const).map((kind) =>
      annualFailureRate(kind, members, 'gp3'),
    ) as [number, number, number];
    expect(annualFailureRate('stripe', members + 2, 'gp3')).toBeGreaterThan(stripe);
    expect(stripe).toBeGreaterThan(raid5);
    expect(raid5).toBeGreaterThan(raid10);
    expect(raid5).toBeLessThan(0.002);
  }
});

test.each([
  [0.002, '0.2 %'],
  [0.009_960_08, '0.996 %'],
  [0.000_01, '0.001 %'],
  [2e-10, '0.00000002 %'], // never 0 %
  [0, '0 %'],
])('%d reads %s', (rate, text) => {
  expect(rateText(rate)).toBe(text);
});
