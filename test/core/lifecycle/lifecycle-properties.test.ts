/**
 * Whatever comes when: late looks and looks that came before change nothing, people hear of a finding at most once a day but
 * for what is more urgent than all they heard, and in the end they know what counts.
 */
import fc from 'fast-check';
import type { LifecycleRules, Observation } from '../../../core/lifecycle/finding-record.ts';
import { notifyingNow } from '../../../core/lifecycle/notifying.ts';
import { type Severity, severities, severityRank } from '../../../core/schemas/finding.ts';
import { type Source, sources } from '../../../core/schemas/notification.ts';
import { secondsPerDay, secondsPerHour } from '../../../core/units.ts';
import { hourlyRules, Lifecycle, type Message, observed } from './lives.ts';

const t0 = 1_795_132_800;
const level = fc.constantFrom<Severity | null>(...severities, null);
/** From five minutes to two and a half days. */
const gap = fc.integer({ min: 300, max: 60 * secondsPerHour });
/** Also rules by which every observation counts. */
const rules = fc
  .record({
    observations: fc.integer({ min: 1, max: 3 }),
    seconds: fc.constantFrom(0, 900, secondsPerDay / 2),
  })
  .map((settle): LifecycleRules => ({ ...hourlyRules, settle: { audit: settle, monitoring: settle } }));

/** Looks in the order of their times. */
const observations = (
  levels: fc.Arbitrary<Severity | null>,
  source: fc.Arbitrary<Source> = fc.constant('audit'),
) =>
  fc.array(fc.tuple(gap, levels, source), { minLength: 1, maxLength: 60 }).map((steps) => {
    let at = t0;
    return steps.map(([seconds, seen, by]) => {
      at += seconds;
      return observed(at, seen, by);
    });
  });
const ofBoth = observations(level, fc.constantFrom(...sources));

const rank = (one: Severity | null): number => (one === null ? 3 : severityRank(one));
const notifiedAs = (one: Severity | null): Severity | null => (rank(one) <= rank('warning') ? one : null);

/** Those that count: of each source what is later than all before it, from the first that saw something. */
function counting(delivered: readonly Observation[]): Observation[] {
  const last = new Map<Source, number>();
  return delivered.filter(({ source, atEpochSeconds, finding }) => {
    const before = last.get(source);
    const counts = before === undefined ? finding !== null : atEpochSeconds > before;
    if (counts) last.set(source, atEpochSeconds);
    return counts;
  });
}

function lifecycleOf(seen: readonly Observation[], by: LifecycleRules = hourlyRules): Lifecycle {
  const lifecycle = new Lifecycle(by);
  for (const observation of seen) lifecycle.see(observation);
  return lifecycle;
}

/** Each observation is notified of at once, and besides every hour somebody asks whether there is something to tell. */
function lived(seen: readonly Observation[], by: LifecycleRules): Lifecycle {
  const lifecycle = new Lifecycle(by);
  let now = t0;
  for (const observation of seen) {
    for (; now < observation.atEpochSeconds; now += secondsPerHour) lifecycle.notify(now);
    lifecycle.observeAndNotify(observation.atEpochSeconds, observation.finding?.severity ?? null);
  }
  for (let hours = 0; hours < 200; hours++) lifecycle.notify(now + hours * secondsPerHour);
  return lifecycle;
}

/** The most of these messages that any 24 hours hold. */
const maxInADay = (messages: readonly Message[]): number =>
  Math.max(
    0,
    ...messages.map(
      ({ epochSeconds: from }) =>
        messages.filter(({ epochSeconds }) => epochSeconds >= from && epochSeconds < from + secondsPerDay)
          .length,
    ),
  );

describe('looks of both sources, each delivered 1 to 5 times, in any order', () => {
  const delivered = ofBoth.chain((once) =>
    fc
      .array(fc.integer({ min: 1, max: 5 }), { minLength: once.length, maxLength: once.length })
      .map((times) => once.flatMap((one, i) => Array.from({ length: times[i] ?? 1 }, () => one)))
      .chain((all) => fc.shuffledSubarray(all, { minLength: all.length })),
  );

  test('are as those of them that are later than all of their source before, each once', () => {
    fc.assert(
      fc.property(delivered, (all) => {
        expect(lifecycleOf(all).record).toEqual(lifecycleOf(counting(all)).record);
      }),
    );
  });

  test('it does not matter how the observations of one source fall between those of the other', () => {
    fc.assert(
      fc.property(delivered, (all) => {
        const apart = sources.flatMap((source) => counting(all).filter((one) => one.source === source));
        const [mixed, inTurn] = [lifecycleOf(all).record, lifecycleOf(apart).record];
        expect(mixed?.sourceStates).toEqual(inTurn?.sourceStates);
        expect(mixed?.level).toEqual(inTurn?.level);
        expect(mixed?.expiresEpochSeconds).toBe(inTurn?.expiresEpochSeconds);
      }),
    );
  });

  test('in order, with what came before coming again at any time: the same is notified', () => {
    const again = fc.array(fc.nat({ max: 1_000 }), { maxLength: 100 });
    fc.assert(
      fc.property(ofBoth, again, (once, places) => {
        const notified = (withAgain: boolean): Message[] => {
          const lifecycle = new Lifecycle();
          for (const [i, observation] of once.entries()) {
            lifecycle.see(observation);
            if (withAgain)
              for (const place of places.filter((one) => one % once.length === i))
                lifecycle.see(once[place % (i + 1)] as Observation);
            lifecycle.notify(observation.atEpochSeconds);
          }
          return lifecycle.messages;
        };
        expect(notified(true)).toEqual(notified(false));
      }),
    );
  });
});

