/**
 * Told once: a finding is told when it is new, when it became worse, when it is back after it was gone for some time, and
 * when a benchmark of it was made since. What goes on is not told again.
 */
import { createHash } from 'node:crypto';
import type { ToldFinding } from '../schemas/advisory.ts';
import { type Finding, type Severity, severityRank } from '../schemas/finding.ts';
import { secondsPerDay } from '../units.ts';

/** What is remembered of a finding that was told, or is being told. */
export interface ToldRecord {
  findingId: string;
  severity: Severity;
  /** The run that told it, and when it began to. */
  runId: string;
  claimedEpochSeconds: number;
  /** False from the claim until the message is out. */
  confirmed: boolean;
  /** Forgotten from then on; moved on as long as the finding is seen. */
  expiresEpochSeconds: number;
  change: ToldFinding['change'];
  /** Of the message that it was first put into: a run that takes it over sends that one again. */
  messageId: string;
}

export interface TellingRules {
  runId: string;
  nowEpochSeconds: number;
  leastSeverity: Severity;
  forgetAfterDays: number;
}

/** A claim that was not confirmed for so long belongs to a run that died. */
const claimSeconds = 900;

/** Seen again within so long it is not written again. */
const rememberSeconds = 3_600;

export interface NewsItem {
  finding: Finding;
  /** What is there now, null where nothing is: a claim must find it unchanged. */
  before: ToldRecord | null;
  record: ToldRecord;
}

export interface WhatToTell {
  /** In the order of the findings. */
  news: NewsItem[];
  /** Told before and still there: to be remembered longer. */
  remember: ToldRecord[];
}

const isDead = (record: ToldRecord, { nowEpochSeconds, runId }: TellingRules): boolean =>
  !record.confirmed &&
  (record.runId === runId || nowEpochSeconds - record.claimedEpochSeconds > claimSeconds);

function changeOf(
  finding: Finding,
  before: ToldRecord | null,
  rules: TellingRules,
  provedEpochSeconds: number | null,
): ToldFinding['change'] | null {
  if (before === null) return 'new';
  if (isDead(before, rules)) return before.change;
  if (before.expiresEpochSeconds <= rules.nowEpochSeconds) return 'back';
  if (severityRank(finding.severity) < severityRank(before.severity)) return 'worse';
  const isNewlyProved = provedEpochSeconds !== null && provedEpochSeconds > before.claimedEpochSeconds;
  return before.confirmed && isNewlyProved ? 'proved' : null;
}

const noProofs: ReadonlyMap<string, { gradedEpochSeconds: number }> = new Map();

/**
 * @param told by finding id: what is remembered of these findings.
 * @param proofs by finding id: when a benchmark of it was made.
 */
export function whatToTell(
  findings: readonly Finding[],
  told: ReadonlyMap<string, ToldRecord>,
  rules: TellingRules,
  proofs = noProofs,
): WhatToTell {
  const { runId, nowEpochSeconds, leastSeverity, forgetAfterDays } = rules;
  const expiresEpochSeconds = nowEpochSeconds + forgetAfterDays * secondsPerDay;
  const result: WhatToTell = { news: [], remember: [] };
  for (const finding of findings) {
    const { id: findingId, severity } = finding;
    const before = told.get(findingId) ?? null;
    const change = changeOf(finding, before, rules, proofs.get(findingId)?.gradedEpochSeconds ?? null);
    if (change !== null && severityRank(severity) > severityRank(leastSeverity)) continue;
    if (change !== null) {
      const record = {
        findingId,
        severity,
        runId,
        claimedEpochSeconds: nowEpochSeconds,
        confirmed: false,
        expiresEpochSeconds,
        change,
        messageId: before !== null && isDead(before, rules) ? before.messageId : '',
      };
      result.news.push({ finding, before, record });
    } else if (before !== null && expiresEpochSeconds - before.expiresEpochSeconds >= rememberSeconds) {
      result.remember.push({ ...before, expiresEpochSeconds });
    }
  }
  const fresh = result.news.filter(({ record }) => record.messageId === '');
  const messageId = messageIdOf(runId, fresh);
  for (const { record } of fresh) record.messageId = messageId;
  return result;
}

/** The same for the same news of the same run. */
function messageIdOf(runId: string, news: readonly NewsItem[]): string {
  const ids = news.map(({ finding, record }) => `${finding.id} ${record.change}`).sort();
  return createHash('sha256')
    .update(JSON.stringify([runId, ids]))
    .digest('hex')
    .slice(0, 32);
}
