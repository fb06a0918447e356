/** When an approved change may begin, who owns a volume, and whether a change helped. */
import { ownerOf } from '../../../core/changes/ownership.ts';
import { type ChangeRules, secondsToWait } from '../../../core/changes/rules.ts';
import { compare, hurts, type Minute, outcomeOf } from '../../../core/changes/verify.ts';
import type { VolumeChange } from '../../../core/schemas/volume-change.ts';
import { secondsPerDay } from '../../../core/units.ts';

/** A Wednesday, 12:00 UTC. */
const noon = Date.parse('2026-11-25T12:00:00Z') / 1_000;
const minutes = (from: number, count: number, of: (i: number) => Omit<Minute, 'epochSeconds'>): Minute[] =>
  Array.from({ length: count }, (_, i) => ({ epochSeconds: from + i * 60, ...of(i) }));
const plain = { isThrottled: false, operations: 6_000, queue: 0.1 };
const week = 7 * secondsPerDay;

const settings = { volumeType: 'gp3', sizeGiB: 100, iops: 3_000, throughputMiBps: 125 } as const;
const change = (id: string, askedSeconds: number | null, monthlyUsdDelta: number | null): VolumeChange => ({
  ...{ id, fingerprint: id, requestedBy: 'U1', approvals: [], proposedSeconds: noon - 7_200 },
  plan: {
    ...{ account: '111122223333', region: 'us-east-1', volumeId: `vol-${id}`, findingId: '0'.repeat(16) },
    ...{ from: settings, to: { ...settings, iops: 4_000 }, monthlyUsdDelta, plannedOn: '2026-11-25' },
    ...{ throttledMinutesBefore: null, throttledMinutesAfter: null },
  },
  made:
    askedSeconds === null
      ? null
      : {
          askedSeconds,
          lastStartSeconds: null,
          startSeconds: askedSeconds,
          completedSeconds: null,
          refusal: null,
        },
  ...{
    undoAskedBy: null,
    undoAskedSeconds: null,
    undo: null,
    comparison: null,
    end: null,
    endedSeconds: null,
    endedBy: null,
    notified: [],
    revision: 0,
  },
});
const rules: ChangeRules = { windows: [], mostAtOnce: 2, mostADay: 3, mostUsdPerMonth: 10 };
const wait = (
  more: Partial<ChangeRules>,
  all: readonly VolumeChange[] = [],
  usd: number | null = 1,
  tags = {},
) => secondsToWait(change('new', null, usd), tags, all, { ...rules, ...more }, noon);

