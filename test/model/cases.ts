/** Stories that once broke a property, as short as fast-check made them. */
import type { ChannelConfig, Route } from '../../core/config/config.ts';
import type { Severity } from '../../core/schemas/finding.ts';
import type { Property } from './oracle.ts';
import type { Action, Setup, Story } from './story.ts';

const sns = {
  kind: 'sns',
  emails: [],
  quietHours: null,
  maxMessagesPerHour: 60,
} as const satisfies ChannelConfig;
const webhook = { ...sns, kind: 'slack-webhook' } as const satisfies ChannelConfig;
const bot = {
  ...{
    kind: 'slack-bot',
    channel: 'C0123456789',
    charts: false,
    buttons: true,
    quietHours: null,
    maxMessagesPerHour: 60,
  },
} as const satisfies ChannelConfig;
const atNight = { from: '22:00', to: '07:00', timeZone: 'UTC', allowCritical: false };
const everything: Route = { to: ['one'], minSeverity: 'info', digests: false, alarms: true };

const audit = (a: Severity | null, burst: Severity | null = null): Action => ({
  ...{ do: 'audit', sees: { a, b: null, c: null }, burst, isLate: false },
});

const auditOfB = (b: Severity, burst: Severity | null = null): Action => ({
  ...{ do: 'audit', sees: { a: null, b, c: null }, burst, isLate: false },
});

const story = (setup: Partial<Setup>, actions: Action[], more: Partial<Story> = {}): Story => ({
  setup: {
    ...{ channels: { one: sns }, routes: [everything], isSetUpLater: false, startHour: 0, hasDigest: false },
    ...setup,
  },
  ...{ actions, delays: [], skews: [], order: [] },
  ...more,
});

