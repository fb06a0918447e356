/**
 * One volume and its modification. ModifyVolume has no client token: its client must send it once (`maxAttempts: 1`), so that an
 * answer is that of the only call.
 */
import {
  DescribeVolumesCommand,
  DescribeVolumesModificationsCommand,
  type EC2Client,
  ModifyVolumeCommand,
} from '@aws-sdk/client-ec2';
import { isThrottlingError } from '@smithy/service-error-classification';
import { z } from 'zod';
import type { Answer, SeenModification } from '../../core/changes/next-action.ts';
import type { OwnedVolume } from '../../core/changes/ownership.ts';
import { settingsOf } from '../../core/changes/plan.ts';
import { volumeTypes } from '../../core/limits/volume-limits.ts';
import type { VolumeSettings } from '../../core/schemas/volume-change.ts';
import { msPerSecond } from '../../core/units.ts';
import { reading } from './failure.ts';

const tagsSchema = z
  .array(z.object({ Key: z.string(), Value: z.string().default('') }))
  .default([])
  .transform((tags) => Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])));

const volumeSchema = z.object({
  VolumeType: z.enum(volumeTypes),
  Size: z.number(),
  Iops: z.number().default(0),
  Throughput: z.number().default(0),
  Tags: tagsSchema,
  Attachments: z.array(z.object({ InstanceId: z.string().optional() })).default([]),
  Operator: z.object({ Managed: z.boolean().default(false), Principal: z.string().optional() }).optional(),
});

export interface VolumeNow extends Pick<OwnedVolume, 'tags' | 'operator'> {
  settings: VolumeSettings;
  instanceIds: string[];
}

/** @returns null: it is not there any more. */
export const volumeNow = (client: EC2Client, volumeId: string): Promise<VolumeNow | null> =>
  reading('ec2:DescribeVolumes', async () => {
    try {
      const { Volumes = [] } = await client.send(new DescribeVolumesCommand({ VolumeIds: [volumeId] }));
      if (Volumes[0] === undefined) return null;
      const { VolumeType, Size, Iops, Throughput, Tags, Attachments, Operator } = volumeSchema.parse(
        Volumes[0],
      );
      return {
        settings: settingsOf({
          ...{ volumeType: VolumeType, sizeGiB: Size, iops: Iops, throughputMiBps: Throughput },
        }),
        tags: Tags,
        operator:
          Operator === undefined
            ? null
            : { managed: Operator.Managed, principal: Operator.Principal ?? null },
        instanceIds: Attachments.flatMap(({ InstanceId }) => InstanceId ?? []),
      };
    } catch (error) {
      if ((error as Error).name === 'InvalidVolume.NotFound') return null;
      throw error;
    }
  });

/** Of a volume that was never modified some of it is missing. Source: EC2 API, DescribeVolumesModifications, read 2026-11-28. */
const modificationSchema = z.object({
  StartTime: z.date(),
  EndTime: z.date().optional(),
  ModificationState: z.enum(['modifying', 'optimizing', 'completed', 'failed']),
  TargetVolumeType: z.enum(volumeTypes),
  TargetSize: z.number(),
  TargetIops: z.number().default(0),
  TargetThroughput: z.number().default(0),
});

const secondsOf = (time: Date): number => Math.floor(time.getTime() / msPerSecond);

/** The latest one; EC2 tells no other. @returns null: it knows none. */
export const latestModification = (client: EC2Client, volumeId: string): Promise<SeenModification | null> =>
  reading('ec2:DescribeVolumesModifications', async () => {
    try {
      const { VolumesModifications = [] } = await client.send(
        new DescribeVolumesModificationsCommand({ VolumeIds: [volumeId] }),
      );
      const [latest] = VolumesModifications;
      if (latest?.StartTime === undefined) return null;
      const { StartTime, EndTime, ModificationState, ...target } = modificationSchema.parse(latest);
      return {
        startSeconds: secondsOf(StartTime),
        endSeconds: EndTime === undefined ? null : secondsOf(EndTime),
        state: ModificationState,
        target: settingsOf({
          ...{ volumeType: target.TargetVolumeType, sizeGiB: target.TargetSize },
          ...{ iops: target.TargetIops, throughputMiBps: target.TargetThroughput },
        }),
      };
    } catch (error) {
      // EC2 says so of a volume that was never modified. Source: awslabs/aws-sdk-rust issue 1346, read 2026-11-28.
      if ((error as Error).name === 'InvalidVolumeModification.NotFound') return null;
      throw error;
    }
  });

/** The volume has another modification, or had too many: nothing begins, and later it may. Source: EC2 API, error codes, read 2026-11-28. */
const notNow = ['VolumeModificationRateExceeded', 'IncorrectModificationState'];

/** With every attribute. Never throws: what an error means is the answer. @param client with one attempt. */
export async function modifyVolume(
  client: EC2Client,
  volumeId: string,
  { volumeType, sizeGiB, iops, throughputMiBps }: VolumeSettings,
): Promise<Answer> {
  try {
    await client.send(
      new ModifyVolumeCommand({
        ...{ VolumeId: volumeId, VolumeType: volumeType, Size: sizeGiB },
        ...(iops === null ? {} : { Iops: iops }),
        ...(throughputMiBps === null ? {} : { Throughput: throughputMiBps }),
      }),
    );
    return { code: 'begun' };
  } catch (error) {
    const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    if (isThrottlingError(error as Error) || notNow.includes(name)) return { code: 'throttled' };
    const status = $metadata?.httpStatusCode ?? 0;
    // EC2 refuses what the caller asked with a code of 400 or more, before it begins.
    return status >= 400 && status < 500 ? { code: 'refused', error: name } : { code: 'unknown' };
  }
}
