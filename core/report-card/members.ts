/** What the disks below a test did: who carried how much, who waited, and which limit ended it. */

import { mean } from 'simple-statistics';
import { z } from 'zod';
import { type Known, known, unknown } from '../known.ts';
import { type ExceededChecks, type LimitName, limitNames, type Span, sharesOf } from './exceeded-checks.ts';
import type { DiskCounters, MemberCounters } from './fio-result.ts';

const deviceSays = z
  .string()
  .nullable()
  .meta({ description: 'why it does not tell, in the words of its host; null: it told no reason' });

/** Why what ended a test is not known. */
export const limitUnknownSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('no-disk') }),
  z.object({ code: z.literal('device-silent'), deviceSays }),
  z.object({ code: z.literal('no-whole-minute-of-volume'), volumeId: z.string(), deviceSays }),
  z.object({ code: z.literal('no-whole-minute-of-instance'), deviceSays }),
  z.object({ code: z.literal('some-disks-silent'), silent: z.number(), disks: z.number() }),
]);
export type LimitUnknown = z.infer<typeof limitUnknownSchema>;

export interface Member {
  /** That it was looked at. */
  seconds: number;
  volumeId: string | null;
  device: string;
  iops: number;
  /** Of all operations of the test, 0 to 1. */
  share: number;
  /** An operation took on average, with its waiting. */
  waitMs: number | null;
  /** Of the time, for which more was asked than the limit gives; null where the device does not tell. */
  exceeded: Readonly<Record<LimitName, number>> | null;
  exceededReason: LimitUnknown | null;
}

type Disk = NonNullable<DiskCounters['disk']>;
const operationsOf = ({ reads, writes }: Disk): number => reads + writes;
const waitedMsOf = ({ readMs, writeMs }: Disk): number => readMs + writeMs;

const microsecondsPerSecond = 1e6;

function exceededOf({ before, after }: MemberCounters): Member['exceeded'] {
  const [from, to] = [before.ebs, after.ebs];
  if (from === null || to === null) return null;
  const elapsed = (after.uptimeSeconds - before.uptimeSeconds) * microsecondsPerSecond;
  // Counters that went back belong to another disk.
  if (to.readOps < from.readOps || to.writeOps < from.writeOps) return null;
  const share = (counter: keyof typeof from): number =>
    Math.min(Math.max(to[counter] - from[counter], 0) / elapsed, 1);
  return {
    'volume-iops': share('volumeIopsExceededMicroseconds'),
    'volume-throughput': share('volumeThroughputExceededMicroseconds'),
    'instance-iops': share('instanceIopsExceededMicroseconds'),
    'instance-throughput': share('instanceThroughputExceededMicroseconds'),
  };
}

const secondsOf = ({ before, after }: MemberCounters): number => after.uptimeSeconds - before.uptimeSeconds;

/** What the device does not tell, CloudWatch may. */
function exceededBy(
  one: MemberCounters,
  notified: Notified | null,
): Pick<Member, 'exceeded' | 'exceededReason'> {
  const ofDevice = exceededOf(one);
  if (ofDevice !== null) return { exceeded: ofDevice, exceededReason: null };
  const deviceSays = one.after.ebsReason ?? one.before.ebsReason ?? null;
  if (notified === null || one.volumeId === null)
    return { exceeded: null, exceededReason: { code: 'device-silent', deviceSays } };
  const shares = sharesOf(notified.checks, one.volumeId, notified.span);
  return shares.known
    ? { exceeded: shares.value, exceededReason: null }
    : { exceeded: null, exceededReason: { ...shares.reason, deviceSays } };
}

/** What CloudWatch told of a host while a test ran. */
export interface Notified {
  checks: ExceededChecks;
  span: Span;
}

/** Of disks that were there before and after; one that went, came, or was replaced has no figures. */
export function membersOf(counters: readonly MemberCounters[], notified: Notified | null = null): Member[] {
  const rows = counters.map((one) => {
    const [from, to] = [one.before.disk, one.after.disk];
    if (from === null || to === null || operationsOf(to) < operationsOf(from))
      return { one, operations: 0, waitedMs: 0 };
    const waitedMs = Math.max(waitedMsOf(to) - waitedMsOf(from), 0);
    return { one, operations: operationsOf(to) - operationsOf(from), waitedMs };
  });
  const total = rows.reduce((sum, { operations }) => sum + operations, 0);
  return rows.map(({ one, operations, waitedMs }) => ({
    volumeId: one.volumeId,
    device: one.device,
    seconds: secondsOf(one),
    iops: operations / secondsOf(one),
    share: total === 0 ? 0 : operations / total,
    waitMs: operations === 0 ? null : waitedMs / operations,
    ...exceededBy(one, notified),
  }));
}

/** Throttled for at least this part of the time, a limit ended the test. */
const throttledShare = 0.1;

/**
 * The limit at which most time was spent, of the member that spent most; null where none was reached: more users would have
 * had more.
 */
export function limitThatEnded(members: readonly Member[]): Known<LimitName | null, LimitUnknown> {
  const notified = members.flatMap(({ exceeded }) => exceeded ?? []);
  if (notified.length === 0) return unknown(members[0]?.exceededReason ?? { code: 'no-disk' });
  const all = limitNames.map((name) => ({ name, share: Math.max(...notified.map((one) => one[name])) }));
  const [most] = all.sort((a, b) => b.share - a.share) as [{ name: LimitName; share: number }];
  if (most.share >= throttledShare) return known(most.name);
  // A limit that one of the others may have reached is not ruled out.
  const silent = members.length - notified.length;
  return silent === 0 ? known(null) : unknown({ code: 'some-disks-silent', silent, disks: members.length });
}

/** Waits this many times what the others do on average: the stripe waits for it. */
const slowFactor = 2;
/**
 * Of members that are all alike the queue stands before one, and goes on to another after seconds: shorter tests tell
 * nothing of who is slow.
 */
const minSeconds = 30;
/** Of a stripe each carries about as much; where one has far less, they are joined end to end. */
const leastOfLargestShare = 0.6;

function canBeCompared(members: readonly Member[]): boolean {
  const shares = members.map(({ share }) => share);
  return (
    members.every(({ seconds }) => seconds >= minSeconds) &&
    Math.min(...shares) >= leastOfLargestShare * Math.max(...shares)
  );
}

/** Members that each operation waits for; none where they cannot be compared. */
export function slowMembers(members: readonly Member[]): Member[] {
  if (!canBeCompared(members)) return [];
  const waits = members.flatMap(({ waitMs }) => waitMs ?? []);
  if (waits.length < 2) return [];
  return members.filter((member) => {
    const others = members.flatMap(({ waitMs }, index) => (members[index] === member ? [] : (waitMs ?? [])));
    return member.waitMs !== null && others.length > 0 && member.waitMs >= slowFactor * mean(others);
  });
}
