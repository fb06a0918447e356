/** Volumes and instances as EC2 describes them: the API and the AWS CLI use the same names. */
import { z } from 'zod';
import type { Instance, Tags, Volume } from '../core/inventory.ts';
import { isKubernetesTag, kubernetesOf } from '../core/kubernetes.ts';
import { msPerSecond } from '../core/units.ts';

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
  /** A date of the SDK, text of the CLI. What is neither is read past. */
  CreateTime: z
    .union([z.date(), z.string()])
    .transform((time) => new Date(time).getTime() / msPerSecond)
    .optional()
    .catch(undefined),
  /** Empty where it is from none. */
  SnapshotId: z.string().optional().catch(undefined),
  VolumeInitializationRate: z.number().positive().max(maxFigure).optional().catch(undefined),
  Tags: tagsSchema,
});

export const describedInstanceSchema = z.object({
  InstanceId: z.string().min(1),
  InstanceType: z.string().min(1),
  State: z.object({ Name: z.string() }),
  Placement: z.object({ AvailabilityZone: z.string() }),
  NetworkPerformanceOptions: z.object({ BandwidthWeighting: z.string().optional() }).optional(),
  RootDeviceName: z.string().optional(),
  BlockDeviceMappings: z
    .array(
      z.object({
        DeviceName: z.string().optional(),
        Ebs: z.object({ VolumeId: z.string().optional() }).optional(),
      }),
    )
    .optional(),
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

function kubernetesTags(tags: z.infer<typeof tagsSchema>): Tags {
  const kept = (tags ?? []).flatMap(({ Key, Value = '' }) =>
    Key !== undefined && isKubernetesTag(Key) ? [[Key, Value] as const] : [],
  );
  return Object.fromEntries(kept);
}

const isSnapshotId = (id: string): boolean => /^snap-[0-9a-f]{8,17}$/.test(id);

/** Of a volume that was made from a snapshot: which, when and how fast. */
function originOf({
  CreateTime: created,
  SnapshotId: snapshotId,
  VolumeInitializationRate: rate,
}: z.infer<typeof describedVolumeSchema>): Pick<
  Volume,
  'createdEpochSeconds' | 'snapshotId' | 'initializationRateMiBps'
> {
  if (snapshotId === undefined || !isSnapshotId(snapshotId)) return {};
  return {
    snapshotId,
    ...(created === undefined || Number.isNaN(created) ? {} : { createdEpochSeconds: Math.floor(created) }),
    ...(rate === undefined ? {} : { initializationRateMiBps: rate }),
  };
}

export function volumeOf(
  volume: z.infer<typeof describedVolumeSchema>,
  place: Place,
  tagKeys: TagKeys = [],
): Volume {
  const kubernetes = kubernetesOf(kubernetesTags(volume.Tags));
  return {
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
    ...(kubernetes === null ? {} : { kubernetes }),
    ...originOf(volume),
  };
}

/** Of an instance that starts from its instance store, or of a reply without mappings, nothing. */
function rootVolumeIdOf({
  RootDeviceName,
  BlockDeviceMappings = [],
}: z.infer<typeof describedInstanceSchema>): string | undefined {
  if (RootDeviceName === undefined) return undefined;
  return BlockDeviceMappings.find(({ DeviceName }) => DeviceName === RootDeviceName)?.Ebs?.VolumeId;
}

function placeOf(
  instance: z.infer<typeof describedInstanceSchema>,
): Pick<Instance, 'availabilityZone' | 'rootVolumeId'> {
  const rootVolumeId = rootVolumeIdOf(instance);
  const { AvailabilityZone: availabilityZone } = instance.Placement;
  return { availabilityZone, ...(rootVolumeId === undefined ? {} : { rootVolumeId }) };
}

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
  ...placeOf(instance),
});
