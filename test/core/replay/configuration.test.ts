/** What a layout and an instance are to a replay. */
import { BadInput, IllegalConfiguration } from '../../../core/errors.ts';
import { replayConfiguration } from '../../../core/replay/configuration.ts';
import { ebs } from '../../fixtures/region-catalog.ts';
import { aLayout, gp2 } from './loads.ts';

const rate = (baselinePerSecond: number, more: object = {}) => ({
  baselinePerSecond,
  burstPerSecond: baselinePerSecond,
  creditCapacity: 0,
  startCredits: 0,
  minRefillPerSecond: 0,
  ...more,
});

test.each([
  ['a gp3', aLayout(), 3_000, 125],
  ['six of them', aLayout({ kind: 'stripe', members: 6 }), 18_000, 750],
  ['RAID10 of four: all write', aLayout({ kind: 'raid10', members: 4 }), 12_000, 500],
  ['a gp2 that does not burst', gp2(2_000), 6_000, 250],
  [
    'io1: 16 KiB for each above 32,000',
    aLayout({ volumeType: 'io1', sizeGiB: 960, iops: 48_000 }),
    48_000,
    750,
  ],
  ['standard: what AWS says of its average', aLayout({ volumeType: 'standard' }), 100, 40],
])('%s', (_, layout, iops, mibps) => {
  expect(replayConfiguration(layout, {})).toMatchObject({
    volumeIops: rate(iops),
    volumeMiBps: rate(mibps),
    instance: null,
  });
});

test('two gp2 of 100 GiB: both buckets drain alike, and 256 KiB are the most of one I/O', () => {
  const layout = gp2(100, { kind: 'stripe', members: 2 });
  expect(replayConfiguration(layout, { startPercent: { volume: 25 } })).toMatchObject({
    volumeIops: {
      baselinePerSecond: 600, // 2 x 3 x 100
      burstPerSecond: 6_000,
      creditCapacity: 10_800_000, // 2 x 5.4 M
      startCredits: 2_700_000,
    },
    volumeMiBps: rate(256), // 2 x 128; the 75 without credits are 300 x 0.25 and follow from the I/O
  });
});

test('st1 of 2 TiB spends MiB and counts bytes alone', () => {
  const layout = aLayout({ volumeType: 'st1', sizeGiB: 2_048, iops: 80, throughputMiBps: 80 });
  expect(replayConfiguration(layout, {})).toMatchObject({
    counting: { chunkMiB: Number.POSITIVE_INFINITY, unitMiB: Number.POSITIVE_INFINITY },
    volumeIops: rate(Number.POSITIVE_INFINITY),
    volumeMiBps: { baselinePerSecond: 80, burstPerSecond: 500, creditCapacity: 2_097_152 },
  });
});

test('a large st1 has as much all the time as in a burst: no credits', () => {
  const layout = aLayout({ volumeType: 'st1', sizeGiB: 16_384, iops: 500, throughputMiBps: 500 });
  expect(replayConfiguration(layout, {}).volumeMiBps).toEqual(rate(500));
});

test('chunk, efficiency and writes of a stripe', () => {
  const layout = aLayout({ kind: 'raid5', members: 3 });
  const { counting, volumeIops } = replayConfiguration(layout, { chunkKiB: 128, stripeEfficiency: 0.98 });
  expect(counting).toEqual({ chunkMiB: 0.125, unitMiB: 0.25, writePenalty: 4 });
  expect(volumeIops).toEqual(rate(3 * 3_000 * 0.98));
  expect(replayConfiguration(aLayout(), { stripeEfficiency: 0.98 }).volumeIops).toEqual(rate(3_000));
});

test('an instance has two buckets of 30 minutes, refilled within a day', () => {
  // IOPS: (90,000 - 1,000) x 1,800 = 160.2 M, of which a day of 1,000 a second would earn 86.4 M: 1,854 a second do.
  const instance = ebs(1_000, 100, { maximumIops: 90_000, maximumMiBps: 200 });
  const { iops, mibps } = replayConfiguration(aLayout(), { instance, startPercent: { instanceBytes: 50 } })
    .instance as NonNullable<ReturnType<typeof replayConfiguration>['instance']>;
  expect(iops).toMatchObject({
    burstPerSecond: 90_000,
    creditCapacity: 160_200_000,
    startCredits: 160_200_000,
  });
  expect(iops.minRefillPerSecond).toBeCloseTo(160_200_000 / 86_400, 9);
  expect(mibps).toMatchObject({ creditCapacity: 180_000, startCredits: 90_000, minRefillPerSecond: 100 });
});

test('an instance whose maximum is its baseline has none', () => {
  const { instance } = replayConfiguration(aLayout(), { instance: ebs(6_000, 400) });
  expect(instance).toEqual({ iops: rate(6_000), mibps: rate(400) });
});

test.each([-1, 100.5, Number.NaN])(
  'a balance of %d %% is refused, of a volume without credits too',
  (percent) => {
    expect(() => replayConfiguration(aLayout(), { startPercent: { volume: percent } })).toThrow(BadInput);
    const instance = ebs(6_000, 400);
    expect(() => replayConfiguration(aLayout(), { instance, startPercent: { instanceIo: percent } })).toThrow(
      /give 0 to 100/,
    );
  },
);

test('what EBS would refuse is refused', () => {
  expect(() => replayConfiguration(aLayout({ iops: 90_000 }), {})).toThrow(IllegalConfiguration);
  const large = aLayout({ sizeGiB: 20_000 });
  expect(() => replayConfiguration(large, {})).not.toThrow();
  expect(() => replayConfiguration(large, { deployment: 'outposts' })).toThrow(/16,384 GiB/);
});
