/** What another service recommends for a volume, whoever printed it: as it goes from the reader to the audit. */
import { z } from 'zod';
import { opinionConfigurationSchema, opinionSources } from './second-opinion.ts';

const optionSchema = z.object({
  /** 1 is what it recommends first. */
  rank: z.number(),
  /** As it writes it; empty where it does not. */
  volumeType: z.string(),
  /** Null: of a type that is not known here, or with figures that are missing. */
  configuration: opinionConfigurationSchema.nullable(),
  /** 0 to 4, as Compute Optimizer says. */
  performanceRisk: z.number().nullable(),
  /** As it says: by its own prices. */
  monthlyUsdSaving: z.number().nullable(),
});
export type RecommendedOption = z.infer<typeof optionSchema>;

const volumeRecommendationSchema = z.object({
  source: z.enum(opinionSources),
  volumeId: z.string(),
  account: z.string().nullable(),
  region: z.string().nullable(),
  action: z.enum(['keep', 'change', 'delete']),
  /** Null where it says none, or one that is not known here. */
  current: opinionConfigurationSchema.nullable(),
  /** By rank, the first first. */
  options: z.array(optionSchema),
  lookBackDays: z.number().nullable(),
  /** ISO 8601. */
  lastRefreshed: z.string().nullable(),
});
export type VolumeRecommendation = z.infer<typeof volumeRecommendationSchema>;

/** What one source said of some volumes: of those without a recommendation it said nothing. */
export const givenOpinionsSchema = z.object({
  source: z.enum(opinionSources),
  recommendations: z.array(volumeRecommendationSchema),
  /** Where it was asked. Null: of all volumes. */
  regions: z.array(z.string()).nullable().default(null),
});
export type GivenOpinions = z.infer<typeof givenOpinionsSchema>;
