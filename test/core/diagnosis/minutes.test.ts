/** The diagnosis as rows: the periods that are not quiet, and nothing where nothing is known. */

import type { Attribution } from '../../../core/diagnosis/attribute.ts';
import { volumeBalance } from '../../../core/diagnosis/balance.ts';
import { alsoBit, type Cause, causeCode, confidenceCode, proofs } from '../../../core/diagnosis/causes.ts';
import type { DiagnosedVolume } from '../../../core/diagnosis/diagnosed-volume.ts';
import { minuteColumns, notQuiet } from '../../../core/diagnosis/minutes.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { loadOf, metricSet, type Points, readsOf16KiB } from '../../fixtures/metric-set.ts';

const limits = volumeLimits({ volumeType: 'gp2', sizeGiB: 100, deployment: 'region' });
const start = Date.parse('2026-11-20T14:00:00Z') / 1_000;

/** Four minutes: quiet, by its own limit, by its instance, and one of which nobody can tell. */
function diagnosed(
  points: Points,
  balance: number[] | null = null,
  atBaseline: Uint8Array | null = null,
): DiagnosedVolume {
  const load = loadOf(metricSet(points, 60, start));
  const notified: Cause[] = ['none', 'volume-iops', 'instance-throughput', 'unknown'];
  const attribution: Attribution = {
    cause: Uint8Array.from(notified, (cause) => causeCode[cause]),
    also: Uint16Array.of(0, 0, alsoBit('volume-throughput') | alsoBit('instance-iops'), 0),
    throttledMinutes: Float64Array.of(0, 1, 0.5, 0),
    throttledAt: Int32Array.of(1, 2),
    microBurst: Uint8Array.of(0, 1, 0, 0),
    timesCalmQueue: null,
    proof: Uint8Array.of(0, proofs.indexOf('active-time-rate'), proofs.indexOf('check'), 0),
    confidence: Uint8Array.of(
      confidenceCode.high,
      confidenceCode.low,
      confidenceCode.high,
      confidenceCode.high,
    ),
    balance:
      balance === null ? null : volumeBalance(limits, load, Float64Array.from(balance), defaultThresholds),
    atBaseline,
  };
  const { iops, mibps } = load;
  const highIops = iops.map((rate) => 2 * rate);
  const demand = { lowIops: iops, highIops, lowMiBps: mibps, highMiBps: mibps, assumptions: [] };
  return { volume: aVolume({ volumeId: 'vol-7' }), limits, load, attribution, demand };
}

type Row = Record<(typeof minuteColumns)[number], string | number>;
const rows = (one: DiagnosedVolume): Row[] =>
  [...notQuiet(one)].map((row) => {
    expect(row).toHaveLength(minuteColumns.length);
    return Object.fromEntries(row.map((cell, i) => [minuteColumns[i], cell])) as Row;
  });

const ops = [60_000, 60_000, 6_000, 0]; // 1,000, 1,000, 100 and 0 a second
const everything: Points = {
  ...readsOf16KiB(ops),
  VolumeQueueLength: [1, 12.34567, 3, 0],
  VolumeIdleTime: [0, 30, 0, 60],
  VolumeTotalReadTime: [60, 120, 6, 0],
  VolumeTotalWriteTime: [0, 0, 0, 0],
};

test('a row each period that is not quiet, in time order, with all that is known of it', () => {
  const [own, ofInstance, unknown, ...more] = rows(diagnosed(everything, [90, 80.12345, 70, 60]));
  expect(own).toEqual({
    ...{ demand_mibps_low: 15.625, demand_mibps_high: 15.625, limit_iops: 3_000, limit_mibps: 128 },
    ...{ volume_name: '', instance_id: 'i-1' },
    timestamp: '2026-11-20T14:01:00Z',
    volume_id: 'vol-7',
    cause: 'volume-iops',
    also: '',
    confidence: 'low',
    proved_by: 'active-time-rate',
    throttled_minutes: 1,
    micro_burst: 'yes',
    iops: 1_000,
    mibps: 15.625, // 1,000 x 16 KiB
    active_time_iops: 2_000, // 60,000 in 30 seconds
    queue_length: 12.346, // three digits
    latency_ms: 2, // 120 s for 60,000
    balance_percent: 80.123,
    demand_iops_low: 1_000,
    demand_iops_high: '', // 2,000 is more than 1.6 times 1,000
  });
  expect(ofInstance).toMatchObject({
    timestamp: '2026-11-20T14:02:00Z',
    cause: 'instance-throughput',
    also: 'volume-throughput instance-iops',
    confidence: 'high',
    proved_by: 'check',
    throttled_minutes: 0.5,
    micro_burst: 'no',
  });
  expect(unknown).toMatchObject({ timestamp: '2026-11-20T14:03:00Z', cause: 'unknown' });
  expect(more).toEqual([]);
});

test('a minute without credits has the limit of its baseline', () => {
  const [, ofInstance] = rows(diagnosed(everything, [90, 80, 0, 60], Uint8Array.of(0, 0, 1, 0)));
  expect(ofInstance).toMatchObject({ iops: 100, limit_iops: 300, limit_mibps: 75 }); // 300 of 256 KiB
});

test('of an unknown cause there is nothing that decided it, and no confidence', () => {
  expect(rows(diagnosed(everything)).at(-1)).toMatchObject({ also: '', confidence: '', proved_by: '' });
});

test('a reading of 0 is 0, not nothing', () => {
  expect(rows(diagnosed(everything)).at(-1)).toMatchObject({
    iops: 0,
    mibps: 0,
    queue_length: 0,
    active_time_iops: 0,
    demand_iops_low: 0,
    latency_ms: '', // of no operation there is none
  });
});

test('what is not there at all is empty', () => {
  for (const row of rows(diagnosed(readsOf16KiB(ops)))) {
    expect(row).toMatchObject({
      active_time_iops: '',
      queue_length: '',
      latency_ms: '',
      balance_percent: '',
    });
  }
});

test('what has no figure in that minute is empty', () => {
  const gaps: Points = {
    ...everything,
    VolumeReadOps: [60_000, 60_000, undefined, 0],
    VolumeQueueLength: [1, undefined, 3, 0],
    VolumeReadBytes: [1, undefined, 1, 0],
  };
  const [own, ofInstance] = rows(diagnosed(gaps));
  expect(own).toMatchObject({ iops: 1_000, queue_length: '', mibps: '' });
  expect(ofInstance).toMatchObject({
    iops: '',
    active_time_iops: '',
    demand_iops_low: '',
    demand_iops_high: '',
    queue_length: 3,
  });
});

test('a volume that was never in trouble has no row', () => {
  const quiet = diagnosed(everything);
  quiet.attribution.cause.fill(causeCode.none);
  expect(rows(quiet)).toEqual([]);
});

// Wrong today: 0 and no, as if somebody had seen that nothing was throttled.
test('of an unknown cause nobody knows how long anything was throttled', () => {
  expect(rows(diagnosed(everything)).at(-1)).toMatchObject({ throttled_minutes: '', micro_burst: '' });
});
