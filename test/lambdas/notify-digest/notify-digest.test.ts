/** A digest goes out once for its span, also where the schedule calls twice or somebody dies. */
import type { Digest } from '../../../core/schemas/digest.ts';
import { epochSecondsOf } from '../../../core/units.ts';
import { envSchema } from '../../../lambdas/notify-digest/env.ts';
import { type DigestWith, notifyDigest } from '../../../lambdas/notify-digest/notify-digest.ts';
import { aFleetSpan } from '../../fixtures/digests.ts';
import { aRecord } from '../../fixtures/findings.ts';

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
