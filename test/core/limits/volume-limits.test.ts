import fc from 'fast-check';
import { IllegalConfiguration } from '../../../core/errors.ts';
import {
  deliveredAtIoSize,
  type VolumeConfiguration,
  volumeLimits,
  volumeTypes,
} from '../../../core/limits/volume-limits.ts';

const region = (config: Omit<VolumeConfiguration, 'deployment'>): VolumeConfiguration => ({
  ...config,
  deployment: 'region',
});
const outposts = (config: Omit<VolumeConfiguration, 'deployment'>): VolumeConfiguration => ({
  ...config,
  deployment: 'outposts',
});

describe('what a volume can do', () => {
  test.each([
    // gp2: 3 IOPS per GiB, 100 to 16,000; 128 MiB/s to 170 GiB, 250 above; never over IOPS x 0.25
    [region({ volumeType: 'gp2', sizeGiB: 20 }), 100, 3_000, 25, 128], // 3 x 20 = 60, raised to 100; 100 x 0.25 = 25
    [region({ volumeType: 'gp2', sizeGiB: 100 }), 300, 3_000, 75, 128], // 300 x 0.25 = 75
    [region({ volumeType: 'gp2', sizeGiB: 170 }), 510, 3_000, 127.5, 128],
    [region({ volumeType: 'gp2', sizeGiB: 250 }), 750, 3_000, 187.5, 250],
    [region({ volumeType: 'gp2', sizeGiB: 500 }), 1_500, 3_000, 250, 250],
    [region({ volumeType: 'gp2', sizeGiB: 16_384 }), 16_000, 16_000, 250, 250],
    // gp3: what is provisioned
    [region({ volumeType: 'gp3', sizeGiB: 1 }), 3_000, 3_000, 125, 125],
    [
      region({ volumeType: 'gp3', sizeGiB: 160, iops: 80_000, throughputMiBps: 2_000 }),
      80_000,
      80_000,
      2_000,
      2_000,
    ],
    [region({ volumeType: 'gp3', sizeGiB: 10, throughputMiBps: 750 }), 3_000, 3_000, 750, 750], // 3,000 x 0.25
    [
      outposts({ volumeType: 'gp3', sizeGiB: 100, iops: 16_000, throughputMiBps: 1_000 }),
      16_000,
      16_000,
      1_000,
      1_000,
    ],
    // io1: 256 KiB each to 500 MiB/s up to 32,000 IOPS, 16 KiB each above
    [region({ volumeType: 'io1', sizeGiB: 100, iops: 1_000 }), 1_000, 1_000, 250, 250],
    [region({ volumeType: 'io1', sizeGiB: 100, iops: 2_000 }), 2_000, 2_000, 500, 500],
    [region({ volumeType: 'io1', sizeGiB: 1_000, iops: 32_000 }), 32_000, 32_000, 500, 500],
    [region({ volumeType: 'io1', sizeGiB: 1_000, iops: 48_000 }), 48_000, 48_000, 750, 750], // 48,000 x 16 / 1,024
    [region({ volumeType: 'io1', sizeGiB: 1_280, iops: 64_000 }), 64_000, 64_000, 1_000, 1_000],
    // io2: Block Express, 0.25 MiB/s per IOPS to 4,000
    [region({ volumeType: 'io2', sizeGiB: 256, iops: 256_000 }), 256_000, 256_000, 4_000, 4_000],
    [region({ volumeType: 'io2', sizeGiB: 4, iops: 4_000 }), 4_000, 4_000, 1_000, 1_000],
    // HDD: an operation carries at most 1 MiB, so IOPS are MiB/s
    [region({ volumeType: 'st1', sizeGiB: 1_024 }), 40, 250, 40, 250],
    [region({ volumeType: 'sc1', sizeGiB: 16_384 }), 192, 250, 192, 250],
    [region({ volumeType: 'standard', sizeGiB: 1_024 }), 100, 200, 40, 90],
  ])('%j', (config, baselineIops, burstIops, baselineMiBps, burstMiBps) => {
    expect(volumeLimits(config)).toMatchObject({ baselineIops, burstIops, baselineMiBps, burstMiBps });
  });
});

