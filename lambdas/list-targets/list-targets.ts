/** What a run reads: the Regions of the account, and the window. The execution's input may ask for others. */
import { z } from 'zod';
import { type ReadingPlan, readingPlan, settleSeconds } from '../../core/audit/reading-plan.ts';

export const runRequestSchema = z.strictObject({
  regions: z.array(z.string().min(1)).min(1).optional(),
  lookbackDays: z.number().positive().optional(),
  periodSeconds: z.number().int().positive().optional(),
  /** The end of the window; now without it. */
  until: z.iso.datetime({ offset: true }).optional(),
});

export interface Defaults {
  account: string;
  regions: readonly string[];
  lookbackDays: number;
  periodSeconds: number;
}

export interface RunTargets {
  plan: ReadingPlan;
  targets: { account: string; region: string }[];
}

/** @throws BadInput where CloudWatch does not keep what is asked for. */
export function listTargets(
  request: z.infer<typeof runRequestSchema>,
  { account, ...defaults }: Defaults,
  now: Date,
): RunTargets {
  const { regions = defaults.regions } = request;
  const { lookbackDays = defaults.lookbackDays, periodSeconds = defaults.periodSeconds } = request;
  const until = request.until === undefined ? now : new Date(request.until);
  return {
    plan: readingPlan({ lookbackDays, periodSeconds, until, now, settleSeconds }),
    targets: [...new Set(regions)].map((region) => ({ account, region })),
  };
}
