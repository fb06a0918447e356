import {
  expectedCostUsd,
  expectedHours,
  measuringSeconds,
  prefillMiB,
} from '../../../core/benchmark/expected-cost.ts';
import { profiles } from '../../../core/benchmark/profiles.ts';
import { known, unknown } from '../../../core/known.ts';

test.each([
  ['report-card', 'full', 1_300], // 20 x (5 + 60)
  ['report-card', 'short', 24], // 8 x 3
  ['oltp', 'full', 520], // 4 x (10 + 120)
  ['drain-credits', 'full', 1_800],
  ['iris-ranwrite', 'full', 1_760], // 22 x 80
] as const)('%s, %s: its steps take %d s', (name, variant, seconds) => {
  expect(measuringSeconds(profiles[name][variant])).toBe(seconds);
});

test('files are written first: one, or a sixteenth of it more in each other place', () => {
  expect(prefillMiB(profiles.oltp.full)).toBe(16_384);
  expect(prefillMiB(profiles['iris-ranwrite'].full)).toBe(18_432); // 16,384 + 2 x 1,024
});

test('hours are those of writing the files and of the steps', () => {
  // 16,384 MiB / 125 MiB/s = 131.072 s; + 1,300 s
  expect(expectedHours(profiles['report-card'].full) * 3_600).toBeCloseTo(1_431.072, 6);
  // 16,384 MiB / 1,000 MiB/s
  expect(expectedHours(profiles['report-card'].full, 1_000) * 3_600).toBeCloseTo(1_316.384, 6);
});

describe('cost', () => {
  test('is that of instance and volumes for so long', () => {
    // 0.5 h x (0.384 + 0.016)
    expect(expectedCostUsd(0.5, { instance: known(0.384), volumes: known(0.016) })).toEqual(known(0.2));
  });

  test('is not known where a price is not, and says which', () => {
    const noInstance = unknown('no price of m9g.large in eu-west-9');
    const noVolumes = unknown('no price of io2 in eu-west-9');
    expect(expectedCostUsd(1, { instance: noInstance, volumes: known(0.1) })).toEqual(noInstance);
    expect(expectedCostUsd(1, { instance: known(1), volumes: noVolumes })).toEqual(noVolumes);
  });

  test('of something that costs nothing is nothing, not unknown', () => {
    expect(expectedCostUsd(1, { instance: known(0), volumes: known(0) })).toEqual(known(0));
  });
});
