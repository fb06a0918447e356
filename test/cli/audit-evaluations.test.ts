/** One volume at a time, through the command line: what throttled it, with the arithmetic that makes the evaluation. */

import type { MetricReply } from '../fixtures/aws-cli.ts';
import { day, load, minutesPerDay } from '../fixtures/aws-cli.ts';
import { evidenceIn } from '../fixtures/findings.ts';
import { auditOf, calm, calmQueue, full, kindsOf, minutes, only, vol } from './one-volume.ts';

describe('throttled-volume-iops', () => {
  test('5 minutes at 3,000 of 3,000 IOPS with a queue are a warning', async () => {
    const busy = minutes(100, 105, full);
    const queue = minutes(100, 105, 64);
    const result = await auditOf(
      {},
      load(vol, day(calm, busy), { VolumeQueueLength: day(calmQueue, queue) }),
    );
    expect(only(result)).toMatchObject({
      kind: 'throttled-volume-iops',
      severity: 'warning',
      status: 'ended',
      firstSeen: '2026-11-18T01:40:00Z', // minute 100
      lastSeen: '2026-11-18T01:45:00Z',
      limit: { what: 'maximum', value: 3_000, unit: 'IOPS', scope: 'volume' },
      confidence: 'medium',
      evidence: {
        throttledMinutesPeak24h: 5,
        limitIops: 3_000,
        periodsProvedByRate: 5,
      },
    });
  });

  test('4 minutes are nobody’s trouble', async () => {
    const result = await auditOf(
      {},
      load(vol, day(calm, minutes(100, 104, full)), {
        VolumeQueueLength: day(calmQueue, minutes(100, 104, 64)),
      }),
    );
    expect(kindsOf(result)).toEqual([]);
  });

  test('60 minutes are critical, and so are 3 of the last 5', async () => {
    const hour = await auditOf(
      {},
      load(vol, day(calm, minutes(100, 160, full)), {
        VolumeQueueLength: day(calmQueue, minutes(100, 160, 64)),
      }),
    );
    expect(kindsOf(hour)).toEqual(['throttled-volume-iops critical']);
    const end = minutes(minutesPerDay - 3, minutesPerDay, full);
    const queue = minutes(minutesPerDay - 3, minutesPerDay, 64);
    const now = await auditOf({}, load(vol, day(calm, end), { VolumeQueueLength: day(calmQueue, queue) }));
    expect(kindsOf(now)).toEqual(['throttled-volume-iops critical']);
  });

  test('a rate at the limit without a queue is a volume well used', async () => {
    // 2,940 IOPS at 1 ms each keep 2.94 in flight: what the same rate has when nothing throttles it
    const busy = minutes(100, 400, 2_940 * 60);
    const queue = minutes(100, 400, 2.94);
    expect(
      kindsOf(await auditOf({}, load(vol, day(calm, busy), { VolumeQueueLength: day(calmQueue, queue) }))),
    ).toEqual([]);
  });

  test('AWS’s own check is enough, and gives high confidence', async () => {
    // 2,900 of 3,000 IOPS: above 80 %, so no micro-burst
    const result = await auditOf(
      {},
      load(vol, day(calm, minutes(100, 110, 2_900 * 60)), {
        VolumeIOPSExceededCheck: day(0, minutes(100, 110, 1)),
      }),
    );
    expect(only(result)).toMatchObject({
      kind: 'throttled-volume-iops',
      confidence: 'high',
      evidence: { periodsProvedByCheck: 10 },
    });
  });

  test('large I/O splits: 750 IOPS of 1 MiB are 3,000 operations of 256 KiB', async () => {
    const volume = { Size: 100, Iops: 3_000, Throughput: 750 };
    const mib = day(0, minutes(100, 110, 750 * 60 * 1_048_576));
    const ops = day(0, minutes(100, 110, 750 * 60));
    const result = await auditOf(volume, [
      ...load(vol, ops, { VolumeReadBytes: mib, VolumeQueueLength: day(0, minutes(100, 110, 64)) }),
    ]);
    expect(only(result)).toMatchObject({
      kind: 'throttled-volume-iops',
      evidence: { bindingLimit: 'iops+throughput', limitIops: 3_000, limitMiBps: 750 },
    });
  });
});

test('throttled-volume-throughput: 125 of 125 MiB/s at 1,000 IOPS of 128 KiB', async () => {
  const ops = day(calm, minutes(100, 110, 60_000));
  const bytes = ops.map((n) => (n === 60_000 ? 60_000 * 131_072 : 0)); // 1,000 x 128 KiB = 125 MiB/s
  const queue = day(calmQueue, minutes(100, 110, 40));
  const result = await auditOf({}, load(vol, ops, { VolumeReadBytes: bytes, VolumeQueueLength: queue }));
  expect(kindsOf(result)).toEqual(['throttled-volume-throughput warning']);
});

