/** Reads what `aws ec2 describe-volumes` and `describe-instances` print. */
import { z } from 'zod';
import { BadInput } from '../../core/errors.ts';
import { regionOfZone } from '../../core/ids.ts';
import type { Instance, Volume } from '../../core/inventory.ts';
import {
  describedInstanceSchema,
  describedVolumeSchema,
  instanceOf,
  type TagKeys,
  volumeOf,
} from '../ec2-resources.ts';
import { readJson } from './read-file.ts';

/** It becomes part of the names of files. */
const accountSchema = z.string().regex(/^\d{12}$/, 'an account has 12 digits');

/** Half an inventory would be evaluated as the whole: refused. */
const nextTokenSchema = z
  .undefined({
    error: 'there is a NextToken, so volumes or instances are missing (leave out --max-items, --no-paginate)',
  })
  .optional();

const describeVolumesSchema = z.object({
  NextToken: nextTokenSchema,
  Volumes: z.array(describedVolumeSchema),
});

const describeInstancesSchema = z.object({
  NextToken: nextTokenSchema,
  Reservations: z.array(
    z.object({ OwnerId: accountSchema.optional(), Instances: z.array(describedInstanceSchema) }),
  ),
});

function regionOf(availabilityZone: string, path: string): string {
  const region = regionOfZone(availabilityZone);
  if (region !== null) return region;
  throw new BadInput(
    `${path}: "${availabilityZone}" is not an Availability Zone; expected one like us-east-1a`,
  );
}

const accountOf = (arn: string | undefined): string | null =>
  accountSchema.safeParse(arn?.split(':')[4]).data ?? null;

/** Volumes of one `describe-volumes` reply; @param tagKeys the tags that are kept of each. */
export function readDescribeVolumes(path: string, tagKeys: TagKeys = []): Volume[] {
  const { Volumes } = readJson(path, describeVolumesSchema, '`aws ec2 describe-volumes --output json`');
  return Volumes.map((volume) =>
    volumeOf(
      volume,
      { region: regionOf(volume.AvailabilityZone, path), account: accountOf(volume.OutpostArn) },
      tagKeys,
    ),
  );
}

/** Instances of one `describe-instances` reply; @param tagKeys the tags that are kept of each. */
export function readDescribeInstances(path: string, tagKeys: TagKeys = []): Instance[] {
  const { Reservations } = readJson(
    path,
    describeInstancesSchema,
    '`aws ec2 describe-instances --output json`',
  );
  return Reservations.flatMap(({ OwnerId, Instances }) =>
    Instances.map((instance) =>
      instanceOf(
        instance,
        { region: regionOf(instance.Placement.AvailabilityZone, path), account: OwnerId ?? null },
        tagKeys,
      ),
    ),
  );
}
