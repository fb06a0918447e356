/** Which metrics each pass asks for: few of all volumes, the rest of suspects, nothing twice. */

import fc from 'fast-check';
import { batchesOf, queriesOfBatch } from '../../../../core/audit/batches.ts';
import { queriesAtLeast } from '../../../../core/audit/passes/two-passes.ts';
import { defaultThresholds } from '../../../../core/diagnosis/thresholds.ts';
import { anInstance, aVolume, on } from '../../../fixtures/inventory.ts';
import { during, type Metrics, quiet, runPasses } from './run-passes.ts';

test('of a quiet gp3: two checks in five minutes, its queue length in minutes, and nothing else', () => {
  const { coarse, secondRead, fine, cleared } = runPasses();
  expect(coarse).toEqual([
    'vol-1 VolumeIOPSExceededCheck 300',
    'vol-1 VolumeThroughputExceededCheck 300',
    'vol-1 VolumeQueueLength 60',
  ]);
  expect([secondRead, fine]).toEqual([[], []]);
  expect(cleared.volumes.get('vol-1')).toEqual({
    knownSeconds: 86_400,
    activePeriods: 1_440,
    lowestBalancePercent: null,
  });
  expect([...cleared.instanceIds]).toEqual(['i-1']);
});

test('of a quiet gp2 that bursts its balance too, and the lowest of it is reported', () => {
  const { coarse, cleared } = runPasses({
    volumes: [aVolume({ volumeType: 'gp2', sizeGiB: 100, iops: 300, throughputMiBps: null })],
    metrics: { 'vol-1': { ...quiet, BurstBalance: during(100, 3, 95, 100) } },
  });
  expect(coarse).toContain('vol-1 BurstBalance 300');
  expect(cleared.volumes.get('vol-1')?.lowestBalancePercent).toBe(95);
});

test('of gp2 from 1,000 GiB on, which never spends credits, no balance', () => {
  const { coarse } = runPasses({
    volumes: [aVolume({ volumeType: 'gp2', sizeGiB: 1_000, iops: 3_000, throughputMiBps: null })],
  });
  expect(coarse.filter((query) => query.includes('BurstBalance'))).toEqual([]);
});

test('a suspect is read in whole: all of its metrics in minutes but the queue length, which was read so', () => {
  const { fine, suspectedBy, cleared } = runPasses({
    metrics: { 'vol-1': { ...quiet, VolumeIOPSExceededCheck: during(700, 1, 1) } },
  });
  expect(suspectedBy()).toBe('limits');
  expect(fine).toHaveLength(11 - 1);
  expect(fine).toContain('vol-1 VolumeIOPSExceededCheck 60');
  expect(fine).not.toContain('vol-1 VolumeQueueLength 60');
  expect(cleared.volumes.size).toBe(0);
});

test('in a window that CloudWatch has no minutes of nothing is asked again: both passes read five minutes', () => {
  const { coarse, fine } = runPasses({
    finePeriodSeconds: 300,
    metrics: { 'vol-1': { ...quiet, VolumeIOPSExceededCheck: during(700, 1, 1) } },
  });
  expect(coarse).toHaveLength(3);
  expect(fine).toHaveLength(11 - 3);
});

describe('a volume without published checks is a suspect from the start, and only its queue length is read first', () => {
  test.each([
    ['magnetic', aVolume({ volumeType: 'standard', iops: null, throughputMiBps: null })],
    ['on an Outpost', aVolume({ deployment: 'outposts' })],
    ['Multi-Attach', aVolume({ volumeType: 'io2', multiAttach: true, throughputMiBps: null })],
    ['of a managed service', aVolume({ attachments: [] })],
  ])('%s', (_, volume) => {
    const { coarse, suspectedBy, fine } = runPasses({ volumes: [volume] });
    expect(coarse).toEqual(['vol-1 VolumeQueueLength 60']);
    expect(suspectedBy()).toBe('no published checks');
    expect(fine.length).toBeGreaterThanOrEqual(5);
  });

  test('on Xen: CloudWatch lists no check of it', () => {
    const { suspectedBy } = runPasses({ published: {} });
    expect(suspectedBy()).toBe('no published checks');
  });
});

