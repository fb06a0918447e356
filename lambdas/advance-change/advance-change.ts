/**
 * One step of a change: what is seen, what is next by it, and that. It may be called at any time and by several at once: who writes
 * must have read the write before, and only who wrote that ModifyVolume is asked for calls it.
 */

import { asProposed } from '../../core/changes/decisions.ts';
import {
  type Answer,
  afterCall,
  askedAt,
  nextAction,
  type Phase,
  phaseOf,
  type Seen,
  type SeenModification,
  toNotify,
} from '../../core/changes/next-action.ts';
import { type OwnedVolume, ownerOf } from '../../core/changes/ownership.ts';
import { isReduction } from '../../core/changes/plan.ts';
import { type ChangeRules, secondsToWait } from '../../core/changes/rules.ts';
import { compare, hurts, type Minute, outcomeOf, secondsToVerify } from '../../core/changes/verify.ts';
import type { AutomaticRule } from '../../core/config/changes.ts';
import { AccessDenied, Throttled, Unavailable, Unreadable } from '../../core/errors.ts';
import type { Tags } from '../../core/inventory.ts';
import type {
  NotifiedStep,
  PlannedChange,
  VolumeChange,
  VolumeSettings,
} from '../../core/schemas/volume-change.ts';
import { secondsPerDay, secondsPerMinute } from '../../core/units.ts';

export interface LedgerOfChanges {
  read(id: string): Promise<VolumeChange | null>;
  readAll(ids: readonly string[]): Promise<VolumeChange[]>;
  /** False where somebody else wrote since it was read. */
  write(change: VolumeChange): Promise<boolean>;
  volume(account: string, region: string, volumeId: string): Promise<{ holder: string | null }>;
  begun(): Promise<{ begun: { id: string; atSeconds: number }[]; revision: number }>;
  writeBegun(item: { begun: { id: string; atSeconds: number }[]; revision: number }): Promise<boolean>;
}

type Begun = Awaited<ReturnType<LedgerOfChanges['begun']>>;

type Place = Pick<PlannedChange, 'account' | 'region' | 'volumeId'>;

/** EC2, in the account and Region of the change. */
interface Ec2OfChange {
  /** Null: it is not there any more. */
  volumeNow(place: Place): Promise<(Pick<OwnedVolume, 'tags' | 'operator'> & VolumeSeen) | null>;
  latestModification(place: Place): Promise<SeenModification | null>;
  /** Null: of no instance. */
  instanceTags(place: Place, instanceIds: readonly string[]): Promise<Tags | null>;
  modify(place: Place, settings: VolumeSettings): Promise<Answer>;
}

interface VolumeSeen {
  settings: VolumeSettings;
  instanceIds: readonly string[];
}

export type Side = 'before' | 'after';

export interface AdvanceWith {
  ledger: LedgerOfChanges;
  ec2: Ec2OfChange;
  killSwitch(): Promise<'off' | 'on'>;
  /**
   * Minutes of the volume as evaluation says by the limits that it had, from and without the end; a minute that is not known may be
   * left out. Before the change they are in the archive, after it in CloudWatch.
   */
  minutes(plan: PlannedChange, side: Side, fromSeconds: number, endSeconds: number): Promise<Minute[]>;
  /** Sends it to people. What fails is sent again. */
  notify(change: VolumeChange, step: NotifiedStep): Promise<void>;
  onUnknown(what: string, reason: string): void;
  nowSeconds(): number;
  rules: ChangeRules;
  automatic: readonly AutomaticRule[];
  approvalsNeeded: number;
}

export interface Advanced {
  isEnded: boolean;
  /** A person is waited for, and nothing else. */
  needsApproval: boolean;
  waitSeconds: number;
}

/** So much of a week must be known before a reduction. */
const shareOfHistory = 0.8;
/** So many days of before: the same weekdays, twice. */
const daysBefore = 14;
const soonSeconds = 5;
const notNowSeconds = 5 * secondsPerMinute;
/** Begun ones that no rule looks at any more: more than a month. */
const begunDays = 32;

const isPassing = (error: unknown): error is Error =>
  [Throttled, Unavailable, Unreadable, AccessDenied].some((kind) => error instanceof kind);

/** What could not be read is unknown: nothing starts on it, and it is read again. */
async function orUnknown<T>(
  what: string,
  read: () => Promise<T>,
  { onUnknown }: Pick<AdvanceWith, 'onUnknown'>,
): Promise<T | 'unknown'> {
  try {
    return await read();
  } catch (error) {
    if (!isPassing(error)) throw error;
    onUnknown(what, error.message);
    return 'unknown';
  }
}

const nothingSeen: Seen = {
  ...{ volume: 'unknown', latest: 'unknown', ownStartsSeconds: [], isOurs: true, killSwitch: 'unknown' },
  ...{ waitSeconds: null, outcome: null, comparison: null, hurts: false, isHolder: true, hasHistory: true },
};

