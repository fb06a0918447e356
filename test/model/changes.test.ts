/**
 * Changes of volumes against a small model of EC2 and of the ledger: answers that are lost, modifications that fail, those of others,
 * slots, clocks that differ, functions that are killed before and after anything that they do, two that work on the same change at
 * once, approvals, rejections and the kill switch at any time. Whatever happens: ModifyVolume is called once at most for a change and
 * once at most for its undo, each change ends, and people hear of the end.
 */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { approve, askUndo, propose, reject } from '../../core/changes/decisions.ts';
import type { Answer, SeenModification } from '../../core/changes/next-action.ts';
import { isSame } from '../../core/changes/plan.ts';
import type { Minute } from '../../core/changes/verify.ts';
import { AccessDenied, Throttled, Unavailable } from '../../core/errors.ts';
import type { NotifiedStep, VolumeChange, VolumeSettings } from '../../core/schemas/volume-change.ts';
import { secondsPerDay, secondsPerHour } from '../../core/units.ts';
import {
  type AdvanceWith,
  advanceChange,
  type LedgerOfChanges,
} from '../../lambdas/advance-change/advance-change.ts';

const runs = Number(process.env['STRIPEWISE_MODEL_RUNS'] ?? 100);
const begin = 1_795_132_800;
const from: VolumeSettings = { volumeType: 'gp3', sizeGiB: 500, iops: 6_000, throughputMiBps: 250 };
const to: VolumeSettings = { volumeType: 'gp3', sizeGiB: 500, iops: 3_000, throughputMiBps: 125 };
const ofOthers: VolumeSettings = { volumeType: 'gp3', sizeGiB: 600, iops: 4_000, throughputMiBps: 250 };
const approvers = ['slack:U1', 'slack:U2', 'slack:U3'];
const slotsPerDay = 4;
const mostSteps = 20_000;

class Killed extends Error {}

type Random = ReturnType<typeof xoroshiro128plus>;

/** One volume in EC2, by EC2's own clock. */
class Ec2Volume {
  settings = from;
  latest: SeenModification | null = null;
  isGone = false;
  private readonly starts: number[] = [];
  private endsAt = 0;
  private willFail = false;

  isBusy(): boolean {
    return !this.isGone && (this.latest?.state === 'modifying' || this.latest?.state === 'optimizing');
  }

  /** @returns why it does not begin; null: it does. */
  modify(target: VolumeSettings, now: number, willFail: boolean, lasts: number): string | null {
    if (this.isGone) return 'InvalidVolume.NotFound';
    if (this.isBusy()) return 'IncorrectModificationState';
    if (this.starts.filter((start) => start > now - secondsPerDay).length >= slotsPerDay)
      return 'VolumeModificationRateExceeded';
    this.starts.push(now);
    this.latest = { startSeconds: now, state: 'modifying', target, endSeconds: null };
    this.endsAt = now + lasts;
    this.willFail = willFail;
    return null;
  }

  pass(now: number): void {
    if (this.latest === null || !this.isBusy() || now < this.endsAt) return;
    this.latest = { ...this.latest, state: this.willFail ? 'failed' : 'completed', endSeconds: this.endsAt };
    if (!this.willFail) this.settings = this.latest.target;
  }
}

/** As DynamoDB keeps it: each write on the condition that nobody wrote since. */
class LedgerInMemory implements LedgerOfChanges {
  private readonly changes = new Map<string, VolumeChange>();
  private begunItem: Awaited<ReturnType<LedgerOfChanges['begun']>> = { begun: [], revision: 0 };

  read = async (id: string) => this.changes.get(id) ?? null;
  readAll = async (ids: readonly string[]) => ids.flatMap((id) => this.changes.get(id) ?? []);
  /** Each change has a volume of its own. */
  volume = async (_account: string, _region: string, volumeId: string) => ({
    holder: volumeId.replace('vol-', 'c-'),
  });
  begun = async () => this.begunItem;
  write = async (change: VolumeChange) => {
    if ((this.changes.get(change.id)?.revision ?? 0) !== change.revision) return false;
    this.changes.set(change.id, { ...change, revision: change.revision + 1 });
    return true;
  };
  writeBegun = async (item: Awaited<ReturnType<LedgerOfChanges['begun']>>) => {
    if (this.begunItem.revision !== item.revision) return false;
    this.begunItem = { ...item, revision: item.revision + 1 };
    return true;
  };
}

interface Call {
  changeId: string;
  settings: VolumeSettings;
  answer: Answer['code'];
}

interface Story {
  ends: VolumeChange[];
  calls: Call[];
  notified: [string, NotifiedStep][];
  /** The most of our changes that EC2 had under way at once; an undo waits for nobody. */
  mostAtOnce: number;
}

