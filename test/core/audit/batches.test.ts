/** The fleet in batches: what hangs together stays together, nothing is lost, and reading stays cheap. */
import fc from 'fast-check';
import { type AuditBatch, batchesOf, queriesOfBatch } from '../../../core/audit/batches.ts';
import type { Instance, Volume } from '../../../core/inventory.ts';
import {
  type MetricQuery,
  type PublishedCheck,
  packQueries,
  pointsOf,
  pointsPerCall,
  queriesPerCall,
} from '../../../core/load/metrics.ts';
import { secondsPerDay } from '../../../core/units.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';
import { largeFleet } from '../../fixtures/large-fleet.ts';

const twoWeeks = { periodSeconds: 300, windowSeconds: 14 * secondsPerDay };

const idsOf = ({ volumes, instances }: AuditBatch): string[] =>
  [...volumes.map(({ volumeId }) => volumeId), ...instances.map(({ instanceId }) => instanceId)].sort();

/** So long a window that ten volumes fill a batch: a batch holds 50 x 100,800 points. */
const narrow = { periodSeconds: 60, windowSeconds: 60 * (50 * pointsPerCall) * (1 / 110) };

const pointsIn = (queries: readonly MetricQuery[], windowSeconds: number): number =>
  queries.reduce((total, query) => total + pointsOf(query, windowSeconds), 0);

test('an instance is with all of its volumes, in whatever order they were described', () => {
  const volumes = ['i-1', 'i-2', 'i-1', 'i-2', 'i-1'].map((instanceId, i) =>
    aVolume({ volumeId: `vol-${i}`, attachments: on(instanceId) }),
  );
  const instances = [anInstance({ instanceId: 'i-2' }), anInstance({ instanceId: 'i-1' })];
  // Three volumes of 11 metrics and two volumes of 11: together over the 110 of a batch of three each.
  const tight = { ...narrow, windowSeconds: narrow.windowSeconds * 2.5 };
  expect(batchesOf(volumes, instances, null, tight).map(idsOf)).toEqual([
    ['i-2', 'vol-1', 'vol-3'],
    ['i-1', 'vol-0', 'vol-2', 'vol-4'],
  ]);
});

test('a Multi-Attach volume joins its instances and all of their volumes', () => {
  const volumes = [
    aVolume({ volumeId: 'vol-a', attachments: on('i-1') }),
    aVolume({ volumeId: 'vol-b', attachments: on('i-2') }),
    aVolume({ volumeId: 'vol-shared', multiAttach: true, attachments: on('i-1', 'i-2') }),
  ];
  const instances = [anInstance({ instanceId: 'i-1' }), anInstance({ instanceId: 'i-2' })];
  const tight = { ...narrow, windowSeconds: narrow.windowSeconds * 10 }; // every group its own batch
  expect(batchesOf(volumes, instances, null, tight).map(idsOf)).toEqual([
    ['i-1', 'i-2', 'vol-a', 'vol-b', 'vol-shared'],
  ]);
});

test('a volume on two instances that another volume joined before is not there twice', () => {
  const volumes = [on('i-3', 'i-1'), on('i-0', 'i-3', 'i-1')].map((attachments, i) =>
    aVolume({ volumeId: `vol-${i}`, multiAttach: true, attachments }),
  );
  const instances = [anInstance({ instanceId: 'i-0' })];
  expect(batchesOf(volumes, instances, null, twoWeeks).map(idsOf)).toEqual([['i-0', 'vol-0', 'vol-1']]);
});

test('volumes of an instance that nobody described stay together too', () => {
  const volumes = [0, 1, 2].map((i) => aVolume({ volumeId: `vol-${i}`, attachments: on('i-hidden') }));
  const tight = { ...narrow, windowSeconds: narrow.windowSeconds * 10 };
  expect(batchesOf(volumes, [], null, tight).map(idsOf)).toEqual([['vol-0', 'vol-1', 'vol-2']]);
});

