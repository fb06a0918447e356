import { attribute } from '../../../core/diagnosis/attribute.ts';
import { creditsWillExhaust } from '../../../core/diagnosis/credit-findings.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import type { VolumeType } from '../../../core/limits/volume-types.ts';
import { loadOf, metricSet, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';

/** One hour of minutes at a rate with a balance, and the audit's end so many minutes after it. */
function forecast(type: VolumeType, iops: number, balance: number[], endsLaterMinutes = 0) {
  const limits = volumeLimits({
    volumeType: type,
    sizeGiB: type === 'gp2' ? 100 : 1_024,
    deployment: 'region',
  });
  const metrics = metricSet(
    readsOf16KiB(repeat(60, iops * 60), { BurstBalance: balance, VolumeQueueLength: repeat(60, 1) }),
  );
  const load = loadOf(metrics);
  const attribution = attribute(limits, load, metrics, () => null);
  const [found] = creditsWillExhaust({
    limits,
    load,
    attribution,
    windowEndEpochSeconds: (60 + endsLaterMinutes) * 60,
  });
  return found;
}

test('by the rate: 30 % at 1,500 IOPS on a baseline of 300 are 1,350 s', () => {
  const found = forecast('gp2', 1_500, repeat(60, 30)); // 1.62 M / 1,200
  expect(found).toMatchObject({
    severity: 'critical',
    evidence: { secondsToEmpty: 1_350, drainPerSecond: 1_200 },
  });
});

test.each([
  // 7,200 s are told, beyond not: 5.4 M x p / 900 at 1,200 IOPS
  [100, 1_050, 'warning'], // 5.4 M / 750 = 7,200
  [100, 1_049, undefined],
  [30, 1_200, 'critical'], // 1.62 M / 900 = 1,800
  [30.1, 1_200, 'warning'],
])('%d %% at %d IOPS: %s', (percent, iops, severity) => {
  expect(forecast('gp2', iops, repeat(60, percent))?.severity).toBe(severity);
});

test('by the balance where it falls faster than the bytes explain: random I/O on HDD', () => {
  // 10 IOPS of 16 KiB are 0.16 MiB/s, below the baseline of 40; the balance falls 1 % a minute all the same
  const falling = Array.from({ length: 60 }, (_, i) => 90 - i);
  const found = forecast('st1', 10, falling);
  // 31 % left; it fell from 60 to 31 % in the last 1,800 s: 31 / 29 x 1,800
  expect(found?.evidence['secondsToEmpty']).toBeCloseTo((31 / 29) * 1_800, 0);
});

test('figures that ended half an hour before the audit does are no forecast', () => {
  expect(forecast('gp2', 1_500, repeat(60, 30), 30)).toBeDefined();
  expect(forecast('gp2', 1_500, repeat(60, 30), 31)).toBeUndefined();
});

test('an empty bucket is not about to be', () => {
  expect(forecast('gp2', 1_500, repeat(60, 1))).toBeUndefined();
});

test('two busy minutes in the last half hour of a quiet volume are no forecast', () => {
  // 3,000 IOPS for two minutes are 200 on average over thirty: below the baseline of 300
  const busy = Array.from({ length: 60 }, (_, i) => (i === 57 || i === 58 ? 180_000 : 0));
  const balance = busy.map((ops, i) => (ops === 0 ? undefined : i === 57 ? 90 : 87));
  const limits = volumeLimits({ volumeType: 'gp2', sizeGiB: 100, deployment: 'region' });
  const metrics = metricSet(readsOf16KiB(busy, { BurstBalance: balance }));
  const load = loadOf(metrics);
  const attribution = attribute(limits, load, metrics, () => null);
  expect(creditsWillExhaust({ limits, load, attribution, windowEndEpochSeconds: 3_600 })).toEqual([]);
});
