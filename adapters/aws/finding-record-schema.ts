/** The form of a record as it is stored. */
import { z } from 'zod';
import { type FindingRecord, lifeEvents } from '../../core/advisory/finding-record.ts';
import { sources, toldSchemaWithout } from '../../core/schemas/advisory.ts';
import { changes } from '../../core/schemas/changes.ts';
import { severities } from '../../core/schemas/finding.ts';

const levelSchema = z.enum(severities).nullable();
const epochSeconds = z.number();

const sightSchema = z.object({
  atEpochSeconds: epochSeconds,
  level: levelSchema,
  lower: z.object({ sinceEpochSeconds: epochSeconds, looks: z.number(), level: levelSchema }).nullable(),
});
const toldSchema = z.object({
  ...{ epochSeconds, level: levelSchema, messageId: z.string().optional() },
  openedEpochSeconds: epochSeconds.optional(),
});

export const findingIdSchema = z.object({ findingId: z.string() });

export const recordSchema = findingIdSchema.extend({
  revision: z.number(),
  firstEpochSeconds: epochSeconds.default(0),
  finding: toldSchemaWithout(['change', 'mostUrgent', 'order', 'openedAt', 'proof', 'url']),
  sights: z.partialRecord(z.enum(sources), sightSchema),
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
  told: toldSchema.nullable(),
  mostTold: levelSchema.default(null),
  toldOfDay: z.array(toldSchema),
  provedEpochSeconds: epochSeconds.nullable(),
  history: z.array(
    z.object({
      ...{ epochSeconds, writtenEpochSeconds: epochSeconds },
      ...{ event: z.enum(lifeEvents), level: levelSchema, by: z.string() },
    }),
  ),
  tellFromEpochSeconds: epochSeconds.nullable().default(null),
  expiresEpochSeconds: epochSeconds,
}) satisfies z.ZodType<FindingRecord>;
