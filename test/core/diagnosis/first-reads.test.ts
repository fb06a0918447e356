/** A volume that is slow on first reads alone: named where all of the rule holds, and in none of the cases beside it. */
import { demandOf } from '../../../core/demand/demand.ts';
import { attribute } from '../../../core/diagnosis/attribute.ts';
import { causeCode } from '../../../core/diagnosis/causes.ts';
import { firstReads, firstReadsEnd } from '../../../core/diagnosis/first-reads.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { configurationOf, type Volume } from '../../../core/inventory.ts';
import { evidenceOf } from '../../../core/schemas/evidence.ts';
import { secondsPerDay } from '../../../core/units.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { loadOf, metricSet, type Points, repeat } from '../../fixtures/metric-set.ts';
import { instanceSays, noInstance } from './one-minute.ts';

const minutes = 40;
const createdEpochSeconds = 1_790_000_000;
const fresh: Partial<Volume> = { snapshotId: 'snap-0123456789abcdef0', createdEpochSeconds };

interface Minute {
  /** A second; 16 KiB each. */
  reads: number;
  readMs: number;
  writes: number;
  writeMs: number;
}

/** 20 reads a second of 25 ms beside 50 writes of 1 ms: nothing of what the volume can do. */
const slow: Minute = { reads: 20, readMs: 25, writes: 50, writeMs: 1 };
const fast: Minute = { ...slow, readMs: 1 };

function pointsOf(all: readonly Minute[], others: Points = {}): Points {
  const a = (of: (minute: Minute) => number) => all.map((minute) => 60 * of(minute));
  const inFlight = ({ reads, readMs, writes, writeMs }: Minute) =>
    (reads * readMs + writes * writeMs) / 1_000;
  return {
    VolumeReadOps: a(({ reads }) => reads),
    VolumeWriteOps: a(({ writes }) => writes),
    VolumeReadBytes: a(({ reads }) => reads * 16_384),
    VolumeWriteBytes: a(({ writes }) => writes * 16_384),
    VolumeTotalReadTime: a(({ reads, readMs }) => (reads * readMs) / 1_000),
    VolumeTotalWriteTime: a(({ writes, writeMs }) => (writes * writeMs) / 1_000),
    VolumeQueueLength: all.map(inFlight),
    VolumeIdleTime: all.map((minute) => 60 * Math.max(0, 1 - inFlight(minute))),
    VolumeIOPSExceededCheck: repeat(all.length, 0),
    VolumeThroughputExceededCheck: repeat(all.length, 0),
    ...others,
  };
}

interface Case {
  volume?: Partial<Volume>;
  all?: readonly Minute[];
  others?: Points;
  /** When its figures begin. @default as it is made */
  afterSeconds?: number;
  instances?: typeof noInstance;
}

function found({ volume, all = repeat(minutes, slow), others, afterSeconds = 0, instances }: Case) {
  const one = aVolume({ ...fresh, ...volume });
  const configured = configurationOf(one);
  if (!configured.known) throw new Error(configured.reason.code);
  const { limits } = configured.value;
  const start = createdEpochSeconds + afterSeconds;
  const metrics = metricSet(pointsOf(all, others), 60, start);
  const load = loadOf(metrics);
  const attribution = attribute(limits, load, metrics, instances ?? noInstance, defaultThresholds);
  const demand = demandOf(load, attribution, defaultThresholds);
  const windowEndEpochSeconds = start + 60 * all.length;
  const evaluated = {
    limits,
    load,
    attribution,
    demand,
    windowEndEpochSeconds,
    thresholds: defaultThresholds,
  };
  return firstReads(evaluated, one, metrics);
}

test('slow reads, fast writes, fresh from a snapshot, and it goes on', () => {
  const draft = found({});
  expect(draft).toMatchObject({
    ...{ kind: 'uninitialized', severity: 'warning', status: 'ongoing', limit: null, demand: null },
    // Writes compare, and reads are not faster yet.
    confidence: 'medium',
    evidence: {
      ...{ snapshotId: 'snap-0123456789abcdef0', createdAt: '2026-09-21T14:13:20Z' },
      ...{ readLatencyMs: 25, writeLatencyMs: 1, initializationRateMiBps: null },
      usualReadLatencyMs: 1.16, // 1 ms, and 10 ms a MiB for 16 KiB
      ...{ slowMinutesPeak24h: 40, slowMinutesInWindow: 40, firstHalfSlowShare: 1, secondHalfSlowShare: 1 },
    },
  });
  expect(evidenceOf.uninitialized.parse(draft?.evidence)).toEqual(draft?.evidence);
});

