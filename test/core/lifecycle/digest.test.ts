/** What is notified by the day or the week: whose span it is, what it counts, and what it names. */
import fc from 'fast-check';
import { digestFor } from '../../../core/delivery/routes.ts';
import { digestOf, spanOfDigest } from '../../../core/lifecycle/digest.ts';
import type { FindingRecord } from '../../../core/lifecycle/finding-record.ts';
import { bytesInTopic, maxBytesOfJson } from '../../../core/lifecycle/notification.ts';
import { run } from '../../../core/recommendations/recommendation.ts';
import { type Digest, digestSchema } from '../../../core/schemas/digest.ts';
import type { Severity } from '../../../core/schemas/finding.ts';
import { epochSecondsOf, isoFromEpochSeconds, secondsPerDay } from '../../../core/units.ts';
import {
  aFinding,
  aRecommendation,
  aRecord,
  asRemembered,
  type SomeFinding,
} from '../../fixtures/findings.ts';

const seven = 7 * 3_600;

describe('the span', () => {
  const spanAt = (every: 'daily' | 'weekly', now: string) => {
    const { startEpochSeconds, endEpochSeconds } = spanOfDigest(every, seven, epochSecondsOf(now));
    return [startEpochSeconds, endEpochSeconds].map(isoFromEpochSeconds);
  };

  test.each([
    ['2026-11-20T07:00:00Z', '2026-11-19T07:00:00Z', '2026-11-20T07:00:00Z'],
    ['2026-11-20T12:59:00Z', '2026-11-19T07:00:00Z', '2026-11-20T07:00:00Z'],
    // A clock that is five minutes behind, and one that is more.
    ['2026-11-20T06:55:00Z', '2026-11-19T07:00:00Z', '2026-11-20T07:00:00Z'],
    ['2026-11-20T06:54:59Z', '2026-11-18T07:00:00Z', '2026-11-19T07:00:00Z'],
  ])('of a day at 07:00, asked for at %s: %s to %s', (now, start, end) => {
    expect(spanAt('daily', now)).toEqual([start, end]);
  });

  test.each([
    // 2026-11-23 is a Monday
    ['2026-11-23T07:00:30Z', '2026-11-16T07:00:00Z', '2026-11-23T07:00:00Z'],
    ['2026-11-22T23:00:00Z', '2026-11-09T07:00:00Z', '2026-11-16T07:00:00Z'],
  ])('of a week until Monday 07:00, asked for at %s: %s to %s', (now, start, end) => {
    expect(spanAt('weekly', now)).toEqual([start, end]);
  });

  test('each span begins where the one before ended, whenever it is asked for', () => {
    const time = fc.integer({ min: 1_700_000_000, max: 1_900_000_000 });
    fc.assert(
      fc.property(fc.constantFrom('daily', 'weekly'), fc.nat({ max: 86_399 }), time, (every, at, now) => {
        const { startEpochSeconds, endEpochSeconds } = spanOfDigest(every, at, now);
        expect(endEpochSeconds % secondsPerDay).toBe(at);
        expect(endEpochSeconds).toBeLessThanOrEqual(now + 300);
        expect(endEpochSeconds).toBeGreaterThan(now + 300 - (endEpochSeconds - startEpochSeconds));
        expect(spanOfDigest(every, at, startEpochSeconds).endEpochSeconds).toBe(startEpochSeconds);
        if (every === 'weekly') expect(new Date(endEpochSeconds * 1_000).getUTCDay()).toBe(1);
      }),
    );
  });
});

const end = epochSecondsOf('2026-11-23T07:00:00Z');
const span = { startEpochSeconds: end - 7 * secondsPerDay, endEpochSeconds: end };
const long = end - 30 * secondsPerDay;

