/** What two runs of the audit say of the same fleet, one beside the other. */
import { z } from 'zod';
import { auditResultSchema } from './audit-result.ts';
import { type RememberedEvidence, rememberedEvidenceOf } from './evidence.ts';
import { type ByKind, type FindingFields, findingFields, schemaByKind } from './finding.ts';
import { comparisonNotes, findingChanges } from './finding-changes.ts';
import { severities } from './finding-kinds.ts';

const comparedRunSchema = z.object({
  runId: z.string(),
  window: auditResultSchema.shape.window,
  accounts: z.array(z.string()).nullable().meta({ description: 'null where none is known' }),
  regions: z.array(z.string()).meta({ description: 'that have volumes, or were read in whole' }),
  partial: z.boolean().meta({ description: 'something could not be read or evaluated' }),
  volumes: z.number(),
  unknownVolumes: z.number(),
  findings: z.record(z.enum(severities), z.number()),
  throttledMinutesPeak24h: z
    .number()
    .meta({ description: 'volume-minutes: of each volume its peak 24 hours, summed' }),
  savingsMonthlyUsd: z.number().meta({ description: 'at most, each resource once' }),
  findingsWithoutPrice: z.number().meta({ description: 'about money, and not in the sum' }),
  costMonthlyUsd: z
    .number()
    .nullable()
    .meta({ description: 'of the volumes, at list prices; null where no price of any is known' }),
  volumesWithoutPrice: z.number().meta({ description: 'not in the sum' }),
});
export type ComparedRun = z.infer<typeof comparedRunSchema>;

/** What a run says of a finding. */
const findingSideSchema = z.object({
  severity: z.enum(severities),
  throttledMinutesPeak24h: z.number().nullable().meta({ description: 'null where no minutes are counted' }),
  savingMonthlyUsd: z
    .number()
    .nullable()
    .meta({ description: 'of its cheapest option, negative; null where none saves, or no price is known' }),
});

/** Of its evidence the part that its lines are made from. */
const findingInLines = schemaByKind<ByKind<FindingFields, RememberedEvidence>>(
  findingFields.shape,
  rememberedEvidenceOf,
);

const comparedFindingSchema = z.object({
  change: z.enum(findingChanges).meta({
    description:
      'worse, better: by severity, at the same severity by throttled minutes; not-evaluated: it is in one run alone, and the other did not evaluate its resource',
  }),
  finding: findingInLines.meta({
    description:
      'as it is in the later run, or was in the earlier one; of its evidence the part that its lines are made from',
  }),
  volumeText: z.string().nullable().meta({ description: 'type and size of a volume; null of all else' }),
  before: findingSideSchema.nullable().meta({ description: 'null where the earlier run does not have it' }),
  after: findingSideSchema.nullable().meta({ description: 'null where the later run does not have it' }),
});
export type ComparedFinding = z.infer<typeof comparedFindingSchema>;

export const runComparisonSchema = z.object({
  before: comparedRunSchema,
  after: comparedRunSchema,
  counts: z.record(z.enum(findingChanges), z.number()),
  costChange: z.object({
    monthlyUsd: z.number().nullable().meta({
      description:
        'of the volumes, at list prices; one that a run does not have costs 0 there; null where all are left out',
    }),
    volumesLeftOut: z
      .number()
      .meta({ description: 'a run has them and not their price, or the other may not have read them' }),
  }),
  savingsChangeMonthlyUsd: z
    .number()
    .nullable()
    .meta({ description: 'null where one of the runs did not evaluate a saving of the other, or its price' }),
  throttledMinutesChange: z.number().nullable().meta({
    description: 'volume-minutes; null where one of the runs did not evaluate a finding of the other',
  }),
  volumesAdded: z.number().meta({ description: 'in the later run alone' }),
  volumesRemoved: z.number().meta({ description: 'in the earlier run alone' }),
  findings: z.array(comparedFindingSchema),
  notes: z.array(z.enum(comparisonNotes)).meta({ description: 'why the two may not be alike' }),
});
export type RunComparison = z.infer<typeof runComparisonSchema>;
