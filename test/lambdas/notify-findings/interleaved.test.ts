/**
 * Several functions at once: runs that are delivered 1 to 5 times and out of order, the schedule, looks of monitoring, and
 * people who mute, all interleaved step by step, some of them dying. In the end who knows messages by their ids has heard
 * each change exactly once and knows what counts; a plain webhook heard each message once, and again only where somebody died.
 */
import fc from 'fast-check';
import { type Finding, type Severity, severityRank } from '../../../core/schemas/finding.ts';
import type { Notification, NotifiedFinding } from '../../../core/schemas/notification.ts';
import { secondsPerDay } from '../../../core/units.ts';
import { aFinding, asRemembered, onVolume, runEndEpochSeconds } from '../../fixtures/findings.ts';
import { Process, type Trouble, World } from './world.ts';

const ids = ['a', 'b', 'c'] as const;
type Id = (typeof ids)[number];

const of = (id: Id, severity: Severity): Finding =>
  aFinding({ id, severity, resource: onVolume(`vol-${id}`) });

/** What a run sees of each. */
const seen = fc.record(
  Object.fromEntries(
    ids.map((id) => [id, fc.constantFrom<Severity | null>('critical', 'warning', null)]),
  ) as Record<Id, fc.Arbitrary<Severity | null>>,
);
type Seen = Record<Id, Severity | null>;
const findingsOf = (all: Seen): Finding[] =>
  ids.flatMap((id) => {
    const severity = all[id];
    return severity === null ? [] : [of(id, severity)];
  });

type Call =
  | { what: 'run'; run: number }
  | { what: 'tick' }
  | { what: 'monitoring'; id: Id; severity: Severity | null };
interface Planned {
  call: Call;
  trouble: { step: number; how: Trouble } | null;
  /** Seconds since the calls before it ended; 0: together with them. */
  afterSeconds: number;
}

const tick = fc.constant<Call>({ what: 'tick' });
const monitoring = fc.record({
  what: fc.constant('monitoring' as const),
  id: fc.constantFrom(...ids),
  severity: fc.constantFrom<Severity | null>('critical', 'warning', null),
});

interface Story {
  runs: Seen[];
  calls: Planned[];
}

/** @param troubles how often somebody may die. */
const stories = (troubles: number): fc.Arbitrary<Story> =>
  fc.array(seen, { minLength: 1, maxLength: 4 }).chain((runs) => {
    const deliveries = fc
      .tuple(
        ...runs.map((_, run) =>
          fc
            .integer({ min: 1, max: 5 })
            .map((times) => Array.from({ length: times }, (): Call => ({ what: 'run', run }))),
        ),
      )
      .map((all) => all.flat());
    const calls = fc
      .tuple(deliveries, fc.array(fc.oneof(tick, monitoring), { maxLength: 8 }))
      .chain(([some, more]) =>
        fc.shuffledSubarray([...some, ...more], { minLength: some.length + more.length }),
      );
    const afterSeconds = fc.constantFrom(0, 0, 0, 60, 300, 1_000, secondsPerDay);
    return calls.chain((all) =>
      fc
        .record({
          gaps: fc.array(afterSeconds, { minLength: all.length, maxLength: all.length }),
          deaths: fc.array(
            fc.record({
              call: fc.nat({ max: all.length - 1 }),
              step: fc.nat({ max: 25 }),
              how: fc.constantFrom<Trouble>('dies before', 'dies after', 'fails before', 'fails after'),
            }),
            { minLength: troubles, maxLength: troubles },
          ),
        })
        .map(({ gaps, deaths }) => ({
          runs,
          calls: all.map(
            (call, i): Planned => ({
              call,
              trouble: deaths.find((one) => one.call === i) ?? null,
              afterSeconds: gaps[i] ?? 0,
            }),
          ),
        })),
    );
  });

/** Calls that are made together. */
function together(calls: readonly Planned[]): Planned[][] {
  const groups: Planned[][] = [];
  for (const one of calls) {
    if (one.afterSeconds > 0 || groups.length === 0) groups.push([one]);
    else groups.at(-1)?.push(one);
  }
  return groups;
}

function called(
  world: World,
  { call, trouble }: Planned,
  runs: readonly Seen[],
  turn: () => Promise<unknown>,
) {
  const process = new Process({ trouble, turn });
  if (call.what === 'tick') return world.tick(process);
  if (call.what === 'monitoring') {
    const { id, severity } = call;
    return world.monitoring(id, severity === null ? null : asRemembered(of(id, severity)), process);
  }
  // Runs are of one day after the other, whenever they are delivered.
  const endEpochSeconds = runEndEpochSeconds + call.run * secondsPerDay;
  return world.run(`run-${call.run}`, findingsOf(runs[call.run] as Seen), { process, endEpochSeconds });
}

async function notified(scheduler: fc.Scheduler, { runs, calls }: Story): Promise<World> {
  const world = new World();
  for (const group of together(calls)) {
    world.nowEpochSeconds += group[0]?.afterSeconds ?? 0;
    const turn = () => scheduler.schedule(Promise.resolve());
    await scheduler.waitFor(Promise.allSettled(group.map((one) => called(world, one, runs, turn))));
  }
  // What waits for its day, and for who died, is notified in three days at the latest.
  for (let hours = 0; hours < 72; hours++) {
    world.nowEpochSeconds += 3_600;
    await world.tick();
  }
  return world;
}

const rank = (level: Severity | null): number => (level === null ? 3 : severityRank(level));

/** What people know of a finding after each message that told of it. */
function levelsHeard(
  heard: readonly Notification[],
  id: string,
): { change: NotifiedFinding['change']; level: Severity | null }[] {
  return heard.flatMap((notification) =>
    notification.notified
      .filter((one) => one.id === id)
      .map(({ change, severity }) => ({ change, level: change === 'resolved' ? null : severity })),
  );
}

/** Each message says of a finding what is other than what people knew, and calls it what it is. */
function eachIsNews(world: World): void {
  for (const id of ids) {
    let known: Severity | null = null;
    let isFirst = true;
    for (const { change, level } of levelsHeard(world.heard, id)) {
      const isUp = rank(level) < rank(known);
      const expected = isUp
        ? known !== null
          ? 'worse'
          : isFirst
            ? 'opened'
            : 'reopened'
        : level === null
          ? 'resolved'
          : 'better';
      expect({ id, change, isOther: level !== known }).toEqual({ id, change: expected, isOther: true });
      known = level;
      isFirst = false;
    }
    const record = world.records.get(id);
    expect({ id, known }).toEqual({ id, known: record?.level ?? null });
    expect(record?.claim ?? null).toBeNull();
  }
}

function sameUnderOneId(world: World): void {
  const first = new Map(world.heard.map((one) => [one.id, one]));
  for (const one of world.published) expect(one).toEqual(first.get(one.id));
}

test.each([
  [0, 1],
  [1, 2],
])(
  'with %i who die: each change is heard once, and a message at most %i times by a plain webhook',
  async (deaths, maxTimes) => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), stories(deaths), async (scheduler, story) => {
        const world = await notified(scheduler, story);
        eachIsNews(world);
        sameUnderOneId(world);
        expect(Math.max(1, ...world.times)).toBeLessThanOrEqual(maxTimes);
      }),
      { numRuns: 300 },
    );
  },
);

test('however many die: who knows messages by their ids hears each change once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), stories(6), async (scheduler, story) => {
      const world = await notified(scheduler, story);
      eachIsNews(world);
      sameUnderOneId(world);
    }),
    { numRuns: 300 },
  );
});
