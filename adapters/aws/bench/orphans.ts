/** Hosts of campaigns that are still there, and how they are ended. */
import {
  type EC2Client,
  type Filter,
  paginateDescribeInstances,
  type Tag,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { chunk } from 'es-toolkit/array';
import { campaignTag, cellTag, expiresTag } from '../../../core/benchmark/campaign/cells.ts';
import type { Orphan } from '../../../core/benchmark/campaign/clean-up.ts';
import { reading, unreadable } from '../failure.ts';
import { listed } from '../garbled.ts';
import { pagesWithEnd } from '../pages.ts';
import { fromTemplates, type HostOrigin, isOwnHost, stateReasonOf } from './own-hosts.ts';

/** Of one campaign, of one of its cells, or of all there are. */
export interface Which {
  campaignId?: string;
  cellId?: string;
}

function filtersOf({ campaignId, cellId }: Which): Filter[] {
  return [
    ...(campaignId === undefined ? [] : [{ Name: `tag:${campaignTag}`, Values: [campaignId] }]),
    ...(cellId === undefined ? [] : [{ Name: `tag:${cellTag}`, Values: [cellId] }]),
  ];
}

const tagOf = (tags: readonly Tag[] | undefined, key: string): string | null =>
  tags?.find(({ Key }) => Key === key)?.Value ?? null;

/** Hosts of this stack alone, whatever tags others carry. Whatever EC2 still lists, those on their way out too. */
export async function findOrphans(
  client: EC2Client,
  region: string,
  origin: HostOrigin,
  which: Which,
): Promise<Orphan[]> {
  const Filters = [fromTemplates(origin), ...filtersOf(which)];
  const found = new Map<string, Orphan>();
  await reading(`ec2:DescribeInstances in ${region}`, async () => {
    for await (const { Reservations } of pagesWithEnd(paginateDescribeInstances({ client }, { Filters }))) {
      const instances = listed(Reservations, 'reservations').flatMap(({ Instances }) => Instances ?? []);
      for (const one of instances.filter((instance) => isOwnHost(instance, origin)))
        found.set(one.InstanceId ?? '', {
          id: one.InstanceId ?? '',
          campaignId: tagOf(one.Tags, campaignTag) ?? '',
          expires: tagOf(one.Tags, expiresTag),
          state: one.State?.Name ?? '',
          stateReason: stateReasonOf(one),
          createdAt: one.LaunchTime?.toISOString() ?? '',
        });
    }
  });
  return [...found.values()];
}

/** EC2 takes so many in one call without being slow at it. */
const maxPerCall = 100;
const isGone = (error: unknown): boolean =>
  (error as { name?: string }).name === 'InvalidInstanceID.NotFound';

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
  for (const ids of chunk([...instanceIds], maxPerCall)) await terminate(ids);
  return failures;
}
