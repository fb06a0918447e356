/** What somebody does and sees in EC2 and Systems Manager past the service. */
import {
  CreateTagsCommand,
  CreateVolumeCommand,
  DescribeInstancesCommand,
  DescribeLaunchTemplatesCommand,
  DescribeVolumesCommand,
  EC2Client,
  RunInstancesCommand,
  type Tag,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { ListCommandsCommand, SSMClient } from '@aws-sdk/client-ssm';
import { campaignTag, expiresTag } from '../../../core/benchmark/campaign/cells.ts';
import { architectures } from '../../../core/catalog/instance-types.ts';
import { clientSettings } from '../../../local/deploy.ts';
import type { Services } from '../../../local/services.ts';
import { notify } from '../notify.ts';

export interface LaunchedHost {
  instanceId: string;
  instanceType: string;
  subnetId: string;
  state: string;
}

/** What the local EC2 answers in place of itself. */
export interface Ec2Fault {
  operation: string;
  code: string;
  status: number;
  times: number;
  /** What the call must say. */
  with?: Readonly<Record<string, string>>;
}

const tagsOf = (tags: Readonly<Record<string, string>>): Tag[] =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

export class Hands {
  private readonly urls: Services['urls'];
  private readonly ec2: EC2Client;
  private readonly ssm: SSMClient;

  constructor(services: Services) {
    const settings = clientSettings(services);
    this.urls = services.urls;
    this.ec2 = new EC2Client({ ...settings, endpoint: this.urls.ec2 });
    this.ssm = new SSMClient({ ...settings, endpoint: this.urls.ssm });
  }

  /** All that were ever launched for a campaign. */
  async launchedFor(campaignId: string): Promise<LaunchedHost[]> {
    const { Reservations = [] } = await this.ec2.send(
      new DescribeInstancesCommand({ Filters: [{ Name: `tag:${campaignTag}`, Values: [campaignId] }] }),
    );
    return Reservations.flatMap(({ Instances = [] }) => Instances).map(
      ({ InstanceId = '', InstanceType = '', SubnetId = '', State }) => ({
        ...{ instanceId: InstanceId, instanceType: InstanceType, subnetId: SubnetId },
        state: State?.Name ?? '',
      }),
    );
  }

  async terminate(instanceIds: string[]): Promise<void> {
    await this.ec2.send(new TerminateInstancesCommand({ InstanceIds: instanceIds }));
  }

  async expireAt(instanceIds: string[], when: Date): Promise<void> {
    const Tags = tagsOf({ [expiresTag]: when.toISOString() });
    await this.ec2.send(new CreateTagsCommand({ Resources: instanceIds, Tags }));
  }

  /** From no template: whatever its tags say, it is no host of the stack. */
  launch(tags: Readonly<Record<string, string>>): Promise<string> {
    return this.launchFrom(undefined, tags);
  }

  /** From a launch template of the stack, as its own functions do. */
  async launchHost(tags: Readonly<Record<string, string>>): Promise<string> {
    const { LaunchTemplates = [] } = await this.ec2.send(new DescribeLaunchTemplatesCommand({}));
    if (LaunchTemplates.length !== architectures.length)
      throw new Error(`${LaunchTemplates.length} launch templates`);
    return this.launchFrom(LaunchTemplates[0]?.LaunchTemplateId, tags);
  }

  private async launchFrom(
    LaunchTemplateId: string | undefined,
    tags: Readonly<Record<string, string>>,
  ): Promise<string> {
    const { Instances } = await this.ec2.send(
      new RunInstancesCommand({
        ...{ InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 },
        ...(LaunchTemplateId === undefined
          ? { ImageId: 'ami-12c6146b' }
          : { LaunchTemplate: { LaunchTemplateId } }),
        TagSpecifications: [{ ResourceType: 'instance', Tags: tagsOf(tags) }],
      }),
    );
    return Instances?.[0]?.InstanceId ?? '';
  }

  async createVolume(tags: Readonly<Record<string, string>>): Promise<string> {
    const { VolumeId = '' } = await this.ec2.send(
      new CreateVolumeCommand({
        ...{ AvailabilityZone: 'us-east-1a', VolumeType: 'gp3', Size: 20 },
        TagSpecifications: [{ ResourceType: 'volume', Tags: tagsOf(tags) }],
      }),
    );
    return VolumeId;
  }

  /** Instances and volumes of whomever, without those that are gone or going. */
  async there(): Promise<string[]> {
    const { Reservations = [] } = await this.ec2.send(
      new DescribeInstancesCommand({
        Filters: [{ Name: 'instance-state-name', Values: ['pending', 'running'] }],
      }),
    );
    const { Volumes = [] } = await this.ec2.send(new DescribeVolumesCommand({}));
    return [
      ...Reservations.flatMap(({ Instances = [] }) => Instances).map(({ InstanceId = '' }) => InstanceId),
      ...Volumes.map(({ VolumeId = '' }) => VolumeId),
    ];
  }

  /** Comments of commands that a host got: each is of one command of its campaign. */
  async commandsOf(InstanceId: string): Promise<string[]> {
    const { Commands = [] } = await this.ssm.send(new ListCommandsCommand({ InstanceId }));
    return Commands.map(({ Comment = '' }) => Comment);
  }

  refuse(fault: Ec2Fault): Promise<void> {
    return notify('POST', `${this.urls.ec2}/_stripewise/faults`, fault);
  }

  loseEvents(): Promise<void> {
    return notify('POST', `${this.urls.ssm}/_stripewise/lose-events`, { times: -1 });
  }

  /** Nothing is refused or lost any more. */
  async recover(): Promise<void> {
    await notify('DELETE', `${this.urls.ec2}/_stripewise/faults`, {});
    await notify('DELETE', `${this.urls.ssm}/_stripewise/lose-events`, {});
  }

  close(): void {
    this.ec2.destroy();
    this.ssm.destroy();
  }
}
