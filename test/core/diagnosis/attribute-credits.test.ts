/** An empty bucket: the load at its baseline is throttled where it waits, and the limit itself where it still bursts. */

import { attribute } from '../../../core/diagnosis/attribute.ts';
import { causes, confidences, proofs } from '../../../core/diagnosis/causes.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { loadOf, metricSet, type Points, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';
import { gp2, minuteOf, noInstance, notified } from './one-minute.ts';

const noChecks: Points = {};
const checksOf0: Points = { VolumeIOPSExceededCheck: [0], VolumeThroughputExceededCheck: [0] };

describe('an empty bucket at its baseline of 300 IOPS', () => {
  const onEmpty = (others: Points, withQueue = true) =>
    notified(gp2, minuteOf(300, { BurstBalance: [0], ...others }), { withQueue });

  test.each([
    // 300 IOPS at 1 ms keep 0.3 in flight: 0.6 is twice that
    { queue: 0.59, checks: noChecks, cause: 'none' },
    { queue: 0.61, checks: noChecks, cause: 'volume-credits' },
    // A check of 0 is no evidence: what waits at the baseline is throttled all the same
    { queue: 0.61, checks: checksOf0, cause: 'volume-credits' },
    { queue: 0.59, checks: checksOf0, cause: 'none' },
  ])('with $queue in flight and checks $checks: $cause', ({ queue, checks, cause }) => {
    expect(onEmpty({ VolumeQueueLength: [queue], ...checks }).cause).toBe(cause);
  });

  test.each([
    { what: 'no queue metric', withQueue: false },
    { what: 'no queue figure in that minute', withQueue: true },
  ])('$what: throttled, unless both checks say 0', ({ withQueue }) => {
    expect(onEmpty(noChecks, withQueue).cause).toBe('volume-credits');
    expect(onEmpty({ VolumeIOPSExceededCheck: [0] }, withQueue).cause).toBe('volume-credits');
    expect(onEmpty(checksOf0, withQueue).cause).toBe('none');
    // Nor does an active-time rate outweigh them: 600 IOPS in 30 seconds
    expect(onEmpty({ ...checksOf0, VolumeIdleTime: [30] }, withQueue).cause).toBe('none');
  });

  test.each([
    [0, 'volume-credits'],
    [1, 'volume-credits'], // at most 1 % is empty
    [1.1, 'none'], // with credits 300 of 3,000 IOPS are far below the limit
  ])('a balance of %d %%: %s', (balance, cause) => {
    expect(onEmpty({ BurstBalance: [balance], VolumeQueueLength: [0.65] }).cause).toBe(cause);
  });

  test.each([
    [284, 'none'], // 95 % of 300 are 285
    [285, 'volume-credits'],
  ])('%d IOPS: %s', (iops, cause) => {
    const waits = { BurstBalance: [0], VolumeQueueLength: [0.65] };
    expect(notified(gp2, minuteOf(iops, waits)).cause).toBe(cause);
  });

  test('its bytes are load too: 72 of 75 MiB/s', () => {
    const bytes = (mibps: number): Points => ({ VolumeReadBytes: [mibps * 60 * 1_048_576] });
    const of = (mibps: number) =>
      notified(gp2, minuteOf(200, { BurstBalance: [0], VolumeQueueLength: [10], ...bytes(mibps) })).cause;
    expect(of(71)).toBe('unknown'); // 94.7 %: it waits, and nothing tells why
    expect(of(72)).toBe('volume-credits'); // 96 %
  });

  test('the whole minute counts, on the proof of the balance, and is no micro-burst', () => {
    expect(onEmpty({ VolumeQueueLength: [5] })).toEqual({
      cause: 'volume-credits',
      minutes: 1,
      micro: false,
      also: [],
      proof: 'balance',
      confidence: 'high',
    });
  });
});