export const cases: { property: Property; what: string; story: Story }[] = [
  {
    property: 'nothing of a large batch is lost',
    what: 'an event for each finding of a batch that is larger than one message',
    story: story({ channels: { one: { ...sns, kind: 'eventbridge', bus: 'one' } } }, [
      audit(null, 'warning'),
    ]),
  },
  {
    property: 'nothing of a large batch is lost',
    what: 'a route that matches only what has no place in the message',
    story: story({ routes: [{ ...everything, tags: { team: 'web' } }] }, [audit(null, 'warning')]),
  },
  {
    property: 'a count is of its route',
    what: 'of a batch a route of few findings counts those alone',
    story: story({ routes: [{ ...everything, tags: { team: 'web' } }] }, [auditOfB('warning', 'info')]),
  },
  {
    property: 'not twice',
    what: 'of a first audit a route lets one finding through: a bot says it in one message',
    story: story(
      {
        channels: { one: webhook, two: bot },
        routes: [
          { ...everything, to: ['two'], minSeverity: 'warning' },
          { ...everything, to: ['one'] },
        ],
      },
      [auditOfB('critical', 'info')],
    ),
  },
  {
    property: 'not twice',
    what: 'of a first audit one finding is left when it is delivered: a bot says it in one message',
    story: story({ channels: { one: bot } }, [auditOfB('warning', 'info'), auditOfB('warning')], {
      delays: [20],
    }),
  },
  {
    property: 'not twice',
    what: 'somebody mutes a finding of a first audit while its thread waits for the next hour',
    story: story({ channels: { one: { ...bot, maxMessagesPerHour: 3 } } }, [
      auditOfB('warning', 'warning'),
      { do: 'press', button: 'mute', letter: 'b' },
      { do: 'twice' },
    ]),
  },
  {
    property: 'a count has a link',
    what: 'a batch ends within a day, and that is sent a day later',
    story: story({ channels: { one: webhook } }, [audit(null, 'warning'), audit(null)]),
  },
  {
    property: 'ends where it opened',
    what: 'a route for what is critical, and it becomes less',
    story: story({ routes: [{ ...everything, minSeverity: 'critical' }] }, [
      audit('critical'),
      audit('info'),
    ]),
  },
  {
    property: 'ends where it opened',
    what: 'a route for what is critical, and it becomes less before it ends',
    story: story({ routes: [{ ...everything, minSeverity: 'critical' }] }, [
      ...[audit('critical'), audit('info')],
      ...([{ do: 'settle' }, { do: 'settle' }] as const),
      audit(null),
    ]),
  },
  {
    property: 'nothing is lost beside what nobody can read',
    what: 'a record of another version in the table',
    story: story({}, [
      audit('warning'),
      { do: 'settle' },
      { do: 'foreign', what: 'record' },
      audit('critical'),
    ]),
  },
  {
    property: 'nothing is lost beside what nobody can read',
    what: 'a message of another version in the table, and what became better is sent a day later',
    story: story({}, [audit('critical'), { do: 'foreign', what: 'message' }, audit('warning')]),
  },
  {
    property: 'nothing is lost beside what nobody can read',
    what: 'a digest, with a record of another version in the table',
    story: story({ routes: [{ ...everything, digests: true }], hasDigest: true }, [
      ...[audit('warning'), { do: 'foreign', what: 'record' } as const],
    ]),
  },
  {
    property: 'in time',
    what: 'tries that fail in an outage of twenty minutes take no messages of the hour',
    story: story({ channels: { one: { ...sns, maxMessagesPerHour: 3 } } }, [
      { do: 'outage', channel: 0, minutes: 20, how: 'down' },
      ...[audit('warning'), { do: 'wait', minutes: 360 } as const],
    ]),
  },
  {
    property: 'in order',
    what: 'the later of two messages is faster on the way to the queue',
    story: story({}, [audit('warning'), audit('critical')], { delays: [400, 0] }),
  },
  {
    property: 'in order',
    what: 'what is critical is not held by quiet hours, and what was sent before it is',
    story: story({ channels: { one: { ...sns, quietHours: { ...atNight, allowCritical: true } } } }, [
      ...[audit('warning'), audit('critical')],
    ]),
  },
  {
    property: 'nothing opens after its end',
    what: 'it ends in quiet hours',
    story: story({ channels: { one: { ...sns, quietHours: atNight } } }, [audit('warning'), audit(null)]),
  },
  {
    property: 'nothing of what is muted',
    what: 'it is muted while its message is on the way',
    story: story({}, [audit('warning'), { do: 'press', button: 'mute', letter: 'a' }], { delays: [20] }),
  },
  {
    property: 'nothing is lost while channels are set up',
    what: 'one channel needs no secret, and the secret of the other is put in later',
    story: story({ channels: { one: webhook, two: sns }, routes: [everything], isSetUpLater: true }, [
      audit('warning'),
      { do: 'wait', minutes: 5 },
      { do: 'set up' },
    ]),
  },
  {
    property: 'nothing is lost while channels are set up',
    what: 'who delivers read the secret just before it was put in',
    story: story({ channels: { one: webhook }, isSetUpLater: true }, [
      ...[audit('warning'), { do: 'wait', minutes: 3 } as const],
      ...([{ do: 'foreign', what: 'alarm' }, { do: 'set up' }, { do: 'wait', minutes: 1 }] as const),
    ]),
  },
  {
    property: 'as it is',
    what: 'an audit is handed in after one that began later and no longer saw it',
    story: story({}, [
      audit('warning'),
      audit(null),
      { ...audit('info'), isLate: true } as Action,
      audit(null),
    ]),
  },
  {
    property: 'nothing is lost',
    what: 'it ends and comes again in quiet hours, less urgent, somebody acknowledges it, and later it is as urgent as before',
    story: story({ channels: { one: { ...sns, quietHours: atNight } } }, [
      ...[audit('critical'), audit(null), audit('warning')],
      ...([{ do: 'press', button: 'acknowledge', letter: 'a' }, { do: 'settle' }] as const),
      audit('critical'),
    ]),
  },
];
