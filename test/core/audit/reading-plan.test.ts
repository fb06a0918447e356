/** Which time is read: whole periods, settled, and only what CloudWatch still keeps. */
import fc from 'fast-check';
import { momentOf, readingPlan } from '../../../core/audit/batches.ts';
import { secondsOf } from '../../../core/diagnosis/thresholds.ts';
import { BadInput } from '../../../core/errors.ts';
import { isoFromEpochSeconds, secondsPerDay } from '../../../core/units.ts';

const now = new Date('2026-11-20T12:34:56Z');
const asked = {
  lookbackDays: 1,
  periodSeconds: 60 as number | 'finest' | 'two-passes',
  until: now,
  now,
  settleSeconds: 180,
};

const windowOf = (request: Partial<typeof asked>) => {
  const { startEpochSeconds, endEpochSeconds } = readingPlan({ ...asked, ...request });
  return [isoFromEpochSeconds(startEpochSeconds), isoFromEpochSeconds(endEpochSeconds)];
};

test('an audit of now ends three minutes ago, at a whole period', () => {
  // 12:34:56 - 180 s = 12:31:56
  expect(windowOf({})).toEqual(['2026-11-19T12:31:00Z', '2026-11-20T12:31:00Z']);
  expect(windowOf({ periodSeconds: 300 })).toEqual(['2026-11-19T12:30:00Z', '2026-11-20T12:30:00Z']);
});

test('an audit of the past ends when it was asked to; of the future there is none', () => {
  expect(windowOf({ until: new Date('2026-11-19T15:00:30Z') })).toEqual([
    '2026-11-18T15:00:00Z',
    '2026-11-19T15:00:00Z',
  ]);
  expect(() => windowOf({ until: new Date('2027-01-01T00:00:00Z') })).toThrow(
    '2027-01-01T00:00:00Z is in the future: ask for a time that is over',
  );
});

test.each([
  ['2026-11-20T14:30Z', '2026-11-20T14:30:00Z'],
  ['2026-11-20T14:30:05.5+02:00', '2026-11-20T12:30:05.500Z'],
  ['2026-11-30T24:00Z', '2026-12-01T00:00:00Z'],
  ['2028-02-29T00:00-05:00', '2028-02-29T05:00:00Z'],
])('%s is a time', (text, iso) => {
  expect(momentOf(text)).toEqual(new Date(iso));
});

test.each(['2026-11-31T00:00Z', '2026-02-30T00:00Z', '2026-02-29T12:00+02:00', '2026-13-01T00:00Z'])(
  '%s is on a day that does not exist',
  (text) => {
    expect(() => momentOf(text)).toThrow(`"${text}" is not a time: give one like 2026-11-20T14:30Z`);
  },
);

test('a moment is one period', () => {
  const plan = readingPlan({ ...asked, lookbackDays: 1 / secondsPerDay, periodSeconds: 300 });
  expect(secondsOf(plan)).toBe(300);
});

describe('two passes', () => {
  const twoPasses = (request: Partial<Parameters<typeof readingPlan>[0]> = {}) =>
    readingPlan({ ...asked, periodSeconds: 'two-passes', ...request });

  test('the second reads minutes; the window is of whole five minutes, as the first reads them', () => {
    const plan = twoPasses();
    expect(plan).toMatchObject({ periodSeconds: 60, coarsePeriodSeconds: 300 });
    expect(isoFromEpochSeconds(plan.endEpochSeconds)).toBe('2026-11-20T12:30:00Z');
    expect(isoFromEpochSeconds(plan.startEpochSeconds)).toBe('2026-11-19T12:30:00Z');
  });

  test('of a window that CloudWatch has no minutes of, longer or longer ago, the second reads five minutes too', () => {
    const coarse = { periodSeconds: 300, coarsePeriodSeconds: 300 };
    expect(twoPasses({ lookbackDays: 16 })).toMatchObject(coarse);
    expect(twoPasses({ until: new Date('2026-11-06T00:00:00Z'), lookbackDays: 2 })).toMatchObject(coarse);
    expect(twoPasses({ lookbackDays: 15 })).toMatchObject({ periodSeconds: 60 });
  });

  test('longer than five minutes are kept is bad input, as with one pass', () => {
    expect(() => twoPasses({ lookbackDays: 64 })).toThrow('(63 days)');
    expect(() => twoPasses({ until: new Date('2026-08-01T00:00:00Z') })).toThrow(BadInput);
  });
});

