/** Tells what is new in a run, once: claim, publish, confirm. */
import { chunk, groupBy } from 'es-toolkit/array';
import { advisoryOf } from '../../core/advisory/advisory.ts';
import {
  type NewsItem,
  type TellingRules,
  type ToldRecord,
  whatToTell,
} from '../../core/advisory/what-to-tell.ts';
import type { LinkOf } from '../../core/report/report-link.ts';
import type { Advisory } from '../../core/schemas/advisory.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { type ProofsFrom, proofsOf } from './proofs.ts';

export interface TellWith extends ProofsFrom {
  /** False where nobody is subscribed yet: what is told then would be lost. */
  isAnybodyListening(): Promise<boolean>;
  readTold(findingIds: readonly string[]): Promise<Map<string, ToldRecord>>;
  claim(record: ToldRecord, before: ToldRecord | null): Promise<boolean>;
  publish(advisory: Advisory): Promise<void>;
  confirm(records: readonly ToldRecord[]): Promise<void>;
  remember(records: readonly ToldRecord[]): Promise<void>;
  /** Links to the run's report; null where there are none. Asked once there is something to tell. */
  linksToReport(): Promise<LinkOf | null>;
}

const claimsAtOnce = 10;

export interface Told {
  told: number;
  /** Told before, or below the least severity. */
  notTold: number;
  /** There is news, and neither Slack nor an address is set up: it waits for the first run after that. */
  nobodyListens: boolean;
}

/**
 * A run that dies between claim and publish leaves claims without confirmation: a retry of it, or a run later than
 * fifteen minutes, tells them, under the message id of the first claim. So where the message was out already, a channel
 * that knows its id leaves it out.
 */
export async function tellFindings(
  result: AuditResult,
  location: string,
  rules: TellingRules,
  { isAnybodyListening, readTold, claim, publish, confirm, remember, linksToReport, ...proofsFrom }: TellWith,
): Promise<Told> {
  const { findings } = result;
  const told = await readTold(findings.map(({ id }) => id));
  const proofs = await proofsOf(findings, rules.nowEpochSeconds, proofsFrom);
  const { news, remember: longer } = whatToTell(findings, told, rules, proofs);
  // Whoever listens or not: what goes on is not forgotten meanwhile.
  await remember(longer);
  if (news.length > 0 && !(await isAnybodyListening()))
    return { told: 0, notTold: findings.length, nobodyListens: true };
  const mine: NewsItem[] = [];
  for (const some of chunk(news, claimsAtOnce)) {
    // All of them are over before one that failed ends this: a retry must find each claim that was made.
    const claimed = await Promise.allSettled(some.map(({ record, before }) => claim(record, before)));
    for (const [index, one] of claimed.entries()) {
      if (one.status === 'rejected') throw one.reason;
      if (one.value) mine.push(some[index] as NewsItem);
    }
  }
  const messages = Object.values(groupBy(mine, ({ record }) => record.messageId));
  const linkOf = messages.length === 0 ? null : await linksToReport();
  for (const news of messages) {
    await publish(advisoryOf(result, news, location, { proofs, linkOf }));
    await confirm(news.map(({ record }) => record));
  }
  return { told: mine.length, notTold: findings.length - mine.length, nobodyListens: false };
}
