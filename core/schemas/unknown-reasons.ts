/** Why a volume or an instance was not evaluated. */
import { z } from 'zod';
import { configurationReasonSchema } from '../limits/configuration-reason.ts';
import { loadReasonSchema } from '../load/load-reason.ts';

export const volumeReasonSchema = z.discriminatedUnion('code', [
  loadReasonSchema,
  configurationReasonSchema,
  z.object({ code: z.literal('volume-state'), state: z.string() }),
  z.object({
    code: z.literal('instance-stopped'),
    instanceId: z.string(),
    asked: z
      .enum(['operations', 'queue-length'])
      .meta({ description: 'the metric of the volume that has no datapoints' }),
  }),
  z.object({ code: z.literal('no-window') }),
  z.object({
    code: z.literal('too-few-minutes'),
    knownMinutes: z.number(),
    windowMinutes: z.number(),
  }),
]);
export type VolumeReason = z.infer<typeof volumeReasonSchema>;

export const instanceReasonSchema = z.discriminatedUnion('code', [
  loadReasonSchema,
  z.object({ code: z.literal('no-ebs-metrics'), isStopped: z.boolean() }).meta({
    description: 'none of its own in the window, and its type has no known limits for the sum of its volumes',
  }),
  z.object({ code: z.literal('volumes-in-part') }).meta({
    description: 'no EBS metrics of its own in the window, and the load of some of its volumes is unknown',
  }),
  z.object({ code: z.literal('too-few-minutes-of-ebs'), knownMinutes: z.number() }),
]);
export type InstanceReason = z.infer<typeof instanceReasonSchema>;
