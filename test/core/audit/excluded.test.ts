/** Volumes that the configuration leaves alone, and what their instances still know of them. */
import { withoutExcluded } from '../../../core/audit/excluded.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';

const excluded = { environment: ['test', 'sandbox'] };
const inTest = { environment: 'test' };

test('without exclusions everything stays as it is', () => {
  const fleet = { volumes: [aVolume()], instances: [anInstance()] };
  expect(withoutExcluded(fleet.volumes, fleet.instances, {})).toEqual({ ...fleet, excludedIds: [] });
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