describe('a configuration that EBS would refuse is refused with its rule', () => {
  test.each([
    [region({ volumeType: 'gp2', sizeGiB: 16_385 }), /16,385 is not allowed: gp2 has 1 to 16,384 GiB/],
    [region({ volumeType: 'gp2', sizeGiB: 0.5 }), /0.5 is not allowed.*whole number/],
    [region({ volumeType: 'gp2', sizeGiB: 100, iops: 300 }), /cannot be provisioned on gp2.*3 per GiB/],
    [
      region({ volumeType: 'gp3', sizeGiB: 10, iops: 5_001 }),
      /^IOPS 5,001 is not allowed: gp3 10 GiB has 3,000 to 5,000 IOPS; 5,001 need 11 GiB \(500 per GiB\)$/,
    ],
    // 500 x 4 = 2,000, less than what every gp3 has; 16,000 / 500 = 32
    [
      region({ volumeType: 'gp3', sizeGiB: 4, iops: 16_000 }),
      /gp3 4 GiB has 3,000 IOPS and no more; .*32 GiB/,
    ],
    [
      region({ volumeType: 'gp3', sizeGiB: 10, iops: 90_000 }),
      /3,000 to 5,000 IOPS, and no gp3 more than 80,000$/,
    ],
    [region({ volumeType: 'gp3', sizeGiB: 10, iops: 2_999 }), /: gp3 10 GiB has 3,000 to 5,000 IOPS$/],
    [region({ volumeType: 'gp3', sizeGiB: 500, iops: 2_999 }), /: gp3 has 3,000 to 80,000 IOPS$/],
    [region({ volumeType: 'gp3', sizeGiB: 500, iops: 3_000.5 }), /IOPS; give a whole number$/],
    [
      region({ volumeType: 'gp3', sizeGiB: 500, throughputMiBps: 751 }),
      /gp3 with 3,000 IOPS has 125 to 750 MiB\/s; 751 need 3,004 IOPS \(0\.25 MiB\/s per IOPS\)$/,
    ],
    [region({ volumeType: 'gp3', sizeGiB: 65_537 }), /1 to 65,536 GiB/],
    [outposts({ volumeType: 'gp3', sizeGiB: 16_385 }), /gp3 on Outposts has 1 to 16,384 GiB/],
    [outposts({ volumeType: 'gp3', sizeGiB: 500, iops: 16_001 }), /gp3 on Outposts has 3,000 to 16,000 IOPS/],
    [outposts({ volumeType: 'gp3', sizeGiB: 500, iops: 16_000, throughputMiBps: 1_001 }), /125 to 1,000 MiB/],
    [
      region({ volumeType: 'io1', sizeGiB: 100 }),
      /io1 needs provisioned IOPS: of 100 GiB give 100 to 5,000 IOPS$/,
    ],
    [
      region({ volumeType: 'io1', sizeGiB: 10, iops: 501 }),
      /io1 10 GiB has 100 to 500 IOPS; 501 need 11 GiB \(50 per GiB\)/,
    ],
    [
      region({ volumeType: 'io2', sizeGiB: 4, iops: 4_001 }),
      /io2 4 GiB has 100 to 4,000 IOPS; 4,001 need 5 GiB \(1,000 per GiB\)/,
    ],
    [region({ volumeType: 'io2', sizeGiB: 4, iops: 4_000, throughputMiBps: 500 }), /only gp3 has it/],
    [region({ volumeType: 'st1', sizeGiB: 124 }), /125 to 16,384 GiB/],
    [region({ volumeType: 'standard', sizeGiB: 1_025 }), /1 to 1,024 GiB/],
  ])('%j', (config, rule) => {
    expect(() => volumeLimits(config)).toThrow(IllegalConfiguration);
    expect(() => volumeLimits(config)).toThrow(rule);
  });
});

describe('I/O accounting', () => {
  test('160 MiB/s of 256 KiB I/O is 640 IOPS', () => {
    const limits = volumeLimits(region({ volumeType: 'gp3', sizeGiB: 100, throughputMiBps: 160 }));
    // 160 x 1,024 / 256
    expect(deliveredAtIoSize(limits, 256).baseline).toEqual({ iops: 640, mibps: 160, binding: 'throughput' });
  });

  test('1 MiB I/O counts as four on SSD: 1,000 IOPS carry at most 250 MiB/s', () => {
    const limits = volumeLimits(region({ volumeType: 'io1', sizeGiB: 100, iops: 1_000 }));
    expect(deliveredAtIoSize(limits, 1_024).baseline).toEqual({
      iops: 250,
      mibps: 250,
      binding: 'iops+throughput',
    });
  });

  test('16 KiB random I/O on HDD costs 1 MiB each: 500 IOPS are 7.8 MiB/s', () => {
    const limits = volumeLimits(region({ volumeType: 'st1', sizeGiB: 12_800 }));
    expect(deliveredAtIoSize(limits, 16).baseline).toEqual({ iops: 500, mibps: 7.8125, binding: 'iops' });
  });
});

test('whatever is asked, limits are positive, burst is not below baseline, and SSD throughput fits its IOPS', () => {
  const anyConfig = fc.record({
    volumeType: fc.constantFrom(...volumeTypes),
    sizeGiB: fc.integer({ min: 1, max: 17_000 }),
    iops: fc.option(fc.integer({ min: 0, max: 300_000 }), { nil: undefined }),
    throughputMiBps: fc.option(fc.integer({ min: 0, max: 5_000 }), { nil: undefined }),
    deployment: fc.constantFrom('region' as const, 'outposts' as const),
  });
  let legal = 0;
  fc.assert(
    fc.property(anyConfig, (config) => {
      try {
        const limits = volumeLimits(config);
        legal++;
        expect(limits.baselineIops).toBeGreaterThan(0);
        expect(limits.burstIops).toBeGreaterThanOrEqual(limits.baselineIops);
        expect(limits.burstMiBps).toBeGreaterThanOrEqual(limits.baselineMiBps);
        if (!['st1', 'sc1', 'standard'].includes(config.volumeType)) {
          expect(limits.burstMiBps).toBeLessThanOrEqual(limits.burstIops * 0.25);
        }
      } catch (error) {
        if (!(error instanceof IllegalConfiguration)) throw error;
        expect(error.message).not.toMatch(/NaN|undefined|\n|(\b[\d,]+) to \1 /);
        expect(error.message.split(' ').length).toBeLessThanOrEqual(25);
      }
    }),
    { seed: 7, numRuns: 3_000 },
  );
  expect(legal).toBeGreaterThan(100);
});
