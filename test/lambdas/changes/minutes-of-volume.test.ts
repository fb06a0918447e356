/** Minutes of a volume by the limits that it had: what was throttled by the old ones says nothing of the new ones. */
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { thresholdsOf } from '../../../core/diagnosis/thresholds.ts';
import type { MetricName } from '../../../core/load/metrics.ts';
import { minutesOfVolume } from '../../../lambdas/advance-change/minutes-of-volume.ts';
import { aVolume } from '../../fixtures/inventory.ts';

const noon = Date.parse('2026-11-20T12:00:00Z') / 1_000;
const settings = { volumeType: 'gp3', sizeGiB: 100, iops: 3_000, throughputMiBps: 125 } as const;
const window = { startEpochSeconds: noon, endEpochSeconds: noon + 600 };

/** Ten minutes of small reads, the last five as many as 3,000 IOPS serve, with a long queue. */
const columns: Partial<Record<MetricName, (busy: boolean) => number>> = {
  VolumeReadOps: (busy) => (busy ? 3_000 * 60 : 6_000),
  VolumeWriteOps: () => 0,
  VolumeReadBytes: (busy) => (busy ? 3_000 * 60 : 6_000) * 4_096,
  VolumeWriteBytes: () => 0,
  VolumeQueueLength: (busy) => (busy ? 60 : 0.1),
  VolumeIdleTime: (busy) => (busy ? 0 : 50),
  VolumeTotalReadTime: (busy) => (busy ? 3_600 : 6),
  VolumeTotalWriteTime: () => 0,
};

const minutes = (iops: number) =>
  minutesOfVolume(
    {
      ...{ account: '111122223333', region: 'us-east-1', instances: [], published: null },
      volumes: [aVolume({ volumeId: 'vol-1', ...settings })],
    },
    { ...settings, iops },
    window,
    {
      regionCatalogs: builtInRegionCatalog,
      thresholds: thresholdsOf({}),
      readMetrics: async (_, __, collector) => {
        const times = Array.from({ length: 10 }, (_, i) => noon + 60 * i);
        for (const [metric, figureOf] of Object.entries(columns))
          collector.add(
            'vol-1',
            metric as MetricName,
            times,
            times.map((_, i) => figureOf(i >= 5)),
          );
      },
    },
  );

test('five minutes at 3,000 IOPS are throttled by 3,000 and not by 6,000', async () => {
  const [old, raised] = [await minutes(3_000), await minutes(6_000)];
  const throttled = (all: typeof old) => all.filter(({ isThrottled }) => isThrottled === true).length;
  expect([throttled(old), throttled(raised)]).toEqual([5, 0]);
});

test('operations and the queue are those of the minute', async () => {
  const all = await minutes(3_000);
  expect(all).toHaveLength(10);
  expect(all.at(-1)).toEqual({ epochSeconds: noon + 540, isThrottled: true, operations: 180_000, queue: 60 });
});