/** @param seed of everything that happens. */
async function tellStory(seed: number): Promise<Story> {
  const random: Random = xoroshiro128plus(seed);
  const upTo = (most: number): number => uniformInt(random, 0, most);
  const oneIn = (n: number): boolean => upTo(n - 1) === 0;
  const approvalsNeeded = 1 + upTo(1);
  const skew = upTo(600) - 300;
  const ledger = new LedgerInMemory();
  const calls: Call[] = [];
  const notified: Story['notified'] = [];
  let now = begin;
  let mostAtOnce = 0;

  /** Killed before it or after it, or an answer that does not come: whoever called is gone. */
  const mayDie =
    <A extends unknown[], R>(does: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      for (let waits = upTo(2); waits > 0; waits--) await Promise.resolve();
      if (oneIn(150)) throw new Killed();
      const answer = await does(...args);
      for (let waits = upTo(2); waits > 0; waits--) await Promise.resolve();
      if (oneIn(150)) throw new Killed();
      return answer;
    };
  const mayBeUnread = <A extends unknown[], R>(does: (...args: A) => Promise<R>) =>
    mayDie(async (...args: A): Promise<R> => {
      if (oneIn(60)) throw new Unavailable('no answer');
      if (oneIn(60)) throw new Throttled('Rate exceeded');
      if (oneIn(200)) throw new AccessDenied('not authorized');
      return does(...args);
    });

  const volumes = new Map(['vol-1', 'vol-2'].map((id) => [id, new Ec2Volume()]));
  const ids = ['c-1', 'c-2'];
  for (const [i, id] of ids.entries()) {
    const plan = {
      ...{ account: '111122223333', region: 'us-east-1', volumeId: `vol-${i + 1}` },
      ...{ findingId: '0'.repeat(16), from, to, monthlyUsdDelta: -3 },
      ...{ throttledMinutesBefore: 10, throttledMinutesAfter: 0, plannedOn: '2026-11-20' },
    };
    await ledger.write(propose(plan, id, { by: 'slack:U1', nowSeconds: now }));
  }

  const wholeWeek: Minute[] = Array.from({ length: 10_080 }, (_, i) => ({
    ...{ epochSeconds: 60 * i, operations: 600, queue: 1, isThrottled: false },
  }));
  let hurtsNow = false;
  const minutes = async (_: unknown, side: string, start: number, end: number): Promise<Minute[]> => {
    const week = 7 * secondsPerDay;
    // Whether there is anything to compare with is asked of a whole week.
    if (end - start === week) return wholeWeek;
    const last = [5, 4, 3, 2, 1].map((n) => Math.floor(now / 60) * 60 - n * 60);
    const isAfter = side === 'after';
    const times = isAfter ? last : last.map((time) => time - week);
    return times
      .filter((time) => time >= start - week && time < end + week)
      .map((epochSeconds) => ({
        ...{ epochSeconds, operations: 600, queue: 1 },
        isThrottled: isAfter && hurtsNow,
      }));
  };

  /** Another process each: it reads what is written, and dies by itself. */
  const workerOf = (changeId: string): AdvanceWith => ({
    ledger: {
      read: mayDie(ledger.read),
      readAll: mayDie(ledger.readAll),
      write: mayDie(ledger.write),
      volume: mayDie(ledger.volume),
      begun: mayDie(ledger.begun),
      writeBegun: mayDie(ledger.writeBegun),
    },
    ec2: {
      volumeNow: mayBeUnread(async ({ volumeId }) => {
        const volume = volumes.get(volumeId) as Ec2Volume;
        const { settings, isGone } = volume;
        return isGone ? null : { settings, tags: {}, operator: null, instanceIds: [] };
      }),
      latestModification: mayBeUnread(async ({ volumeId }) => volumes.get(volumeId)?.latest ?? null),
      instanceTags: mayBeUnread(async () => null),
      modify: mayDie(async ({ volumeId }, settings): Promise<Answer> => {
        if (oneIn(15)) {
          calls.push({ changeId, settings, answer: 'throttled' });
          return { code: 'throttled' };
        }
        calls.push({ changeId, settings, answer: 'unknown' });
        const call = calls.at(-1) as Call;
        // It never arrives.
        if (oneIn(15)) return { code: 'unknown' };
        const volume = volumes.get(volumeId) as Ec2Volume;
        const error = volume.modify(settings, now + skew, oneIn(10), upTo(30 * secondsPerHour));
        const busy = [...volumes.values()].filter(
          (one) => one.isBusy() && isSame(one.latest?.target ?? from, to),
        );
        mostAtOnce = Math.max(mostAtOnce, busy.length);
        // Its answer is lost.
        if (oneIn(15)) return { code: 'unknown' };
        call.answer = error === null ? 'begun' : 'refused';
        return error === null ? { code: 'begun' } : { code: 'refused', error };
      }),
    },
    killSwitch: mayBeUnread(async () => (oneIn(40) ? 'on' : 'off')),
    minutes: mayBeUnread(minutes),
    notify: mayDie(async ({ id }, step) => {
      notified.push([id, step]);
    }),
    onUnknown: () => {},
    nowSeconds: () => now,
    rules: { windows: [], mostAtOnce: 1, mostADay: 10, mostUsdPerMonth: 10 },
    automatic: [],
    approvalsNeeded,
  });

  /** What people do, each by a write of their own. */
  const decide = async (id: string): Promise<void> => {
    const change = (await ledger.read(id)) as VolumeChange;
    const by = { by: approvers[upTo(approvers.length)] ?? 'slack:U9', nowSeconds: now };
    const rules = { approvers, approvalsNeeded };
    const decided = oneIn(20)
      ? reject(change, by, rules)
      : oneIn(40)
        ? askUndo(change, by, rules)
        : approve(change, oneIn(10) ? 'another' : change.fingerprint, by, rules);
    if ('change' in decided) await ledger.write(decided.change);
  };

  const isOpen = async (id: string): Promise<boolean> => {
    const change = await ledger.read(id);
    return change?.end === null || !notified.some(([who, step]) => who === id && step === 'ended');
  };
  for (let step = 0; step < mostSteps; step++) {
    const open: string[] = [];
    for (const id of ids) if (await isOpen(id)) open.push(id);
    if (open.length === 0) break;
    for (const volume of volumes.values()) {
      if (oneIn(2_000)) volume.modify(ofOthers, now + skew, false, secondsPerHour);
      if (oneIn(20_000)) volume.isGone = true;
      volume.pass(now + skew);
    }
    if (oneIn(30)) await decide(open[upTo(open.length - 1)] as string);
    hurtsNow = oneIn(2_000);
    // Mostly one worker a change; sometimes two, of which neither knows of the other.
    const workers = open.flatMap((id) => (oneIn(8) ? [id, id] : [id]));
    const ended = await Promise.allSettled(workers.map((id) => advanceChange(id, workerOf(id))));
    for (const one of ended)
      if (one.status === 'rejected' && !(one.reason instanceof Killed)) throw one.reason;
    const waits = ended.flatMap((one) =>
      one.status === 'fulfilled' && !one.value.isEnded ? one.value.waitSeconds : [],
    );
    now += Math.max(1, Math.min(600, ...waits));
  }
  const ends: VolumeChange[] = [];
  for (const id of ids) ends.push((await ledger.read(id)) as VolumeChange);
  return { ends, calls, notified, mostAtOnce };
}

