/** The cleanup: ends the hosts that campaigns have left, and those past their time, whatever state they died in. */
import { type Orphan, sweepOf } from '../../core/benchmark/campaign/clean-up.ts';
import { Unreadable } from '../../core/errors.ts';
import { msPerSecond } from '../../core/units.ts';

export interface SweepFrom {
  findOrphans(): Promise<Orphan[]>;
  /** Of the execution of a campaign; null: there is none. */
  executionStatus(campaignId: string): Promise<{ status: string } | null>;
  /** Why some were not. */
  terminate(instanceIds: readonly string[]): Promise<string[]>;
  now(): Date;
}

export interface CleanedUp {
  terminated: string[];
  kept: number;
  /** Campaigns of which it could not be reported whether they run: what is past its time is taken all the same. */
  unknown: string[];
}

/** @throws Unreadable after all was tried, where something could not be removed. */
export async function cleanUpOrphans({
  findOrphans,
  executionStatus,
  terminate,
  now,
}: SweepFrom): Promise<CleanedUp> {
  const orphans = await findOrphans();
  const ended = new Set<string>();
  const unknown: string[] = [];
  for (const campaignId of new Set(orphans.map((one) => one.campaignId))) {
    try {
      const execution = await executionStatus(campaignId);
      // Step Functions forgets executions after 90 days, and a tag may have been changed: without one its time decides.
      if (execution !== null && !['RUNNING', 'PENDING_REDRIVE'].includes(execution.status))
        ended.add(campaignId);
    } catch (error) {
      unknown.push(`${campaignId}: ${(error as Error).message}`);
    }
  }
  const cleanUp = sweepOf(orphans, ended, now().getTime() / msPerSecond);
  const failures = await terminate(cleanUp.terminate);
  if (failures.length > 0) throw new Unreadable(failures.join('; '));
  return {
    terminated: cleanUp.terminate,
    kept: cleanUp.kept.length,
    unknown,
  };
}
