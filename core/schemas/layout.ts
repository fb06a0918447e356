/** A layout as JSON tells it. */
import { z } from 'zod';
import { volumeTypes } from '../limits/volume-limits.ts';
import { layoutKinds } from '../plan/layout.ts';

export const layoutSchema = z.object({
  kind: z.enum(layoutKinds),
  members: z.number(),
  volumeType: z.enum(volumeTypes),
  sizeGiB: z.number().meta({ description: 'of each member, like the other figures' }),
  iops: z.number().meta({ description: 'provisioned, or where it cannot be: its baseline' }),
  throughputMiBps: z.number(),
});
