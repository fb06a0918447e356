import { addMetric, logger } from './powertools.ts';

/** A record of a finding that was skipped, its form not being known here: logged, and counted for the alarm. */
export function skippedRecord(findingId: string, reason: string): void {
  logger.error('the record of a finding was skipped', { findingId, reason });
  addMetric('recordsSkipped', 1);
}
