/** A host of a campaign that was launched: its instance, its volumes, and whether Systems Manager reaches it. */
import { DescribeInstancesCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { DescribeInstanceInformationCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { campaignTag, cellTag, expiresTag } from '../../../core/benchmark/campaign/cells.ts';
import { reading } from '../failure.ts';
import { listed } from '../garbled.ts';
import { fromTemplates, type HostOrigin, isOwnHost, stateReasonOf } from './own-hosts.ts';

export interface FoundHost {
  instanceId: string;
  /** Of EC2: pending, running and so on. */
  state: string;
  /** In EC2's words why it came to that; null where it does not say. */
  stateReason: string | null;
  launchedAt: string;
  /** The tag; null where somebody took it away. */
  expiresAt: string | null;
  /** Null: EC2 does not say. */
  imageId: string | null;
  /** Volume ids by the names that EC2 gave their devices. */
  volumes: ReadonlyMap<string, string>;
}

/** Those of a cell that this stack launched, whatever became of them. EC2 lists what has ended for an hour. */
export const findHosts = (
  client: EC2Client,
  region: string,
  origin: HostOrigin,
  { campaignId, cellId }: { campaignId: string; cellId: string },
): Promise<FoundHost[]> =>
  reading(`ec2:DescribeInstances in ${region}`, async () => {
    const { Reservations } = await client.send(
      new DescribeInstancesCommand({
        Filters: [
          fromTemplates(origin),
          { Name: `tag:${campaignTag}`, Values: [campaignId] },
          { Name: `tag:${cellTag}`, Values: [cellId] },
        ],
      }),
    );
    return listed(Reservations, 'reservations')
      .flatMap(({ Instances }) => Instances ?? [])
      .filter((instance) => isOwnHost(instance, origin))
      .map((instance) => ({
        instanceId: instance.InstanceId ?? '',
        state: instance.State?.Name ?? '',
        stateReason: stateReasonOf(instance),
        launchedAt: instance.LaunchTime?.toISOString() ?? '',
        expiresAt: instance.Tags?.find(({ Key }) => Key === expiresTag)?.Value ?? null,
        imageId: instance.ImageId ?? null,
        volumes: new Map(
          (instance.BlockDeviceMappings ?? []).flatMap(({ DeviceName, Ebs }) =>
            DeviceName === undefined || Ebs?.VolumeId === undefined ? [] : [[DeviceName, Ebs.VolumeId]],
          ),
        ),
      }));
  });

/** Null: Systems Manager does not know it. */
export const pingStatusOf = (client: SSMClient, region: string, instanceId: string): Promise<string | null> =>
  reading(`ssm:DescribeInstanceInformation in ${region}`, async () => {
    const { InstanceInformationList } = await client.send(
      new DescribeInstanceInformationCommand({
        Filters: [{ Key: 'InstanceIds', Values: [instanceId] }],
      }),
    );
    return listed(InstanceInformationList, 'instances')[0]?.PingStatus ?? null;
  });
