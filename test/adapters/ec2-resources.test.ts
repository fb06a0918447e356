/** What of a volume's tags the engine reads. */
import { describedVolumeSchema, volumeOf } from '../../adapters/ec2-resources.ts';

const read = (Tags?: { Key?: string; Value?: string }[]) =>
  volumeOf(
    describedVolumeSchema.parse({
      VolumeId: 'vol-1',
      VolumeType: 'gp3',
      Size: 100,
      State: 'in-use',
      AvailabilityZone: 'us-east-1a',
      Tags,
    }),
    { region: 'us-east-1', account: null },
  );

test.each([
  [
    'its value',
    [
      { Key: 'Name', Value: 'db' },
      { Key: 'stripewise:stripe', Value: 'data' },
    ],
    'data',
  ],
  ['none without a tag', undefined, null],
  ['none with other tags only', [{ Key: 'stripe', Value: 'data' }], null],
  ['none where the tag has no value', [{ Key: 'stripewise:stripe', Value: '' }], null],
  ['none where it is not told', [{ Key: 'stripewise:stripe' }], null],
])('the tag that names a stripe: %s', (_, tags, stripeTag) => {
  expect(read(tags)).toMatchObject({ stripeTag });
});
