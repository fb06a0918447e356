/** The janitor: ends the hosts that campaigns have left, and those past their time, whatever state they died in. */
import { type Leftover, sweepOf } from '../../core/benchmark/campaign/sweep.ts';
import { Unreadable } from '../../core/errors.ts';
import { msPerSecond } from '../../core/units.ts';

export interface SweepFrom {
  findLeftovers(): Promise<Leftover[]>;
  /** Of the execution of a campaign; null: there is none. */
  executionStatus(campaignId: string): Promise<{ status: string } | null>;
  /** Why some were not. */
  terminate(instanceIds: readonly string[]): Promise<string[]>;
  now(): Date;
}

export interface Swept {
  terminated: string[];
  kept: number;
  /** Campaigns of which it could not be told whether they run: what is past its time is taken all the same. */
  unknown: string[];
}

/** @throws Unreadable after all was tried, where something could not be taken away. */
export async function sweepLeftovers({
  findLeftovers,
  executionStatus,
  terminate,
  now,
}: SweepFrom): Promise<Swept> {
  const leftovers = await findLeftovers();
  const ended = new Set<string>();
  const unknown: string[] = [];
  for (const campaignId of new Set(leftovers.map((one) => one.campaignId))) {
    try {
      const execution = await executionStatus(campaignId);
      // Step Functions forgets executions after 90 days, and a tag may have been changed: without one its time decides.
      if (execution !== null && !['RUNNING', 'PENDING_REDRIVE'].includes(execution.status))
        ended.add(campaignId);
    } catch (error) {
      unknown.push(`${campaignId}: ${(error as Error).message}`);
    }
  }
  const sweep = sweepOf(leftovers, ended, now().getTime() / msPerSecond);
  const failures = await terminate(sweep.terminate);
  if (failures.length > 0) throw new Unreadable(failures.join('; '));
  return {
    terminated: sweep.terminate,
    kept: sweep.kept.length,
    unknown,
  };
}