test('no volumes and no instances are no batch', () => {
  expect(batchesOf([], [], {}, twoWeeks)).toEqual([]);
});

test('an instance without a volume is in a batch, to be counted, and nothing is asked about it', () => {
  const [batch] = batchesOf([], [anInstance()], {}, twoWeeks);
  expect(batch?.instances).toHaveLength(1);
  expect(batch && queriesOfBatch(batch, 300)).toEqual([]);
});

const check: fc.Arbitrary<PublishedCheck> = fc.record({
  metric: fc.constantFrom('VolumeStalledIOCheck', 'VolumeIOPSExceededCheck'),
  instanceId: fc.option(fc.constantFrom('i-0', 'i-old')),
});

/** Up to 60 volumes on up to 12 instances, some of them described, some volumes on several or on none. */
const fleet = fc.record({
  attachments: fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { maxLength: 3 }), { maxLength: 60 }),
  described: fc.uniqueArray(fc.integer({ min: 0, max: 11 })),
  checks: fc.option(fc.array(fc.array(check, { maxLength: 3 }), { minLength: 60, maxLength: 60 })),
  size: fc.double({ min: 0.2, max: 20, noNaN: true }),
});

test('whatever hangs on what: nothing lost or doubled, neighbours together, under the size, checks with their volume', () => {
  fc.assert(
    fc.property(fleet, ({ attachments, described, checks, size }) => {
      const volumes: Volume[] = attachments.map((instances, i) =>
        aVolume({ volumeId: `vol-${i}`, attachments: on(...instances.map((n) => `i-${n}`)) }),
      );
      const instances: Instance[] = described.map((n) => anInstance({ instanceId: `i-${n}` }));
      const published =
        checks && Object.fromEntries(volumes.map(({ volumeId }, i) => [volumeId, checks[i] ?? []]));
      const reading = { ...narrow, windowSeconds: Math.ceil(narrow.windowSeconds * size) };
      const batches = batchesOf(volumes, instances, published, reading);
      expect(batches.flatMap(idsOf).sort()).toEqual(idsOf({ volumes, instances, published }));
      const placeOf = new Map(batches.flatMap((batch, i) => idsOf(batch).map((id) => [id, i] as const)));
      const placesOfInstance = new Map<string, Set<number>>();
      for (const [i, batch] of batches.entries()) {
        for (const { volumeId, attachments: attached } of batch.volumes) {
          expect(batch.published?.[volumeId]).toEqual(published?.[volumeId]);
          for (const { instanceId } of attached) {
            placesOfInstance.set(instanceId, (placesOfInstance.get(instanceId) ?? new Set()).add(i));
            expect(placeOf.get(instanceId) ?? i).toBe(i);
          }
        }
        const points = pointsIn(queriesOfBatch(batch, reading.periodSeconds), reading.windowSeconds);
        if (points > 50 * pointsPerCall) {
          expect(
            batchesOf(batch.volumes, batch.instances, batch.published, { ...reading, windowSeconds: 1e12 }),
          ).toHaveLength(1); // one group that hangs together cannot be cut
        }
      }
      expect([...placesOfInstance.values()].every(({ size: places }) => places === 1)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test.each([1_000, 10_000])(
  '%i volumes: the calls of all batches are at most 5 %% over the least',
  (count) => {
    const { volumes, instances } = largeFleet(count);
    const batches = batchesOf(volumes, instances, null, twoWeeks);
    const queries = batches.map((batch) => queriesOfBatch(batch, twoWeeks.periodSeconds));
    const calls = queries.reduce(
      (total, some) => total + packQueries(some, twoWeeks.windowSeconds).length,
      0,
    );
    const least = Math.max(
      Math.ceil(queries.flat().length / queriesPerCall),
      Math.ceil(pointsIn(queries.flat(), twoWeeks.windowSeconds) / pointsPerCall),
    );
    expect(calls).toBeLessThanOrEqual(1.05 * least);
    expect(batches.length).toBeGreaterThan(1);
  },
);
