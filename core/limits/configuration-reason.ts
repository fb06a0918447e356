/** Why nothing is known of what a volume can do. */
import { z } from 'zod';

export const configurationReasonSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('volume-type-unknown'), volumeType: z.string() }),
  z.object({
    code: z.literal('configuration-refused'),
    reason: z.string().meta({ description: 'the rule of EBS that it breaks' }),
  }),
]);
export type ConfigurationReason = z.infer<typeof configurationReasonSchema>;
