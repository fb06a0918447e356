/** Latency above a target that a user set: when it is a finding, and when io2 is the remedy. */
import { audit } from '../../../core/audit/audit.ts';
import { type OtherThresholds, thresholdsOf } from '../../../core/diagnosis/thresholds.ts';
import type { Instance, Volume } from '../../../core/inventory.ts';
import { MetricCollector, type MetricName } from '../../../core/load/metrics.ts';
import type { FindingOf } from '../../../core/schemas/finding.ts';
import { commandsOf } from '../../fixtures/findings.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../fixtures/region-catalog.ts';

const catalog = aRegionCatalog([
  anInstanceType({ instanceType: 'm6i.large', nitro: true, ebs: ebs(10_000, 500) }),
  anInstanceType({ instanceType: 'm4.large', nitro: false, ebs: ebs(10_000, 500) }),
]);

interface Case {
  volume?: Partial<Volume>;
  instance?: Partial<Instance> | null;
  thresholds?: OtherThresholds;
  minutes?: number;
  iops?: number;
  ioKiB?: number;
  /** Of an operation, and in how many of the first minutes; in the others it takes 0.4 ms. */
  slow?: { ms: number; minutes: number };
  others?: Partial<Record<MetricName, (minute: number) => number>>;
}

function latencyOf({
  volume = {},
  instance = {},
  thresholds = { maxLatencyMs: 1 },
  minutes = 2_880,
  iops = 500,
  ioKiB = 8,
  slow = { ms: 2, minutes: 60 },
  others = {},
}: Case): FindingOf<'latency-above-target'> | undefined {
  const ops = iops * 60;
  const secondsPerIo = (minute: number): number => (minute < slow.minutes ? slow.ms : 0.4) / 1_000;
  const metrics: Partial<Record<MetricName, (minute: number) => number>> = {
    VolumeReadOps: () => ops,
    VolumeWriteOps: () => 0,
    VolumeReadBytes: () => ops * ioKiB * 1_024,
    VolumeWriteBytes: () => 0,
    VolumeTotalReadTime: (minute) => ops * secondsPerIo(minute),
    VolumeTotalWriteTime: () => 0,
    VolumeIdleTime: () => 10,
    VolumeQueueLength: (minute) => iops * secondsPerIo(minute),
    VolumeIOPSExceededCheck: () => 0,
    VolumeThroughputExceededCheck: () => 0,
    VolumeStalledIOCheck: () => 0,
    ...others,
  };
  const collector = new MetricCollector(60);
  const at = Array.from({ length: minutes }, (_, minute) => minute * 60);
  for (const [name, of] of Object.entries(metrics)) {
    collector.add(
      'vol-0123456789abcdef0',
      name as MetricName,
      at,
      at.map((time) => of(time / 60)),
    );
  }
  const { findings } = audit({
    runId: 'run',
    inventory: {
      volumes: [aVolume({ volumeId: 'vol-0123456789abcdef0', ...volume })],
      instances: instance === null ? [] : [anInstance(instance)],
    },
    read: { metrics: collector.finish(), window: 'of-all' },
    rules: { regionCatalogs: () => catalog, thresholds: thresholdsOf(thresholds) },
  });
  return findings.find(
    (one): one is FindingOf<'latency-above-target'> => one.kind === 'latency-above-target',
  );
}

test('io2 with the fewest IOPS that serve the load, online, by what AWS documents', () => {
  const found = latencyOf({});
  expect(found).toMatchObject({
    severity: 'warning',
    evidence: {
      ...{ targetLatencyMs: 1, slowMinutesInWindow: 60, slowMinutesPeak24h: 60 },
      ...{ slowLatencyMsMedian: 2, slowIoKiBMedian: 8, io2NotRecommendedReason: null },
    },
  });
  // Over the non-idle 50 s of a minute 600 IOPS: with headroom 750. 100 x 0.125 + 750 x 0.065 - 100 x 0.08 = 53.25.
  expect(found?.recommendations).toMatchObject([
    {
      ...{ action: 'modify', purpose: 'less-latency', inPlace: true, monthlyUsdDelta: 53.25 },
      change: { of: 'volume', to: { volumeType: 'io2', iops: 750, sizeGiB: 100 } },
      effect: {
        ...{ method: 'estimated', latencyMsBefore: 2, latencyMsAfterBelow: 0.5 },
        ...{ throttledMinutesBefore: null, throttledMinutesAfter: null },
      },
    },
  ]);
  expect(commandsOf(found?.recommendations[0])).toEqual([
    'aws ec2 modify-volume --volume-id vol-0123456789abcdef0 --region us-east-1 --volume-type io2 --iops 750',
  ]);
});

test.each<[string, Case]>([
  ['nobody set a target', { thresholds: {} }],
  ['it is below the target', { thresholds: { maxLatencyMs: 2.5 } }],
  ['it is above for nine minutes of a day', { slow: { ms: 2, minutes: 9 } }],
  ['its I/O is large: AWS documents the latency of 16 KiB', { ioKiB: 64, iops: 100 }],
  ['it hardly does anything', { iops: 0.5 }],
  [
    'its own limit throttles it',
    {
      iops: 3_000,
      others: { VolumeIOPSExceededCheck: () => 1, VolumeQueueLength: () => 20, VolumeIdleTime: () => 0 },
    },
  ],
  ['it is stalled', { others: { VolumeStalledIOCheck: () => 1 } }],
])('no finding where %s', (_, of) => {
  expect(latencyOf(of)).toBeUndefined();
});

test.each<[string, Case, string]>([
  ['it is io2', { volume: { volumeType: 'io2', iops: 3_000, throughputMiBps: null } }, 'already-io2'],
  [
    'the target is below what io2 documents',
    { thresholds: { maxLatencyMs: 0.45 } },
    'target-below-documented',
  ],
  ['its instance is not on Nitro', { instance: { instanceType: 'm4.large' } }, 'not-nitro'],
  ['nobody described its instance', { instance: null }, 'instance-unknown'],
  ['its instance type is not in the catalog', { instance: { instanceType: 'm9.large' } }, 'instance-unknown'],
  ['it is on an Outpost', { volume: { deployment: 'outposts' } }, 'outpost'],
  ['several instances may use it', { volume: { multiAttach: true } }, 'multi-attach'],
  ['it is smaller than any io2', { volume: { sizeGiB: 2 } }, 'size-or-rate-out-of-reach'],
])('a finding without io2 where %s', (_, of, reason) => {
  const found = latencyOf(of);
  expect(found?.evidence.io2NotRecommendedReason).toBe(reason);
  expect(found?.recommendations).toEqual([]);
});

test('where its need is not known, io2 has all that the volume does today', () => {
  // An hour shows no need: 3,000 IOPS of gp3, which 125 MiB/s of io2 do not exceed.
  const found = latencyOf({ minutes: 60 });
  expect(found?.recommendations[0]).toMatchObject({
    ...{ sizedBy: 'current-maximum', change: { of: 'volume', to: { iops: 3_000 } } },
    // 12.5 + 3,000 x 0.065 - 8
    monthlyUsdDelta: 199.5,
  });
});
