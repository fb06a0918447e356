/** What a run of several accounts reads: written once, before anything is read. */
import { z } from 'zod';
import { listedAccountSchema, refusalSchema, targetSchema } from './accounts.ts';

export const runTargetsSchema = z.object({
  /** Every account that was asked for, also one that nobody can enter. */
  accounts: z.array(listedAccountSchema),
  /** Accounts and Regions that are read. */
  targets: z.array(targetSchema),
  /** What could not be listed, such as the Regions of an account. */
  notListed: z.array(z.object({ account: z.string(), refused: refusalSchema })),
});
export type RunTargets = z.infer<typeof runTargetsSchema>;
