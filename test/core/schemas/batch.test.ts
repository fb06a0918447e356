/** What the steps of a run hand to each other: also what an earlier version stored. */
import { batchSchema } from '../../../core/schemas/batch.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';

const batch = {
  region: 'us-east-1',
  account: '111122223333',
  volumes: [aVolume({ attachments: [{ instanceId: 'i-1', ebsCardIndex: 1 }] })],
  instances: [
    anInstance({ bandwidthWeighting: 'ebs-1', availabilityZone: 'us-east-1a', rootVolumeId: 'vol-1' }),
  ],
  published: null,
};

test('a batch comes back as it was stored', () => {
  expect(batchSchema.parse(JSON.parse(JSON.stringify(batch)))).toEqual(batch);
});

test('a batch of an earlier version told neither EBS card nor bandwidth weighting: unknown', () => {
  const { bandwidthWeighting: _, ...instance } = anInstance();
  const old = {
    ...batch,
    volumes: [{ ...aVolume(), attachments: [{ instanceId: 'i-1' }] }],
    instances: [instance],
  };
  const read = batchSchema.parse(old);
  expect(read.volumes[0]?.attachments).toEqual([{ instanceId: 'i-1', ebsCardIndex: null }]);
  expect(read.instances[0]).toEqual(anInstance());
});

test.each([
  ['the batch', { ...batch, region: '../../runs' }],
  ['a volume', { ...batch, volumes: [aVolume({ region: '../../runs' })] }],
  ['an instance', { ...batch, instances: [anInstance({ region: '../../runs' })] }],
])('a Region of %s that is a path is refused', (_, odd) => {
  expect(batchSchema.safeParse(odd).success).toBe(false);
});
