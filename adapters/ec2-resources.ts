/** Volumes and instances as EC2 describes them: the API and the AWS CLI use the same names. */
import { z } from 'zod';
import type { Instance, Tags, Volume } from '../core/inventory.ts';

const tagsSchema = z.array(z.object({ Key: z.string().optional(), Value: z.string().optional() })).optional();

/** More GiB, IOPS or MiB/s than any volume has. */
const maxFigure = 1e9;

export const describedVolumeSchema = z.object({
  VolumeId: z.string().min(1),
  VolumeType: z.string().min(1),
  Size: z.number().int().positive().max(maxFigure),
  State: z.string().min(1),
  AvailabilityZone: z.string().min(1),
  Iops: z.number().nonnegative().max(maxFigure).optional(),
  Throughput: z.number().nonnegative().max(maxFigure).optional(),
  MultiAttachEnabled: z.boolean().optional(),
  OutpostArn: z.string().optional(),
  Attachments: z
    .array(
      z.object({
        InstanceId: z.string().optional(),
        EbsCardIndex: z.number().int().nonnegative().max(maxFigure).optional(),
      }),
    )
    .optional(),
  Tags: tagsSchema,
});

export const describedInstanceSchema = z.object({
  InstanceId: z.string().min(1),
  InstanceType: z.string().min(1),
  State: z.object({ Name: z.string() }),
  Placement: z.object({ AvailabilityZone: z.string() }),
  NetworkPerformanceOptions: z.object({ BandwidthWeighting: z.string().optional() }).optional(),
  Tags: tagsSchema,
});

interface Place {
  region: string;
  account: string | null;
}

/** Keys of the tags that are kept; all others are read past. */
export type TagKeys = readonly string[];

const tagOf = (tags: z.infer<typeof tagsSchema>, key: string): string | null =>
  tags?.find(({ Key }) => Key === key)?.Value ?? null;

function keptTags(tags: z.infer<typeof tagsSchema>, keys: TagKeys): Tags {
  const kept = keys.flatMap((key) => {
    const value = tagOf(tags, key);
    return value === null ? [] : [[key, value] as const];
  });
  return Object.fromEntries(kept);
}

export const volumeOf = (
  volume: z.infer<typeof describedVolumeSchema>,
  place: Place,
  tagKeys: TagKeys = [],
): Volume => ({
  volumeId: volume.VolumeId,
  volumeType: volume.VolumeType,
  sizeGiB: volume.Size,
  iops: volume.Iops ?? null,
  throughputMiBps: volume.Throughput ?? null,
  state: volume.State,
  region: place.region,
  account: place.account,
  // EC2 answers an empty ARN for a volume that is on no Outpost.
  deployment: volume.OutpostArn ? 'outposts' : 'region',
  multiAttach: volume.MultiAttachEnabled ?? false,
  // A volume attached to a managed service's instance shows no instance id.
  attachments: (volume.Attachments ?? []).flatMap(({ InstanceId, EbsCardIndex }) =>
    InstanceId === undefined ? [] : [{ instanceId: InstanceId, ebsCardIndex: EbsCardIndex ?? null }],
  ),
  name: tagOf(volume.Tags, 'Name'),
  // Without a value a tag names no stripe.
  stripeTag: tagOf(volume.Tags, 'stripewise:stripe') || null,
  tags: keptTags(volume.Tags, tagKeys),
});

export const instanceOf = (
  instance: z.infer<typeof describedInstanceSchema>,
  place: Place,
  tagKeys: TagKeys = [],
): Instance => ({
  instanceId: instance.InstanceId,
  instanceType: instance.InstanceType,
  state: instance.State.Name,
  region: place.region,
  account: place.account,
  name: tagOf(instance.Tags, 'Name'),
  bandwidthWeighting: instance.NetworkPerformanceOptions?.BandwidthWeighting ?? null,
  ...(tagKeys.length === 0 ? {} : { tags: keptTags(instance.Tags, tagKeys) }),
});
