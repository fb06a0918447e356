/** The large fleet as EC2 describes it, with names and tags as long as people and controllers make them. */
import { localAccount, localRegion } from '../../../local/services.ts';
import type { LargeInstance, LargeVolume } from './fleet.ts';

const stamp = '2026-03-14T09:26:53.589000+00:00';
const keyId = `arn:aws:kms:${localRegion}:${localAccount}:key/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0`;

const deviceAt = (at: number): string => (at === 0 ? '/dev/xvda' : `/dev/sd${'fgh'[at]}`);

const tags = (name: string, service: string): object[] =>
  Object.entries({
    Name: name,
    owner: 'platform-storage-team@example.com',
    'cost-center': 'CC-48213-platform-engineering',
    'aws:cloudformation:stack-name': `production-${service}-storage-NestedStack-1QXJ8R2ZPL7WD`,
    'kubernetes.io/created-for/pvc/name': `data-${service}-statefulset-0`,
  }).map(([Key, Value]) => ({ Key, Value }));

function describeVolume(
  { volumeId, plan }: LargeVolume,
  { plan: { service }, ...on }: LargeInstance,
  at: number,
  region: string,
) {
  const { volumeType, sizeGiB, iops, throughputMiBps } = plan;
  const { instanceId, instanceType } = on;
  const isRoot = at === 0;
  return {
    Attachments:
      instanceType === null
        ? []
        : [
            {
              ...{ AttachTime: stamp, DeleteOnTermination: isRoot, State: 'attached' },
              ...{
                Device: deviceAt(at),
                InstanceId: instanceId,
                VolumeId: volumeId,
              },
            },
          ],
    ...{
      AvailabilityZone: `${region}a`,
      CreateTime: stamp,
      Encrypted: true,
      KmsKeyId: keyId,
      SnapshotId: '',
    },
    ...{ Size: sizeGiB, VolumeId: volumeId, VolumeType: volumeType, MultiAttachEnabled: false },
    State: instanceType === null ? 'available' : 'in-use',
    ...(volumeType === 'gp3' ? { Iops: iops ?? 3_000, Throughput: throughputMiBps ?? 125 } : {}),
    ...(volumeType === 'gp2' ? { Iops: Math.max(100, 3 * sizeGiB) } : {}),
    ...(volumeType === 'io2' ? { Iops: iops } : {}),
    Tags: tags(`production-eu-platform-${service}-${plan.purpose}-${volumeId.slice(-6)}`, service),
  };
}

function describeReservation(
  { instanceId, instanceType, plan, volumes }: LargeInstance,
  region: string,
): object {
  const { service, stopped = false } = plan;
  return {
    ...{ ReservationId: instanceId.replace('i-', 'r-'), OwnerId: localAccount, Groups: [] },
    Instances: [
      {
        Architecture: 'x86_64',
        BlockDeviceMappings: volumes.map(({ volumeId }, at) => ({
          DeviceName: deviceAt(at),
          Ebs: { DeleteOnTermination: at === 0, Status: 'attached', VolumeId: volumeId },
        })),
        ...{ EbsOptimized: true, Hypervisor: 'xen', InstanceId: instanceId, InstanceType: instanceType },
        ...{ LaunchTime: stamp, Monitoring: { State: 'disabled' }, RootDeviceType: 'ebs' },
        Placement: { AvailabilityZone: `${region}a`, GroupName: '', Tenancy: 'default' },
        State: stopped ? { Code: 80, Name: 'stopped' } : { Code: 16, Name: 'running' },
        Tags: tags(`production-eu-platform-${service}-${instanceId.slice(-6)}`, service),
      },
    ],
  };
}

export const describedFleet = (
  fleet: readonly LargeInstance[],
  region: string = localRegion,
): { Volumes: object[]; Reservations: object[] } => ({
  Volumes: fleet.flatMap((instance) =>
    instance.volumes.map((volume, at) => describeVolume(volume, instance, at, region)),
  ),
  Reservations: fleet
    .filter(({ instanceType }) => instanceType !== null)
    .map((instance) => describeReservation(instance, region)),
});
