import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import {
  deviceThrottle,
  fullScale,
  groupThrottle,
  iopsOnly,
  throttleOf,
  unlimited,
} from '../../../local/lab/throttle.ts';

const gp2 = (sizeGiB: number) => volumeLimits({ volumeType: 'gp2', sizeGiB, deployment: 'region' });

test('a gp3 volume: its IOPS and bytes, an operation above 256 KiB counts as several', () => {
  const limits = volumeLimits({
    volumeType: 'gp3',
    sizeGiB: 100,
    iops: 6_000,
    throughputMiBps: 250,
    deployment: 'region',
  });
  expect(deviceThrottle(throttleOf(limits))).toEqual({
    ...{ iops: 6_000, iops_rd: 0, iops_wr: 0, iops_size: 262_144 },
    ...{ bps: 250 * 1_048_576, bps_rd: 0, bps_wr: 0 },
  });
});

test('a gp2 volume: a bucket of 5.4 million is 3,000 for 1,800 s', () => {
  // 250 GiB: 3 x 250 = 750; the bucket lasts 3,000 x 1,800 / (3,000 - 750) = 2,400 s, as 5.4 million / 2,250.
  const throttle = throttleOf(gp2(250));
  expect(deviceThrottle(throttle)).toMatchObject({ iops: 750, iops_max: 3_000, iops_max_length: 1_800 });
});

test('rates and times are made smaller apart from each other', () => {
  const throttle = throttleOf(gp2(250), { rate: 0.1, time: 1 / 200 });
  // 1,800 s / 200 = 9 s.
  expect(deviceThrottle(throttle)).toMatchObject({ iops: 75, iops_max: 300, iops_max_length: 9 });
});

test('a gp2 volume whose baseline is above 3,000 has no bucket', () => {
  expect(deviceThrottle(throttleOf(gp2(1_500)))).not.toHaveProperty('iops_max');
});

test('st1: a bucket of bytes, an operation of up to 1 MiB counts as one', () => {
  const limits = volumeLimits({ volumeType: 'st1', sizeGiB: 1_024, deployment: 'region' });
  const args = deviceThrottle(throttleOf(limits));
  // 1 TiB: 40 MiB/s, 250 in a burst, and 1 TiB of credits: 1,048,576 MiB / 250 = 4,194 s.
  expect(args).toMatchObject({ bps: 40 * 1_048_576, bps_max: 250 * 1_048_576, bps_max_length: 4_194 });
  expect(args).toMatchObject({ iops_size: 1_048_576 });
});

test('nothing below one operation a second, and nothing at all where nothing limits', () => {
  expect(deviceThrottle(iopsOnly(0.2))).toMatchObject({ iops: 1 });
  expect(deviceThrottle(unlimited)).toEqual({
    iops: 0,
    iops_rd: 0,
    iops_wr: 0,
    bps: 0,
    bps_rd: 0,
    bps_wr: 0,
  });
});

test('an instance: the same for a group of disks', () => {
  expect(groupThrottle(iopsOnly(2_000))).toMatchObject({
    'iops-total': 2_000,
    'bps-total': 0,
    'iops-size': 262_144,
  });
  expect(groupThrottle(unlimited)).toMatchObject({ 'iops-total': 0, 'iops-size': 0 });
});

test('full scale changes nothing', () => {
  expect(throttleOf(gp2(100), fullScale)).toEqual(throttleOf(gp2(100)));
});
