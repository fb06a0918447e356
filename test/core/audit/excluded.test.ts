/** Volumes that the configuration leaves alone, and what their instances still know of them. */
import { withoutExcluded } from '../../../core/audit/excluded.ts';
import type { TagFilter } from '../../../core/config/tags.ts';
import type { Instance, Volume } from '../../../core/inventory.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';

const excluded = { environment: ['test', 'sandbox'] };
const inTest = { environment: 'test' };

test('without exclusions everything stays as it is', () => {
  const fleet = { volumes: [aVolume()], instances: [anInstance()] };
  expect(withoutExcluded(fleet.volumes, fleet.instances, {})).toEqual({
    ...{ ...fleet, excludedIds: [], benchmarkIds: [] },
  });
});

test('an instance knows how many of its volumes are excluded; one of whose volumes none is left goes with them', () => {
  const volumes = [
    aVolume({ volumeId: 'vol-1', attachments: on('i-1') }),
    aVolume({ volumeId: 'vol-2', attachments: on('i-1'), tags: inTest }),
    aVolume({ volumeId: 'vol-3', attachments: on('i-1'), tags: { environment: 'sandbox' } }),
    aVolume({ volumeId: 'vol-4', attachments: on('i-2'), tags: inTest }),
    aVolume({ volumeId: 'vol-5', attachments: [], tags: inTest }),
    aVolume({ volumeId: 'vol-6', attachments: on('i-3') }),
  ];
  const instances = ['i-1', 'i-2', 'i-3', 'i-without-volumes'].map((instanceId) =>
    anInstance({ instanceId }),
  );
  const left = withoutExcluded(volumes, instances, excluded);
  expect(left.volumes.map(({ volumeId }) => volumeId)).toEqual(['vol-1', 'vol-6']);
  expect(left.instances).toEqual([
    anInstance({ instanceId: 'i-1', excludedVolumes: 2 }),
    anInstance({ instanceId: 'i-3' }),
    anInstance({ instanceId: 'i-without-volumes' }),
  ]);
  expect(left.excludedIds).toEqual(['vol-2', 'vol-3', 'vol-4', 'vol-5']);
});

test('an excluded Multi-Attach volume is missed on each instance that it is attached to', () => {
  const volumes = [
    aVolume({ volumeId: 'vol-shared', attachments: on('i-1', 'i-2'), tags: inTest }),
    aVolume({ volumeId: 'vol-1', attachments: on('i-1') }),
    aVolume({ volumeId: 'vol-2', attachments: on('i-2') }),
  ];
  const instances = ['i-1', 'i-2'].map((instanceId) => anInstance({ instanceId }));
  const counts = withoutExcluded(volumes, instances, excluded).instances.map((one) => one.excludedVolumes);
  expect(counts).toEqual([1, 1]);
});

describe('hosts of the benchmark', () => {
  const hosts = { instanceIds: new Set(['i-bench']), volumeIds: new Set(['vol-left', 'vol-taken']) };
  const left = (
    volumes: readonly Partial<Volume>[],
    instances: readonly Partial<Instance>[] = [],
    tags: TagFilter = {},
  ) => withoutExcluded(volumes.map(aVolume), instances.map(anInstance), tags, hosts);

  test('whatever is attached to a recorded instance is left out, its root volume too, and the instance with it', () => {
    const volumes = [
      { volumeId: 'vol-root', attachments: on('i-bench') },
      { volumeId: 'vol-data', attachments: on('i-bench') },
      { volumeId: 'vol-1', attachments: on('i-1') },
    ];
    const found = left(volumes, [{ instanceId: 'i-bench' }, { instanceId: 'i-1' }]);
    expect(found.volumes.map(({ volumeId }) => volumeId)).toEqual(['vol-1']);
    expect(found.instances).toEqual([anInstance({ instanceId: 'i-1' })]);
    expect(found).toMatchObject({ excludedIds: [], benchmarkIds: ['vol-root', 'vol-data'] });
  });

  test('a recorded volume that a host left behind, attached to nothing, is left out too', () => {
    expect(left([{ volumeId: 'vol-left', attachments: [] }]).benchmarkIds).toEqual(['vol-left']);
  });

  test('one that somebody else has attached is in use, and audited', () => {
    const volumes = [
      { volumeId: 'vol-taken', attachments: on('i-1') },
      { volumeId: 'vol-shared', attachments: on('i-bench', 'i-1') },
    ];
    const found = left(volumes, [{ instanceId: 'i-bench' }, { instanceId: 'i-1' }]);
    expect(found.volumes.map(({ volumeId }) => volumeId)).toEqual(['vol-taken', 'vol-shared']);
    expect(found.benchmarkIds).toEqual([]);
  });

  test('a host that has no volume yet is no instance of the audit', () => {
    expect(left([], [{ instanceId: 'i-bench' }]).instances).toEqual([]);
  });

  test('tags of campaigns, which anybody can write, hide nothing', () => {
    const tags = { 'stripewise:campaign': 'c1', 'stripewise:cell': 'stripe-m1-large' };
    const volumes = [
      { volumeId: 'vol-1', attachments: on('i-1'), tags },
      { volumeId: 'vol-2', attachments: [], tags },
    ];
    const found = left(volumes, [{ instanceId: 'i-1', tags }]);
    expect(found.volumes.map(({ volumeId }) => volumeId)).toEqual(['vol-1', 'vol-2']);
    expect(found.benchmarkIds).toEqual([]);
  });

  test('one that the configuration excludes as well is counted once', () => {
    const volumes = [{ volumeId: 'vol-root', attachments: on('i-bench'), tags: inTest }];
    expect(left(volumes, [], excluded)).toMatchObject({ excludedIds: [], benchmarkIds: ['vol-root'] });
  });
});
