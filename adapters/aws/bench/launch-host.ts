/** Launches one host of a campaign, with its volumes, from one of the stack's launch templates, which name the image. */
import { createHash } from 'node:crypto';
import {
  type BlockDeviceMapping,
  type EC2Client,
  type ResourceType,
  RunInstancesCommand,
  type VolumeType,
} from '@aws-sdk/client-ec2';
import { Unreadable } from '../../../core/errors.ts';
import type { VolumeConfiguration } from '../../../core/limits/volume-limits.ts';
import { sanitizeFirstLine } from '../../../core/sanitize.ts';
import { unreadable } from '../failure.ts';

interface HostVolume {
  deviceName: string;
  configuration: VolumeConfiguration;
  /** Where the instance has several EBS cards. */
  cardIndex: number | null;
}

export interface HostRequest {
  region: string;
  /** Asked again with the same one, EC2 answers with the same instance. */
  clientToken: string;
  launchTemplateId: string;
  instanceType: string;
  /** The first that has room for it is taken. */
  subnetIds: readonly string[];
  volumes: readonly HostVolume[];
  /** What they are encrypted with; null: the default EBS key. */
  kmsKeyArn: string | null;
  tags: Readonly<Record<string, string>>;
  /** From its start: then it shuts itself down, which terminates it, whatever became of us. */
  minutesToLive: number;
}

/** There is no room for such an instance anywhere that was tried: later there may be. */
export class NoCapacity extends Unreadable {
  override readonly name = 'NoCapacity';
}

/**
 * Of one stack, one request and one subnet: another stack may have a campaign of that name, and EC2 would answer its request with
 * our instance, or refuse it. EC2 takes 64 characters.
 */
const tokenOf = ({ launchTemplateId, clientToken }: HostRequest, subnetId: string): string =>
  createHash('sha256').update(`${launchTemplateId}/${clientToken}/${subnetId}`).digest('hex');

/** EC2 has no room, or none of that type there: another zone may. Source: EC2 API reference, error codes. */
const elsewhere = new Set([
  'InsufficientInstanceCapacity',
  'InsufficientHostCapacity',
  'InsufficientReservedInstanceCapacity',
  'InsufficientVolumeCapacity',
  'InsufficientFreeAddressesInSubnet',
  'Unsupported',
]);

const deviceOf = (
  { deviceName, configuration, cardIndex }: HostVolume,
  kmsKeyArn: string | null,
): BlockDeviceMapping => ({
  DeviceName: deviceName,
  Ebs: {
    VolumeType: configuration.volumeType as VolumeType,
    VolumeSize: configuration.sizeGiB,
    Iops: configuration.iops,
    Throughput: configuration.throughputMiBps,
    DeleteOnTermination: true,
    Encrypted: true,
    ...(kmsKeyArn === null ? {} : { KmsKeyId: kmsKeyArn }),
    ...(cardIndex === null ? {} : { EbsCardIndex: cardIndex }),
  },
});

/**
 * The tool that reads what a volume counted of its limits comes with the host: documents do not install it, since hosts of
 * others may not want it. Without it CloudWatch is asked.
 */
const userData = ({ minutesToLive }: HostRequest): string =>
  Buffer.from(`#!/bin/sh\nshutdown -P +${minutesToLive}\ndnf -q -y install nvme-cli\n`).toString('base64');

const codeOf = (error: unknown): string => (error as { name?: string }).name ?? '';

/**
 * @returns the instance and the subnet that it is in.
 * @throws NoCapacity where no subnet has room; Unreadable and its kind otherwise.
 */
export async function launchHost(
  client: EC2Client,
  request: HostRequest,
): Promise<{ instanceId: string; subnetId: string }> {
  const Tags = Object.entries(request.tags).map(([Key, Value]) => ({ Key, Value }));
  const tagged: ResourceType[] = ['instance', 'volume', 'network-interface'];
  const full: string[] = [];
  for (const subnetId of request.subnetIds) {
    try {
      const { Instances } = await client.send(
        new RunInstancesCommand({
          LaunchTemplate: { LaunchTemplateId: request.launchTemplateId, Version: '$Latest' },
          ClientToken: tokenOf(request, subnetId),
          InstanceType: request.instanceType as never,
          SubnetId: subnetId,
          MinCount: 1,
          MaxCount: 1,
          UserData: userData(request),
          BlockDeviceMappings: request.volumes.map((volume) => deviceOf(volume, request.kmsKeyArn)),
          TagSpecifications: tagged.map((ResourceType) => ({ ResourceType, Tags })),
        }),
      );
      const [instanceId, ...more] = (Instances ?? []).map(({ InstanceId }) => InstanceId);
      if (instanceId === undefined)
        throw new Unreadable(`ec2:RunInstances in ${request.region} named no instance`);
      if (more.length > 0)
        throw new Unreadable(
          `ec2:RunInstances in ${request.region} launched ${1 + more.length} instances, not one`,
        );
      return { instanceId, subnetId };
    } catch (error) {
      if (!elsewhere.has(codeOf(error))) throw unreadable(`ec2:RunInstances in ${request.region}`, error);
      full.push(`${subnetId}: ${codeOf(error)}: ${sanitizeFirstLine((error as Error).message, 200)}`);
    }
  }
  throw new NoCapacity(`no room for ${request.instanceType}: ${full.join('; ')}`);
}
