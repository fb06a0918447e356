/** Instances and volumes of campaigns, by their tags, and how they are taken away. */
import {
  DeleteVolumeCommand,
  type EC2Client,
  type Filter,
  paginateDescribeInstances,
  paginateDescribeVolumes,
  type Tag,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { chunk } from 'es-toolkit/array';
import type { Leftover } from '../../../core/benchmark/campaign/sweep.ts';
import { campaignTag, cellTag, expiresTag } from '../../../core/benchmark/campaign/tags.ts';
import { reading, unreadable } from '../failure.ts';
import { listed } from '../garbled.ts';
import { pagesWithEnd } from '../pages.ts';

/** Of one campaign, of one of its cells, or of all there are. */
export interface Which {
  campaignId?: string;
  cellId?: string;
}

function filtersOf({ campaignId, cellId }: Which): Filter[] {
  return [
    campaignId === undefined
      ? { Name: 'tag-key', Values: [campaignTag] }
      : { Name: `tag:${campaignTag}`, Values: [campaignId] },
    ...(cellId === undefined ? [] : [{ Name: `tag:${cellTag}`, Values: [cellId] }]),
  ];
}

const tagOf = (tags: readonly Tag[] | undefined, key: string): string | null =>
  tags?.find(({ Key }) => Key === key)?.Value ?? null;

type Found = Pick<Leftover, 'id' | 'kind' | 'state' | 'createdAt'> & { tags: readonly Tag[] | undefined };
const leftoverOf = ({ tags, ...found }: Found): Leftover => ({
  ...found,
  campaignId: tagOf(tags, campaignTag) ?? '',
  expires: tagOf(tags, expiresTag),
});

/** Whatever EC2 still lists, those on their way out too. */
export async function findLeftovers(client: EC2Client, region: string, which: Which): Promise<Leftover[]> {
  const Filters = filtersOf(which);
  const found = new Map<string, Leftover>();
  await reading(`ec2:DescribeInstances in ${region}`, async () => {
    for await (const { Reservations } of pagesWithEnd(paginateDescribeInstances({ client }, { Filters }))) {
      for (const one of listed(Reservations, 'reservations').flatMap(({ Instances }) => Instances ?? []))
        found.set(
          one.InstanceId ?? '',
          leftoverOf({
            ...{ id: one.InstanceId ?? '', kind: 'instance', state: one.State?.Name ?? '', tags: one.Tags },
            createdAt: one.LaunchTime?.toISOString() ?? '',
          }),
        );
    }
  });
  await reading(`ec2:DescribeVolumes in ${region}`, async () => {
    for await (const { Volumes } of pagesWithEnd(paginateDescribeVolumes({ client }, { Filters }))) {
      for (const one of listed(Volumes, 'volumes'))
        found.set(
          one.VolumeId ?? '',
          leftoverOf({
            ...{ id: one.VolumeId ?? '', kind: 'volume', state: one.State ?? '', tags: one.Tags },
            createdAt: one.CreateTime?.toISOString() ?? '',
          }),
        );
    }
  });
  return [...found.values()];
}

/** EC2 takes so many in one call without being slow at it. */
const mostPerCall = 100;
const gone = new Set(['InvalidInstanceID.NotFound', 'InvalidVolume.NotFound']);
const isGone = (error: unknown): boolean => gone.has((error as { name?: string }).name ?? '');

/** What is gone already is no error. Of a call that fails for one, each is ended by itself. @returns why some were not. */
export async function terminateInstances(
  client: EC2Client,
  region: string,
  instanceIds: readonly string[],
): Promise<string[]> {
  const failures: string[] = [];
  const terminate = async (InstanceIds: string[]): Promise<void> => {
    try {
      await client.send(new TerminateInstancesCommand({ InstanceIds }));
    } catch (error) {
      if (InstanceIds.length > 1) for (const one of InstanceIds) await terminate([one]);
      else if (!isGone(error))
        failures.push(unreadable(`ec2:TerminateInstances of ${InstanceIds[0]} in ${region}`, error).message);
    }
  };
  for (const ids of chunk([...instanceIds], mostPerCall)) await terminate(ids);
  return failures;
}

/** @returns why some were not deleted. */
export async function deleteVolumes(
  client: EC2Client,
  region: string,
  volumeIds: readonly string[],
): Promise<string[]> {
  const failures: string[] = [];
  for (const VolumeId of volumeIds) {
    try {
      await client.send(new DeleteVolumeCommand({ VolumeId }));
    } catch (error) {
      if (!isGone(error))
        failures.push(unreadable(`ec2:DeleteVolume of ${VolumeId} in ${region}`, error).message);
    }
  }
  return failures;
}
