/** The dashboard's burst duration, evaluated as CloudWatch would, against the engine's own arithmetic. */
import { runInNewContext } from 'node:vm';
import { limitFigures } from '../../../core/audit/evaluate-volume.ts';
import { burst } from '../../../core/credits/credits.ts';
import { type VolumeType, volumeLimits } from '../../../core/limits/volume-limits.ts';
import { burstSecondsExpression } from '../../../report/dashboard/burst-expression.ts';

const limitsOf = (volumeType: VolumeType, sizeGiB: number) =>
  volumeLimits({ volumeType, sizeGiB, deployment: 'region' });
const expressionOf = (volumeType: VolumeType, sizeGiB: number): string | null => {
  const limits = limitFigures(limitsOf(volumeType, sizeGiB));
  return limits && burstSecondsExpression('m0', limits);
};

test('gp2 of 500 GiB at 100 %: 5,400,000 / (3,000 - 1,500) = 3,600 s', () => {
  const expression = expressionOf('gp2', 500) ?? '';
  expect(expression).toBe('m0 * 5400000 / 100 / (3000 - 1500)');
  expect(runInNewContext(expression, { m0: 100 })).toBe(3_600);
  expect(runInNewContext(expression, { m0: 50 })).toBe(1_800);
  expect(runInNewContext(expression, { m0: 0 })).toBe(0);
});

const sizes = {
  gp2: [1, 33, 100, 334, 500, 999],
  st1: [125, 500, 1_000, 2_000, 12_000],
  sc1: [125, 500, 1_000, 3_000, 6_000, 16_000],
} as const;
const bursting = Object.entries(sizes).flatMap(([type, some]) =>
  some.flatMap((sizeGiB) => [100, 37.5, 1].map((percent) => [type as VolumeType, sizeGiB, percent] as const)),
);

test.each(bursting)('%s of %i GiB at %d %% is what the engine says', (volumeType, sizeGiB, percent) => {
  const seconds = runInNewContext(expressionOf(volumeType, sizeGiB) ?? '', { m0: percent });
  const { burstDurationSeconds } = burst(limitsOf(volumeType, sizeGiB), percent, null);
  expect(seconds).toBeCloseTo(burstDurationSeconds ?? Number.NaN, 6);
});

test.each([
  ['gp3', 500],
  ['standard', 500],
  ['gp2', 1_000],
  ['gp2', 5_334],
  ['st1', 16_000],
] as const)('%s of %i GiB does not burst: no expression', (volumeType, sizeGiB) => {
  const engine = burst(limitsOf(volumeType, sizeGiB), 100, null).burstDurationSeconds;
  expect([engine, expressionOf(volumeType, sizeGiB)]).toEqual([null, null]);
});
