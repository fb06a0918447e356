import { demandOf } from '../../../core/demand/demand.ts';
import { attribute } from '../../../core/diagnosis/attribute.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { creditsExhausted, creditsWillExhaust } from '../../../core/diagnosis/volume-findings.ts';
import { type VolumeType, volumeLimits } from '../../../core/limits/volume-limits.ts';
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
  const attribution = attribute(limits, load, metrics, [], defaultThresholds);
  const [found] = creditsWillExhaust({
    thresholds: defaultThresholds,
    limits,
    load,
    attribution,
    demand: demandOf(load, attribution, defaultThresholds),
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
  // 7,200 s are reported, beyond not: 5.4 M x p / 900 at 1,200 IOPS
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
  // 31 % left, 1 % a minute
  expect(found?.evidence.secondsToEmpty).toBe(31 * 60);
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
  const attribution = attribute(limits, load, metrics, [], defaultThresholds);
  expect(
    creditsWillExhaust({
      thresholds: defaultThresholds,
      limits,
      load,
      attribution,
      demand: demandOf(load, attribution, defaultThresholds),
      windowEndEpochSeconds: 3_600,
    }),
  ).toEqual([]);
});

describe('a balance that the load does not explain', () => {
  test('a fall from 90 to 31 % at 10 small I/O a second on HDD is said to be none of theirs', () => {
    const found = forecast(
      'st1',
      10,
      Array.from({ length: 60 }, (_, i) => 90 - i),
    );
    expect(found?.evidence).toMatchObject({
      replayComparedPoints: 60,
      balanceDisagrees: true,
    });
    expect(found?.evidence.replayMedianDeviationPoints).toBeGreaterThan(5);
    expect(found?.confidence).toBe('high'); // it rests on the published balance
  });

  test('one that it explains is reported without a word about it', () => {
    const spent = Array.from({ length: 60 }, (_, i) => 90 - (i * 4) / 3); // 1,200 x 60 of 5.4 million
    const found = forecast('gp2', 1_500, spent);
    expect(found?.evidence).toMatchObject({ replayMedianDeviationPoints: 0, balanceDisagrees: false });
  });

  test('both stand beside credits that are gone', () => {
    const limits = volumeLimits({ volumeType: 'st1', sizeGiB: 1_024, deployment: 'region' });
    const metrics = metricSet(
      readsOf16KiB(repeat(60, 60 * 40), { BurstBalance: repeat(60, 0), VolumeQueueLength: repeat(60, 8) }),
    );
    const load = loadOf(metrics);
    const attribution = attribute(limits, load, metrics, [], defaultThresholds);
    const [found] = creditsExhausted({
      thresholds: defaultThresholds,
      limits,
      load,
      attribution,
      demand: demandOf(load, attribution, defaultThresholds),
      windowEndEpochSeconds: 3_600,
    });
    // 40 I/O a second of 16 KiB would leave 39.4 of 40 MiB/s; the bucket stays empty all the same
    expect(found?.evidence).toMatchObject({
      lowestBalancePercent: 0,
      replayLargestDeviationPoints: 13.3, // 59 minutes x 60 x 39.375 of 1,048,576
      balanceDisagrees: true,
    });
  });
});

test('what never passed its baseline has no rhythm to ask for: only the balance falls', () => {
  const found = forecast(
    'st1',
    10,
    Array.from({ length: 60 }, (_, i) => 90 - i),
  );
  expect(found?.evidence.rhythm).toEqual({ code: 'never-above-baseline' });
});
