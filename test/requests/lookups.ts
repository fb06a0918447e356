/** What must be looked up in the local EC2 to know what a call is about. */
import {
  DescribeInstancesCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeTagsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { clientSettings } from '../../local/deploy.ts';
import type { Lookups } from '../../local/gateway/about.ts';
import type { Services } from '../../local/services.ts';

/** That the newest version of a launch template names. */
export async function imageOfTemplate(ec2: EC2Client, LaunchTemplateId: string): Promise<string | null> {
  const { LaunchTemplateVersions } = await ec2.send(
    new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId, Versions: ['$Latest'] }),
  );
  return LaunchTemplateVersions?.[0]?.LaunchTemplateData?.ImageId ?? null;
}

/** What EC2 says of what calls name. */
export function lookupsIn(services: Services): Lookups & { close(): void } {
  const ec2 = new EC2Client({ ...clientSettings(services), endpoint: services.urls.ec2 });
  return {
    tagsOf: async (_, id) => {
      const { Tags = [] } = await ec2.send(
        new DescribeTagsCommand({ Filters: [{ Name: 'resource-id', Values: [id] }] }),
      );
      return Object.fromEntries(Tags.map(({ Key = '', Value = '' }) => [Key, Value]));
    },
    profileOf: async (_, id) => {
      const asked = new DescribeInstancesCommand({ InstanceIds: [id] });
      const { Reservations = [] } = await ec2.send(asked);
      return Reservations[0]?.Instances?.[0]?.IamInstanceProfile?.Arn ?? null;
    },
    imageOf: (_, id) => imageOfTemplate(ec2, id),
    close: () => ec2.destroy(),
  };
}