describe('micro-burst', () => {
  test('a check of 1 in 3 minutes whose average is a third of the limit', async () => {
    // 60,000 operations = 1,000 IOPS on average
    const result = await auditOf(
      {},
      load(vol, day(calm, minutes(100, 103, 60_000)), {
        VolumeIOPSExceededCheck: day(0, minutes(100, 103, 1)),
      }),
    );
    expect(kindsOf(result)).toEqual(['micro-burst warning']);
  });

  test('an active-time rate at the limit, where no check exists: 30,000 operations in 10 busy seconds', async () => {
    const busy = minutes(100, 103, 30_000);
    const idle = day(59.5, minutes(100, 103, 50));
    const result = await auditOf({}, load(vol, day(60, busy), { VolumeIdleTime: idle }));
    expect(only(result)).toMatchObject({
      kind: 'micro-burst',
      confidence: 'low',
      evidence: { periodsProvedByActiveTimeRate: 3 },
    });
  });

  test('an active-time rate that the queue contradicts is no micro-burst', async () => {
    // 2,300 IOPS of 0.3 ms: 0.7 in flight, idle half of the time, so 30 busy seconds and 4,600 "busy" IOPS
    const steady = day(2_300 * 60);
    const result = await auditOf(
      {},
      load(vol, steady, { VolumeIdleTime: day(30), VolumeQueueLength: day(0.7) }),
    );
    expect(kindsOf(result)).toEqual([]);
  });
});

test('stalled: one minute of VolumeStalledIOCheck is critical', async () => {
  const result = await auditOf({}, load(vol, day(calm), { VolumeStalledIOCheck: day(0, { 700: 1 }) }));
  expect(only(result)).toMatchObject({
    kind: 'stalled',
    severity: 'critical',
    firstSeen: '2026-11-18T11:40:00Z',
    limit: null,
  });
});

describe('what is reported together', () => {
  const mib = 1_048_576;

  test('4 minutes by IOPS and 4 by throughput are 8 minutes of one volume', async () => {
    const checks = {
      VolumeIOPSExceededCheck: day(0, minutes(100, 104, 1)),
      VolumeThroughputExceededCheck: day(0, minutes(200, 204, 1)),
    };
    const busy = { ...minutes(100, 104, 2_900 * 60), ...minutes(200, 204, 900 * 60) };
    const bytes = day(calm * 16_384, {
      ...minutes(100, 104, 2_900 * 60 * 16_384),
      ...minutes(200, 204, 124 * 60 * mib),
    });
    const result = await auditOf({}, load(vol, day(calm, busy), { ...checks, VolumeReadBytes: bytes }));
    expect(only(result)).toMatchObject({
      kind: 'throttled-volume-iops',
      evidence: { throttledMinutesPeak24h: 8 },
    });
  });

  test('both limits in one minute of ten are not "at once"', async () => {
    const queue = day(calmQueue, minutes(100, 110, 64));
    const bytes = day(calm * 16_384, { 100: 125 * 60 * mib });
    const result = await auditOf(
      {},
      load(vol, day(calm, minutes(100, 110, full)), { VolumeQueueLength: queue, VolumeReadBytes: bytes }),
    );
    expect(evidenceIn(only(result)).bindingLimit).toBe('iops');
  });

  test('an active-time rate that nothing confirms is a hint at bursts, and no throttled minute, however often', async () => {
    const busy = minutes(100, 200, 30_000); // 30,000 in 10 seconds
    const result = await auditOf(
      {},
      load(vol, day(60, busy), { VolumeIdleTime: day(59.5, minutes(100, 200, 50)) }),
    );
    expect(kindsOf(result)).toEqual(['micro-burst warning']);
  });

  test('large I/O spends gp2 credits by its counted size: 250 MiB/s of 1 MiB are 1,000 a second', async () => {
    // 250 GiB: 750 baseline; (1,000 - 750) x 60 s x 400 min = 6 M, more than 5.4 M
    const gp2 = { VolumeType: 'gp2', Size: 250, Iops: 750, Throughput: undefined };
    const ops = day(0, minutes(100, 500, 250 * 60));
    const result = await auditOf(gp2, load(vol, ops, { VolumeReadBytes: ops.map((n) => (n ?? 0) * mib) }));
    expect(result.volumes[0]).toMatchObject({ balanceModelled: true, lowestBalancePercent: 0 });
  });
});

describe('five-minute periods', () => {
  const periods = (value: number, except: Record<number, number> = {}): MetricReply['values'] =>
    Array.from({ length: 288 }, (_, i) => except[i] ?? value);

  test('the sum of a check counts minutes: 2 periods of 3 are 6', async () => {
    const metrics = [
      ...load(vol, periods(5 * calm, minutes(50, 52, 5 * 2_900 * 60))),
      { label: `${vol} VolumeIOPSExceededCheck`, values: periods(0, minutes(50, 52, 3)) },
    ].map((reply) => ({ ...reply, periodSeconds: 300 }));
    expect(only(await auditOf({}, metrics))).toMatchObject({
      kind: 'throttled-volume-iops',
      evidence: { throttledMinutesPeak24h: 6 },
    });
  });
});
