/** Tells what is new in a run, once: claim, publish, confirm. */
import { advisoryOf } from '../../core/advisory/advisory.ts';
import {
  type NewsItem,
  type TellingRules,
  type ToldRecord,
  whatToTell,
} from '../../core/advisory/what-to-tell.ts';
import type { Advisory } from '../../core/schemas/advisory.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';

export interface TellWith {
  readTold(findingIds: readonly string[]): Promise<Map<string, ToldRecord>>;
  claim(record: ToldRecord, before: ToldRecord | null): Promise<boolean>;
  publish(advisory: Advisory): Promise<void>;
  confirm(records: readonly ToldRecord[]): Promise<void>;
  remember(records: readonly ToldRecord[]): Promise<void>;
}

export interface Told {
  told: number;
  /** Still there, told before (or below the least severity). */
  notNew: number;
}

/**
 * A run that dies between claim and publish leaves claims without confirmation: a retry of it, or a run later than
 * fifteen minutes, tells them. One that dies between publish and confirm sends the same message id again.
 */
export async function tellFindings(
  result: AuditResult,
  location: string,
  rules: TellingRules,
  { readTold, claim, publish, confirm, remember }: TellWith,
): Promise<Told> {
  const { findings } = result;
  const told = await readTold(findings.map(({ id }) => id));
  const { news, remember: longer } = whatToTell(findings, told, rules);
  const mine: NewsItem[] = [];
  for (const item of news) if (await claim(item.record, item.before)) mine.push(item);
  if (mine.length > 0) {
    await publish(advisoryOf(result, mine, location));
    await confirm(mine.map(({ record }) => record));
  }
  await remember(longer);
  return { told: mine.length, notNew: findings.length - mine.length };
}
