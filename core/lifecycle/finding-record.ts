/** What is remembered of a finding: what each source saw of it, what counts, and what people were notified. */

import type { Severity } from '../schemas/finding.ts';
import type { NotifiedFinding, NotifiedWithout, Source } from '../schemas/notification.ts';

export const lifecycleEvents = [
  ...(['opened', 'worse', 'better', 'resolved', 'reopened'] as const),
  ...(['muted', 'unmuted', 'acknowledged', 'no-longer-read'] as const),
] as const;
export type LifecycleEvent = (typeof lifecycleEvents)[number];

/** What is notified of it, whoever tells. */
export type RememberedFinding = NotifiedWithout<
  'change' | 'mostUrgent' | 'order' | 'openedAt' | 'validation' | 'url'
>;

/** What one source has of it. */
export interface SourceState {
  /** Of its last observation that counted; an observation at or before it changes nothing. */
  atEpochSeconds: number;
  /** What counts; null: nothing. */
  level: Severity | null;
  /** Since when it was seen less urgent than it counts, in how many observations, and the most urgent of them; null: it was not. */
  lower: { sinceEpochSeconds: number; observations: number; level: Severity | null } | null;
}

interface Notified {
  epochSeconds: number;
  /** Null: that it was resolved, or so low that it is not notified. */
  level: Severity | null;
  /** That told it. */
  messageId?: string | undefined;
  /** When it was opened that time; undefined: from before this was remembered. */
  openedEpochSeconds?: number | undefined;
}

/** A change that is being notified in a message: claimed by somebody, and not confirmed yet. */
interface Claim {
  messageId: string;
  by: string;
  claimedEpochSeconds: number;
  change: NotifiedFinding['change'];
  level: Severity | null;
  openedEpochSeconds?: number | undefined;
}

export interface FindingRecord {
  findingId: string;
  /** Counts the writes: who writes must have read the one before. */
  revision: number;
  /** When it was written first; 0: before this was remembered. */
  firstEpochSeconds: number;
  finding: RememberedFinding;
  sourceStates: Partial<Record<Source, SourceState>>;
  /** Of all sources together; null: resolved, or its account is read no more. */
  level: Severity | null;
  levelSinceEpochSeconds: number;
  openedEpochSeconds: number;
  resolvedEpochSeconds: number | null;
  muted: { untilEpochSeconds: number; by: string } | null;
  /** Until it is resolved. */
  acknowledged: { epochSeconds: number; by: string } | null;
  claim: Claim | null;
  /** What people know; null: it was never notified. */
  notified: Notified | null;
  /** The most urgent that people were notified since it was opened; null: they know of nothing that is open. */
  mostUrgentNotified: Severity | null;
  /** What was notified in the last 24 hours, oldest first, and before it what people knew until then. */
  notifiedOfDay: Notified[];
  /** When a benchmark of it was notified last. */
  validatedEpochSeconds: number | null;
  /** Oldest first, the last ones: of when it is, and when it was written down, which is later by as long as a run takes. */
  history: {
    epochSeconds: number;
    writtenEpochSeconds: number;
    event: LifecycleEvent;
    level: Severity | null;
    by: string;
  }[];
  /** When there is something to tell; null: nothing is, as long as nothing changes. */
  notifyFromEpochSeconds: number | null;
  /** Forgotten from then on. */
  expiresEpochSeconds: number;
}

export interface LifecycleRules {
  minSeverity: Severity;
  /** What nobody saw any more is forgotten after so many days. */
  retentionDays: number;
  /** Better or gone counts after so many looks over so many seconds, by source. */
  settle: Readonly<Record<Source, { observations: number; seconds: number }>>;
  /** What a source saw counts no longer where it has not looked for so long. */
  staleSeconds: Readonly<Record<Source, number>>;
}

/** What an observation saw. */
export interface Observation {
  source: Source;
  /** The observation, for the history: a run, or an observation of monitoring. */
  by: string;
  atEpochSeconds: number;
  /** Null: it looked, and the finding was not there. */
  finding: RememberedFinding | null;
}