type VolumeRead = Awaited<ReturnType<Ec2OfChange['volumeNow']>> | 'unknown';

async function seenOfVolume(
  change: VolumeChange,
  use: AdvanceWith,
): Promise<{ seen: Partial<Seen>; now: VolumeRead }> {
  const { plan, made, undo } = change;
  const { account, region, volumeId } = plan;
  const now = await orUnknown('the volume', () => use.ec2.volumeNow(plan), use);
  const latest = await orUnknown('its modifications', () => use.ec2.latestModification(plan), use);
  const { holder } = await use.ledger.volume(account, region, volumeId);
  const isHolder = holder === change.id;
  const ownStartsSeconds = [made?.startSeconds, undo?.startSeconds].filter((start) => start != null);
  const volume = now === 'unknown' ? now : now === null ? 'gone' : now.settings;
  return { now, seen: { volume, latest, ownStartsSeconds, isHolder } };
}

/** Whether it may begin: its owner, the switch, and what else was begun. */
async function seenBeforeStart(
  { plan }: VolumeChange,
  now: VolumeRead,
  use: AdvanceWith,
): Promise<Partial<Seen> & { tags: Tags }> {
  const killSwitch = await orUnknown('the kill switch', () => use.killSwitch(), use);
  if (now === 'unknown' || now === null) return { killSwitch, tags: {} };
  const { instanceIds, tags, operator } = now;
  const instanceTags = await orUnknown('its instance', () => use.ec2.instanceTags(plan, instanceIds), use);
  // Who owns it is not known.
  if (instanceTags === 'unknown') return { volume: 'unknown', tags };
  return { killSwitch, tags, isOurs: ownerOf({ tags, instanceTags, operator }).kind === 'nobody' };
}

/** Minutes from when EC2 began, by new limits; those that decide are those from when it completed. */
async function seenOfLoad(change: VolumeChange, use: AdvanceWith): Promise<Partial<Seen>> {
  const { plan, made } = change;
  const begun = made?.startSeconds ?? made?.completedSeconds;
  if (made === null || begun == null) return {};
  const now = use.nowSeconds();
  const isLess = isReduction(plan);
  const verifiedSeconds = (made.completedSeconds ?? now) + secondsToVerify(isLess);
  const read = (side: Side, from: number, to: number) =>
    orUnknown(`its minutes ${side} the change`, () => use.minutes(plan, side, from, to), use);
  const before = await read('before', made.askedSeconds - daysBefore * secondsPerDay, made.askedSeconds);
  const since = await read('after', begun, Math.min(now, verifiedSeconds));
  if (before === 'unknown' || since === 'unknown') return {};
  const hurting = isLess && hurts(before, since);
  if (made.completedSeconds === null)
    return hurting ? { hurts: true, comparison: compare(before, since) } : {};
  const from = made.completedSeconds;
  const comparison = compare(
    before,
    hurting ? since : since.filter(({ epochSeconds }) => epochSeconds >= from),
  );
  return {
    comparison,
    hurts: hurting,
    outcome: now >= verifiedSeconds ? outcomeOf(comparison, isLess) : null,
  };
}

/** Of a reduction that would begin now: whether its hours can be compared. */
async function hasHistory({ plan }: VolumeChange, use: AdvanceWith): Promise<boolean> {
  const now = use.nowSeconds();
  // What the last audit did not read by now is not in the archive.
  const end = now - secondsPerDay;
  const week = 7 * secondsPerDay;
  const minutes = await use.minutes(plan, 'before', end - week, end);
  const known = minutes.filter(({ isThrottled }) => isThrottled !== null).length;
  return known * secondsPerMinute >= shareOfHistory * week;
}

/** Notifies what is due, and writes that it did: who is killed in between notifies twice. @returns null: somebody else wrote. */
async function notifyDue(change: VolumeChange, use: AdvanceWith): Promise<VolumeChange | null> {
  let current = change;
  for (const step of toNotify(change)) {
    try {
      await use.notify(current, step);
    } catch (error) {
      // An undo does not wait for the messages.
      if (!isPassing(error) || current.made === null || current.end !== null) throw error;
      use.onUnknown('whether people heard of it', error.message);
      return current;
    }
    const next = { ...current, notified: [...current.notified, step] };
    if (!(await use.ledger.write(next))) return null;
    current = { ...next, revision: current.revision + 1 };
  }
  return current;
}

/** A place is taken before it is written that ModifyVolume is asked for: who was killed in between has it so long. */
const placeSeconds = 10 * secondsPerMinute;