test.each([1, 30, 120, 3_600])('points of %i s are not read', (periodSeconds) => {
  expect(() => readingPlan({ ...asked, periodSeconds })).toThrow(
    `a period of ${periodSeconds} s is too coarse, or CloudWatch does not keep it: ask for 60 or 300`,
  );
});

test('CloudWatch keeps minutes for 15 days and five minutes for 63', () => {
  expect(() => readingPlan({ ...asked, lookbackDays: 16 })).toThrow(
    '16 days are longer than CloudWatch keeps points of 60 s (15 days): ask for fewer days or a longer period',
  );
  expect(() => readingPlan({ ...asked, lookbackDays: 64, periodSeconds: 300 })).toThrow('(63 days)');
});

test('the whole of what is kept begins no earlier than it: 15 days before now, not before the settled end', () => {
  expect(windowOf({ lookbackDays: 15 })).toEqual(['2026-11-05T12:35:00Z', '2026-11-20T12:31:00Z']);
});

test('a window of the past that CloudWatch no longer keeps is bad input: every volume would be unknown', () => {
  const request = { ...asked, until: new Date('2026-11-06T00:00:00Z'), lookbackDays: 2 };
  expect(() => readingPlan(request)).toThrow(BadInput);
  expect(() => readingPlan(request)).toThrow(
    '2026-11-06T00:00:00Z and 2 days before it are longer ago than CloudWatch keeps points of 60 s (15 days): ask for a later time, fewer days or a longer period',
  );
  expect(windowOf({ ...request, periodSeconds: 300 })).toEqual([
    '2026-11-04T00:00:00Z',
    '2026-11-06T00:00:00Z',
  ]);
});

test('where not one whole period is left of what is kept, that is said and no empty window made', () => {
  // 15 days before 12:34:56; the first whole minute of it begins at 12:35:00.
  const until = new Date('2026-11-05T12:35:50Z');
  expect(() => readingPlan({ ...asked, until, lookbackDays: 50 / secondsPerDay })).toThrow(BadInput);
});

test('the finest that is still kept, in one pass: minutes of two weeks, five minutes of three', () => {
  const planOf = (lookbackDays: number) => readingPlan({ ...asked, periodSeconds: 'finest', lookbackDays });
  expect(planOf(14)).toMatchObject({
    periodSeconds: 60,
    endEpochSeconds: now.getTime() / 1_000 - 3 * 60 - 56,
  });
  expect(planOf(21).periodSeconds).toBe(300);
  expect(planOf(14)).not.toHaveProperty('coarsePeriodSeconds');
  expect(() => planOf(64)).toThrow('64 days are longer than CloudWatch keeps points of 300 s (63 days)');
});

test('whatever is asked for: whole periods, kept by CloudWatch, settled, and never longer than asked', () => {
  const kept = { 60: 15, 300: 63 };
  fc.assert(
    fc.property(
      fc.constantFrom(60 as const, 300 as const),
      fc.double({ min: 0.001, max: 63, noNaN: true }),
      fc.integer({ min: -70 * secondsPerDay, max: secondsPerDay }),
      (periodSeconds, lookbackDays, untilOffset) => {
        const until = new Date(now.getTime() + untilOffset * 1_000);
        try {
          const plan = readingPlan({ ...asked, periodSeconds, lookbackDays, until });
          const nowSeconds = now.getTime() / 1_000;
          expect(plan.startEpochSeconds % periodSeconds).toBe(0);
          expect(plan.endEpochSeconds % periodSeconds).toBe(0);
          expect(secondsOf(plan)).toBeGreaterThan(0);
          expect(secondsOf(plan)).toBeLessThanOrEqual(
            Math.max(lookbackDays * secondsPerDay + periodSeconds / 2, periodSeconds),
          );
          expect(plan.startEpochSeconds).toBeGreaterThan(nowSeconds - kept[periodSeconds] * secondsPerDay);
          expect(plan.endEpochSeconds).toBeLessThanOrEqual(
            Math.min(nowSeconds - 180, until.getTime() / 1_000),
          );
        } catch (error) {
          if (!(error instanceof BadInput)) throw error;
        }
      },
    ),
  );
});
