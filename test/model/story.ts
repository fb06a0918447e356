/** Stories: a configuration, and what happens then. */
import fc from 'fast-check';
import type { ChannelConfig, Route } from '../../core/config/config.ts';
import type { Severity } from '../../core/schemas/finding.ts';
import { secondsPerHour } from '../../core/units.ts';
import type { Trouble } from '../lambdas/notify-findings/world.ts';

/** Findings by letter. Those of a burst come all at once, and are more than one message can name. */
export const letters = ['a', 'b', 'c'] as const;
export type Letter = (typeof letters)[number];
export const findingIdOf = (letter: Letter): string => letter.repeat(16);
export const burstIds = Array.from({ length: 60 }, (_, i) => `d${i.toString(16).padStart(15, '0')}`);
/** The tag that routes ask for; of a burst those of one team come last. */
export const teamOf = (findingId: string): 'db' | 'web' =>
  findingId === findingIdOf('b') || burstIds.indexOf(findingId) >= burstIds.length - 8 ? 'web' : 'db';

const channelNames = ['one', 'two', 'three'] as const;
export type ChannelName = (typeof channelNames)[number];

export interface Setup {
  channels: Partial<Record<ChannelName, ChannelConfig>>;
  routes: Route[];
  /** Nobody has put in a secret yet. */
  isSetUpLater: boolean;
  startHour: number;
  /** Each day at seven. */
  hasDigest: boolean;
}

/** Who is called, and may die. */
export const callers = ['notify', 'deliver', 'press'] as const;

export type Action =
  /** An audit saw these; it may be handed in after the one that follows. */
  | { do: 'audit'; sees: Record<Letter, Severity | null>; burst: Severity | null; isLate: boolean }
  /** An audit of before is handed in again. */
  | { do: 'again'; audit: number }
  | { do: 'wait'; minutes: number }
  /** A channel answers nobody, refuses all, or takes one message and its answer is lost. */
  | { do: 'outage'; channel: number; minutes: number; how: 'down' | 'refuses' | 'loses an answer' }
  | { do: 'press'; button: 'mute' | 'acknowledge'; letter: Letter }
  /** The next call of a function dies, or fails, at a step. */
  | { do: 'crash'; who: (typeof callers)[number]; step: number; how: Trouble }
  /** What is published next arrives twice. */
  | { do: 'twice' }
  | { do: 'set up' }
  /** Something of another version; or an alarm of the service itself. */
  | { do: 'foreign'; what: 'record' | 'message' | 'queued' | 'alarm' }
  /** All is well for some days: now every channel must know what is. */
  | { do: 'settle' };

export interface Story {
  setup: Setup;
  actions: Action[];
  /** Seconds from the topic to the queue, one message after the other. */
  delays: number[];
  /** By how much the clock of each call is off, one call after the other. */
  skews: number[];
  /** Of messages that can be taken from the queue: the oldest first or not. */
  order: boolean[];
}

const level = fc.constantFrom<Severity | null>(null, 'warning', 'critical', 'info');

const rest = { quietHours: null, maxMessagesPerHour: 60 };
const kind = fc.constantFrom<ChannelConfig>(
  { kind: 'sns', emails: [], ...rest },
  { kind: 'eventbridge', bus: 'default', ...rest },
  { kind: 'slack-webhook', ...rest },
  { kind: 'slack-bot', channel: 'C0123456789', charts: false, buttons: true, ...rest },
);
const quietHours = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ from: fc.constant('22:00'), to: fc.constant('07:00'), timeZone: fc.constant('UTC') },
      allowCritical: fc.boolean(),
    }),
  },
);
const maxMessagesPerHour = fc.constantFrom(60, 3);
const channelOf = (name: ChannelName): fc.Arbitrary<ChannelConfig> =>
  fc.tuple(kind, quietHours, maxMessagesPerHour).map(([config, quiet, most]) => ({
    ...{ ...config, quietHours: quiet, maxMessagesPerHour: most },
    // Each bus has one channel, and the other way round.
    ...(config.kind === 'eventbridge' ? { bus: name } : {}),
  }));

