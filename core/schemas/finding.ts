/** The finding: what the audit tells people and machines. Field names are a contract; more may be added. */
import { z } from 'zod';
import { findingKinds, severities } from './finding-kinds.ts';
import { layoutSchema } from './layout.ts';

export {
  type FindingKind,
  isSaving,
  moreUrgent,
  resourceIdOf,
  type Severity,
  severities,
  severityRank,
  volumeIdsOf,
} from './finding-kinds.ts';

const adviceSchema = z.object({
  action: z.string().meta({ description: 'what to do, in a sentence' }),
  monthlyUsdDelta: z
    .number()
    .nullable()
    .meta({ description: 'negative saves; null where a price is unknown' }),
  throttledMinutesBefore: z.number().nullable().meta({
    description:
      'as measured in the window; of credits-will-exhaust by replay of the next two hours; null where neither is known',
  }),
  throttledMinutesAfter: z.number().nullable().meta({ description: 'by replay; null where none was made' }),
  how: z.array(z.string()).meta({ description: 'steps, in order' }),
  layout: layoutSchema.optional().meta({
    description:
      'the configuration that is advised: in place of the volume, of a stripe in place of each member; absent where it is none',
  }),
  instanceType: z.string().optional().meta({ description: 'that is advised; absent where it is none' }),
});
export type Advice = z.infer<typeof adviceSchema>;

const resourceSchema = z.object({
  volumeId: z.string().optional(),
  stripeId: z.string().optional(),
  instanceId: z.string().optional(),
  name: z.string().nullable().optional().meta({ description: 'the Name tag, as it stands in the account' }),
  region: z.string(),
  account: z.string().nullable(),
  tags: z.record(z.string(), z.string()).optional().meta({
    description:
      'of its tags those that the configuration or --resource asks about: of a stripe what all its members share; absent where there is none',
  }),
});
export type FindingResource = z.infer<typeof resourceSchema>;

export const findingSchema = z.object({
  id: z.string().meta({ description: 'stable: a hash of kind and resource, without time' }),
  kind: z.enum(findingKinds),
  severity: z.enum(severities),
  resource: resourceSchema,
  since: z.string().nullable().meta({
    description: 'ISO 8601 UTC: the first such period of the worst 24 hours; null where nothing tells',
  }),
  reason: z.string(),
  evidence: z.record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
  ),
  advice: z.array(adviceSchema),
});
export type Finding = z.infer<typeof findingSchema>;
