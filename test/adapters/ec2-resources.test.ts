/** What of a volume's tags the engine reads. */
import {
  describedInstanceSchema,
  describedVolumeSchema,
  instanceOf,
  volumeOf,
} from '../../adapters/ec2-resources.ts';

const read = (Tags?: { Key?: string; Value?: string }[], keys?: string[]) =>
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
    keys,
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
  ['none where it is not reported', [{ Key: 'stripewise:stripe' }], null],
])('the tag that names a stripe: %s', (_, tags, stripeTag) => {
  expect(read(tags)).toMatchObject({ stripeTag });
});

const tags = [
  { Key: 'team', Value: 'payments' },
  { Key: 'scratch', Value: '' },
  { Key: 'owner', Value: 'somebody' },
  { Value: 'of no key' },
  { Key: '__proto__', Value: 'x' },
];

test('of tags those alone are kept that are asked for, whatever they are called', () => {
  expect(read(tags).tags).toEqual({});
  expect(read(tags, ['team', 'scratch', 'tier']).tags).toEqual({ team: 'payments', scratch: '' });
  expect(Object.entries(read(tags, ['__proto__']).tags)).toEqual([['__proto__', 'x']]);
  expect(read(undefined, ['team']).tags).toEqual({});
});

test('so it is of instances; where none is asked for there is nothing about them', () => {
  const described = describedInstanceSchema.parse({
    InstanceId: 'i-1',
    InstanceType: 'm6i.large',
    State: { Name: 'running' },
    Placement: { AvailabilityZone: 'us-east-1a' },
    Tags: tags,
  });
  const place = { region: 'us-east-1', account: null };
  expect(instanceOf(described, place, ['team']).tags).toEqual({ team: 'payments' });
  expect(instanceOf(described, place)).not.toHaveProperty('tags');
});