test('a balance that only the replay knows is low confidence', () => {
  // 5.4 million / (3,000 - 300) = 2,000 s at 3,000 IOPS: 33.3 minutes
  const minutes = [...repeat(34, 180_000), ...repeat(6, 18_000)];
  const metrics = metricSet(
    readsOf16KiB(minutes, { VolumeQueueLength: [...repeat(34, 50), ...repeat(6, 10)] }),
  );
  const limits = volumeLimits({ ...gp2, deployment: 'region' });
  const { cause, confidence, proof, balance } = attribute(
    limits,
    loadOf(metrics),
    metrics,
    noInstance,
    defaultThresholds,
  );
  const at = (i: number) => ({
    cause: causes[cause[i] as number],
    confidence: confidences[confidence[i] as number],
    proof: proofs[proof[i] as number],
  });
  expect(balance?.source).toBe('modelled');
  expect(balance?.percent[31]).toBeCloseTo(4); // 32 x 60 x 2,700 of 5.4 million are 96 %
  expect(at(31)).toEqual({ cause: 'volume-iops', confidence: 'medium', proof: 'rate' });
  expect(at(35)).toEqual({ cause: 'volume-credits', confidence: 'low', proof: 'balance' });
});

describe('an empty bucket and a rate that only credits can give', () => {
  const check = { VolumeIOPSExceededCheck: [1], BurstBalance: [0] };

  test('at 99 % of the burst it is the limit, and the credits beside it', () => {
    // 0.99 x 3,000 = 2,970
    expect(notified(gp2, minuteOf(2_970, check))).toMatchObject({
      cause: 'volume-iops',
      also: ['volume-credits'],
      proof: 'check',
      confidence: 'high',
    });
  });

  test('below it is the credits alone', () => {
    expect(notified(gp2, minuteOf(2_969, check))).toMatchObject({ cause: 'volume-credits', also: [] });
  });

  test('on bytes: 127 of 128 MiB/s with the throughput check', () => {
    const bytes = { ...minuteOf(200), VolumeReadBytes: [127 * 60 * 1_048_576] }; // 99.2 %
    const checked = { ...bytes, VolumeThroughputExceededCheck: [1], BurstBalance: [0.5] };
    expect(notified(gp2, checked)).toMatchObject({ cause: 'volume-throughput' });
    expect(notified(gp2, checked).also).toContain('volume-credits');
  });

  test('both checks: the nearer limit, the other and the credits', () => {
    const both = { ...minuteOf(2_990, check), VolumeThroughputExceededCheck: [1] }; // 46.7 of 128 MiB/s
    expect(notified(gp2, both)).toMatchObject({
      cause: 'volume-iops',
      also: ['volume-throughput', 'volume-credits'],
    });
  });

  test('without checks it is the limit too, and not the empty bucket', () => {
    const minute = minuteOf(2_970, { BurstBalance: [0], VolumeQueueLength: [50] });
    expect(notified(gp2, minute)).toMatchObject({ cause: 'volume-iops', proof: 'rate', minutes: 1 });
  });
});

test('HDD: an empty bucket at the burst in bytes is the limit: 248 of 250 MiB/s', () => {
  const st1 = { volumeType: 'st1', sizeGiB: 1_024 } as const;
  const at = (mibps: number) => ({
    ...minuteOf(mibps, { BurstBalance: [0.5], VolumeQueueLength: [30] }),
    VolumeReadBytes: [mibps * 60 * 1_048_576],
  });
  expect(notified(st1, at(248))).toMatchObject({ cause: 'volume-throughput', proof: 'rate' }); // 99.2 %
  expect(notified(st1, at(247))).toMatchObject({ cause: 'volume-credits', proof: 'balance' }); // 98.8 %
});

// Wrong today: while it still bursts, the shares are taken of the baseline (300 IOPS, 75 MiB/s) and not of the burst.
describe('an empty bucket at 127 of 128 MiB/s and 600 of 3,000 IOPS', () => {
  const minute = { ...minuteOf(600), VolumeReadBytes: [127 * 60 * 1_048_576], BurstBalance: [0.5] };

  test('with the throughput check: its IOPS, at 20 %, are not beside it', () => {
    const checked = { ...minute, VolumeThroughputExceededCheck: [1] };
    expect(notified(gp2, checked)).toMatchObject({ cause: 'volume-throughput', also: ['volume-credits'] });
  });

  test('without checks it is the throughput: 99 % against 20 %', () => {
    expect(notified(gp2, { ...minute, VolumeQueueLength: [50] }).cause).toBe('volume-throughput');
  });
});

// Wrong today: they are with a check, and not without.
test('without checks the credits are beside the limit too: 2,970 of 3,000 IOPS', () => {
  const minute = minuteOf(2_970, { BurstBalance: [0], VolumeQueueLength: [50] });
  expect(notified(gp2, minute)).toMatchObject({ cause: 'volume-iops', also: ['volume-credits'] });
});
