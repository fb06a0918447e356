/** The volumes of a Region as monitoring keeps them for an hour: what they are changes seldom, and reading it takes calls. */
import { z } from 'zod';
import type { PublishedChecks } from '../audit/batches.ts';
import type { Volume } from '../inventory.ts';
import { publishedChecksSchema, volumeSchema } from '../schemas/batch.ts';
import { secondsPerHour } from '../units.ts';

export const monitoringInventorySchema = z.object({
  madeEpochSeconds: z.number(),
  volumes: z.array(volumeSchema),
  published: publishedChecksSchema,
}) satisfies z.ZodType<MonitoringInventory>;

export interface MonitoringInventory {
  madeEpochSeconds: number;
  /** Without those that are excluded. */
  volumes: Volume[];
  published: PublishedChecks;
}

export const monitoringInventoryKey = (account: string, region: string): string =>
  `monitoring/${account}-${region}.json`;

const freshSeconds = secondsPerHour;

export const isFresh = (
  { madeEpochSeconds }: Pick<MonitoringInventory, 'madeEpochSeconds'>,
  nowEpochSeconds: number,
): boolean => nowEpochSeconds - madeEpochSeconds < freshSeconds;