/** The changes that were begun, and those that are about to: as if they were asked for. */
async function begunChanges({ begun }: Begun, use: AdvanceWith): Promise<VolumeChange[]> {
  const takenAt = new Map(begun.map(({ id, atSeconds }) => [id, atSeconds]));
  const all = await use.ledger.readAll([...takenAt.keys()]);
  return all.map((change) => {
    const atSeconds = takenAt.get(change.id) ?? 0;
    const isAboutTo = change.made === null && atSeconds > use.nowSeconds() - placeSeconds;
    return isAboutTo ? { ...change, made: askedAt(atSeconds, null) } : change;
  });
}

/** The place among those that are begun, taken before it is: of two in the same moment one looks again. */
async function takePlace(
  change: VolumeChange,
  { begun, revision }: Begun,
  use: AdvanceWith,
): Promise<boolean> {
  const now = use.nowSeconds();
  const kept = begun.filter(
    ({ id, atSeconds }) => id !== change.id && atSeconds > now - begunDays * secondsPerDay,
  );
  return use.ledger.writeBegun({ begun: [...kept, { id: change.id, atSeconds: now }], revision });
}

/** The change as it is written; the first step of all writes it as it was proposed. @throws Unreadable where there is none. */
async function readOrBegin(
  id: string,
  proposed: VolumeChange | null,
  use: Pick<AdvanceWith, 'ledger' | 'automatic'>,
): Promise<VolumeChange> {
  const { ledger, automatic } = use;
  const read = await ledger.read(id);
  if (read !== null) return read;
  if (proposed === null || proposed.id !== id) throw new Unreadable(`change ${id}: it is not in the ledger`);
  const first = asProposed(proposed, automatic);
  return (await ledger.write(first))
    ? { ...first, revision: first.revision + 1 }
    : readOrBegin(id, null, use);
}

/** What must be known for what is next, and no more. @param begun read before anything is looked at; null: nothing may begin */
async function seenFor(
  phase: Phase,
  change: VolumeChange,
  begun: Begun | null,
  use: AdvanceWith,
): Promise<Seen> {
  if (phase === 'approval') return nothingSeen;
  const { seen: ofVolume, now } = await seenOfVolume(change, use);
  const isLess = isReduction(change.plan);
  const isOptimizing = phase === 'follow' && isLess && change.undo === null && change.undoAskedBy === null;
  if (phase === 'verify' || isOptimizing)
    return { ...nothingSeen, ...ofVolume, ...(await seenOfLoad(change, use)) };
  if (phase !== 'start' && phase !== 'undo') return { ...nothingSeen, ...ofVolume };
  const { tags, ...more } = await seenBeforeStart(change, now, use);
  const seen: Seen = { ...nothingSeen, ...ofVolume, ...more };
  if (begun === null) return seen;
  const others = await begunChanges(begun, use);
  const waitSeconds = secondsToWait(change, tags, others, use.rules, use.nowSeconds());
  if (!isLess || waitSeconds !== null || seen.killSwitch !== 'off') return { ...seen, waitSeconds };
  const known = await orUnknown('its minutes before the change', () => hasHistory(change, use), use);
  return known === 'unknown'
    ? { ...seen, waitSeconds, volume: 'unknown' }
    : { ...seen, waitSeconds, hasHistory: known };
}

/**
 * @param proposed as the state machine was started with it.
 * @throws Unreadable where there is no such change
 */
export async function advanceChange(
  id: string,
  use: AdvanceWith,
  proposed: VolumeChange | null = null,
): Promise<Advanced> {
  const { ledger, approvalsNeeded } = use;
  const again = (waitSeconds: number, needsApproval = false): Advanced => ({
    isEnded: false,
    ...{ needsApproval, waitSeconds },
  });
  const change = await notifyDue(await readOrBegin(id, proposed, use), use);
  if (change === null) return again(soonSeconds);
  const phase = phaseOf(change, approvalsNeeded);
  if (phase === 'ended') return { isEnded: true, needsApproval: false, waitSeconds: 0 };
  const begun = phase === 'start' ? await ledger.begun() : null;
  const seen = await seenFor(phase, change, begun, use);
  const action = nextAction(change, seen, { nowSeconds: use.nowSeconds(), approvalsNeeded });
  if (action === null) return again(soonSeconds);
  if (action.do === 'wait') return again(action.seconds, phase === 'approval');
  if (action.do === 'modify' && begun !== null && !(await takePlace(change, begun, use)))
    return again(soonSeconds);
  if (!(await ledger.write(action.change)) || action.do === 'write') return again(soonSeconds);
  const answer = await use.ec2.modify(change.plan, action.settings);
  const written = { ...action.change, revision: action.change.revision + 1 };
  const answered = afterCall(written, answer);
  // Where it cannot be written it is as if no answer had come: EC2 is asked what it knows.
  if (answered !== written) await ledger.write(answered);
  return again(answer.code === 'throttled' ? notNowSeconds : soonSeconds);
}
