import fc from 'fast-check';
import { type Deployment, type VolumeType, volumeLimits } from '../../../core/limits/volume-limits.ts';
import { cheapestMember, type MemberOrWhyNot } from '../../../core/plan/cheapest-member.ts';
import { provisioned } from '../../../core/plan/layout.ts';

type Type = Exclude<VolumeType, 'standard'>;
type Figures = [iops: number, mibps: number, gib: number];

const of = (type: Type, [iops, throughputMiBps, sizeGiB]: Figures, where: Deployment = 'region') =>
  cheapestMember(type, { iops, throughputMiBps, sizeGiB }, where);

function figuresOf(found: MemberOrWhyNot): Figures {
  if (!('member' in found)) throw new Error(JSON.stringify(found));
  const { iops, throughputMiBps, sizeGiB } = found.member;
  return [iops, throughputMiBps, sizeGiB];
}

describe('the smallest legal figures that meet a need', () => {
  test.each<[Type, Figures, Figures]>([
    // type; needed IOPS, MiB/s, GiB; provisioned or had: IOPS, MiB/s, GiB
    ['gp3', [0, 0, 1], [3_000, 125, 1]], // both for nothing
    ['gp3', [3_000, 125, 100], [3_000, 125, 100]],
    ['gp3', [3_000.5, 125, 100], [3_001, 125, 100]], // whole IOPS
    ['gp3', [100, 800, 100], [3_200, 800, 100]], // 800 / 0.25
    ['gp3', [100, 750.2, 100], [3_004, 751, 100]], // 751 / 0.25
    ['gp3', [3_001, 125, 1], [3_001, 125, 7]], // 3,001 / 500 = 6.002
    ['gp3', [80_000, 2_000, 1], [80_000, 2_000, 160]], // 80,000 / 500
    ['gp3', [0, 0, 65_536], [3_000, 125, 65_536]],
    ['gp3', [0, 0, 99.2], [3_000, 125, 100]], // whole GiB
    ['io1', [0, 0, 1], [100, 25, 4]], // 100 IOPS and 4 GiB at least; 100 x 0.25
    ['io1', [100, 500, 4], [2_000, 500, 40]], // 500 / 0.25; 2,000 / 50
    ['io1', [100, 501, 4], [32_064, 501, 642]], // above 500 MiB/s 16 KiB an I/O: 501 x 64; 32,064 / 50
    ['io1', [100, 1_000, 4], [64_000, 1_000, 1_280]],
    ['io1', [33_000, 510, 4], [33_000, 515.625, 660]], // 33,000 / 64
    ['io1', [32_000, 500, 4], [32_000, 500, 640]],
    ['io2', [0, 0, 1], [100, 25, 4]],
    ['io2', [256_000, 4_000, 4], [256_000, 4_000, 256]], // 256,000 / 1,000
    ['io2', [100, 4_000, 4], [16_000, 4_000, 16]], // 4,000 / 0.25
    ['io2', [4_001, 0, 4], [4_001, 1_000.25, 5]], // 4,001 / 1,000
    ['gp2', [0, 0, 1], [100, 25, 1]], // 3 a GiB, raised to 100
    ['gp2', [100, 25, 1], [100, 25, 1]],
    ['gp2', [101, 0, 1], [102, 25.5, 34]], // 3 x 34
    ['gp2', [0, 127.5, 1], [510, 127.5, 170]], // 3 x 170 x 0.25
    ['gp2', [0, 128, 1], [513, 128.25, 171]], // 170 GiB have 127.5, 171 have 3 x 171 x 0.25
    ['gp2', [512, 0, 1], [513, 128.25, 171]],
    ['gp2', [0, 250, 1], [1_002, 250, 334]], // 1,000 IOPS / 3
    ['gp2', [3_000, 0, 1], [3_000, 250, 1_000]], // its burst does not count
    ['gp2', [16_000, 250, 1], [16_000, 250, 5_334]],
    ['st1', [0, 0, 1], [4.882_812_5, 4.882_812_5, 125]], // 40 x 125 / 1,024
    ['st1', [0, 40, 1], [40, 40, 1_024]], // its burst of 250 does not count
    ['st1', [0, 500, 1], [500, 500, 12_800]], // 500 / 40 = 12.5 TiB
    ['st1', [80, 20, 1], [80, 80, 2_048]], // an I/O carries 1 MiB at most
    ['sc1', [0, 12, 1], [12, 12, 1_024]],
    ['sc1', [0, 192, 1], [192, 192, 16_384]], // 12 x 16: its cap of 250 is for bursts
  ])('%s for %j: %j', (type, need, least) => {
    expect(figuresOf(of(type, need))).toEqual(least);
  });

  test('gp3 on Outposts has the figures of before: 16,000 IOPS, 1,000 MiB/s, 16 TiB', () => {
    expect(figuresOf(of('gp3', [16_000, 1_000, 16_384], 'outposts'))).toEqual([16_000, 1_000, 16_384]);
    expect(figuresOf(of('gp3', [16_000, 125, 1], 'outposts'))).toEqual([16_000, 125, 32]); // 16,000 / 500
  });
});

