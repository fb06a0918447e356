/**
 * The lifecycle of a finding, from what each observation saw of it: opened, worse, better, resolved, reopened. What is worse counts at
 * once; what is better counts after it stayed so for some looks and some time, so that what comes and goes is one thing and
 * not many. Looks that come late or twice change nothing: each source's looks count in the order of their times.
 */

import { moreUrgent, type Severity, severityRank } from '../schemas/finding.ts';
import { sources } from '../schemas/notification.ts';
import { secondsPerDay } from '../units.ts';
import type {
  FindingRecord,
  LifecycleEvent,
  LifecycleRules,
  Observation,
  RememberedFinding,
  SourceState,
} from './finding-record.ts';
import { written } from './notifying.ts';

const maxHistory = 40;

/** What a source has after another look. */
function observed(
  before: SourceState | undefined,
  { source, atEpochSeconds, finding }: Observation,
  { settle, staleSeconds }: LifecycleRules,
): SourceState {
  const { observations, seconds } = settle[source];
  const seen = finding?.severity ?? null;
  // What counts no longer does not count again because somebody looked, and it is not there.
  const isStale = before !== undefined && atEpochSeconds - before.atEpochSeconds > staleSeconds[source];
  if (before === undefined || isStale || severityRank(seen) <= severityRank(before.level))
    return { atEpochSeconds, level: seen, lower: null };
  const lower = {
    sinceEpochSeconds: before.lower?.sinceEpochSeconds ?? atEpochSeconds,
    observations: (before.lower?.observations ?? 0) + 1,
    level: before.lower === null ? seen : moreUrgent(before.lower.level, seen),
  };
  const isSettled = lower.observations >= observations && atEpochSeconds - lower.sinceEpochSeconds >= seconds;
  return isSettled
    ? { atEpochSeconds, level: lower.level, lower: null }
    : { atEpochSeconds, level: before.level, lower };
}

function levelOf(
  sourceStates: FindingRecord['sourceStates'],
  nowEpochSeconds: number,
  rules: LifecycleRules,
): Severity | null {
  let level: Severity | null = null;
  for (const source of sources) {
    const sight = sourceStates[source];
    if (sight === undefined || nowEpochSeconds - sight.atEpochSeconds > rules.staleSeconds[source]) continue;
    level = moreUrgent(level, sight.level);
  }
  return level;
}

function eventOf(before: FindingRecord | null, level: Severity | null): LifecycleEvent | null {
  const was = before?.level ?? null;
  if (severityRank(level) === severityRank(was)) return null;
  if (was === null) return before === null ? 'opened' : 'reopened';
  if (level === null) return 'resolved';
  return severityRank(level) < severityRank(was) ? 'worse' : 'better';
}

const withEvent = (
  { history }: Pick<FindingRecord, 'history'>,
  entry: FindingRecord['history'][number],
): FindingRecord['history'] => [...history, entry].slice(-maxHistory);

/** Who looks often knows less of what to do: what is known of it stays. */
const withRecommendation = (
  seen: RememberedFinding,
  before: RememberedFinding | undefined,
): RememberedFinding =>
  seen.recommendations.length > 0 || before === undefined
    ? seen
    : { ...seen, recommendations: before.recommendations };

/**
 * The record after an observation.
 * @param nowEpochSeconds when the observation is handed in.
 * @returns the very same where nothing of it changed (an observation that came twice or late); null where there is nothing to keep.
 */