test(`in ${runs} stories each change is made once at most, undone once at most, ends, and people hear of it`, async () => {
  const counts = { changes: 0, attempts: 0, doubles: 0, unheard: 0, undoneUndos: 0, repeated: 0 };
  const ends = new Map<string, number>();
  for (let seed = 1; seed <= runs; seed++) {
    const { ends: changes, calls, notified, mostAtOnce } = await tellStory(seed);
    expect([seed, mostAtOnce <= 1]).toEqual([seed, true]);
    for (const { id, end, approvals } of changes) {
      if (end === null) throw new Error(`seed ${seed}: ${id} has no end`);
      const name = 'reason' in end ? `${end.code}: ${end.reason}` : end.code;
      ends.set(name, (ends.get(name) ?? 0) + 1);
      // A call that EC2 refused for its rate made nothing, and said so.
      const own = calls.filter(({ changeId, answer }) => changeId === id && answer !== 'throttled');
      const made = own.filter(({ settings }) => isSame(settings, to)).length;
      const undone = own.filter(({ settings }) => isSame(settings, from)).length;
      counts.changes += 1;
      counts.attempts += own.length;
      counts.doubles += Math.max(0, made - 1) + Math.max(0, undone - 1);
      // What is made after its undo undoes the undo.
      const last = own.findLastIndex(({ settings }) => isSame(settings, to));
      if (own.slice(0, Math.max(last, 0)).some(({ settings }) => isSame(settings, from)))
        counts.undoneUndos += 1;
      const heard = notified.filter(([who, step]) => who === id && step === 'ended').length;
      if (heard === 0) counts.unheard += 1;
      if (heard > 1) counts.repeated += 1;
      if (own.length > 0) expect(approvals.length).toBeGreaterThan(0);
      if (end.code === 'undone') expect([seed, made, undone]).toEqual([seed, 1, 1]);
      if (end.code === 'kept') expect([seed, made, undone]).toEqual([seed, 1, 0]);
      if (
        end.code === 'not-made' &&
        !['outcome-unknown', 'volume-gone', 'refused-by-ec2'].includes(end.reason)
      )
        expect([seed, end.reason, own]).toEqual([seed, end.reason, []]);
    }
  }
  process.stderr.write(
    `changes ${counts.changes}, attempts ${counts.attempts}, double modifications ${counts.doubles}, unheard ends ${counts.unheard}, undone undos ${counts.undoneUndos}, ends notified twice ${counts.repeated}\n${[...ends].map(([name, n]) => `  ${n} ${name}`).join('\n')}\n`,
  );
  expect([counts.doubles, counts.unheard, counts.undoneUndos]).toEqual([0, 0, 0]);
  // Each kind of end came.
  expect([...ends.keys()]).toEqual(
    expect.arrayContaining(['kept', 'modification-failed', 'not-made: rejected', 'undone']),
  );
}, 240_000);
