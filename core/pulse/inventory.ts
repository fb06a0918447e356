/** The volumes of a Region as the pulse keeps them for an hour: what they are changes seldom, and reading it takes calls. */
import { z } from 'zod';
import type { PublishedChecks } from '../audit/batches.ts';
import type { Volume } from '../inventory.ts';
import { publishedChecksSchema, volumeSchema } from '../schemas/batch.ts';
import { secondsPerHour } from '../units.ts';

export const pulseInventorySchema = z.object({
  madeEpochSeconds: z.number(),
  volumes: z.array(volumeSchema),
  published: publishedChecksSchema,
}) satisfies z.ZodType<PulseInventory>;

export interface PulseInventory {
  madeEpochSeconds: number;
  /** Without those that are excluded. */
  volumes: Volume[];
  published: PublishedChecks;
}

export const pulseInventoryKey = (account: string, region: string): string =>
  `pulse/${account}-${region}.json`;

const freshSeconds = secondsPerHour;

export const isFresh = (
  { madeEpochSeconds }: Pick<PulseInventory, 'madeEpochSeconds'>,
  nowEpochSeconds: number,
): boolean => nowEpochSeconds - madeEpochSeconds < freshSeconds;
