/** The finding: what the audit tells people and machines. Field names are a contract; more may be added. */
import { z } from 'zod';
import { confidences } from '../diagnosis/causes.ts';
import { findingKinds, resourceTypes, severities, statuses } from './finding-kinds.ts';
import { demandAssumptionSchema, needUnknownSchema } from './load-codes.ts';
import { limitSchema, notAdvisedSchema, rateUnits, recommendationSchema } from './recommendation.ts';

export {
  type FindingKind,
  instanceIdOf,
  isSaving,
  moreUrgent,
  type Severity,
  severities,
  severityRank,
  volumeIdsOf,
} from './finding-kinds.ts';
export type { Limit, RateUnit, Recommendation, Risk } from './recommendation.ts';

const resourceSchema = z.object({
  type: z.enum(resourceTypes),
  id: z.string().meta({ description: 'of a stripe its instance and its name: i-0123456789abcdef0/data' }),
  arn: z.string().nullable().meta({ description: 'null for a stripe, and where the account is not known' }),
  name: z.string().nullable().meta({ description: 'the Name tag, as it stands in the account' }),
  region: z.string(),
  account: z.string().nullable(),
  tags: z.record(z.string(), z.string()).optional().meta({
    description:
      'of its tags those that the configuration or --resource asks about: of a stripe what all its members share; absent where there is none',
  }),
});
export type FindingResource = z.infer<typeof resourceSchema>;

const evidenceWindowSchema = z.object({
  start: z.string(),
  end: z.string(),
  days: z.number().meta({ description: 'with figures, gaps left out' }),
});

const demandSchema = z.object({
  known: z.boolean().meta({ description: 'atLeast and atMost are near enough to size for' }),
  atLeast: z.number().nullable().meta({ description: 'at its highest' }),
  likely: z.number().nullable(),
  atMost: z.number().nullable().meta({ description: 'null where nothing bounds it' }),
  unit: z.enum(rateUnits),
});
export type FindingDemand = z.infer<typeof demandSchema>;

export const findingSchema = z.object({
  id: z.string().meta({ description: 'stable: a hash of kind and resource, without time' }),
  kind: z.enum(findingKinds),
  severity: z.enum(severities),
  resource: resourceSchema,
  status: z.enum(statuses),
  firstSeen: z.string().nullable().meta({
    description: 'ISO 8601 UTC: the first such period of the peak 24 hours; null where nothing tells',
  }),
  lastSeen: z.string().nullable().meta({ description: 'ISO 8601 UTC: the end of the last of them' }),
  limit: limitSchema.nullable().meta({
    description: 'in force; of a forecast the one that will be; null where no limit is in question',
  }),
  confidence: z.enum(confidences),
  evidenceWindow: evidenceWindowSchema
    .nullable()
    .meta({ description: 'of the metrics behind it; null where it rests on the configuration alone' }),
  provisional: z.boolean().meta({ description: 'less than a day of metrics is behind it' }),
  demand: demandSchema.nullable().meta({ description: 'null where no limit is in question' }),
  reason: z.string(),
  evidence: z.record(
    z.string(),
    z.union([
      z.string(),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(z.string()),
      z.array(demandAssumptionSchema),
      z.array(notAdvisedSchema),
      needUnknownSchema,
    ]),
  ),
  recommendations: z.array(recommendationSchema),
});
export type Finding = z.infer<typeof findingSchema>;