describe('when a change may begin', () => {
  test('without windows at any time', () => expect(wait({})).toBeNull());

  test.each([
    ['on its day, in its hours', { days: [3], from: '11:00', to: '13:00', timeZone: 'UTC' }, null],
    ['on another day', { days: [4], from: '11:00', to: '13:00', timeZone: 'UTC' }, 300],
    ['after its hours', { days: [3], from: '10:00', to: '12:00', timeZone: 'UTC' }, 300],
    [
      'by the clock of its place: 12:00 UTC is 21:00',
      { days: [3], from: '20:00', to: '22:00', timeZone: 'Asia/Tokyo' },
      null,
    ],
    ['over midnight, begun the day before', { days: [2], from: '22:00', to: '12:30', timeZone: 'UTC' }, null],
    [
      'over midnight, not begun the day before',
      { days: [3], from: '22:00', to: '12:30', timeZone: 'UTC' },
      300,
    ],
  ])('%s', (_, window, expected) => {
    expect(wait({ windows: [{ ...window, tags: {} }] })).toBe(expected);
  });

  test('a window for tags counts before the one for all, and no volume that has no window begins', () => {
    const closed = { days: [7], from: '01:00', to: '02:00', timeZone: 'UTC', tags: {} };
    const ofTests = { days: [3], from: '11:00', to: '13:00', timeZone: 'UTC', tags: { environment: 'test' } };
    expect(wait({ windows: [closed, ofTests] }, [], 1, { environment: 'test' })).toBeNull();
    expect(wait({ windows: [closed, ofTests] }, [], 1, { environment: 'live' })).toBe(300);
    expect(wait({ windows: [ofTests] }, [], 1, { environment: 'live' })).toBe(300);
  });

  test('so many at once, so many a day', () => {
    const running = change('a', noon - 600, 0);
    const done = (id: string): VolumeChange => ({
      ...change(id, noon - 3_600, 0),
      ...{ end: { code: 'kept', outcome: 'same' }, endedSeconds: noon },
    });
    expect(wait({}, [running])).toBeNull();
    expect(wait({}, [running, change('b', noon - 500, 0)])).toBe(300);
    expect(wait({}, [done('a'), done('b')])).toBeNull();
    expect(wait({}, [done('a'), done('b'), done('c')])).toBe(300);
  });

  test('what increases cost a month is bounded: 7 + 4 are more than 10, 7 + 3 are not; unknown is not nothing', () => {
    const dear = change('a', noon - 600, 7);
    expect(wait({}, [dear], 3)).toBeNull();
    expect(wait({}, [dear], 4)).toBe(300);
    expect(wait({}, [dear], -4)).toBeNull();
    expect(wait({}, [], null)).toBe(300);
    expect(wait({ mostUsdPerMonth: null }, [], null)).toBeNull();
    // Of the month before it counts no more.
    expect(wait({}, [change('a', Date.parse('2026-10-31T12:00:00Z') / 1_000, 7)], 4)).toBeNull();
  });
});

describe('who owns a volume', () => {
  const stack = 'arn:aws:cloudformation:us-east-1:111122223333:stack/shop/1';
  const owner = (tags: Record<string, string>, instanceTags: Record<string, string> | null = null) =>
    ownerOf({ tags, instanceTags, operator: null });

  test('a service that manages it goes before all', () => {
    const operator = { managed: true, principal: 'eks.amazonaws.com' };
    expect(ownerOf({ tags: { 'stripewise:changes': 'never' }, instanceTags: null, operator })).toEqual({
      ...{ kind: 'service', principal: 'eks.amazonaws.com' },
    });
  });

  test.each([
    ['never', { 'stripewise:changes': 'never' }, 'refused'],
    [
      'left alone by Compute Optimizer, whatever its value',
      { 'exclude-from-compute-optimizer-automation': '' },
      'refused',
    ],
    ['of Terraform, as its tag says', { 'stripewise:owner': 'terraform' }, 'terraform'],
    ['of anybody else', { 'stripewise:owner': 'storage team' }, 'other'],
    ['of a claim', { 'kubernetes.io/created-for/pvc/name': 'data-0' }, 'eks'],
    ['of a stack', { 'aws:cloudformation:stack-id': stack }, 'cloudformation'],
    ['of nobody', { Name: 'data' }, 'nobody'],
  ])('%s', (_, tags, kind) => {
    expect(owner(tags as Record<string, string>).kind).toBe(kind);
  });

  test('CloudFormation tags no volumes of block device mappings: their instance tells', () => {
    expect(owner({}, { 'aws:cloudformation:stack-id': stack })).toMatchObject({ isOfInstance: true });
  });

  test('the next instance of a group has the volume of its template again', () => {
    const tags = { 'aws:autoscaling:groupName': 'web', 'aws:cloudformation:stack-id': stack };
    expect(owner({}, tags)).toEqual({ kind: 'launch-template', group: 'web' });
  });
});

