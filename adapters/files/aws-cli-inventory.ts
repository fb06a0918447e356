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
import { parseElements, type TextFile } from './text-file.ts';

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

const reservationSchema = z.object({
  OwnerId: accountSchema.optional(),
  Instances: z.array(describedInstanceSchema),
});

const describeInstancesSchema = z.object({
  NextToken: nextTokenSchema,
  Reservations: z.array(reservationSchema),
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
export function readDescribeVolumes(file: TextFile, tagKeys: TagKeys = []): Volume[] {
  const volumes: Volume[] = [];
  parseElements(
    file,
    { schema: describeVolumesSchema, name: 'Volumes', element: describedVolumeSchema },
    '`aws ec2 describe-volumes --output json`',
    (volume) => {
      const region = regionOf(volume.AvailabilityZone, file.name);
      volumes.push(volumeOf(volume, { region, account: accountOf(volume.OutpostArn) }, tagKeys));
    },
  );
  return volumes;
}

/** Instances of one `describe-instances` reply; @param tagKeys the tags that are kept of each. */
export function readDescribeInstances(file: TextFile, tagKeys: TagKeys = []): Instance[] {
  const instances: Instance[] = [];
  parseElements(
    file,
    { schema: describeInstancesSchema, name: 'Reservations', element: reservationSchema },
    '`aws ec2 describe-instances --output json`',
    ({ OwnerId, Instances }) => {
      for (const instance of Instances) {
        const region = regionOf(instance.Placement.AvailabilityZone, file.name);
        instances.push(instanceOf(instance, { region, account: OwnerId ?? null }, tagKeys));
      }
    },
  );
  return instances;
}
