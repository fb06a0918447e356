/** Figures that an independent reference computed from AWS's rules; each must come out of the command line. */
import { cliJson, runCli } from './run-cli.ts';

interface BurstJson {
  baselineIops: number;
  baselineMiBps: number;
  burstMiBps: number;
  creditBalance: number | null;
  burstDurationSeconds: number | null;
  secondsToFull: number | null;
}

interface LimitsJson {
  baselineIops: number;
  bucket: { unit: string; capacity: number } | null;
}

describe('gp2 credits come out of `burst`', () => {
  test.each([
    // size, balance %, baseline IOPS, credits, full-rate burst s, refill when idle s
    [1, 100, 100, 5_400_000, 1_862.1, 0], // 5.4 M / (3,000 - 100)
    [33, 100, 100, 5_400_000, 1_862.1, 0], // 3 x 33 = 99, raised to 100
    [34, 100, 102, 5_400_000, 1_863.4, 0],
    [100, 100, 300, 5_400_000, 2_000.0, 0], // 5.4 M / (3,000 - 300)
    [100, 25, 300, 1_350_000, 500.0, 13_500], // 0.75 x 5.4 M / 300
    [170, 100, 510, 5_400_000, 2_168.7, 0],
    [334, 100, 1_002, 5_400_000, 2_702.7, 0],
    [500, 100, 1_500, 5_400_000, 3_600.0, 0],
    [500, 50, 1_500, 2_700_000, 1_800.0, 1_800],
    [750, 100, 2_250, 5_400_000, 7_200.0, 0],
    [999, 100, 2_997, 5_400_000, 1_800_000.0, 0], // 5.4 M / 3
  ])('%d GiB at %d %%', async (sizeGiB, balance, baselineIops, credits, burstSeconds, refillSeconds) => {
    const answer = await cliJson<BurstJson>(
      'burst',
      '--type',
      'gp2',
      '--size-gib',
      `${sizeGiB}`,
      '--balance-percent',
      `${balance}`,
    );
    expect(answer.baselineIops).toBe(baselineIops);
    expect(answer.creditBalance).toBe(credits);
    expect(answer.burstDurationSeconds).toBeCloseTo(burstSeconds, 1);
    expect(answer.secondsToFull).toBe(refillSeconds);
  });

  test.each([
    [1_000, 3_000],
    [5_334, 16_000], // 3 x 5,334 = 16,002, capped
  ])('%d GiB does not burst', async (sizeGiB, baselineIops) => {
    const answer = await cliJson<BurstJson>('burst', '--type', 'gp2', '--size-gib', `${sizeGiB}`);
    expect(answer).toMatchObject({ baselineIops, creditBalance: null, burstDurationSeconds: null });
    expect(await cliJson<LimitsJson>('limits', '--type', 'gp2', '--size-gib', `${sizeGiB}`)).toMatchObject({
      baselineIops,
      bucket: null,
    });
  });
});

