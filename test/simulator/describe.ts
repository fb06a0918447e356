/** DescribeVolumes and DescribeInstances as the AWS CLI prints them. */
import { isHdd } from '../../core/limits/volume-limits.ts';
import { isoFromEpochSeconds, secondsPerDay, secondsPerHour } from '../../core/units.ts';
import { resourceId, uniformSource } from './random.ts';
import { instanceIdOf, type SimulatedInstance, type SimulatedVolume } from './simulate.ts';

const account = '111122223333';
const anyEpochSeconds = 1_790_000_000;

/** A moment of the past that belongs to the resource, with the CLI's microseconds. */
function pastStamp(id: string, what: string): string {
  const uniform = uniformSource(0, `${id} ${what}`);
  const seconds = Math.floor(anyEpochSeconds - uniform() * 700 * secondsPerDay);
  const milliseconds = String(Math.floor(uniform() * 1_000)).padStart(3, '0');
  return isoFromEpochSeconds(seconds).replace('Z', `.${milliseconds}000+00:00`);
}

const outpostArn = (region: string): string =>
  `arn:aws:outposts:${region}:${account}:outpost/op-0d4e5f60718293a4b`;

const rootDevice = '/dev/xvda';

/** The first volume of an instance starts it, unless it is of a type that cannot. */
const isRoot = ({ plan }: SimulatedVolume, index: number): boolean =>
  index === 0 && !isHdd(plan.volumeType) && plan.alsoOn === undefined;

const deviceName = (volume: SimulatedVolume, index: number): string =>
  isRoot(volume, index) ? rootDevice : `/dev/sd${String.fromCharCode(102 + index)}`;

export interface Placement {
  region: string;
  zone: string;
  seed: number;
  /** Of the window: the age of a volume from a snapshot is planned. */
  startEpochSeconds?: number;
  /** The instance the volume is planned on and its place there, if any. */
  on?: { instance: SimulatedInstance; index: number };
}

function attachments(volume: SimulatedVolume, { on, seed }: Placement): object[] {
  if (on === undefined) return [];
  const others = (volume.plan.alsoOn ?? []).map((name) => instanceIdOf(name, seed));
  return [on.instance.instanceId, ...others].map((InstanceId) => ({
    AttachTime: pastStamp(volume.volumeId, `on ${InstanceId}`).replace(/\.\d+/, ''),
    DeleteOnTermination: isRoot(volume, on.index),
    Device: deviceName(volume, on.index),
    InstanceId,
    State: 'attached',
    VolumeId: volume.volumeId,
    ...(volume.plan.ebsCardIndex === undefined ? {} : { EbsCardIndex: volume.plan.ebsCardIndex }),
  }));
}

function stateOf(volume: SimulatedVolume, placement: Placement): string {
  if (volume.plan.quirks?.includes('creating')) return 'creating';
  return placement.on === undefined ? 'available' : 'in-use';
}

/** EC2 tells the IOPS of every SSD type and the throughput of gp3 alone. */
function performance({ limits }: SimulatedVolume): object {
  const { volumeType, baselineIops, baselineMiBps } = limits;
  if (volumeType === 'gp3') return { Iops: baselineIops, Throughput: baselineMiBps };
  return volumeType === 'gp2' || volumeType === 'io1' || volumeType === 'io2' ? { Iops: baselineIops } : {};
}

/** From none, of any age; or from one, so old when the window begins. */
function originOf({ plan, volumeId }: SimulatedVolume, { startEpochSeconds, seed }: Placement): object {
  if (plan.fromSnapshot === undefined || startEpochSeconds === undefined)
    return { CreateTime: pastStamp(volumeId, 'created'), SnapshotId: '' };
  const created = startEpochSeconds - plan.fromSnapshot.hoursOld * secondsPerHour;
  return {
    CreateTime: isoFromEpochSeconds(created).replace('Z', '.000000+00:00'),
    SnapshotId: resourceId('snap-', seed, plan.name),
  };
}

export function describeVolume(volume: SimulatedVolume, placement: Placement): object {
  const { plan, volumeId } = volume;
  const { region, zone, on } = placement;
  return {
    Attachments: attachments(volume, placement),
    AvailabilityZone: zone,
    ...originOf(volume, placement),
    Encrypted: false,
    ...(on?.instance.plan.outpost === true ? { OutpostArn: outpostArn(region) } : {}),
    Size: plan.sizeGiB,
    State: stateOf(volume, placement),
    VolumeId: volumeId,
    ...performance(volume),
    Tags: [
      { Key: 'Name', Value: plan.tag ?? plan.name },
      { Key: 'team', Value: plan.name.split('-')[0] },
    ],
    VolumeType: plan.quirks?.includes('unheard-type') ? 'gp9' : plan.volumeType,
    MultiAttachEnabled: plan.alsoOn !== undefined,
    Operator: { Managed: false },
  };
}

/** @param sharedVolumeIds Multi-Attach volumes that are planned on another instance. */
export function describeReservation(instance: SimulatedInstance, sharedVolumeIds: readonly string[]): object {
  const { plan, instanceId, volumes } = instance;
  const stopped = plan.state === 'stopped';
  return {
    ReservationId: instanceId.replace('i-', 'r-'),
    OwnerId: account,
    Groups: [],
    Instances: [
      {
        Architecture: /^[a-z]8g/.test(plan.instanceType) ? 'arm64' : 'x86_64',
        BlockDeviceMappings: [
          ...volumes.map((volume, index) => ({
            DeviceName: deviceName(volume, index),
            Ebs: {
              DeleteOnTermination: isRoot(volume, index),
              Status: 'attached',
              VolumeId: volume.volumeId,
            },
          })),
          ...sharedVolumeIds.map((VolumeId) => ({
            DeviceName: '/dev/sdz',
            Ebs: { DeleteOnTermination: false, Status: 'attached', VolumeId },
          })),
        ],
        EbsOptimized: true,
        // EC2 says `xen` of Nitro instances too.
        Hypervisor: 'xen',
        InstanceId: instanceId,
        InstanceType: plan.instanceType,
        LaunchTime: pastStamp(instanceId, 'launched').replace(/\.\d+/, ''),
        ...(plan.bandwidthWeighting === undefined
          ? {}
          : { NetworkPerformanceOptions: { BandwidthWeighting: plan.bandwidthWeighting } }),
        Monitoring: { State: 'disabled' },
        ...(plan.outpost === true ? { OutpostArn: outpostArn(plan.region) } : {}),
        Placement: { AvailabilityZone: plan.zone, GroupName: '', Tenancy: 'default' },
        RootDeviceName: rootDevice,
        RootDeviceType: 'ebs',
        State: stopped ? { Code: 80, Name: 'stopped' } : { Code: 16, Name: 'running' },
        Tags: [{ Key: 'Name', Value: plan.name }],
        VirtualizationType: 'hvm',
      },
    ],
  };
}
