/** The form of a record as it is stored. */
import { z } from 'zod';
import { type FindingRecord, lifecycleEvents } from '../../core/lifecycle/finding-record.ts';
import { changes } from '../../core/schemas/changes.ts';
import { severities } from '../../core/schemas/finding.ts';
import { notifiedSchemaWithout, sources } from '../../core/schemas/notification.ts';

const levelSchema = z.enum(severities).nullable();
const epochSeconds = z.number();

const sightSchema = z.object({
  atEpochSeconds: epochSeconds,
  level: levelSchema,
  lower: z
    .object({ sinceEpochSeconds: epochSeconds, observations: z.number(), level: levelSchema })
    .nullable(),
});
const notifiedSchema = z.object({
  ...{ epochSeconds, level: levelSchema, messageId: z.string().optional() },
  openedEpochSeconds: epochSeconds.optional(),
});

export const findingIdSchema = z.object({ findingId: z.string() });

export const recordSchema = findingIdSchema.extend({
  revision: z.number(),
  firstEpochSeconds: epochSeconds.default(0),
  finding: notifiedSchemaWithout(['change', 'mostUrgent', 'order', 'openedAt', 'validation', 'url']),
  sourceStates: z.partialRecord(z.enum(sources), sightSchema),
  level: levelSchema,
  levelSinceEpochSeconds: epochSeconds,
  openedEpochSeconds: epochSeconds,
  resolvedEpochSeconds: epochSeconds.nullable(),
  muted: z.object({ untilEpochSeconds: epochSeconds, by: z.string() }).nullable(),
  acknowledged: z.object({ epochSeconds, by: z.string() }).nullable(),
  claim: z
    .object({
      messageId: z.string(),
      by: z.string(),
      claimedEpochSeconds: epochSeconds,
      change: z.enum(changes),
      level: levelSchema,
      openedEpochSeconds: epochSeconds.optional(),
    })
    .nullable(),
  notified: notifiedSchema.nullable(),
  mostUrgentNotified: levelSchema.default(null),
  notifiedOfDay: z.array(notifiedSchema),
  validatedEpochSeconds: epochSeconds.nullable(),
  history: z.array(
    z.object({
      ...{ epochSeconds, writtenEpochSeconds: epochSeconds },
      ...{ event: z.enum(lifecycleEvents), level: levelSchema, by: z.string() },
    }),
  ),
  notifyFromEpochSeconds: epochSeconds.nullable().default(null),
  expiresEpochSeconds: epochSeconds,
}) satisfies z.ZodType<FindingRecord>;
