/** How long what is better must stay so, by how often each source looks. */
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../units.ts';
import type { LifecycleRules } from './finding-record.ts';

/** A run that failed, and the one after it, make nothing stale. */
const staleAfterRuns = 3;
const minStaleDays = 3;

export const lifecycleRules = ({
  minSeverity,
  retentionDays,
  auditEveryHours,
}: Pick<LifecycleRules, 'minSeverity' | 'retentionDays'> & { auditEveryHours: number }): LifecycleRules => ({
  ...{ minSeverity, retentionDays },
  settle: {
    // Two runs on end; one that somebody started right after another is no second observation.
    audit: { observations: 2, seconds: (auditEveryHours * secondsPerHour) / 2 },
    monitoring: { observations: 3, seconds: 15 * secondsPerMinute },
  },
  staleSeconds: {
    audit: Math.max(staleAfterRuns * auditEveryHours * secondsPerHour, minStaleDays * secondsPerDay),
    monitoring: secondsPerDay,
  },
});