test('what has no metrics, or cannot be evaluated whatever they say, is not asked about', () => {
  const volumes = [
    aVolume({ volumeId: 'vol-1', state: 'available', attachments: [] }),
    aVolume({ volumeId: 'vol-2', volumeType: 'gp9' }),
    aVolume({ volumeId: 'vol-3', iops: 100 }), // no gp3 has less than 3,000
  ];
  const { coarse, secondRead, fine, cleared } = runPasses({ volumes });
  expect([coarse, secondRead, fine]).toEqual([[], [], []]);
  expect(cleared.volumes.size).toBe(0);
});

describe('a volume that shows nothing', () => {
  test('of stopped instances: there is nothing to read, and it is silent', () => {
    const { fine, cleared } = runPasses({
      instances: [anInstance({ state: 'stopped' })],
      metrics: { 'vol-1': {} },
    });
    expect(fine).toEqual([]);
    expect([...cleared.silentIds]).toEqual(['vol-1']);
    expect([...cleared.instanceIds]).toEqual([]);
  });

  test('of a running one: everything is asked for', () => {
    const { fine, suspectedBy } = runPasses({ metrics: { 'vol-1': {} } });
    expect(suspectedBy()).toBe('no queue length');
    expect(fine.filter((query) => query.startsWith('vol-1'))).toHaveLength(11 - 1);
  });
});

describe('the instance', () => {
  const three = [1, 2, 3].map((n) => aVolume({ volumeId: `vol-${n}`, sizeGiB: 100 * n }));

  test('that its volumes cannot bring to its limits is not asked', () => {
    // 3 x 3,000 IOPS of 20,000 and 3 x 125 MiB/s of 596, all the time
    const { secondRead, cleared } = runPasses({
      volumes: three,
      instances: [anInstance({ instanceType: 'm6i.4xlarge' })],
    });
    expect(secondRead).toEqual([]);
    expect([...cleared.instanceIds]).toEqual(['i-1']);
  });

  test('that they can is asked by that check alone, and by no other metric where it says no', () => {
    // 375 MiB/s of 566: on credits alone, and a busy day would empty them
    const busy: Metrics = { ...quiet, VolumeQueueLength: 2, VolumeReadOps: 60_000 };
    const { secondRead, fine, cleared } = runPasses({
      volumes: three,
      instances: [anInstance({ instanceType: 'm5.2xlarge' })],
      metrics: { 'vol-1': busy },
    });
    expect(secondRead).toContain('i-1 InstanceEBSThroughputExceededCheck 60');
    expect(secondRead).not.toContain('i-1 InstanceEBSIOPSExceededCheck 60');
    expect(fine).toEqual([]);
    expect([...cleared.instanceIds]).toEqual(['i-1']);
  });

  test('whose check was 1 is read in whole with all its volumes', () => {
    const { suspectedBy, fine } = runPasses({
      volumes: three,
      instances: [anInstance({ instanceType: 'm5.2xlarge' })],
      metrics: {
        'vol-1': { ...quiet, VolumeQueueLength: 2 },
        'i-1': { ...quiet, InstanceEBSThroughputExceededCheck: during(3, 1, 1) },
      },
    });
    expect(['vol-1', 'vol-2', 'vol-3'].map((id) => suspectedBy(id))).toEqual(Array(3).fill('instance'));
    // 8 metrics, of which one check was read
    expect(fine.filter((query) => query.startsWith('i-1 '))).toHaveLength(8 - 1);
  });

  test('that publishes no check where it could bind is read in whole, with all its volumes', () => {
    const { suspectedBy } = runPasses({
      volumes: three,
      instances: [anInstance({ instanceType: 'm5.2xlarge' })],
      metrics: { 'vol-1': { ...quiet, VolumeQueueLength: 2 }, 'i-1': {} },
    });
    expect(suspectedBy('vol-3')).toBe('instance');
  });

  test('without Nitro is not asked: it publishes none', () => {
    const { secondRead, fine } = runPasses({ instances: [anInstance({ instanceType: 'm4.xlarge' })] });
    expect([...secondRead, ...fine].filter((query) => query.startsWith('i-1'))).toEqual([]);
  });
});

