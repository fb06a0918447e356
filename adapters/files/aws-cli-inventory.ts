/** Reads what `aws ec2 describe-volumes` and `describe-instances` print. */
import { z } from 'zod';
import { BadInput } from '../../core/errors.ts';
import type { Instance, Volume } from '../../core/inventory.ts';
import { readJson } from './read-file.ts';

const tagsSchema = z.array(z.object({ Key: z.string(), Value: z.string() })).optional();

/** Half an inventory would be judged as the whole: refused. */
const nextTokenSchema = z
  .undefined({
    error: 'there is a NextToken, so volumes or instances are missing (leave out --max-items, --no-paginate)',
  })
  .optional();

const describeVolumesSchema = z.object({
  NextToken: nextTokenSchema,
  Volumes: z.array(
    z.object({
      VolumeId: z.string().min(1),
      VolumeType: z.string().min(1),
      Size: z.number().int().positive(),
      State: z.string().min(1),
      AvailabilityZone: z.string().min(1),
      Iops: z.number().nonnegative().optional(),
      Throughput: z.number().nonnegative().optional(),
      MultiAttachEnabled: z.boolean().optional(),
      OutpostArn: z.string().optional(),
      Attachments: z.array(z.object({ InstanceId: z.string().optional() })).optional(),
      Tags: tagsSchema,
    }),
  ),
});

const describeInstancesSchema = z.object({
  NextToken: nextTokenSchema,
  Reservations: z.array(
    z.object({
      OwnerId: z.string().optional(),
      Instances: z.array(
        z.object({
          InstanceId: z.string().min(1),
          InstanceType: z.string().min(1),
          State: z.object({ Name: z.string() }),
          Placement: z.object({ AvailabilityZone: z.string() }),
          Tags: tagsSchema,
        }),
      ),
    }),
  ),
});

/** us-east-1a is in us-east-1, us-west-2-lax-1a in us-west-2. */
function regionOf(availabilityZone: string, path: string): string {
  const region = /^[a-z]{2}(?:-[a-z]+)+-\d+/.exec(availabilityZone)?.[0];
  if (region !== undefined) return region;
  throw new BadInput(
    `${path}: "${availabilityZone}" is not an Availability Zone; expected one like us-east-1a`,
  );
}

const accountOf = (arn: string | undefined): string | null => arn?.split(':')[4] ?? null;

const nameOf = (tags: z.infer<typeof tagsSchema>): string | null =>
  tags?.find(({ Key }) => Key === 'Name')?.Value ?? null;

/** Volumes of one `describe-volumes` reply. */
export function readDescribeVolumes(path: string): Volume[] {
  const { Volumes } = readJson(path, describeVolumesSchema, '`aws ec2 describe-volumes --output json`');
  return Volumes.map((volume) => ({
    volumeId: volume.VolumeId,
    volumeType: volume.VolumeType,
    sizeGiB: volume.Size,
    iops: volume.Iops ?? null,
    throughputMiBps: volume.Throughput ?? null,
    state: volume.State,
    region: regionOf(volume.AvailabilityZone, path),
    account: accountOf(volume.OutpostArn),
    deployment: volume.OutpostArn === undefined ? 'region' : 'outposts',
    multiAttach: volume.MultiAttachEnabled ?? false,
    // A volume attached to a managed service's instance shows no instance id.
    attachments: (volume.Attachments ?? []).flatMap(({ InstanceId }) =>
      InstanceId === undefined ? [] : [{ instanceId: InstanceId }],
    ),
    name: nameOf(volume.Tags),
  }));
}

/** Instances of one `describe-instances` reply. */
export function readDescribeInstances(path: string): Instance[] {
  const { Reservations } = readJson(
    path,
    describeInstancesSchema,
    '`aws ec2 describe-instances --output json`',
  );
  return Reservations.flatMap(({ OwnerId, Instances }) =>
    Instances.map((instance) => ({
      instanceId: instance.InstanceId,
      instanceType: instance.InstanceType,
      state: instance.State.Name,
      region: regionOf(instance.Placement.AvailabilityZone, path),
      account: OwnerId ?? null,
      name: nameOf(instance.Tags),
    })),
  );
}
