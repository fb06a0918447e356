/** Credits that will be gone if the coming hours are as their like were before. */

import { demandOf } from '../../../core/demand/demand.ts';
import { attribute } from '../../../core/diagnosis/attribute.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { creditsWillExhaust } from '../../../core/diagnosis/volume-findings.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { loadOf, metricSet, readsOf16KiB } from '../../fixtures/metric-set.ts';

const hour = 3_600;
const day = 24 * hour;
/** 1970-01-05 was a Monday. */
const monday = 4 * day;

/** What gp2 of 100 GiB is reported at a time, from 5-minute points since a Thursday; undefined balances are idle minutes. */
function notifiedAt(
  nowSeconds: number,
  iopsAt: (epochSeconds: number) => number,
  balanceAt: (epochSeconds: number) => number | undefined = () => undefined,
  fromSeconds = 0,
) {
  const limits = volumeLimits({ volumeType: 'gp2', sizeGiB: 100, deployment: 'region' });
  const times = Array.from({ length: (nowSeconds - fromSeconds) / 300 }, (_, i) => fromSeconds + i * 300);
  const ops = times.map((time) => iopsAt(time) * 300);
  const metrics = metricSet(readsOf16KiB(ops, { BurstBalance: times.map(balanceAt) }), 300, fromSeconds);
  const load = loadOf(metrics);
  const attribution = attribute(limits, load, metrics, [], defaultThresholds);
  const [found] = creditsWillExhaust({
    thresholds: defaultThresholds,
    limits,
    load,
    attribution,
    demand: demandOf(load, attribution, defaultThresholds),
    windowEndEpochSeconds: nowSeconds,
  });
  return found;
}

const isNight = (time: number): boolean => Math.floor(time / hour) % 24 === 1;
const dayOf = (time: number): number => Math.floor(time / day);
const halfPastMidnight = 1_800;

/** 2,300 IOPS from 01:00 to 02:00 on the days that count: 2,000 credits a second are spent; else 100, 200 are earned. */
const nightly =
  (counts: (day: number) => boolean = () => true) =>
  (time: number): number =>
    isNight(time) && counts(dayOf(time)) ? 2_300 : 100;

