/**
 * The life of a finding, from what each look saw of it: opened, worse, better, resolved, reopened. What is worse counts at
 * once; what is better counts after it stayed so for some looks and some time, so that what comes and goes is one thing and
 * not many. Looks that come late or twice change nothing: each source's looks count in the order of their times.
 */
import { type Source, sources, type ToldFinding } from '../schemas/advisory.ts';
import { type Severity, severityRank } from '../schemas/finding.ts';
import { secondsPerDay } from '../units.ts';

export type LifeEvent =
  | 'opened'
  | 'worse'
  | 'better'
  | 'resolved'
  | 'reopened'
  | 'muted'
  | 'unmuted'
  | 'acknowledged';

/** What is told of it, whoever tells. */
export type RememberedFinding = Omit<ToldFinding, 'change' | 'proof' | 'url'>;

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
}

/** A change that is being told: claimed by somebody, and not confirmed yet. */
export interface Claim {
  messageId: string;
  by: string;
  claimedEpochSeconds: number;
  change: ToldFinding['change'];
  level: Severity | null;
}

export interface FindingRecord {
  findingId: string;
  /** Counts the writes: who writes must have read the one before. */
  revision: number;
  finding: RememberedFinding;
  sights: Partial<Record<Source, Sight>>;
  /** Of all sources together; null: resolved. */
  level: Severity | null;
  openedEpochSeconds: number;
  resolvedEpochSeconds: number | null;
  muted: { untilEpochSeconds: number; by: string } | null;
  /** Until it is resolved. */
  acknowledged: { epochSeconds: number; by: string } | null;
  claim: Claim | null;
  /** What people know; null: it was never told. */
  told: Told | null;
  /** What was told in the last 24 hours, oldest first. */
  toldOfDay: Told[];
  /** When a benchmark of it was told last. */
  provedEpochSeconds: number | null;
  /** Oldest first, the last ones. */
  history: { epochSeconds: number; event: LifeEvent; level: Severity | null; by: string }[];
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

/** About one finding at most one message in so long, but what is more urgent than all that was told in it. */
export const quietSeconds = secondsPerDay;

/** A claim that was not confirmed for so long belongs to somebody who died. */
export const claimSeconds = 900;

const mostHistory = 40;

/** Infinite where there is nothing. */
const rank = (level: Severity | null): number =>
  level === null ? Number.POSITIVE_INFINITY : severityRank(level);
const moreUrgent = (a: Severity | null, b: Severity | null): Severity | null => (rank(a) <= rank(b) ? a : b);

/** What a source has after another look. */
function looked(
  before: Sight | undefined,
  { atEpochSeconds, finding }: Sighting,
  { looks, seconds }: { looks: number; seconds: number },
): Sight {
  const seen = finding?.severity ?? null;
  if (before === undefined || rank(seen) <= rank(before.level))
    return { atEpochSeconds, level: seen, lower: null };
  const lower = {
    sinceEpochSeconds: before.lower?.sinceEpochSeconds ?? atEpochSeconds,
    looks: (before.lower?.looks ?? 0) + 1,
    level: before.lower === null ? seen : moreUrgent(before.lower.level, seen),
  };
  const isSettled = lower.looks >= looks && atEpochSeconds - lower.sinceEpochSeconds >= seconds;
  return isSettled
    ? { atEpochSeconds, level: lower.level, lower: null }
    : { atEpochSeconds, level: before.level, lower };
}

function levelOf(sights: FindingRecord['sights'], nowEpochSeconds: number, rules: LifeRules): Severity | null {
  let level: Severity | null = null;
  for (const source of sources) {
    const sight = sights[source];
    if (sight === undefined || nowEpochSeconds - sight.atEpochSeconds > rules.staleSeconds[source]) continue;
    level = moreUrgent(level, sight.level);
  }
  return level;
}

function eventOf(before: FindingRecord | null, level: Severity | null): LifeEvent | null {
  const was = before?.level ?? null;
  if (rank(level) === rank(was)) return null;
  if (was === null) return before === null ? 'opened' : 'reopened';
  if (level === null) return 'resolved';
  return rank(level) < rank(was) ? 'worse' : 'better';
}

const withEvent = (
  { history }: Pick<FindingRecord, 'history'>,
  entry: FindingRecord['history'][number],
): FindingRecord['history'] => [...history, entry].slice(-mostHistory);

/** Who looks often knows less of what to do: what is known of it stays. */
const withAdvice = (seen: RememberedFinding, before: RememberedFinding | undefined): RememberedFinding =>
  seen.advice.length > 0 || before === undefined ? seen : { ...seen, advice: before.advice };

/** Counted, with when it is to be told; what every change of a record ends with. */
const written = (record: FindingRecord, rules: LifeRules): FindingRecord => ({
  ...record,
  revision: record.revision + 1,
  tellFromEpochSeconds: nextTelling(record, rules)?.fromEpochSeconds ?? null,
});

/**
 * The record after a look.
 * @returns the very same where nothing of it changed (a look that came twice or late); null where there is nothing to keep.
 */
export function afterLook(
  findingId: string,
  before: FindingRecord | null,
  sighting: Sighting,
  rules: LifeRules,
): FindingRecord | null {
  const { source, by, atEpochSeconds, finding } = sighting;
  const sight = before?.sights[source];
  if (sight !== undefined && atEpochSeconds <= sight.atEpochSeconds) return before;
  const remembered = finding === null ? before?.finding : withAdvice(finding, before?.finding);
  // What was never there, or never for this source, is not missed.
  if (remembered === undefined || (finding === null && sight === undefined)) return before;
  const sights = { ...before?.sights, [source]: looked(sight, sighting, rules.settle[source]) };
  // A look of long ago, handed in late, makes nothing of the other source stale.
  const latest = Math.max(...Object.values(sights).map((one) => one.atEpochSeconds));
  const level = levelOf(sights, latest, rules);
  const event = eventOf(before, level);
  const isOpened = event === 'opened' || event === 'reopened';
  const record: FindingRecord = {
    ...{ findingId, revision: before?.revision ?? 0, sights, level },
    finding: { ...remembered, severity: level ?? remembered.severity },
    openedEpochSeconds: isOpened || before === null ? atEpochSeconds : before.openedEpochSeconds,
    resolvedEpochSeconds: level !== null ? null : (before?.resolvedEpochSeconds ?? atEpochSeconds),
    muted: before?.muted ?? null,
    acknowledged: level === null ? null : (before?.acknowledged ?? null),
    ...{ claim: before?.claim ?? null, told: before?.told ?? null, toldOfDay: before?.toldOfDay ?? [] },
    provedEpochSeconds: before?.provedEpochSeconds ?? null,
    history: before?.history ?? [],
    tellFromEpochSeconds: null,
    expiresEpochSeconds:
      finding === null && before !== null
        ? before.expiresEpochSeconds
        : atEpochSeconds + rules.rememberDays * secondsPerDay,
  };
  if (event !== null)
    record.history = withEvent(record, { epochSeconds: atEpochSeconds, event, level, by });
  return written(record, rules);
}

export interface Telling {
  change: ToldFinding['change'];
  level: Severity | null;
  /** From when on it may be told. */
  fromEpochSeconds: number;
}

/** What people would be told of it, and from when on; null where they know. */
function nextTelling(
  { level: now, told, toldOfDay, muted, acknowledged, claim }: FindingRecord,
  { leastSeverity }: LifeRules,
): Telling | null {
  // Whoever began to tell it may have died.
  if (claim !== null) {
    const { change, level, claimedEpochSeconds } = claim;
    return { change, level, fromEpochSeconds: claimedEpochSeconds + claimSeconds };
  }
  const level = rank(now) <= rank(leastSeverity) ? now : null;
  const was = told?.level ?? null;
  if (rank(level) === rank(was)) return null;
  const isBetter = rank(level) > rank(was);
  // Somebody is at it: in between is no news.
  if (isBetter && now !== null && acknowledged !== null) return null;
  const change = isBetter
    ? now === null
      ? 'resolved'
      : 'better'
    : was !== null
      ? 'worse'
      : told === null
        ? 'opened'
        : 'reopened';
  const isMostUrgent = toldOfDay.every((one) => rank(level) < rank(one.level));
  const last = toldOfDay.at(-1);
  const afterLast = last === undefined || isMostUrgent ? 0 : last.epochSeconds + quietSeconds;
  return { change, level, fromEpochSeconds: Math.max(afterLast, muted?.untilEpochSeconds ?? 0) };
}

/**
 * What is to be told now; null where nothing is.
 * @param by who would tell: what it claimed itself it goes on with.
 * @param provedEpochSeconds when a benchmark of it was made; null where none was.
 */
export function tellingNow(
  record: FindingRecord,
  nowEpochSeconds: number,
  rules: LifeRules,
  { by, provedEpochSeconds = null }: { by: string; provedEpochSeconds?: number | null },
): Telling | null {
  const { claim, told } = record;
  const telling = nextTelling(record, rules);
  if (claim?.by === by) return telling;
  if (telling !== null) return telling.fromEpochSeconds <= nowEpochSeconds ? telling : null;
  const isMuted = record.muted !== null && record.muted.untilEpochSeconds > nowEpochSeconds;
  if (provedEpochSeconds === null || told === null || told.level === null || isMuted) return null;
  const isNew = provedEpochSeconds > Math.max(told.epochSeconds, record.provedEpochSeconds ?? 0);
  return isNew ? { change: 'proved', level: told.level, fromEpochSeconds: nowEpochSeconds } : null;
}

/** Claimed for a message. One that was claimed before, by whoever died, stays in the message that it was first put into. */
export function claimed(
  record: FindingRecord,
  { change, level }: Telling,
  { by, messageId, nowEpochSeconds }: { by: string; messageId: string; nowEpochSeconds: number },
  rules: LifeRules,
): FindingRecord {
  const claim = {
    ...{ by, change, level, claimedEpochSeconds: nowEpochSeconds },
    messageId: record.claim?.messageId ?? messageId,
  };
  return written({ ...record, claim }, rules);
}

/** The message is out. */
export function confirmed(record: FindingRecord, nowEpochSeconds: number, rules: LifeRules): FindingRecord {
  if (record.claim === null) return record;
  const { level, change } = record.claim;
  const told = { epochSeconds: nowEpochSeconds, level };
  const toldOfDay = [...record.toldOfDay, told].filter(
    ({ epochSeconds }) => nowEpochSeconds - epochSeconds < quietSeconds,
  );
  const provedEpochSeconds = change === 'proved' ? nowEpochSeconds : record.provedEpochSeconds;
  return written({ ...record, claim: null, told, toldOfDay, provedEpochSeconds }, rules);
}

/** Nothing of it is told until then; a time that is over ends it. */
export function mutedUntil(
  record: FindingRecord,
  untilEpochSeconds: number,
  { by, nowEpochSeconds }: { by: string; nowEpochSeconds: number },
  rules: LifeRules,
): FindingRecord {
  const isMuted = untilEpochSeconds > nowEpochSeconds;
  const event = isMuted ? 'muted' : 'unmuted';
  const { level } = record;
  const history = withEvent(record, { epochSeconds: nowEpochSeconds, event, level, by });
  return written({ ...record, history, muted: isMuted ? { untilEpochSeconds, by } : null }, rules);
}

/** Somebody is at it: told are only that it is worse, or resolved. */
export function acknowledgedBy(
  record: FindingRecord,
  { by, nowEpochSeconds }: { by: string; nowEpochSeconds: number },
  rules: LifeRules,
): FindingRecord {
  const { level } = record;
  const history = withEvent(record, { epochSeconds: nowEpochSeconds, event: 'acknowledged', level, by });
  const acknowledged = { epochSeconds: nowEpochSeconds, by };
  return written({ ...record, history, acknowledged }, rules);
}