const event = (what: FindingRecord['history'][number]['event'], epochSeconds: number) => ({
  ...{ event: what, epochSeconds, writtenEpochSeconds: epochSeconds },
  ...{ level: null, by: 'run' },
});
/** Open since a month. */
const open = (
  id: string,
  severity: Severity,
  values: Partial<FindingRecord> = {},
  finding: SomeFinding = {},
) =>
  aRecord(aFinding({ id, severity, ...finding }), {
    openedEpochSeconds: long,
    expiresEpochSeconds: end + secondsPerDay,
    history: [event('opened', long)],
    ...values,
  });
const gone = (id: string, resolvedEpochSeconds: number): FindingRecord =>
  open(id, 'warning', {
    level: null,
    history: [event('opened', long), event('resolved', resolvedEpochSeconds)],
  });
const saves = (monthlyUsdDelta: number | null): SomeFinding => ({
  recommendations: [aRecommendation({ monthlyUsdDelta })],
});

test('counts what is open by severity, and what came and went in the span', () => {
  const digest = digestOf(
    [
      open('a', 'critical'),
      open('b', 'warning', { history: [event('opened', end)] }),
      open('c', 'info', {
        history: [event('opened', long), event('resolved', end - 20), event('reopened', end - 10)],
      }),
      gone('d', end - 60),
      // Of the span before: its last second belonged to that one.
      gone('e', span.startEpochSeconds),
    ],
    span,
  );
  expect(digest).toMatchObject({
    id: 'digest#2026-11-16T07:00:00Z#2026-11-23T07:00:00Z',
    span: { start: '2026-11-16T07:00:00Z', end: '2026-11-23T07:00:00Z' },
    open: { critical: 1, warning: 1, info: 1 },
    opened: 2, // b, c
    resolved: 2, // c, d
    notShown: 0,
  });
  expect(digestSchema.parse(digest)).toEqual(digest);
  expect(digest?.first.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(digest?.first[0]).toEqual({
    ...asRemembered(aFinding({ id: 'a', severity: 'critical' })),
    url: null,
  });
});

test('what comes after the end of the span is for the next one', () => {
  const digest = digestOf([open('a', 'warning', { history: [event('opened', end + 1)] })], span);
  expect(digest).toMatchObject({ opened: 0, open: { warning: 1 } });
});

test('muted ones are counted, and not named: until the end of the span it must last; acknowledged ones are named', () => {
  const digest = digestOf(
    [
      open('a', 'critical', { muted: { untilEpochSeconds: end + 1, by: 'Ann' } }),
      open('b', 'warning', { muted: { untilEpochSeconds: end, by: 'Ann' } }),
      open('c', 'info', { acknowledged: { epochSeconds: long, by: 'Ann' } }),
    ],
    span,
  );
  expect(digest).toMatchObject({ muted: 1, acknowledged: 1, notShown: 0, open: { critical: 1 } });
  expect(digest?.first.map(({ id }) => id)).toEqual(['b', 'c']);
});

test('what the top recommendation of each open one saves is added up: 3 + 4; what costs, or is unknown, adds nothing', () => {
  const records = [
    open('a', 'info', {}, saves(-3)),
    open('b', 'info', {}, saves(-4)),
    open('c', 'info', {}, saves(100)),
    open('d', 'info', {}, saves(null)),
    open('e', 'info', {}, { recommendations: [] }),
    { ...gone('f', end - 1), finding: asRemembered(aFinding(saves(-1_000))) },
  ];
  const digest = digestOf(records, span);
  expect(digest?.monthlyUsdToSave).toBe(7);
  // As urgent as each other: what saves most comes first.
  expect(digest?.first.map(({ id }) => id).slice(0, 2)).toEqual(['b', 'a']);
});

test('of 225 the 100 most urgent are named, the others counted', () => {
  const records = Array.from({ length: 225 }, (_, i) => open(`f${i}`, i < 195 ? 'info' : 'warning'));
  const digest = digestOf(records, span);
  expect(digest?.first.map(({ severity }) => severity)).toEqual([
    ...Array.from({ length: 30 }, () => 'warning'),
    ...Array.from({ length: 70 }, () => 'info'),
  ]);
  expect(digest?.notShown).toBe(125);
});

test('what cannot be named for length is counted too', () => {
  // Each is four bytes in JSON in JSON.
  const recommendations = [aRecommendation({ steps: [run('"'.repeat(30_000))] })];
  const digest = digestOf(
    Array.from({ length: 5 }, (_, i) => open(`f${i}`, 'warning', {}, { recommendations })),
    span,
  );
  expect(digest?.first).toHaveLength(1);
  expect(digest?.notShown).toBe(4);
});

test('what was written down after the digest before counts in this one, however long ago it was', () => {
  const before = span.startEpochSeconds - 900;
  const late = { ...event('opened', before), writtenEpochSeconds: span.startEpochSeconds + 1_200 };
  expect(digestOf([open('a', 'warning', { history: [late] })], span)).toMatchObject({ opened: 1 });
  const notified = { ...event('opened', before), writtenEpochSeconds: before + 600 };
  expect(digestOf([open('a', 'warning', { history: [notified] })], span)).toMatchObject({ opened: 0 });
});

test('nothing open, nothing gone: there is nothing to tell', () => {
  expect(digestOf([], span)).toBeNull();
  expect(digestOf([gone('a', long)], span)).toBeNull();
  // Forgotten, and not swept yet.
  expect(digestOf([open('a', 'critical', { expiresEpochSeconds: end })], span)).toBeNull();
  expect(digestOf([gone('a', end)], span)).toMatchObject({ resolved: 1, first: [] });
});

describe('totals by account', () => {
  const span = { startEpochSeconds: 0, endEpochSeconds: 86_400 };
  const openIn = (id: string, account: string | null, usd: number, more: object = {}): FindingRecord =>
    aRecord(
      aFinding({
        id,
        resource: { ...aFinding().resource, account, ...more },
        recommendations: [aRecommendation({ monthlyUsdDelta: -usd })],
      }),
    );
  const named = { accountName: 'billing', accountUnits: ['r-ab12'] };

  test('are there where findings of several are open, the most to save first', () => {
    const digest = digestOf(
      [
        openIn('a', '111122223333', 10),
        openIn('b', '444455556666', 5),
        openIn('c', '444455556666', 7, named), // its name came later
        openIn('d', null, 1),
      ],
      span,
    );
    expect(digestSchema.parse(digest)).toEqual(digest);
    expect(digest?.byAccount).toEqual([
      { account: '444455556666', ...named, open: 2, monthlyUsdToSave: 12 }, // 5 + 7
      { account: '111122223333', open: 1, monthlyUsdToSave: 10 },
    ]);
  });

  test('are not there where all that is open is in one', () => {
    const digest = digestOf([openIn('a', '111122223333', 10), openIn('d', null, 1)], span);
    expect(digest).not.toHaveProperty('byAccount');
  });

  const accountOf = (i: number): string => `1111${String(i).padStart(8, '0')}`;
  const openInEach = (accounts: number): FindingRecord[] =>
    Array.from({ length: accounts }, (_, i) =>
      openIn(`f${i}`, accountOf(i), accounts - i, { accountName: 'é'.repeat(50), accountUnits: ['r-ab12'] }),
    );

  test('are of more accounts than a channel shows: its routes may be about those that save least', () => {
    const digest = digestOf(openInEach(300), span) as Digest;
    const about = { to: ['team'], accounts: [accountOf(299)], minSeverity: 'info' as const };
    const own = digestFor('team', digest, [{ ...about, digests: true, alarms: true }]);
    expect(own?.byAccount?.map(({ account }) => account)).toEqual([accountOf(299)]);
  });

  test('leave room for findings, however many accounts there are', () => {
    const digest = digestOf(openInEach(3_000), span) as Digest;
    expect(bytesInTopic(digest)).toBeLessThanOrEqual(maxBytesOfJson);
    expect(bytesInTopic(digest.byAccount)).toBeGreaterThan(0.45 * maxBytesOfJson);
    expect(digest.first.length).toBeGreaterThan(50);
  });
});
