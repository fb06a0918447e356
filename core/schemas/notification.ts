/** What is reported: findings that changed, in one message for each look that changed something, or none. */
import { z } from 'zod';
import { listedAccountSchema, refusalSchema } from './accounts.ts';
import { monitoringBoundedSchema } from './audit-notice.ts';
import { auditResultSchema } from './audit-result.ts';
import { changes } from './changes.ts';
import { type RememberedEvidence, rememberedEvidenceOf } from './evidence.ts';
import { type ByKind, findingFields, schemaByKind, severities } from './finding.ts';
import { validationSchema } from './validation.ts';

/** Who looks: the audit at all of a window, monitoring at the last minutes. */
export const sources = ['audit', 'monitoring'] as const;
export type Source = (typeof sources)[number];

const notifiedFields = findingFields.extend({
  change: z.enum(changes),
  mostUrgent: z.enum(severities).optional().meta({
    description:
      'the most urgent that was said of it since it was opened: routes go by it, so that it ends where it was opened; absent: its severity',
  }),
  order: z
    .number()
    .optional()
    .meta({ description: 'of two messages on a finding the later one has the larger' }),
  openedAt: z.string().optional().meta({ description: 'ISO 8601 UTC: when it was opened last' }),
  volumeText: z.string().nullable(),
  validation: validationSchema
    .nullable()
    .default(null)
    .meta({ description: 'what a benchmark of it showed; null: there is none' }),
  url: z
    .string()
    .nullable()
    .default(null)
    .meta({ description: 'what the report of the run says of it; null: there is no link' }),
});
type NotifiedFields = z.infer<typeof notifiedFields>;
export type NotifiedFinding = ByKind<NotifiedFields, RememberedEvidence>;

/** Without some of the fields that only a message has. */
export type NotifiedWithout<Left extends keyof NotifiedFields> = ByKind<
  Omit<NotifiedFields, Left>,
  RememberedEvidence
>;

/** Of the evidence the part that its lines are made from; all of it is in the result of the run. */
export function notifiedSchemaWithout<Left extends keyof NotifiedFields>(
  left: readonly Left[],
): z.ZodType<NotifiedWithout<Left>> {
  const leftOut: ReadonlySet<string> = new Set(left);
  const fields = Object.fromEntries(
    Object.entries(notifiedFields.shape).filter(([key]) => !leftOut.has(key)),
  );
  return schemaByKind<NotifiedWithout<Left>>(fields, rememberedEvidenceOf);
}

const runSchema = z.object({
  runId: z.string(),
  window: auditResultSchema.shape.window,
  partial: z.boolean().meta({ description: 'true where something could not be read' }),
  partialBesides: z
    .literal(true)
    .optional()
    .meta({ description: 'it would be partial if every account had been read, too; absent: not so' }),
  volumes: z.number(),
  regions: z.number().meta({ description: 'in which volumes are' }),
  accounts: z
    .number()
    .optional()
    .meta({ description: 'of a run of several accounts, how many were asked for; absent: one was read' }),
  accountsNotRead: z
    .object({
      count: z.number(),
      first: z.array(
        listedAccountSchema.pick({ account: true, name: true }).extend({
          code: refusalSchema.shape.code.nullable().meta({ description: 'null: its Regions say why' }),
        }),
      ),
    })
    .optional()
    .meta({ description: 'how many were not read, and the first ten of them; absent: none' }),
  unknownVolumes: z.number(),
  openFindings: z.number().meta({ description: 'all findings of the run, told before or not' }),
  possibleSavingsMonthlyUsd: auditResultSchema.shape.summary.shape.possibleSavingsMonthlyUsd,
  mayCostLess: auditResultSchema.shape.summary.shape.mayCostLess,
  cost: auditResultSchema.shape.cost,
  location: z.string().meta({ description: 'where the whole run is' }),
  monitoringBounded: monitoringBoundedSchema.optional().meta({
    description: 'there where the budget makes monitoring poll less often',
  }),
});

export const notificationSchema = z.object({
  type: z.literal('stripewise.notification'),
  version: z.literal(2),
  id: z.string().meta({ description: 'the same when the same news is sent again' }),
  madeAt: z.string().meta({ description: 'ISO 8601 UTC' }),
  run: runSchema.nullable().meta({
    description: 'the audit that saw it; null where it was seen, or is reported, between two audits',
  }),
  reportUrl: z.string().nullable().default(null).meta({
    description:
      'opens the report of the run, for some days; between two audits that of the newest run; null: there is no link',
  }),
  notified: z.array(notifiedSchemaWithout<never>([])),
  isFirst: z.literal(true).optional().meta({
    description: 'nothing that is open where the audit looked was notified before: channels summarize it',
  }),
  isContinued: z.literal(true).optional().meta({
    description: 'of the same audit as the message before it, which had the most urgent findings',
  }),
  notShown: z.number().meta({ description: 'told too, but left out here for length' }),
  wholeKey: z.string().optional().meta({
    description: 'in the bucket of runs: the same message with all of its findings; absent: these are all',
  }),
});
export type Notification = z.infer<typeof notificationSchema>;
