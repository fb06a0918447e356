/** How long what is better must stay so, by how often each source looks. */
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../units.ts';
import type { LifeRules } from './finding-record.ts';

/** A run that failed, and the one after it, make nothing stale. */
const staleAfterRuns = 3;
const leastStaleDays = 3;

export const lifeRules = ({
  leastSeverity,
  rememberDays,
  auditEveryHours,
}: Pick<LifeRules, 'leastSeverity' | 'rememberDays'> & { auditEveryHours: number }): LifeRules => ({
  ...{ leastSeverity, rememberDays },
  settle: {
    // Two runs on end; one that somebody started right after another is no second look.
    audit: { looks: 2, seconds: (auditEveryHours * secondsPerHour) / 2 },
    pulse: { looks: 3, seconds: 15 * secondsPerMinute },
  },
  staleSeconds: {
    audit: Math.max(staleAfterRuns * auditEveryHours * secondsPerHour, leastStaleDays * secondsPerDay),
    pulse: secondsPerDay,
  },
});
