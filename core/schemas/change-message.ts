/** What people hear of a change of a volume: it is asked for, made, undone, ended. */
import { z } from 'zod';
import { notifiedSteps, volumeChangeSchema } from './volume-change.ts';

export const changeMessageSchema = z.object({
  type: z.literal('stripewise.change'),
  version: z.literal(1),
  id: z.string().meta({ description: 'the same for the same step of the same change' }),
  step: z.enum(notifiedSteps),
  approvalsNeeded: z.number().int(),
  change: volumeChangeSchema,
});
export type ChangeMessage = z.infer<typeof changeMessageSchema>;
