/** What a run reads: the Regions of the account, and the window. The execution's input may ask for others. */
import { z } from 'zod';
import { archivedPlan, momentOf, type ReadingPlan, readingPlan } from '../../core/audit/batches.ts';
import { accountSchema } from '../../core/config/organization.ts';
import { BadInput } from '../../core/errors.ts';
import { isRegionName } from '../../core/ids.ts';
import { settleSeconds } from '../../core/load/metrics.ts';
import { msPerSecond, secondsPerMinute } from '../../core/units.ts';

export const runRequestSchema = z.strictObject({
  regions: z.array(z.string().refine(isRegionName, 'not a Region like us-east-1')).min(1).optional(),
  /** Of those of the configuration, where it has an organization. */
  accounts: z.array(accountSchema).min(1).optional(),
  lookbackDays: z.number().positive().optional(),
  periodSeconds: z.number().int().positive().optional(),
  /** The end of the window; now without it. */
  until: z.string().transform(momentOf).optional(),
  /** True: tells, draws and becomes the latest run, though it asks for something of its own. */
  notify: z.boolean().optional(),
});

export interface Defaults {
  account: string;
  regions: readonly string[];
  lookbackDays: number;
  periodSeconds: number | 'two-passes';
  /** Evaluates from the archive, in points of a minute. */
  isArchived: boolean;
  readMinutes: number;
}

export interface RunTargets {
  plan: ReadingPlan;
  targets: { account: string; region: string }[];
  /** What is not read by then stays unread; the run ends with what it has. */
  readUntil: string;
  /** False where the run asks for a window or Regions of its own: what it finds is for who asked. */
  notify: boolean;
}

type RunRequest = z.infer<typeof runRequestSchema>;

/** The window, and whom the run is for. @throws BadInput where CloudWatch does not keep what is asked for. */
export function planOfRun(
  request: RunRequest,
  defaults: Omit<Defaults, 'account' | 'regions'>,
  now: Date,
): Omit<RunTargets, 'targets'> {
  const { lookbackDays = defaults.lookbackDays, periodSeconds = defaults.periodSeconds } = request;
  const until = request.until ?? now;
  const isUsual = Object.keys(request).length === 0;
  const asked = { lookbackDays, until, now, settleSeconds };
  // Who asks for a period asks CloudWatch for it.
  const isArchived = defaults.isArchived && request.periodSeconds === undefined;
  return {
    plan: isArchived
      ? archivedPlan({
          ...asked,
          periodSeconds: periodSeconds === 'two-passes' ? periodSeconds : 60,
          isOfOwnWindow: lookbackDays !== defaults.lookbackDays,
        })
      : readingPlan({ ...asked, periodSeconds }),
    readUntil: new Date(now.getTime() + defaults.readMinutes * secondsPerMinute * msPerSecond).toISOString(),
    notify: request.notify ?? isUsual,
  };
}

/** @throws BadInput where what is asked for cannot be read. */
export function listTargets(request: RunRequest, { account, ...defaults }: Defaults, now: Date): RunTargets {
  if (request.accounts !== undefined)
    throw new BadInput(
      'the input: accounts: one account is read, that of the stack: leave it out, or give the configuration an organization',
    );
  const { regions = defaults.regions } = request;
  return {
    ...planOfRun(request, defaults, now),
    targets: [...new Set(regions)].map((region) => ({ account, region })),
  };
}
