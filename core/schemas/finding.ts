/** The finding: what the audit tells people and machines. Field names are a contract; more may be added. */
import { z } from 'zod';
import { confidences } from '../diagnosis/causes.ts';
import { type AnyEvidence, type Evidence, evidenceOf } from './evidence.ts';
import { type FindingKind, findingKinds, resourceTypes, severities, statuses } from './finding-kinds.ts';
import { kubernetesVolumeSchema } from './kubernetes-volume.ts';
import { limitSchema, rateUnits, recommendationSchema } from './recommendation.ts';

export type { AnyEvidence, EvidenceOf } from './evidence.ts';
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
  accountName: z.string().optional().meta({ description: 'as its organization names it; absent: not known' }),
  accountUnits: z.array(z.string()).optional().meta({
    description:
      'ids of the root and the organizational units that the account is in, outermost first; absent: not known',
  }),
  tags: z.record(z.string(), z.string()).optional().meta({
    description:
      'of its tags those that the configuration or --resource asks about: of a stripe what all its members share; absent where there is none',
  }),
  kubernetes: kubernetesVolumeSchema.optional().meta({
    description:
      'what its tags say of Kubernetes: of a stripe what all its members share; absent where they say nothing',
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
  atMost: z.number().nullable().meta({ description: 'null where nothing bounds it closely' }),
  unit: z.enum(rateUnits),
});
export type FindingDemand = z.infer<typeof demandSchema>;

/** What every finding has, whatever its kind. */
export const findingFields = z.object({
  id: z.string().meta({ description: 'stable: a hash of kind and resource, without time' }),
  severity: z.enum(severities),
  resource: resourceSchema,
  status: z.enum(statuses),
  firstSeen: z.string().nullable().meta({
    description:
      'ISO 8601 UTC: the first such period of the latest episode, whose periods follow each other within 24 hours; null where nothing shows it',
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
  recommendations: z.array(recommendationSchema),
});
export type FindingFields = z.infer<typeof findingFields>;

/** Fields with the kind and with what each kind has as evidence: the one tells the other. */
export type ByKind<
  Fields,
  Of extends Record<FindingKind, unknown>,
  Kind extends FindingKind = FindingKind,
> = {
  [One in Kind]: Fields & { kind: One; evidence: Of[One] };
}[Kind];

/** @returns one object for each kind, distinguished by it. */
export function schemaByKind<Output extends { kind: FindingKind }>(
  fields: z.ZodRawShape,
  evidence: (kind: FindingKind) => z.ZodType,
): z.ZodType<Output> {
  const options = findingKinds.map((kind) =>
    z.object({ ...fields, kind: z.literal(kind), evidence: evidence(kind) }),
  );
  const [first, ...others] = options;
  if (first === undefined) throw new Error('there are no kinds of findings');
  // That a kind has its own evidence is what `ByKind` says of the same table.
  return z.discriminatedUnion('kind', [first, ...others]) as unknown as z.ZodType<Output>;
}

/** A finding of one of some kinds; of any where none are named. */
export type FindingOf<Kind extends FindingKind> = ByKind<FindingFields, Evidence, Kind>;
export type Finding = FindingOf<FindingKind>;

/** A finding of whatever kind, with all of its evidence or a part: what is asked of all of them alike. */
export interface AnyFinding extends FindingFields {
  kind: FindingKind;
  evidence: AnyEvidence;
}

/** The same with other figures in the evidence of its kind. */
export const withEvidence = <One extends { evidence: object }>(
  one: One,
  more: Partial<One['evidence']>,
): One => ({ ...one, evidence: { ...one.evidence, ...more } });

export const findingSchema = schemaByKind<Finding>(findingFields.shape, (kind) => evidenceOf[kind]);