/** Up to six volumes of several kinds on up to three instances, each with one thing that may make it a suspect. */
const metricsOf: Metrics[] = [
  quiet,
  { ...quiet, VolumeThroughputExceededCheck: during(10, 2, 1) },
  { ...quiet, VolumeQueueLength: 3, VolumeStalledIOCheck: during(500, 1, 1) },
  { ...quiet, VolumeQueueLength: 0 },
  { ...quiet, BurstBalance: 50 },
  {},
];
const kinds = [
  aVolume(),
  aVolume({ iops: 8_000, throughputMiBps: 400 }),
  aVolume({ volumeType: 'gp2', iops: 300, throughputMiBps: null }),
  aVolume({ volumeType: 'io2', iops: 4_000, throughputMiBps: null }),
  aVolume({ volumeType: 'st1', sizeGiB: 500, iops: null, throughputMiBps: null }),
  aVolume({ volumeType: 'standard', iops: null, throughputMiBps: null }),
];
const one = fc.record({ kind: fc.nat(5), metrics: fc.nat(5), instance: fc.nat(2) });

test('whatever is there: no metric is asked twice in the same points, and none that a full pass would not ask', () => {
  fc.assert(
    fc.property(fc.array(one, { maxLength: 6 }), (chosen) => {
      const volumes = chosen.map(({ kind, instance }, i) => ({
        ...(kinds[kind] as (typeof kinds)[number]),
        volumeId: `vol-${i}`,
        attachments: on(`i-${instance}`),
      }));
      const instances = [0, 1, 2].map((i) => anInstance({ instanceId: `i-${i}` }));
      const metrics = Object.fromEntries(
        chosen.map((given, i) => [`vol-${i}`, metricsOf[given.metrics] as Metrics]),
      );
      const { coarse, secondRead, fine, suspectedBy } = runPasses({ volumes, instances, metrics });
      const asked = [...coarse, ...secondRead, ...fine];
      expect(new Set(asked).size).toBe(asked.length);
      const full = queriesOfBatch({ volumes, instances, published: null }, 60).map(
        ({ resourceId, metric }) => `${resourceId} ${metric}`,
      );
      for (const query of asked) expect(full).toContain(query.split(' ').slice(0, 2).join(' '));
      // Of a suspect everything is there in minutes.
      for (const { volumeId } of volumes.filter((volume) => suspectedBy(volume.volumeId) !== null)) {
        for (const query of full.filter((each) => each.startsWith(`${volumeId} `))) {
          expect(asked).toContain(`${query} 60`);
        }
      }
    }),
    { numRuns: 60, seed: 7 },
  );
});

test('a batch is filled by what is read at least: a fifth of a full pass, so that a fleet makes fewer batches', () => {
  const volumes = Array.from({ length: 600 }, (_, i) =>
    aVolume({ volumeId: `vol-${i}`, attachments: on(`i-${i >> 1}`) }),
  );
  const instances = Array.from({ length: 300 }, (_, i) => anInstance({ instanceId: `i-${i}` }));
  const reading = { periodSeconds: 60, windowSeconds: 14 * 86_400 };
  const plan = {
    ...{ startEpochSeconds: 0, endEpochSeconds: reading.windowSeconds },
    ...{ periodSeconds: 60, coarsePeriodSeconds: 300 },
  };
  const inPasses = batchesOf(volumes, instances, null, reading, (batch) =>
    queriesAtLeast(batch, plan, defaultThresholds),
  );
  // 20,160 + 2 x 4,032 points a volume of 5,040,000 in a batch: 178 volumes
  expect(inPasses).toHaveLength(Math.ceil(600 / 178));
  expect(batchesOf(volumes, instances, null, reading).length).toBeGreaterThan(5 * inPasses.length);
});