test('slow reads that become fewer: sure, and an information once it is over', () => {
  const all = [...repeat(15, slow), ...repeat(25, fast)];
  expect(found({ all })).toMatchObject({ severity: 'info', status: 'ended', confidence: 'high' });
});

test('reads that are slow all the time and become faster: sure too', () => {
  const all = [...repeat(20, { ...slow, readMs: 40 }), ...repeat(20, slow)];
  expect(found({ all })?.confidence).toBe('high');
  expect(found({ all: [...repeat(20, { ...slow, readMs: 30 }), ...repeat(20, slow)] })?.confidence).toBe(
    'medium',
  );
});

test('an hour of it is a warning though it is over', () => {
  const all = [...repeat(60, slow), ...repeat(90, fast)];
  expect(found({ all })?.severity).toBe('warning');
});

test('hardly any writes: nothing to compare with, and less sure', () => {
  expect(found({ all: repeat(minutes, { ...slow, writes: 0 }) })).toMatchObject({
    confidence: 'low',
    evidence: { writeLatencyMs: null },
  });
});

test('the rate that it was made with is said', () => {
  expect(found({ volume: { initializationRateMiBps: 200 } })?.evidence.initializationRateMiBps).toBe(200);
});

const throttledAllTheTime: typeof noInstance = instanceSays('instance-iops').map((one) => ({
  ...one,
  cause: one.cause.map(() => causeCode['instance-iops']),
}));

const oneThrottledBy = (name: 'VolumeIOPSExceededCheck') => ({ [name]: repeat(minutes, 1) });

test.each<[string, Case]>([
  ['an empty volume', { volume: { snapshotId: undefined } }],
  ['a volume of which nobody knows when it was made', { volume: { createdEpochSeconds: undefined } }],
  ['an old volume', { afterSeconds: 8 * secondsPerDay }],
  ['a volume that is made only after its figures', { afterSeconds: -secondsPerDay }],
  ['writes that are slow too', { all: repeat(minutes, { ...slow, writeMs: 12 }) }],
  ['writes that are nearly as slow', { all: repeat(minutes, { ...slow, writeMs: 9 }) }],
  ['reads of 9 ms, as AWS says of SSD', { all: repeat(minutes, { ...slow, readMs: 9 }) }],
  ['too few reads to tell', { all: repeat(minutes, { ...slow, reads: 0.5 }) }],
  ['nine slow minutes', { all: [...repeat(9, slow), ...repeat(31, fast)] }],
  ['slow reads that become more', { all: [...repeat(20, fast), ...repeat(20, slow)] }],
  ['a volume that is throttled', { others: oneThrottledBy('VolumeIOPSExceededCheck') }],
  ['an instance that is throttled', { instances: throttledAllTheTime }],
  [
    'seconds at its limit',
    { others: { VolumeIdleTime: repeat(minutes, 59) }, all: repeat(minutes, { ...slow, reads: 60 }) },
  ],
  ['no idle time: seconds at the limit cannot be excluded', { others: { VolumeIdleTime: [] } }],
  ['no times', { others: { VolumeTotalReadTime: [] } }],
  ['no bytes', { others: { VolumeReadBytes: [] } }],
  [
    'HDD, whose reads wait for the disk',
    { volume: { volumeType: 'st1', sizeGiB: 500, iops: null, throughputMiBps: null } },
  ],
  [
    'large reads that take what they take',
    {
      others: { VolumeReadBytes: repeat(minutes, 20 * 60 * 1_048_576) }, // 25 ms of 1 MiB, usual 11 ms
    },
  ],
])('not named: %s', (_, one) => {
  expect(found(one)).toBeNull();
});

test.each([
  [fresh, createdEpochSeconds + 7 * secondsPerDay],
  [{ snapshotId: 'snap-1' }, null],
  [{ createdEpochSeconds }, null],
])('reads of %j may be first ones until %p', (volume, end) => {
  expect(firstReadsEnd(aVolume(volume))).toBe(end);
});