export function afterObservation(
  findingId: string,
  before: FindingRecord | null,
  observation: Observation,
  rules: LifecycleRules,
  nowEpochSeconds: number,
): FindingRecord | null {
  const { source, by, atEpochSeconds, finding } = observation;
  const sight = before?.sourceStates[source];
  if (sight !== undefined && atEpochSeconds <= sight.atEpochSeconds) return before;
  const remembered = finding === null ? before?.finding : withRecommendation(finding, before?.finding);
  // What was never there, or never for this source, is not missed.
  if (remembered === undefined || (finding === null && sight === undefined)) return before;
  const sourceStates = { ...before?.sourceStates, [source]: observed(sight, observation, rules) };
  // An observation of long ago, handed in late, makes nothing of the other source stale.
  const latest = Math.max(...Object.values(sourceStates).map((one) => one.atEpochSeconds));
  const level = levelOf(sourceStates, latest, rules);
  const event = eventOf(before, level);
  const isOpened = event === 'opened' || event === 'reopened';
  const record: FindingRecord = {
    ...{ findingId, revision: before?.revision ?? 0, sourceStates, level },
    firstEpochSeconds: before?.firstEpochSeconds ?? nowEpochSeconds,
    levelSinceEpochSeconds:
      event === null && before !== null ? before.levelSinceEpochSeconds : atEpochSeconds,
    finding: { ...remembered, severity: level ?? remembered.severity },
    openedEpochSeconds: isOpened || before === null ? atEpochSeconds : before.openedEpochSeconds,
    resolvedEpochSeconds: level !== null ? null : (before?.resolvedEpochSeconds ?? atEpochSeconds),
    muted: before?.muted ?? null,
    acknowledged: level === null || isOpened ? null : (before?.acknowledged ?? null),
    ...{
      claim: before?.claim ?? null,
      notified: before?.notified ?? null,
      notifiedOfDay: before?.notifiedOfDay ?? [],
    },
    mostUrgentNotified: before?.mostUrgentNotified ?? null,
    validatedEpochSeconds: before?.validatedEpochSeconds ?? null,
    history: before?.history ?? [],
    notifyFromEpochSeconds: null,
    expiresEpochSeconds: Math.max(
      before?.expiresEpochSeconds ?? 0,
      finding === null ? 0 : atEpochSeconds + rules.retentionDays * secondsPerDay,
    ),
  };
  if (event !== null) {
    const at = { epochSeconds: atEpochSeconds, writtenEpochSeconds: nowEpochSeconds };
    record.history = withEvent(record, { ...at, event, level, by });
  }
  return written(record, rules);
}

const at = (epochSeconds: number) => ({ epochSeconds, writtenEpochSeconds: epochSeconds });

/**
 * Its account is read no more: nobody knows how it goes on. It is neither open nor resolved, and nothing is notified of it.
 * @param run that asked for all accounts, and when its window ended.
 * @returns the very same where somebody saw it later than that run, or where it is in a message just now: the next run ends it.
 */
export function noLongerRead(
  record: FindingRecord,
  { by, endEpochSeconds, nowEpochSeconds }: { by: string; endEpochSeconds: number; nowEpochSeconds: number },
  rules: LifecycleRules,
): FindingRecord {
  const states = Object.entries(record.sourceStates);
  const isSeenLater = states.some(([, { atEpochSeconds }]) => atEpochSeconds > endEpochSeconds);
  if (record.level === null || record.claim !== null || isSeenLater) return record;
  const event = { event: 'no-longer-read', level: null, by } as const;
  return written(
    {
      ...{ ...record, level: null, levelSinceEpochSeconds: nowEpochSeconds, acknowledged: null },
      sourceStates: Object.fromEntries(
        states.map(([source, state]) => [source, { ...state, level: null, lower: null }]),
      ),
      notified: record.notified === null ? null : { ...record.notified, level: null },
      mostUrgentNotified: null,
      history: withEvent(record, { ...at(nowEpochSeconds), ...event }),
    },
    rules,
  );
}

/** Nothing of it is notified until then; a time that is over ends it. */
export function mutedUntil(
  record: FindingRecord,
  untilEpochSeconds: number,
  { by, nowEpochSeconds }: { by: string; nowEpochSeconds: number },
  rules: LifecycleRules,
): FindingRecord {
  const isMuted = untilEpochSeconds > nowEpochSeconds;
  const event = isMuted ? 'muted' : 'unmuted';
  const { level } = record;
  const history = withEvent(record, { ...at(nowEpochSeconds), event, level, by });
  const muted = isMuted ? { untilEpochSeconds, by } : null;
  // It is remembered as long as it is muted, at least.
  const expiresEpochSeconds = Math.max(record.expiresEpochSeconds, untilEpochSeconds);
  return written({ ...record, history, muted, expiresEpochSeconds }, rules);
}

/** Somebody is at it: told are only that it is worse, or resolved. @returns the very same where it is resolved already. */
export function acknowledgedBy(
  record: FindingRecord,
  { by, nowEpochSeconds }: { by: string; nowEpochSeconds: number },
  rules: LifecycleRules,
): FindingRecord {
  const { level } = record;
  if (level === null) return record;
  const history = withEvent(record, { ...at(nowEpochSeconds), event: 'acknowledged', level, by });
  const acknowledged = { epochSeconds: nowEpochSeconds, by };
  return written({ ...record, history, acknowledged }, rules);
}