describe('what comes and goes', () => {
  test('there, gone, there: at most one message in any 24 hours', () => {
    const flapping = observations(fc.constantFrom('critical', null));
    fc.assert(
      fc.property(flapping, rules, (seen, by) => {
        expect(maxInADay(lived(seen, by).messages)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  test('warning, critical, warning: at most one in any 24 hours, but for the first time it was worse', () => {
    const flapping = observations(fc.constantFrom('critical', 'warning'));
    fc.assert(
      fc.property(flapping, rules, (seen, by) => {
        const { messages } = lived(seen, by);
        const first = messages.findIndex(({ change }) => change === 'worse');
        expect(maxInADay(messages.filter((_, i) => i !== first))).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  test('whatever it does: of all messages but those more urgent than all of the day before, one in any 24 hours', () => {
    fc.assert(
      fc.property(observations(level), rules, (seen, by) => {
        const { messages } = lived(seen, by);
        const ordinary = messages.filter(({ epochSeconds, level: notified }, i) =>
          messages
            .slice(0, i)
            .some(
              (one) => epochSeconds - one.epochSeconds < secondsPerDay && rank(one.level) <= rank(notified),
            ),
        );
        expect(ordinary).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('each four hours for two weeks: told that it is there, and at last that it is gone', () => {
    const seen = Array.from({ length: 100 }, (_, i) =>
      observed(t0 + i * 4 * secondsPerHour, i % 2 ? null : 'critical'),
    );
    const everyObservation = { observations: 1, seconds: 0 };
    const lifecycle = lived(seen, {
      ...hourlyRules,
      settle: { audit: everyObservation, monitoring: everyObservation },
    });
    expect(lifecycle.there.history.length).toBe(40);
    // It never stays gone for a day before the observations end.
    expect(lifecycle.said).toEqual(['opened critical', 'resolved -']);
  });
});

/** Whatever can happen to a finding, one a line of time. */
const happening = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('observe' as const),
      level,
      source: fc.constantFrom(...sources),
    }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('notify' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('mute' as const),
      seconds: fc.integer({ min: -9, max: 9 * secondsPerDay }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('acknowledge' as const) }) },
);
const happenings = fc.array(fc.tuple(gap, happening), { minLength: 1, maxLength: 80 });

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

function happens(lifecycle: Lifecycle, one: Happening, now: number): void {
  if (one.what === 'observe') lifecycle.see(observed(now, one.level, one.source));
  else if (one.what === 'notify') lifecycle.notify(now);
  else if (lifecycle.record === null) return;
  else if (one.what === 'mute') lifecycle.mute(now, now + one.seconds);
  else lifecycle.acknowledge(now);
}

function livedThrough(all: readonly (readonly [number, Happening])[]): { lifecycle: Lifecycle; now: number } {
  const lifecycle = new Lifecycle();
  let now = t0;
  for (const [seconds, one] of all) {
    now += seconds;
    happens(lifecycle, one, now);
  }
  return { lifecycle, now };
}

describe('after whatever happened', () => {
  test('there is a time to tell just where people do not know what counts, or are at it and it is only better, and opened when they were notified', () => {
    fc.assert(
      fc.property(happenings, (all) => {
        const { record } = livedThrough(all).lifecycle;
        if (record === null) return;
        const [now, known] = [notifiedAs(record.level), record.notified?.level ?? null];
        const isSame = record.notified?.openedEpochSeconds === record.openedEpochSeconds;
        const isAtIt =
          record.acknowledged !== null && record.level !== null && rank(now) > rank(known) && isSame;
        expect(record.notifyFromEpochSeconds === null).toBe(rank(now) === rank(known) || isAtIt);
      }),
      { numRuns: 500 },
    );
  });

  test('at that time it is notified, and not a second before', () => {
    fc.assert(
      fc.property(happenings, (all) => {
        const { record } = livedThrough(all).lifecycle;
        if (record === null) return;
        const { notifyFromEpochSeconds: from } = record;
        const at = (now: number): boolean => notifyingNow(record, now, hourlyRules) !== null;
        expect(at(from ?? 1e12)).toBe(from !== null);
        expect(at((from ?? 1e12) - 1)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('and then people know: nothing more is notified', () => {
    fc.assert(
      fc.property(happenings, (all) => {
        const { lifecycle, now } = livedThrough(all);
        const later = now + 30 * secondsPerDay;
        lifecycle.notify(later);
        expect(lifecycle.record?.notifyFromEpochSeconds ?? null).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test('what is remembered has a bound', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(gap, happening), { minLength: 100, maxLength: 300 }), (all) => {
        const { record } = livedThrough(all).lifecycle;
        expect(record?.history.length ?? 0).toBeLessThanOrEqual(40);
        // Of a day: one, what is more urgent twice, and what was known before.
        expect(record?.notifiedOfDay.length ?? 0).toBeLessThanOrEqual(4);
      }),
      { numRuns: 100 },
    );
  });
});
