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

describe('of Kubernetes and of snapshots', () => {
  const described = (more: object) =>
    volumeOf(
      describedVolumeSchema.parse({
        ...{ VolumeId: 'vol-1', VolumeType: 'gp3', Size: 100, State: 'in-use' },
        AvailabilityZone: 'us-east-1a',
        ...more,
      }),
      { region: 'us-east-1', account: null },
    );
  const ofClaim = [
    { Key: 'ebs.csi.aws.com/cluster', Value: 'true' },
    { Key: 'kubernetes.io/created-for/pvc/name', Value: 'orders-data' },
    { Key: 'kubernetes.io/cluster/prod', Value: 'owned' },
    { Key: 'team', Value: 'payments' },
  ];

  test('the few tags of Kubernetes are read whatever is asked for, and stand apart', () => {
    const { kubernetes, tags } = described({ Tags: ofClaim });
    expect(tags).toEqual({});
    expect(kubernetes).toEqual({
      ...{ claim: 'orders-data', namespace: null, volume: null, cluster: 'prod', isOfDriver: true },
    });
    expect(described({ Tags: [{ Key: 'team', Value: 'x' }, { Value: 'of no key' }] })).not.toHaveProperty(
      'kubernetes',
    );
  });

  test.each<[string, object, object]>([
    [
      'as the CLI prints it',
      { SnapshotId: 'snap-0123456789abcdef0', CreateTime: '2026-11-22T14:47:00.123000+00:00' },
      { snapshotId: 'snap-0123456789abcdef0', createdEpochSeconds: Date.UTC(2026, 10, 22, 14, 47) / 1_000 },
    ],
    [
      'as the SDK has it, with its rate',
      {
        SnapshotId: 'snap-0123456789abcdef0',
        CreateTime: new Date('2026-11-22T14:47:00Z'),
        VolumeInitializationRate: 200,
      },
      { createdEpochSeconds: Date.UTC(2026, 10, 22, 14, 47) / 1_000, initializationRateMiBps: 200 },
    ],
    ['from no snapshot', { SnapshotId: '', CreateTime: '2026-11-22T14:47:00Z' }, {}],
    ['from what is no snapshot', { SnapshotId: 'snap-$(x)' }, {}],
    ['at a time that is none', { SnapshotId: 'snap-0123456789abcdef0', CreateTime: 'soon' }, {}],
    ['at a time of another kind', { SnapshotId: 'snap-0123456789abcdef0', CreateTime: 7 }, {}],
  ])('made from a snapshot: %s', (_, volume, origin) => {
    const read = described(volume);
    expect(read).toMatchObject(origin);
    const { createdEpochSeconds } = read;
    if (!('createdEpochSeconds' in origin)) expect(createdEpochSeconds).toBeUndefined();
    expect(read.snapshotId === undefined).toBe(!JSON.stringify(volume).includes('snap-0'));
  });
});
