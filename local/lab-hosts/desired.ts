/** Which instances run and what is attached to them, as the local EC2 tells it. */
import {
  type EC2Client,
  type Filter,
  type Instance,
  paginateDescribeInstances,
  paginateDescribeVolumes,
  type Volume,
} from '@aws-sdk/client-ec2';
import { describedVolumeSchema, volumeOf } from '../../adapters/ec2-resources.ts';
import { campaignTag } from '../../core/benchmark/campaign/cells.ts';
import { builtInCatalog, ebsFiguresOf } from '../../core/catalog/instance-types.ts';
import { configurationOf } from '../../core/inventory.ts';
import { mibFromGiB } from '../../core/units.ts';
import { configurationReasonText, typeReasonText } from '../../report/wording/reasons.ts';
import { instanceThrottle, type Throttle, throttleOf, unlimited } from '../lab/throttle.ts';
import type { Disk } from '../lab/vm.ts';
import type { DesiredGuest } from './reconcile.ts';

export interface Desired {
  guests: DesiredGuest[];
  /** What could not be taken from EC2 as it is, and what was done instead: a line each. */
  remarks: string[];
}

function limitOf({ InstanceType: name }: Instance, remarks: string[]): Throttle {
  const type = name === undefined ? undefined : builtInCatalog().get(name);
  const figures = type === undefined ? null : ebsFiguresOf(type);
  if (figures?.known) return instanceThrottle(figures.value);
  const reason =
    figures === null ? `instance type "${name}" is not in the catalog` : typeReasonText(figures.reason);
  remarks.push(`${reason}: its instances do not limit their volumes`);
  return unlimited;
}

/** Of root volumes alone, whatever the image. Source: EC2 user guide, "Device names for volumes", read 2026-11-22. */
const rootDevices = ['/dev/sda1', '/dev/xvda'];

function disksOf(instance: Instance, volumes: readonly Volume[], remarks: string[]): Disk[] {
  const { InstanceId, RootDeviceName } = instance;
  return volumes.flatMap((described) => {
    const isData = described.Attachments?.some(
      (attachment) =>
        attachment.InstanceId === InstanceId &&
        ![RootDeviceName, ...rootDevices].includes(attachment.Device) &&
        ['attaching', 'attached'].includes(attachment.State ?? ''),
    );
    if (!isData) return [];
    const volume = volumeOf(describedVolumeSchema.parse(described), { region: '', account: null });
    const configured = configurationOf(volume);
    if (!configured.known) {
      const why = configurationReasonText(configured.reason);
      remarks.push(`${volume.volumeId} is not attached to the guest of ${InstanceId}: ${why}`);
      return [];
    }
    const sizeMiB = mibFromGiB(volume.sizeGiB);
    return [{ volumeId: volume.volumeId, sizeMiB, throttle: throttleOf(configured.value.limits) }];
  });
}

/** @param instances that run. @param volumes those attached to them among others. */
export function desiredGuests(instances: readonly Instance[], volumes: readonly Volume[]): Desired {
  const remarks: string[] = [];
  const guests = instances.map((instance) => ({
    instanceId: instance.InstanceId ?? '',
    limit: limitOf(instance, remarks),
    disks: disksOf(instance, volumes, remarks),
  }));
  return { guests, remarks };
}

/** @param isAll of all instances, and not only of those of campaigns. */
export async function readDesired(client: EC2Client, isAll: boolean): Promise<Desired> {
  const filters: Filter[] = [
    { Name: 'instance-state-name', Values: ['running'] },
    ...(isAll ? [] : [{ Name: 'tag-key', Values: [campaignTag] }]),
  ];
  const instances: Instance[] = [];
  for await (const { Reservations = [] } of paginateDescribeInstances(
    { client, pageSize: 1_000 },
    { Filters: filters },
  ))
    instances.push(...Reservations.flatMap(({ Instances = [] }) => Instances));
  if (instances.length === 0) return { guests: [], remarks: [] };
  const ids = instances.map(({ InstanceId = '' }) => InstanceId);
  return desiredGuests(instances, await volumesWhere(client, 'attachment.instance-id', ids));
}

/** Those of these volumes that are there. */
export async function readExisting(client: EC2Client, volumeIds: readonly string[]): Promise<Set<string>> {
  const volumes = await volumesWhere(client, 'volume-id', volumeIds);
  return new Set(volumes.map(({ VolumeId = '' }) => VolumeId));
}

async function volumesWhere(client: EC2Client, name: string, values: readonly string[]): Promise<Volume[]> {
  const volumes: Volume[] = [];
  const Filters = [{ Name: name, Values: [...values] }];
  for await (const { Volumes = [] } of paginateDescribeVolumes({ client, pageSize: 500 }, { Filters }))
    volumes.push(...Volumes);
  return volumes;
}
