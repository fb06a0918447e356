/** What the volumes of an instance demanded together, against other figures of it. */

import { demandOfInstance } from '../../../core/audit/instance-demand.ts';
import { instancesToEvaluate, Observed } from '../../../core/audit/observed.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { type Cause, causeCode } from '../../../core/diagnosis/causes.ts';
import type { DiagnosedVolume } from '../../../core/diagnosis/diagnosed-volume.ts';
import type { InstanceEvidence } from '../../../core/diagnosis/instance-evidence.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { MetricCollector } from '../../../core/load/metrics.ts';
import { anInstance, on } from '../../fixtures/inventory.ts';
import { ebs } from '../../fixtures/region-catalog.ts';
import { diagnosed, times } from './diagnosed.ts';

const held = times(10, 'instance-iops' as const);
const gp3 = (volumeId: string, iops: number, demand: number, attachments = on('i-1')): DiagnosedVolume =>
  diagnosed(
    { volumeId, volumeType: 'gp3', sizeGiB: 500, iops: 12_000, throughputMiBps: 250, attachments },
    { iops: times(10, iops), causes: held, low: times(10, demand), high: times(10, demand) },
  );

const evidence = (causes: readonly Cause[]): InstanceEvidence => ({
  epochSeconds: Float64Array.from(causes, (_, i) => i * 60),
  periodSeconds: 60,
  cause: Uint8Array.from(causes, (cause) => causeCode[cause]),
  isAnyThrottled: causes.some((cause) => cause !== 'none'),
  also: new Uint16Array(causes.length),
  minutes: Float64Array.from(causes, (cause) => Number(cause !== 'none')),
  proof: new Uint8Array(causes.length),
  felt: new Uint8Array(causes.length),
  saturated: new Uint8Array(causes.length),
  microBurst: new Uint8Array(causes.length),
  shares: null,
  load: {
    ...{ iops: new Float64Array(causes.length), mibps: new Float64Array(causes.length), volumes: 2 },
    atMost: { iops: 0, mibps: 0 },
  },
  balance: { io: null, bytes: null, source: 'none', replayDeviationPoints: null },
  hasChecks: true,
  isWhole: true,
});

function demandOf(volumes: readonly DiagnosedVolume[], causes: readonly Cause[] = held) {
  const all = volumes.map(({ volume }) => volume);
  const toEvaluate = instancesToEvaluate([anInstance({ instanceId: 'i-1' })], all);
  const observed = new Observed(
    new MetricCollector(60).finish(),
    builtInRegionCatalog,
    toEvaluate,
    new Map(),
    defaultThresholds,
  );
  for (const volume of volumes) observed.note(volume);
  const [entry] = toEvaluate;
  if (entry === undefined) throw new Error('no instance');
  return demandOfInstance(entry, evidence(causes), 0, observed, defaultThresholds);
}

const two = [gp3('vol-1', 9_000, 9_600), gp3('vol-2', 9_000, 9_600)];

test('the sum of what each wants, with a quarter of headroom, none above its own limit', () => {
  // 1.25 x 9,600 = 12,000 each, all that a volume does; of 16 KiB: 187.5 MiB/s
  expect(demandOf(two)?.most.rates).toEqual({ iops: 24_000, throughputMiBps: 375 });
  const more = [gp3('vol-1', 9_000, 20_000), gp3('vol-2', 9_000, 20_000)];
  expect(demandOf(more)?.most.rates).toEqual({ iops: 24_000, throughputMiBps: 375 });
});

test('an instance with that all the time throttles nothing, one with less does', () => {
  const demand = demandOf(two);
  expect(demand?.most.throttledMinutesWith(ebs(24_000, 500))).toBe(0);
  expect(demand?.most.throttledMinutesWith(ebs(18_750, 500))).toBe(10);
  expect(demand?.most.throttledMinutesWith(ebs(24_000, 300))).toBe(10);
});

test('credits count: 4,000 above a baseline of 20,000 for 600 s are 2.4 of 7.2 million', () => {
  // (24,000 - 20,000) x 1,800 s
  expect(demandOf(two)?.most.throttledMinutesWith(ebs(20_000, 500, { maximumIops: 24_000 }))).toBe(0);
  // (24,000 - 2,000) x 1,800 s = 39.6 million last 1,800 s: ten minutes, and half an hour at most
  expect(demandOf(two)?.most.throttledMinutesWith(ebs(2_000, 500, { maximumIops: 24_000 }))).toBe(0);
});

test('HDD asks by its bytes: 400 MiB/s of 1 MiB are no 1,600 of its 500 IOPS', () => {
  const st1 = {
    volumeType: 'st1',
    sizeGiB: 4_096,
    iops: null,
    throughputMiBps: null,
    attachments: on('i-1'),
  };
  const columns = { iops: times(10, 280), mibps: times(10, 280), causes: held };
  const one = diagnosed(
    { ...st1, volumeId: 'vol-1' },
    { ...columns, low: times(10, 360), high: times(10, 360) },
  );
  // 1.25 x 360 = 450 MiB/s, which an instance counts as four of 256 KiB each
  expect(demandOf([one])?.most.rates).toEqual({ iops: 1_800, throughputMiBps: 450 });
});

test('minutes throttled are those of all its limits', () => {
  const causes: Cause[] = [...times(4, 'instance-iops' as const), ...times(3, 'instance-credits' as const)];
  expect(demandOf(two, [...causes, ...times(3, 'none' as const)])?.throttledMinutes).toBe(7);
});

test('where the load of one volume is not known, or it is shared, nothing is', () => {
  const shared = gp3('vol-3', 100, 100, on('i-1', 'i-2'));
  expect(demandOf([...two, shared])).toBeNull();
  const [first] = two as [DiagnosedVolume];
  const shorter = diagnosed(first.volume, { iops: times(9, 100) });
  expect(demandOf([first, { ...shorter, volume: { ...first.volume, volumeId: 'vol-4' } }])).toBeNull();
});