describe('HDD credits come out of `burst` and `limits`', () => {
  test.each([
    // type, size, baseline MiB/s, burst MiB/s, bucket MiB, full-rate burst s
    ['st1', 125, 4.88, 30.52, 128_000, 4_993],
    ['st1', 500, 19.53, 122.07, 512_000, 4_993],
    ['st1', 1_024, 40.0, 250.0, 1_048_576, 4_993], // 1 TiB of credits / (250 - 40)
    ['st1', 2_048, 80.0, 500.0, 2_097_152, 4_993],
    ['st1', 12_800, 500.0, 500.0, 13_107_200, null], // 40 x 12.5 = 500, its cap
    ['st1', 16_384, 500.0, 500.0, 16_777_216, null],
    ['sc1', 125, 1.46, 9.77, 128_000, 15_420],
    ['sc1', 500, 5.86, 39.06, 512_000, 15_420],
    ['sc1', 1_024, 12.0, 80.0, 1_048_576, 15_420],
    ['sc1', 2_048, 24.0, 160.0, 2_097_152, 15_420],
    ['sc1', 12_800, 150.0, 250.0, 13_107_200, 131_072], // 13,107,200 / (250 - 150)
    ['sc1', 16_384, 192.0, 250.0, 16_777_216, 289_262],
  ])('%s of %d GiB', async (type, sizeGiB, baselineMiBps, burstMiBps, bucketMiB, burstSeconds) => {
    const answer = await cliJson<BurstJson>('burst', '--type', type, '--size-gib', `${sizeGiB}`);
    expect(answer.baselineMiBps).toBeCloseTo(baselineMiBps, 2);
    expect(answer.burstMiBps).toBeCloseTo(burstMiBps, 2);
    expect(answer.creditBalance).toBe(bucketMiB);
    if (burstSeconds === null) expect(answer.burstDurationSeconds).toBeNull();
    else expect(Math.round(answer.burstDurationSeconds ?? 0)).toBe(burstSeconds);
    const limits = await cliJson<LimitsJson>('limits', '--type', type, '--size-gib', `${sizeGiB}`);
    expect(limits.bucket).toEqual({ unit: 'mib', capacity: bucketMiB });
  });
});

test('16,000 IOPS of 8 KiB are 125 MiB/s: one gp3 meets both limits at once', async () => {
  const answer = await cliJson(
    'limits',
    '--type',
    'gp3',
    '--size-gib',
    '500',
    '--iops',
    '16000',
    '--io-size-kib',
    '8',
  );
  const both = { iops: 16_000, mibps: 125, binding: 'iops+throughput' }; // 16,000 x 8 / 1,024 = 125
  expect(answer['atIoSize']).toEqual({ ioSizeKiB: 8, baseline: both, burst: both });
});

describe('a rate above the limit is said, and not computed with', () => {
  test.each([
    // type, size, rate, limit, seconds until it is empty
    ['gp2', 100, '--iops', 5_000, 3_000, 2_000], // 5.4 M / (3,000 - 300)
    ['gp2', 100, '--iops', 3_000, null, 2_000],
    ['gp2', 2_000, '--iops', 9_000, 6_000, null], // 3 x 2,000: it does not burst
    ['st1', 1_024, '--throughput-mibps', 400, 250, 4_993],
  ])('%s of %d GiB at %s %d', async (type, sizeGiB, option, rate, limit, seconds) => {
    const asked = ['burst', '--type', type, '--size-gib', `${sizeGiB}`, option, `${rate}`];
    const answer = await cliJson<{ rateLimitedTo: number | null; secondsToEmpty: number | null }>(...asked);
    expect(answer.rateLimitedTo).toBe(limit);
    if (seconds === null) expect(answer.secondsToEmpty).toBeNull();
    else expect(answer.secondsToEmpty).toBeCloseTo(seconds, -1);
    const { out } = await runCli(...asked);
    expect(out.includes('It never does more than')).toBe(limit !== null);
  });
});

describe('io2 has 256 KiB an I/O, and AWS also writes 0.256 MiB/s', () => {
  test.each([
    [8_000, 2_000, true], // 8,000 x 0.25
    [15_999, 3_999.75, true],
    [16_000, 4_000, false], // both agree
    [64_000, 4_000, false],
  ])('%d IOPS: %d MiB/s', async (iops, mibps, isNoted) => {
    const asked = ['limits', '--type', 'io2', '--size-gib', '500', '--iops', `${iops}`];
    const { baselineMiBps, notes } = await cliJson<{ baselineMiBps: number; notes: object[] }>(...asked);
    expect(baselineMiBps).toBe(mibps);
    expect(notes).toEqual(
      isNoted ? [{ code: 'io2-mibps-per-iops', computed: 0.25, alsoWritten: 0.256 }] : [],
    );
    expect((await runCli(...asked)).out.includes('AWS also writes 0.256 MiB/s')).toBe(isNoted);
  });
});
