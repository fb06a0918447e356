/** What can happen to a finding, and how urgent its news is: without the schema. */
import { type Severity, severities, severityRank } from './finding-kinds.ts';

/** validated: notified before, and benchmarked since. */
export const changes = ['opened', 'worse', 'better', 'resolved', 'reopened', 'validated'] as const;
export type Change = (typeof changes)[number];

/** Nothing is to be done about it any more. */
export const isResolved = ({ change }: { change: Change }): boolean => change === 'resolved';

/** Nobody has to look at it for this news. */
export const isResolvedOrBetter = (news: { change: Change }): boolean =>
  isResolved(news) || news.change === 'better';

/** 0 for the most urgent; what is over comes last. News sorts by it. */
export const newsRank = ({ change, severity }: { change: Change; severity: Severity }): number =>
  isResolved({ change }) ? severities.length : severityRank(severity);