describe('what no volume of a type has', () => {
  test.each<[Type, Figures, 'iops' | 'throughput' | 'capacity', number, Deployment?]>([
    ['gp3', [80_001, 0, 1], 'iops', 80_000],
    ['gp3', [0, 2_000.5, 1], 'throughput', 2_000],
    ['gp3', [0, 0, 65_537], 'capacity', 65_536],
    ['gp3', [16_001, 0, 1], 'iops', 16_000, 'outposts'],
    ['gp3', [0, 1_001, 1], 'throughput', 1_000, 'outposts'],
    ['gp3', [0, 0, 16_385], 'capacity', 16_384, 'outposts'],
    ['io1', [64_001, 0, 4], 'iops', 64_000],
    ['io1', [0, 1_001, 4], 'throughput', 1_000],
    ['io2', [256_001, 0, 4], 'iops', 256_000],
    ['io2', [0, 4_001, 4], 'throughput', 4_000],
    ['gp2', [16_001, 0, 1], 'iops', 16_000],
    ['gp2', [0, 251, 1], 'throughput', 250],
    ['gp2', [0, 0, 16_385], 'capacity', 16_384],
    ['st1', [0, 501, 1], 'throughput', 500],
    ['sc1', [0, 193, 1], 'throughput', 192], // 16 TiB are the largest: 16 x 12
    ['sc1', [193, 0, 1], 'throughput', 192], // an I/O is a MiB there
    ['st1', [0, 0, 16_385], 'capacity', 16_384],
  ])('%s for %j: %s, at most %d', (type, need, limit, atMost, where = 'region') => {
    const found = of(type, need, where);
    expect('outOfReach' in found && found.outOfReach).toMatchObject({ limit, atMost });
  });
});

describe('the last digits of a quotient', () => {
  const aBit = 1 + 2e-16 * 4;
  test.each<[Type, Figures]>([
    ['gp3', [80_000, 2_000, 65_536]],
    ['io1', [64_000, 1_000, 16_384]],
    ['io2', [256_000, 4_000, 65_536]],
    ['gp2', [16_000, 250, 16_384]],
    ['st1', [0, 500, 16_384]],
    ['sc1', [0, 192, 16_384]],
  ])('do not put %s at its limits out of reach, nor make it larger', (type, figures) => {
    const above = figures.map((value) => value * aBit) as Figures;
    expect(above).not.toEqual(figures);
    expect(of(type, above)).toEqual(of(type, figures));
    expect(of(type, figures)).toHaveProperty('member');
  });

  test('500 MiB/s and a last digit on io1 are 2,000 IOPS, not 32,000', () => {
    expect(figuresOf(of('io1', [0, 500 * aBit, 4]))).toEqual([2_000, 500, 40]);
  });
});

test('any need: the volume is one that EBS makes, and has what is needed all the time', () => {
  const types: Type[] = ['gp2', 'gp3', 'io1', 'io2', 'st1', 'sc1'];
  const upTo = (most: number) =>
    fc.double({ min: 0, max: Math.log10(most), noNaN: true }).map((power) => 10 ** power);
  let found = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.constantFrom<Deployment>('region', 'outposts'),
      upTo(100_000),
      upTo(2_000),
      upTo(20_000),
      (volumeType, deployment, iops, throughputMiBps, sizeGiB) => {
        const least = cheapestMember(volumeType, { iops, throughputMiBps, sizeGiB }, deployment);
        if (!('member' in least)) return;
        found++;
        const layout = { kind: 'single', members: 1, volumeType, ...least.member } as const;
        const limits = volumeLimits(provisioned(layout, deployment));
        const near = 1 + 1e-9;
        expect(limits.baselineIops).toBe(least.member.iops);
        expect(limits.baselineMiBps).toBe(least.member.throughputMiBps);
        expect(limits.baselineIops * near).toBeGreaterThanOrEqual(iops);
        expect(limits.baselineMiBps * near).toBeGreaterThanOrEqual(throughputMiBps);
        expect(limits.sizeGiB * near).toBeGreaterThanOrEqual(sizeGiB);
      },
    ),
    { numRuns: 2_000, seed: 3 },
  );
  expect(found).toBeGreaterThan(1_000);
});
