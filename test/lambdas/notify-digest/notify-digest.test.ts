/** A digest goes out once for its span, also where the schedule calls twice or somebody dies. */
import type { Digest } from '../../../core/schemas/digest.ts';
import { epochSecondsOf } from '../../../core/units.ts';
import { envSchema } from '../../../lambdas/notify-digest/env.ts';
import { type DigestWith, notifyDigest } from '../../../lambdas/notify-digest/notify-digest.ts';
import { aFleetSpan } from '../../fixtures/digests.ts';
import { aRecord } from '../../fixtures/findings.ts';
import { aComparison } from '../../fixtures/steps-of-changes.ts';
import { aChange } from '../../fixtures/volume-change.ts';

let sent: Set<string>;
let published: Digest[];
const use: DigestWith = {
  allRecords: async () => [aRecord()],
  wasSent: async (id) => sent.has(id),
  publish: async (digest) => {
    published.push(digest);
  },
  markSent: async (id) => {
    sent.add(id);
  },
};
beforeEach(() => {
  sent = new Set();
  published = [];
});

const notifyAt = (now: string, using: Partial<DigestWith> = {}) =>
  notifyDigest(
    { every: 'daily', atSecondsOfDay: 7 * 3_600, nowEpochSeconds: epochSecondsOf(now) },
    { ...use, ...using },
  );
const day = '2026-11-21T07:00:10Z';

test('is notified once a span, however often the schedule calls', async () => {
  expect(await notifyAt(day)).toBe('notified');
  expect(await notifyAt('2026-11-21T08:00:00Z')).toBe('sent-before');
  expect(await notifyAt('2026-11-22T07:00:10Z')).toBe('notified');
  expect(published.map(({ span }) => span.end)).toEqual(['2026-11-21T07:00:00Z', '2026-11-22T07:00:00Z']);
});

test('where nothing is open and nothing came or went, nothing is sent', async () => {
  expect(await notifyAt(day, { allRecords: async () => [] })).toBe('nothing-to-send');
  expect(published).toEqual([]);
});

describe('a digest of the week, called for each day', () => {
  const onDay = (now: string, using: Partial<DigestWith> = {}) =>
    notifyDigest(
      { every: 'weekly', atSecondsOfDay: 7 * 3_600, nowEpochSeconds: epochSecondsOf(now) },
      { ...use, ...using },
    );
  const days = [23, 24, 25, 26, 27, 28, 29, 30].map((date) => `2026-11-${date}T07:00:10Z`); // Monday to Monday

  test('is notified on Mondays', async () => {
    const notified = [];
    for (const now of days) notified.push(await onDay(now));
    expect(notified).toEqual(['notified', 'sent-before', ...Array<string>(5).fill('not-due'), 'notified']);
    expect(published.map(({ span }) => span.end)).toEqual(['2026-11-23T07:00:00Z', '2026-11-30T07:00:00Z']);
  });

  test('where the call of Monday is lost, that of Tuesday tells it', async () => {
    expect(await onDay('2026-11-24T07:00:10Z')).toBe('notified');
    expect(published.map(({ span }) => span.end)).toEqual(['2026-11-23T07:00:00Z']);
  });

  test('where there was nothing to tell on Monday, Tuesday tells nothing either', async () => {
    expect(await onDay('2026-11-23T07:00:10Z', { allRecords: async () => [] })).toBe('nothing-to-send');
    expect(await onDay('2026-11-24T07:00:10Z')).toBe('sent-before');
    expect(published).toEqual([]);
  });
});

test('a topic that does not take it is tried again', async () => {
  const publish = () => Promise.reject(new Error('no'));
  await expect(notifyAt(day, { publish })).rejects.toThrow('no');
  expect(await notifyAt(day)).toBe('notified');
});

test('who dies before it is marked sends it again, under the same id', async () => {
  const markSent = () => Promise.reject(new Error('died'));
  await expect(notifyAt(day, { markSent })).rejects.toThrow('died');
  expect(await notifyAt(day)).toBe('notified');
  expect(published.map(({ id }) => id)).toEqual([published[0]?.id, published[0]?.id]);
});

test('its environment says when it is due: 07:30 is 27,000 s of the day', () => {
  const env = { FINDINGS_TABLE: 't', TOPIC_ARN: 'a', DIGEST: 'weekly', DIGEST_AT: '07:30' };
  expect(envSchema.parse(env)).toEqual({ ...env, DIGEST_AT: 27_000 });
  expect(envSchema.safeParse({ ...env, DIGEST_AT: '24:00' }).success).toBe(false);
  expect(envSchema.safeParse({ ...env, DIGEST: 'none' }).success).toBe(false);
});

test('with an archive it has the last seven days of the fleet and those before, as of the end of its span', async () => {
  const weeks = ['2026-11-07', '2026-11-14'].map((from) => aFleetSpan({ from }));
  const asked: number[] = [];
  const readWeeks = async (at: number) => {
    asked.push(at);
    return weeks;
  };
  expect(await notifyAt(day, { readWeeks })).toBe('notified');
  expect(await notifyAt('2026-11-22T07:00:10Z', { readWeeks: async () => null })).toBe('notified');
  expect(asked).toEqual([epochSecondsOf('2026-11-21T07:00:00Z')]);
  expect(published.map((digest) => digest.weeks)).toEqual([weeks, undefined]);
});

describe('what changes of volumes came to', () => {
  const hour = 3_600;
  const firstOfMonth = '2026-12-01T07:00:10Z';
  const end = epochSecondsOf('2026-12-01T07:00:00Z');
  const made = {
    ...{ askedSeconds: end - 90 * hour, lastStartSeconds: null, startSeconds: end - 90 * hour },
    ...{ completedSeconds: end - 84 * hour, refusal: null },
  };
  const kept = aChange({
    ...{ made, comparison: aComparison, end: { code: 'kept', outcome: 'better' }, endedSeconds: end },
  });
  const undone = aChange({ made, undo: made, end: { code: 'undone' }, endedSeconds: end - hour });
  const older = { ...kept, endedSeconds: end - 31 * 24 * hour };
  const later = { ...kept, endedSeconds: end + 1 };
  const readChanges = async () => [kept, undone, older, later, aChange()];

  test('is in the first digest of a month: what ended in 30 days', async () => {
    await notifyAt(firstOfMonth, { readChanges });
    expect(published[0]?.changes).toEqual({
      ...{ days: 30, kept: 1, undone: 1, notMade: 0, undoNotMade: 0, realisedMonthlyUsd: -15 },
      // 700 and 3 of 1,440 minutes that were compared: a day.
      ...{ throttledMinutesADayBefore: 700, throttledMinutesADayAfter: 3 },
    });
  });

  test('is in no other, which does not read the ledger', async () => {
    let reads = 0;
    const counting = async () => {
      reads += 1;
      return [kept];
    };
    for (let date = 1; date <= 31; date++)
      await notifyAt(`2026-12-${`${date}`.padStart(2, '0')}T07:00:10Z`, { readChanges: counting });
    expect([reads, published.length]).toEqual([1, 31]);
    expect(published.filter(({ changes }) => changes !== undefined)).toHaveLength(1);
  });

  test('is said where there is nothing else to say', async () => {
    expect(await notifyAt(firstOfMonth, { readChanges, allRecords: async () => [] })).toBe('notified');
  });

  test.each([
    ['nothing ended', async () => [older, aChange()]],
    ['the ledger could not be read', async () => null],
  ])('is left out where %s', async (_, reading) => {
    expect(await notifyAt(firstOfMonth, { readChanges: reading })).toBe('notified');
    expect(published[0]).not.toHaveProperty('changes');
  });
});