describe('whether a change helped', () => {
  const earlier = (of: (i: number) => Omit<Minute, 'epochSeconds'>, count = 1_440) =>
    minutes(noon - week, count, of);
  const later = (of: (i: number) => Omit<Minute, 'epochSeconds'>, count = 1_440) => minutes(noon, count, of);
  const throttledFor = (most: number) => (i: number) => ({ ...plain, isThrottled: i < most });

  test('60 throttled minutes, then none: better', () => {
    const comparison = compare(
      earlier(throttledFor(60)),
      later(() => plain),
    );
    expect(comparison).toMatchObject({
      minutes: 1_440,
      throttledBefore: 60,
      throttledAfter: 0,
      loadRatio: 1,
    });
    // 0.1 x 60 s wait for 6,000 operations: 1 ms.
    expect(comparison.latencyMsBefore).toBeCloseTo(1, 9);
    expect(outcomeOf(comparison, false)).toBe('better');
  });

  test.each([
    ['none, then 60', 0, 60, 'worse'],
    ['none, then 5: so many a day are the same', 0, 5, 'same'],
    ['none, then 6', 0, 6, 'worse'],
    ['100, then 110: a tenth is the same', 100, 110, 'same'],
    ['100, then 89', 100, 89, 'better'],
  ])('%s', (_, first, then, outcome) => {
    expect(outcomeOf(compare(earlier(throttledFor(first)), later(throttledFor(then))), false)).toBe(outcome);
  });

  test('where nothing is throttled latency tells, by more than a quarter', () => {
    const slower = (queue: number) =>
      compare(
        earlier(() => plain),
        later(() => ({ ...plain, queue })),
      );
    expect(outcomeOf(slower(0.12), false)).toBe('same');
    expect(outcomeOf(slower(0.13), false)).toBe('worse');
    expect(outcomeOf(slower(0.07), false)).toBe('better');
  });

  test('with a load that changed by more than a third it is not comparable', () => {
    const loaded = (operations: number) =>
      compare(
        earlier(() => plain),
        later(() => ({ ...plain, operations })),
      );
    expect(outcomeOf(loaded(8_100), false)).toBe('not-comparable');
    expect(outcomeOf(loaded(3_900), false)).toBe('not-comparable');
    expect(outcomeOf(loaded(7_900), false)).not.toBe('not-comparable');
  });

  test('nor with less than four fifths of the day, of a reduction of the week', () => {
    const short = compare(
      earlier(() => plain, 1_151),
      later(() => plain),
    );
    expect(outcomeOf(short, false)).toBe('not-comparable');
    expect(
      outcomeOf(
        compare(
          earlier(() => plain),
          later(() => plain),
        ),
        true,
      ),
    ).toBe('not-comparable');
    const whole = compare(
      earlier(() => plain, 10_080),
      later(() => plain, 10_080),
    );
    expect(outcomeOf(whole, true)).toBe('same');
  });

  test('a minute that is not known counts on neither side', () => {
    const comparison = compare(
      earlier((i) => ({ ...plain, isThrottled: i < 10 ? null : i < 20 })),
      later((i) => ({ ...plain, isThrottled: i < 5 ? true : i < 20 ? null : false })),
    );
    expect(comparison).toMatchObject({ minutes: 1_420, throttledBefore: 0, throttledAfter: 0 });
  });
});

describe('when a reduction is undone without anybody', () => {
  const calm = minutes(noon - week, 60, () => plain);
  const last = (throttled: number) =>
    minutes(noon, 60, (i) => ({ ...plain, isThrottled: i >= 60 - throttled }));

  test('three of the last five minutes, and more than in the same minutes before', () => {
    expect(hurts(calm, last(3))).toBe(true);
    expect(hurts(calm, last(2))).toBe(false);
  });

  test('a backup that always throttled undoes nothing', () => {
    const always = minutes(noon - week, 60, (i) => ({ ...plain, isThrottled: i >= 50 }));
    expect(hurts(always, last(10))).toBe(false);
    expect(hurts(always, last(11))).toBe(false);
  });

  test('nor does what has nothing to be compared with', () => {
    expect(hurts([], last(5))).toBe(false);
  });
});
