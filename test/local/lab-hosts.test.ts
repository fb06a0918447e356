/** What the EBS lab behind EC2 decides, without a guest. */
import type { Instance, Volume } from '@aws-sdk/client-ec2';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { iopsOnly, unlimited } from '../../local/lab/throttle.ts';
import type { Disk } from '../../local/lab/vm.ts';
import { desiredGuests } from '../../local/lab-hosts/desired.ts';
import {
  type Action,
  actionsFor,
  type DesiredGuest,
  type GuestState,
  type PresentGuest,
} from '../../local/lab-hosts/reconcile.ts';
import { failureText, requestOf } from '../../local/lab-hosts/uploads.ts';

const disk = (volumeId: string, iops = 600): Disk => ({
  volumeId,
  sizeMiB: 4_096,
  throttle: iopsOnly(iops),
});
const desired = (instanceId: string, ...disks: Disk[]): DesiredGuest => ({
  instanceId,
  limit: unlimited,
  disks,
});
const present = (instanceId: string, state: GuestState, ...disks: Disk[]): PresentGuest => ({
  instanceId,
  state,
  disks,
});
const [a, b, c] = [disk('vol-a'), disk('vol-b'), disk('vol-c')];
const nothing: Action[] = [];

describe('what is to be done', () => {
  test('a new instance gets a guest with its volumes', () => {
    const guest = desired('i-1', a, b);
    expect(actionsFor([guest], [], 2)).toEqual([{ kind: 'boot', guest }]);
  });

  test('where nothing differs, nothing', () => {
    expect(actionsFor([desired('i-1', a, b)], [present('i-1', 'running', b, a)], 2)).toEqual(nothing);
  });

  test('so many start at once: one of two is starting, so of three more one', () => {
    const all = ['i-1', 'i-2', 'i-3', 'i-4'].map((id) => desired(id));
    expect(actionsFor(all, [present('i-1', 'starting')], 2)).toEqual([{ kind: 'boot', guest: all[1] }]);
  });

  test.each(['starting', 'running', 'changing', 'failed'] as const)(
    '%s: without its instance it is ended',
    (state) => {
      expect(actionsFor([], [present('i-1', state, a)], 2)).toEqual([{ kind: 'end', instanceId: 'i-1' }]);
    },
  );

  test.each(['starting', 'changing', 'failed', 'ending'] as const)(
    '%s: it is left to that, whatever is attached',
    (state) => {
      expect(actionsFor([desired('i-1', b)], [present('i-1', state, a)], 2)).toEqual(nothing);
    },
  );

  test('what is ending is not ended again', () => {
    expect(actionsFor([], [present('i-1', 'ending')], 2)).toEqual(nothing);
  });

  test('volumes that left, changed and came', () => {
    const faster = disk('vol-b', 1_200);
    expect(actionsFor([desired('i-1', faster, c)], [present('i-1', 'running', a, b)], 2)).toEqual([
      { kind: 'change', instanceId: 'i-1', changes: { detach: ['vol-a'], modify: [faster], attach: [c] } },
    ]);
  });

  test('a volume that another guest still has comes later, to one that runs and to one that starts', () => {
    const others = [desired('i-1'), desired('i-2', a), desired('i-3', a, b)];
    const now = [present('i-1', 'changing', a), present('i-2', 'running')];
    expect(actionsFor(others, now, 2)).toEqual([{ kind: 'boot', guest: desired('i-3', b) }]);
  });
});

describe('what EC2 says', () => {
  const instance: Instance = {
    InstanceId: 'i-1',
    InstanceType: 'm6i.large',
    RootDeviceName: '/dev/xvda',
  };
  const volume = (VolumeId: string, Device: string, more: Partial<Volume> = {}): Volume => ({
    ...{ VolumeId, VolumeType: 'io2', Size: 4, Iops: 600, State: 'in-use', AvailabilityZone: 'us-east-1a' },
    Attachments: [{ InstanceId: 'i-1', Device, State: 'attached' }],
    ...more,
  });
  const ofOther: Volume['Attachments'] = [{ InstanceId: 'i-2', Device: '/dev/sdg', State: 'attached' }];
  const leaving: Volume['Attachments'] = [{ InstanceId: 'i-1', Device: '/dev/sdh', State: 'detaching' }];

  test('data volumes are disks: no root, none of others, none that is being detached', () => {
    const volumes = [
      volume('vol-root', '/dev/xvda'),
      volume('vol-other-root', '/dev/sda1'),
      volume('vol-data', '/dev/sdf'),
      volume('vol-other', '/dev/sdg', { Attachments: ofOther }),
      volume('vol-leaving', '/dev/sdh', { Attachments: leaving }),
    ];
    const { guests, remarks } = desiredGuests([instance], volumes);
    expect(remarks).toEqual([]);
    // io2: 600 IOPS of 256 KiB each are 150 MiB/s.
    const throttle = { ...iopsOnly(600), bytesPerSecond: 150 * 1_048_576 };
    expect(guests[0]?.disks).toEqual([{ volumeId: 'vol-data', sizeMiB: 4 * 1_024, throttle }]);
  });

  test('m6i.large: 40,000 IOPS for 30 minutes, then 3,600; 1,192 MiB/s, then 77', () => {
    const { guests } = desiredGuests([instance], []);
    // The longer of two: 1 - 3,600 / 40,000 = 0.91, 1 - 77.486 / 1,192.093 = 0.935; of 1,800 s.
    expect(guests[0]?.limit).toEqual({
      ...{ iops: 3_600, bytesPerSecond: 77.486 * 1_048_576, bytesPerOperation: 262_144 },
      burst: {
        ...{ iops: 40_000, bytesPerSecond: 1_192.093 * 1_048_576 },
        seconds: expect.closeTo(1_683, 0),
      },
    });
  });

  test('a type that is not in the catalog limits nothing, and that is said', () => {
    const { guests, remarks } = desiredGuests([{ ...instance, InstanceType: 'zz9.large' as never }], []);
    expect(guests[0]?.limit).toEqual(unlimited);
    expect(remarks).toEqual([
      'instance type "zz9.large" is not in the catalog: its instances do not limit their volumes',
    ]);
  });

  test('a volume whose limits are not known is no disk, and that is said', () => {
    const { guests, remarks } = desiredGuests([instance], [volume('vol-data', '/dev/sdf', { Size: 1 })]);
    expect(guests[0]?.disks).toEqual([]);
    expect(remarks[0]).toMatch(
      /^vol-data is not attached to the guest of i-1: EBS has no such configuration: /,
    );
  });
});

describe('what a guest asks to upload', () => {
  test('an id, a path and where it goes', () => {
    expect(requestOf('17-9\n/var/lib/result.json\ns3://results/a/b.json\n')).toEqual({
      ...{ id: '17-9', path: '/var/lib/result.json', bucket: 'results', key: 'a/b.json' },
    });
  });

  test.each([
    '',
    '17-9\n/var/lib/result.json\n',
    '17-9\nresult.json\ns3://results/b\n',
    '17-9\n/a\ns3://results/b',
  ])('half of it is nothing: %j', (text) => expect(requestOf(text)).toBeNull());

  test('what S3 refuses is said as the AWS CLI says it, in one line', () => {
    const message = 'The specified bucket does not exist\nat all';
    const error = new S3ServiceException({ name: 'NoSuchBucket', $fault: 'client', message, $metadata: {} });
    expect(failureText(error)).toBe(
      'An error occurred (NoSuchBucket) when calling the PutObject operation: The specified bucket does not exist',
    );
  });
});
