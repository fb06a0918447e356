/** Tells what is open, what came and went, by the day or the week: once, though the schedule calls each day. */
import {
  changesOfDigest,
  type DigestEvery,
  digestOf,
  idOfDigest,
  isFirstOfMonth,
  spanOfDigest,
} from '../../core/lifecycle/digest.ts';
import type { FindingRecord } from '../../core/lifecycle/finding-record.ts';
import type { Digest } from '../../core/schemas/digest.ts';
import type { FleetSpan } from '../../core/schemas/fleet-days.ts';
import type { VolumeChange } from '../../core/schemas/volume-change.ts';
import { secondsPerDay } from '../../core/units.ts';

export interface DigestWith {
  allRecords(): Promise<FindingRecord[]>;
  /** The last seven days of the fleet and those before, at a time; null: not known. Absent: there is no archive. */
  readWeeks?(atEpochSeconds: number): Promise<readonly FleetSpan[] | null>;
  /** The ledger of changes of volumes; null: not known. Absent: there is none. */
  readChanges?(): Promise<readonly VolumeChange[] | null>;
  wasSent(id: string): Promise<boolean>;
  publish(digest: Digest): Promise<void>;
  markSent(id: string): Promise<void>;
}

export interface DigestTime {
  every: DigestEvery;
  atSecondsOfDay: number;
  nowEpochSeconds: number;
}

export type DigestOutcome = 'notified' | 'sent-before' | 'nothing-to-send' | 'not-due';

/** The call of the next day makes up for a lost one; later a digest of the week would be no news. */
const mostLateSeconds = 1.5 * secondsPerDay;

/**
 * Marked once it is out: who dies in between sends it again under its id, and channels leave it out. One that is marked
 * before could be lost.
 */
export async function notifyDigest(
  { every, atSecondsOfDay, nowEpochSeconds }: DigestTime,
  { allRecords, readWeeks, readChanges, wasSent, publish, markSent }: DigestWith,
): Promise<DigestOutcome> {
  const span = spanOfDigest(every, atSecondsOfDay, nowEpochSeconds);
  if (nowEpochSeconds - span.endEpochSeconds > mostLateSeconds) return 'not-due';
  const id = idOfDigest(span);
  if (await wasSent(id)) return 'sent-before';
  const weeks = (await readWeeks?.(span.endEpochSeconds)) ?? null;
  const ledger = isFirstOfMonth(span) ? ((await readChanges?.()) ?? []) : [];
  const digest = digestOf(await allRecords(), span, weeks, changesOfDigest(ledger, span));
  if (digest !== null) await publish(digest);
  await markSent(id);
  return digest === null ? 'nothing-to-send' : 'notified';
}