describe('by the rhythm of the coming hours', () => {
  test('a batch at 01:00 each night, at 00:30 with 100 %: 1,800 + 5.4 million / 2,000 = 4,500 s', () => {
    const now = 5 * day + halfPastMidnight;
    // 100 % is published in the last half hour alone
    const found = notifiedAt(now, nightly(), (time) => (time >= now - 1_800 ? 100 : undefined));
    expect(found).toMatchObject({
      kind: 'credits-will-exhaust',
      severity: 'warning',
      status: 'forecast',
      firstSeen: '1970-01-06T00:30:00Z',
      limit: { what: 'baseline', value: 300, unit: 'IOPS', scope: 'volume' },
      confidence: 'medium',
      evidence: {
        secondsToEmpty: 4_500,
        forecastBy: 'rhythm',
        secondsToEmptyAtRecentRate: null, // 100 IOPS spend nothing
        secondsToEmptyByRhythm: 4_500,
        rhythm: { code: 'hour-of-day', historyDays: 5.02 }, // 5 days and half an hour
      },
    });
    expect(found?.evidence.balancePercent).toBe(100);
  });

  test('nights that emptied it show the baseline, not the need: the demand is taken to have gone on', () => {
    // full at 01:00, empty at 01:45, then 300 IOPS to 02:00: on average 1,800, and 5.4 million only by 02:00
    const served = (time: number): number => (isNight(time) && time % hour >= 2_700 ? 300 : nightly()(time));
    const found = notifiedAt(5 * day + halfPastMidnight, served);
    expect(found?.evidence).toMatchObject({ secondsToEmpty: 4_500, forecastBy: 'rhythm' });
  });

  test('with 30 % it is 1,800 + (1.62 + 0.36) million / 2,000 = 2,790 s; at 01:00 810 s, critical', () => {
    const with30 = (now: number) =>
      notifiedAt(now, nightly(), (time) => (time >= now - 1_800 ? 30 : undefined));
    expect(with30(5 * day + halfPastMidnight)).toMatchObject({
      severity: 'warning',
      evidence: { secondsToEmpty: 2_790 },
    });
    expect(with30(5 * day + hour)).toMatchObject({ severity: 'critical', evidence: { secondsToEmpty: 810 } });
  });

  test('weekly: on the third Monday it is reported, on the Tuesday after it not', () => {
    const load = nightly((one) => one % 7 === 4);
    const found = notifiedAt(monday + 14 * day + halfPastMidnight, load);
    expect(found).toMatchObject({ evidence: { secondsToEmpty: 4_500, forecastBy: 'rhythm' } });
    expect(found?.evidence.rhythm.code).toBe('hour-of-week');
    expect(notifiedAt(monday + 15 * day + halfPastMidnight, load)).toBeUndefined();
  });

  test('one Monday is no rhythm', () => {
    const load = nightly((one) => one === 4);
    expect(notifiedAt(monday + 7 * day + halfPastMidnight, load)).toBeUndefined();
    expect(notifiedAt(monday + 14 * day + halfPastMidnight, load)).toBeUndefined();
  });

  test('with a day of history it says that it was one day, and is not sure', () => {
    const found = notifiedAt(day + halfPastMidnight, nightly(), (time) => (time >= day ? 100 : undefined));
    expect(found).toMatchObject({
      confidence: 'low',
      evidence: { rhythm: { code: 'one-day', historyDays: 1.02 } },
    });
  });

  test('what rests on one day is a warning at most: 600 + (1.08 + 0.12) million / 2,000 = 1,200 s', () => {
    const now = day + 3_000;
    expect(notifiedAt(now, nightly(), (time) => (time >= day ? 20 : undefined))).toMatchObject({
      severity: 'warning',
      evidence: { secondsToEmpty: 1_200 },
    });
  });

  test('with less than a day there is the recent rate alone', () => {
    expect(notifiedAt(day + halfPastMidnight, nightly(), undefined, hour)).toBeUndefined();
    const busy = notifiedAt(
      day,
      (time) => (time >= 23 * hour ? 1_500 : 300),
      () => 50,
      hour,
    );
    // 2.7 million / 1,200
    expect(busy?.evidence).toMatchObject({
      secondsToEmpty: 2_250,
      forecastBy: 'recent-rate',
      secondsToEmptyByRhythm: null,
      rhythm: { code: 'short-history', hours: 23 },
    });
  });

  test('a batch that stopped coming is not reported any more', () => {
    expect(
      notifiedAt(
        6 * day + halfPastMidnight,
        nightly((one) => one < 6),
      ),
    ).toBeDefined();
    expect(
      notifiedAt(
        12 * day + halfPastMidnight,
        nightly((one) => one < 6),
      ),
    ).toBeUndefined();
  });

  test('a load that stopped half an hour ago spends nothing, whatever it did before', () => {
    const until = (end: number) => (time: number) => (time >= 4 * hour && time < end ? 1_500 : 300);
    const now = 5 * hour;
    expect(notifiedAt(now, until(now), () => 50)).toBeDefined();
    expect(notifiedAt(now, until(now - 1_800), () => 50)).toBeUndefined();
  });

  test('the sooner of the two: at 2,300 IOPS now, though by day it is calmer at this hour', () => {
    const now = 5 * day + 12 * hour;
    const found = notifiedAt(
      now,
      (time) => (time >= now - 1_800 ? 2_300 : nightly()(time)),
      () => 50,
    );
    expect(found?.evidence).toMatchObject({
      forecastBy: 'recent-rate',
      secondsToEmpty: 1_350, // 2.7 million / 2,000
      secondsToEmptyByRhythm: 13 * hour + 2_700, // full again by 01:00
    });
  });
});
