/** Tells what is open, what came and went, by the day or the week: once, also where the schedule calls twice. */
import { type DigestEvery, digestOf, spanOfDigest } from '../../core/advisory/digest.ts';
import type { FindingRecord } from '../../core/advisory/finding-record.ts';
import type { Digest } from '../../core/schemas/digest.ts';

export interface DigestWith {
  allRecords(): Promise<FindingRecord[]>;
  wasSent(id: string): Promise<boolean>;
  publish(digest: Digest): Promise<void>;
  markSent(id: string): Promise<void>;
}

export interface DigestTime {
  every: DigestEvery;
  atSecondsOfDay: number;
  nowEpochSeconds: number;
}

export type DigestTold = 'told' | 'told-before' | 'nothing-to-tell';

/**
 * Marked once it is out: who dies in between sends it again under its id, and channels leave it out. One that is marked
 * before could be lost.
 */
export async function tellDigest(
  { every, atSecondsOfDay, nowEpochSeconds }: DigestTime,
  { allRecords, wasSent, publish, markSent }: DigestWith,
): Promise<DigestTold> {
  const digest = digestOf(await allRecords(), spanOfDigest(every, atSecondsOfDay, nowEpochSeconds));
  if (digest === null) return 'nothing-to-tell';
  if (await wasSent(digest.id)) return 'told-before';
  await publish(digest);
  await markSent(digest.id);
  return 'told';
}
