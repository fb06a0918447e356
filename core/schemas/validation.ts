/** What a benchmark showed of a finding. */
import { z } from 'zod';

const measuredSchema = z.object({ iops: z.number(), p95Ms: z.number().nullable() });

export const validationSchema = z.object({
  isValidated: z.boolean().meta({
    description: 'more IOPS or less latency than today; of a saving no fewer IOPS and not more latency',
  }),
  gradedAt: z.string().meta({ description: 'ISO 8601 UTC' }),
  campaignId: z.string(),
  label: z.string().nullable().meta({ description: 'what is to be known first, such as: emulated' }),
  current: measuredSchema,
  recommended: measuredSchema,
});
export type Validation = z.infer<typeof validationSchema>;
