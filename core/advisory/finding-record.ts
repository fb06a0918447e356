/** What is remembered of a finding: what each source saw of it, what counts, and what people were told. */
import type { Source, ToldFinding, ToldWithout } from '../schemas/advisory.ts';
import type { Severity } from '../schemas/finding.ts';

export const lifeEvents = [
  ...(['opened', 'worse', 'better', 'resolved', 'reopened'] as const),
  ...(['muted', 'unmuted', 'acknowledged'] as const),
] as const;
export type LifeEvent = (typeof lifeEvents)[number];

/** What is told of it, whoever tells. */
export type RememberedFinding = ToldWithout<'change' | 'mostUrgent' | 'order' | 'openedAt' | 'proof' | 'url'>;

/** What one source has of it. */
export interface Sight {
  /** Of its last look that counted; a look at or before it changes nothing. */
  atEpochSeconds: number;
  /** What counts; null: nothing. */
  level: Severity | null;
  /** Since when it was seen less urgent than it counts, in how many looks, and the most urgent of them; null: it was not. */
  lower: { sinceEpochSeconds: number; looks: number; level: Severity | null } | null;
}

interface Told {
  epochSeconds: number;
  /** Null: that it was resolved, or so low that it is not told. */
  level: Severity | null;
  /** That told it. */
  messageId?: string | undefined;
  /** When it was opened that time; undefined: from before this was remembered. */
  openedEpochSeconds?: number | undefined;
}

/** A change that is being told in a message: claimed by somebody, and not confirmed yet. */
interface Claim {
  messageId: string;
  by: string;
  claimedEpochSeconds: number;
  change: ToldFinding['change'];
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
  sights: Partial<Record<Source, Sight>>;
  /** Of all sources together; null: resolved. */
  level: Severity | null;
  levelSinceEpochSeconds: number;
  openedEpochSeconds: number;
  resolvedEpochSeconds: number | null;
  muted: { untilEpochSeconds: number; by: string } | null;
  /** Until it is resolved. */
  acknowledged: { epochSeconds: number; by: string } | null;
  claim: Claim | null;
  /** What people know; null: it was never told. */
  told: Told | null;
  /** The most urgent that people were told since it was opened; null: they know of nothing that is open. */
  mostTold: Severity | null;
  /** What was told in the last 24 hours, oldest first, and before it what people knew until then. */
  toldOfDay: Told[];
  /** When a benchmark of it was told last. */
  provedEpochSeconds: number | null;
  /** Oldest first, the last ones: of when it is, and when it was written down, which is later by as long as a run takes. */
  history: {
    epochSeconds: number;
    writtenEpochSeconds: number;
    event: LifeEvent;
    level: Severity | null;
    by: string;
  }[];
  /** When there is something to tell; null: nothing is, as long as nothing changes. */
  tellFromEpochSeconds: number | null;
  /** Forgotten from then on. */
  expiresEpochSeconds: number;
}

export interface LifeRules {
  leastSeverity: Severity;
  /** What nobody saw any more is forgotten after so many days. */
  rememberDays: number;
  /** Better or gone counts after so many looks over so many seconds, by source. */
  settle: Readonly<Record<Source, { looks: number; seconds: number }>>;
  /** What a source saw counts no longer where it has not looked for so long. */
  staleSeconds: Readonly<Record<Source, number>>;
}

/** What a look saw. */
export interface Sighting {
  source: Source;
  /** The look, for the history: a run, or a look of the pulse. */
  by: string;
  atEpochSeconds: number;
  /** Null: it looked, and the finding was not there. */
  finding: RememberedFinding | null;
}