const route = (names: readonly ChannelName[]): fc.Arbitrary<Route> =>
  fc
    .record({
      to: fc.subarray([...names], { minLength: 1 }),
      minSeverity: fc.constantFrom<Severity>('info', 'warning', 'critical'),
      team: fc.constantFrom(null, null, 'db', 'web'),
      digests: fc.boolean(),
    })
    .map(({ team, ...of }) => ({ ...of, alarms: true, ...(team === null ? {} : { tags: { team } }) }));

const setup: fc.Arbitrary<Setup> = fc.integer({ min: 1, max: 3 }).chain((count) => {
  const names = channelNames.slice(0, count);
  return fc.record({
    channels: fc.record(Object.fromEntries(names.map((name) => [name, channelOf(name)]))) as fc.Arbitrary<
      Setup['channels']
    >,
    routes: fc.array(route(names), { minLength: 1, maxLength: 3 }),
    isSetUpLater: fc.constantFrom(false, false, false, true),
    startHour: fc.integer({ min: 0, max: 23 }),
    hasDigest: fc.boolean(),
  });
});

const someMinutes = fc.constantFrom(1, 5, 10, 20, 45, 90, 6 * 60, 25 * 60);
const trouble = fc.constantFrom<Trouble>('dies before', 'dies after', 'fails before', 'fails after');
/** What a person may rely on: with these alone nothing comes twice. */
const ordinary: fc.WeightedArbitrary<Action>[] = [
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('audit' as const),
      sees: fc.record({ a: level, b: level, c: level }),
      burst: fc.oneof({ weight: 30, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: level }),
      isLate: fc.constantFrom(false, false, false, false, false, false, true),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: someMinutes }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('outage' as const),
      channel: fc.nat({ max: channelNames.length - 1 }),
      minutes: fc.constantFrom(1, 10, 20, 45, 6 * 60),
      how: fc.constantFrom('down', 'down', 'down', 'refuses'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('press' as const),
      button: fc.constantFrom('mute', 'acknowledge'),
      letter: fc.constantFrom(...letters),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Action>({ do: 'set up' }) },
  { weight: 1, arbitrary: fc.constant<Action>({ do: 'settle' }) },
];

const faults: fc.WeightedArbitrary<Action>[] = [
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      who: fc.constantFrom(...callers),
      step: fc.nat({ max: 20 }),
      how: trouble,
    }),
  },
  { weight: 1, arbitrary: fc.constant<Action>({ do: 'twice' }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('again' as const), audit: fc.nat({ max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ do: fc.constant('outage' as const), channel: fc.nat({ max: channelNames.length - 1 }) },
      ...{ minutes: fc.constant(45), how: fc.constant('loses an answer' as const) },
    }),
  },
];

const foreign: fc.WeightedArbitrary<Action>[] = [
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('foreign' as const),
      what: fc.constantFrom('record', 'message', 'queued', 'alarm'),
    }),
  },
];

const actionsOf = (...kinds: fc.WeightedArbitrary<Action>[][]): fc.Arbitrary<Action[]> =>
  fc.array(fc.oneof(...kinds.flat()), { minLength: 1, maxLength: 14 });

export const stories: fc.Arbitrary<Story> = fc.record({
  setup,
  actions: fc.oneof(
    { weight: 4, arbitrary: actionsOf(ordinary) },
    { weight: 4, arbitrary: actionsOf(ordinary, faults) },
    { weight: 2, arbitrary: actionsOf(ordinary, faults, foreign) },
  ),
  delays: fc.array(fc.constantFrom(0, 0, 0, 20, 400), { maxLength: 6 }),
  skews: fc.array(fc.constantFrom(0, 0, 30, -30, 60, -60), { maxLength: 8 }),
  order: fc.array(fc.boolean(), { maxLength: 6 }),
});

export const settleSeconds = 50 * secondsPerHour;
