/** One message to its channels: each post once, whatever fails, comes twice or dies. */
import fc from 'fast-check';
import { changeMessageOf } from '../../../core/changes/message.ts';
import type { ChannelConfig, Route } from '../../../core/config/config.ts';
import type { FindingNow } from '../../../core/delivery/pending-delivery.ts';
import { Throttled, Unavailable, Undeliverable } from '../../../core/errors.ts';
import type { FindingRecord } from '../../../core/lifecycle/finding-record.ts';
import type { Notification } from '../../../core/schemas/notification.ts';
import {
  type Channel,
  type DeliverWith,
  deliver,
  type Post,
  type QueuedMessage,
} from '../../../lambdas/deliver-messages/deliver.ts';
import type { RefusedMessage } from '../../../lambdas/deliver-messages/topic-message.ts';
import { aDigest } from '../../fixtures/digests.ts';
import { aFinding, aNotification, aRecord, findingsOnVolumes } from '../../fixtures/findings.ts';
import { aChange } from '../../fixtures/volume-change.ts';

/** 2026-11-19 12:00 UTC: the start of an hour. */
const noon = 1_795_089_600;
const everything: Route = { to: ['dba', 'web'], minSeverity: 'info', digests: true, alarms: true };
const channel = (name: string, changes: Partial<ChannelConfig> = {}): Channel => ({
  name,
  config: { kind: 'teams', quietHours: null, maxMessagesPerHour: 60, ...changes } as ChannelConfig,
});
const notification = aNotification([aFinding()]);
const queued = (changes: Partial<QueuedMessage> = {}): QueuedMessage => ({
  ...{ messageId: 'message-1', text: JSON.stringify(notification), receiveCount: 1 },
  ...changes,
});
const alarmText = JSON.stringify({
  AlarmName: 'AuditFailed',
  NewStateValue: 'ALARM',
  NewStateReason: 'it failed',
});

/** What it does is known; what fails is asked of the test. */
class World {
  posted: string[] = [];
  refused: RefusedMessage[] = [];
  troubles: string[] = [];
  /** In milliseconds. */
  pauses: number[] = [];
  ms = 0;
  /** What a post takes. */
  postMs = 0;
  done = new Set<string>();
  now = noon;
  taken = new Map<string, number>();
  begun = new Map<string, number>();
  said = new Map<string, number>();
  waiting = new Set<string>();
  findings = new Map<string, FindingNow>();
  wholes = new Map<string, Notification>();
  fails: (channel: string, part: number) => Error | null = () => null;
  anew: RefusedMessage[] = [];
  changes = new Map<string, number>();
  /** Parts of a message for a channel; null: it is not set up. */
  parts: (channel: string) => number | null = () => 1;

  use(channels: readonly Channel[], routes: readonly Route[] = [everything]): DeliverWith {
    return {
      ...{ channels, routes },
      nowEpochSeconds: () => this.now,
      monotonicMs: () => this.ms,
      posts: async ({ name }, { id }) => {
        const parts = this.parts(name);
        return parts === null ? null : Array.from({ length: parts }, (_, part) => this.post(name, id, part));
      },
      once: async (key, act) => {
        if (this.done.has(key)) return;
        await act();
        this.done.add(key);
      },
      takeOfHour: async (name, hour, most) => {
        const key = `${name} ${hour}`;
        const taken = this.taken.get(key) ?? 0;
        if (taken >= most) return false;
        this.taken.set(key, taken + 1);
        return true;
      },
      giveBackOfHour: async (name, hour) => {
        const key = `${name} ${hour}`;
        this.taken.set(key, (this.taken.get(key) ?? 0) - 1);
      },
      readWhole: async (key) => {
        const error = this.fails(key, 0);
        if (error !== null) throw error;
        return this.wholes.get(key) as Notification;
      },
      findingsNow: async () => this.findings,
      noteWaiting: async (name, { findingId }) => {
        this.waiting.add(`${name} ${findingId}`);
        return true;
      },
      beginSaying: async (name, { findingId, order }) => {
        const key = `${name} ${findingId}`;
        if ((this.begun.get(key) ?? 0) > order || (this.said.get(key) ?? 0) >= order) return false;
        this.begun.set(key, order);
        return true;
      },
      noteSaid: async (name, { findingId, order }) => {
        const key = `${name} ${findingId}`;
        this.said.set(key, Math.max(this.said.get(key) ?? 0, order));
      },
      keepRefused: async (refused) => {
        this.refused.push(refused);
      },
      waitAnew: async (waiting) => {
        this.anew.push(waiting);
      },
      isNewestOfAlarm: async (arn, changedAtMs) => {
        if ((this.changes.get(arn) ?? 0) > changedAtMs) return false;
        this.changes.set(arn, changedAtMs);
        return true;
      },
      onTrouble: (name, error) => {
        this.troubles.push(`${name}: ${error.message}`);
      },
      pause: async (milliseconds) => {
        this.pauses.push(milliseconds);
        this.ms += milliseconds;
      },
    };
  }

  private post(name: string, id: string, part: number): Post {
    return {
      key: `${id}:${part}`,
      send: async () => {
        this.ms += this.postMs;
        const error = this.fails(name, part);
        if (error !== null) throw error;
        this.posted.push(`${name} ${id === notification.id ? 'notification' : id} ${part}`);
      },
    };
  }
}

const both = [channel('dba'), channel('web')];

describe('an alarm', () => {
  const arn = 'arn:aws:cloudwatch:us-east-1:111122223333:alarm:AuditFailed';
  const event = (NewStateValue: string, hour: number, OldStateValue = 'OK') =>
    JSON.stringify({
      ...{
        AlarmName: 'AuditFailed',
        AlarmArn: arn,
        NewStateValue,
        OldStateValue,
        NewStateReason: 'it failed',
      },
      StateChangeTime: `2026-11-19T${hour}:00:00.000+0000`,
    });
  const began = (receiveCount = 1) => queued({ messageId: 'began', text: event('ALARM', 10), receiveCount });
  const ended = () => queued({ messageId: 'ended', text: event('OK', 11, 'ALARM') });
  const ids = {
    began: `alarm#${arn}#2026-11-19T10:00:00.000+0000#ALARM`,
    ended: `alarm#${arn}#2026-11-19T11:00:00.000+0000#OK`,
  };
  const dba = [channel('dba')];

  test('is sent, and its end too', async () => {
    const world = new World();
    for (const one of [began(), ended()]) await deliver(one, world.use(dba));
    expect(world.posted).toEqual([`dba ${ids.began} 0`, `dba ${ids.ended} 0`]);
  });

  test('waits until a channel is set up, however long: no queue hands a message out more than 100 times', async () => {
    const world = new World();
    world.parts = () => null;
    let message = began();
    for (let week = 0; week < 10; week++) {
      let receives = 1;
      while (world.anew.length === week) {
        expect(receives).toBeLessThan(100);
        await deliver({ ...message, receiveCount: receives++ }, world.use(dba));
      }
      message = queued({ messageId: `anew-${week}`, text: JSON.stringify(world.anew[week]) });
    }
    world.parts = () => 1;
    expect(await deliver(message, world.use(dba))).toMatchObject({ posted: 1, againInSeconds: null });
    expect(world.posted).toEqual([`dba ${ids.began} 0`]);
    expect(world.refused).toEqual([]);
  });

  test('that waits anew is left to the new message', async () => {
    const world = new World();
    world.parts = () => null;
    const use = world.use(dba);
    expect(await deliver(began(99), use)).toMatchObject({ notConfigured: ['dba'], againInSeconds: null });
    expect(world.anew).toMatchObject([{ type: 'stripewise.refused', channel: 'dba', id: ids.began }]);
    // Where the queue does not take it, this one stays.
    const failing = { ...use, waitAnew: () => Promise.reject(new Unavailable('sqs')) };
    const other = { ...began(99), messageId: 'other' };
    expect(await deliver(other, failing)).toMatchObject({ againInSeconds: 3_600 });
  });

  test('that ended while it waited is left out, and so is its end where nobody was there to see either', async () => {
    const world = new World();
    world.parts = () => null;
    await deliver(began(), world.use(dba));
    expect(await deliver(ended(), world.use(dba))).toMatchObject({ againInSeconds: null });
    world.parts = () => 1;
    expect(await deliver(began(2), world.use(dba))).toMatchObject({ posted: 0, againInSeconds: null });
    expect(world.posted).toEqual([]);
  });

  test('that comes behind its end, after quiet hours, is left out: a reader would take it for the present', async () => {
    const world = new World();
    for (const one of [ended(), began()]) await deliver(one, world.use(dba));
    expect(world.posted).toEqual([`dba ${ids.ended} 0`]);
  });

  test('of a stack that is new is OK for the first time, and ended nothing', async () => {
    const world = new World();
    const first = queued({ messageId: 'first', text: event('OK', 9, 'INSUFFICIENT_DATA') });
    expect(await deliver(first, world.use(dba))).toMatchObject({ posted: 0, againInSeconds: null });
    expect(world.posted).toEqual([]);
  });

  test('waits where the table does not answer', async () => {
    const world = new World();
    const failing = { ...world.use(dba), isNewestOfAlarm: () => Promise.reject(new Unavailable('dynamodb')) };
    expect(await deliver(began(), failing)).toMatchObject({ posted: 0, againInSeconds: 30 });
  });
});

test('every channel gets it, and it is over', async () => {
  const world = new World();
  expect(await deliver(queued(), world.use(both))).toEqual({
    ...{ posted: 2, notConfigured: [], refused: [], againInSeconds: null },
  });
  expect(world.posted).toEqual(['dba notification 0', 'web notification 0']);
});

test('a channel whose routes let nothing through gets nothing', async () => {
  const world = new World();
  await deliver(queued(), world.use(both, [{ ...everything, to: ['web'] }]));
  expect(world.posted).toEqual(['web notification 0']);
});

test.each([
  ['a notification', JSON.stringify(notification)],
  ['an alarm', alarmText],
  ['a digest', JSON.stringify(aDigest())],
])('%s waits for a channel that nobody set up yet, and for no other', async (_, text) => {
  const world = new World();
  world.parts = (name) => (name === 'dba' ? null : 1);
  expect(await deliver(queued({ text }), world.use(both))).toEqual({
    ...{ posted: 1, notConfigured: ['dba'], refused: [], againInSeconds: 30 },
  });
  expect(world.troubles).toEqual([]);
  expect(await deliver(queued({ text, receiveCount: 20 }), world.use(both))).toMatchObject({
    againInSeconds: 3_600,
  });
  world.parts = () => 1;
  expect(await deliver(queued({ text, receiveCount: 21 }), world.use(both))).toMatchObject({
    ...{ notConfigured: [], againInSeconds: null },
  });
  expect(world.posted.map((one) => one.split(' ')[0])).toEqual(['web', 'dba']);
});

test('what comes again is posted where it failed, and nowhere else', async () => {
  const world = new World();
  world.fails = (name) => (name === 'dba' ? new Unavailable('Teams answered 503') : null);
  const first = await deliver(queued(), world.use(both));
  expect(first).toMatchObject({ posted: 1, againInSeconds: 30 });
  world.fails = () => null;
  expect(await deliver(queued({ receiveCount: 2 }), world.use(both))).toMatchObject({ againInSeconds: null });
  expect(world.posted).toEqual(['web notification 0', 'dba notification 0']);
});

test('of several posts of a channel those that are out are not made again', async () => {
  const world = new World();
  world.parts = () => 3;
  world.fails = (_, part) => (part === 2 ? new Throttled('slow down') : null);
  await deliver(queued(), world.use([channel('dba')]));
  // Slack takes about one message a second for a channel.
  expect(world.pauses).toEqual([1_100, 1_100]);
  world.fails = () => null;
  await deliver(queued({ receiveCount: 2 }), world.use([channel('dba')]));
  expect(world.posted).toEqual(['dba notification 0', 'dba notification 1', 'dba notification 2']);
});

test.each([
  { postMs: 300, pauses: [800, 800] }, // 1,100 - 300
  { postMs: 1_100, pauses: [] },
])('posts begin 1.1 s apart: after one of $postMs ms less is waited', async ({ postMs, pauses }) => {
  const world = new World();
  world.parts = () => 3;
  world.postMs = postMs;
  await deliver(queued(), world.use([channel('dba')]));
  expect(world.pauses).toEqual(pauses);
});

test.each([
  [1, 30],
  [2, 60],
  [5, 480],
  // 30 x 2 ^ 7 = 3,840, and an hour is the most.
  [8, 3_600],
  [30, 3_600],
])('after try %d that failed it waits %d seconds', async (receiveCount, seconds) => {
  const world = new World();
  world.fails = () => new Unavailable('no');
  const { againInSeconds } = await deliver(queued({ receiveCount }), world.use([channel('dba')]));
  expect(againInSeconds).toBe(seconds);
});

describe('what a channel refuses', () => {
  const refusing = (): World => {
    const world = new World();
    world.fails = (name) => (name === 'dba' ? new Undeliverable('Slack answered: invalid_auth') : null);
    return world;
  };

  test('is kept for a person with why, and not tried again', async () => {
    const world = refusing();
    expect(await deliver(queued(), world.use(both))).toMatchObject({
      refused: ['dba'],
      againInSeconds: null,
    });
    expect(world.refused).toEqual([
      {
        ...{ type: 'stripewise.refused', channel: 'dba', reason: 'Slack answered: invalid_auth' },
        ...{ id: notification.id, message: JSON.stringify(notification) },
      },
    ]);
    expect(world.troubles).toEqual(['dba: Slack answered: invalid_auth']);
  });

  test('is kept once, also where another channel makes the message come again', async () => {
    const world = refusing();
    const fails = world.fails;
    world.fails = (name, part) => (name === 'web' ? new Unavailable('no') : fails(name, part));
    for (const receiveCount of [1, 2, 3]) await deliver(queued({ receiveCount }), world.use(both));
    expect(world.refused).toHaveLength(1);
  });

  test('and cannot be kept stays in the queue, and the other channels do not wait for it', async () => {
    const world = refusing();
    const use = world.use(both);
    const keepRefused = () => Promise.reject(new Unavailable('sqs:SendMessage failed'));
    expect(await deliver(queued(), { ...use, keepRefused })).toMatchObject({
      refused: [],
      againInSeconds: 30,
    });
    expect(world.posted).toEqual(['web notification 0']);
    expect(world.troubles.at(-1)).toBe('dba: sqs:SendMessage failed');
    await deliver(queued({ receiveCount: 2 }), use);
    expect([world.refused.length, world.posted.length]).toEqual([1, 1]);
  });

  test('put back, it goes to that channel alone', async () => {
    const world = refusing();
    await deliver(queued(), world.use(both));
    world.fails = () => null;
    const back = queued({ messageId: 'message-2', text: JSON.stringify(world.refused[0]) });
    await deliver(back, world.use(both));
    expect(world.posted).toEqual(['web notification 0', 'dba notification 0']);
  });

  test('put back and refused again, it is kept again', async () => {
    const world = refusing();
    await deliver(queued(), world.use(both));
    const back = queued({ messageId: 'message-2', text: JSON.stringify(world.refused[0]) });
    expect(await deliver(back, world.use(both))).toMatchObject({ refused: ['dba'], againInSeconds: null });
    expect(world.refused).toHaveLength(2);
    expect(world.refused[1]).toEqual(world.refused[0]);
  });

  test('of a form that is not known here nothing is lost: it is kept for all channels', async () => {
    const world = new World();
    const text = '{"type":"stripewise.notification","version":3}';
    expect(await deliver(queued({ text }), world.use(both))).toMatchObject({ refused: ['*'], posted: 0 });
    expect(world.refused).toMatchObject([{ channel: '*', id: 'message-1', message: text }]);
  });
});

test.each(['hello from the console', '', '{}', '[1]', 'null'])(
  '%j is nothing for a channel',
  async (text) => {
    const world = new World();
    expect(await deliver(queued({ text }), world.use(both))).toMatchObject({
      posted: 0,
      againInSeconds: null,
    });
    expect(world.posted).toEqual([]);
  },
);

test('in whatever order messages come, and wherever they fail: of a finding nothing is said after something later', async () => {
  const step = fc.record({ order: fc.integer({ min: 1, max: 5 }), fails: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const world = new World();
      const use = world.use([channel('dba')]);
      const heard: number[] = [];
      let fails = false;
      const posts: DeliverWith['posts'] = async (_, message) => [
        {
          key: message.id,
          send: async () => {
            if (fails) throw new Unavailable('no');
            if (message.kind === 'notification')
              heard.push(...message.notification.notified.map(({ order }) => order ?? 0));
          },
        },
      ];
      const all = [...steps, ...[1, 2, 3, 4, 5].map((order) => ({ order, fails: false }))];
      for (const one of all) {
        ({ fails } = one);
        const notified = notification.notified.map((finding) => ({ ...finding, order: one.order }));
        const text = JSON.stringify({ ...notification, id: `message-${one.order}`, notified });
        await deliver(queued({ text }), { ...use, posts });
      }
      expect(heard).toEqual([...new Set(heard)].sort());
      expect(heard.at(-1)).toBe(5);
    }),
    { numRuns: 100 },
  );
});

test('of several findings only those are left out of which something later was said; on a bus none', async () => {
  const world = new World();
  const [old, other] = aNotification(findingsOnVolumes(2)).notified;
  const said: string[][] = [];
  const use = world.use([channel('dba'), channel('web', { kind: 'eventbridge' })]);
  const posts: DeliverWith['posts'] = async ({ name }, message) => {
    if (message.kind === 'notification')
      said.push([name, ...message.notification.notified.map(({ id }) => id)]);
    return [];
  };
  const order = old?.order ?? 0;
  world.said.set('dba finding-0', order + 1).set('web finding-0', order + 1);
  await deliver(queued({ text: JSON.stringify({ ...notification, notified: [old, other] }) }), {
    ...use,
    posts,
  });
  expect(said).toEqual([
    ['dba', 'finding-1'],
    ['web', 'finding-0', 'finding-1'],
  ]);
});

test('a message that waits for one channel says nothing twice in another, also where a part of it was overtaken', async () => {
  const world = new World();
  const night = { from: '11:00', to: '14:00', timeZone: 'UTC', allowCritical: false };
  const channels = [channel('dba'), channel('web', { quietHours: night })];
  const use = world.use(channels);
  const said: string[] = [];
  const posts: DeliverWith['posts'] = async ({ name }, message) => [
    {
      key: message.id,
      send: async () => {
        if (message.kind === 'notification')
          said.push(...message.notification.notified.map(({ id }) => `${name} ${id}`));
      },
    },
  ];
  const both = queued({
    text: JSON.stringify({ ...notification, notified: aNotification(findingsOnVolumes(2)).notified }),
  });
  await deliver(both, { ...use, posts });
  expect(said).toEqual(['dba finding-0', 'dba finding-1']);
  // Something later of one of them comes meanwhile.
  for (const name of ['dba', 'web']) world.said.set(`${name} finding-0`, Number.MAX_SAFE_INTEGER);
  world.now += 4 * 3_600;
  await deliver({ ...both, receiveCount: 2 }, { ...use, posts });
  expect(said).toEqual(['dba finding-0', 'dba finding-1', 'web finding-1']);
});

describe('what changed since a message was made', () => {
  const two = aNotification(findingsOnVolumes(2));
  const text = JSON.stringify(two);
  const said = async (world: World, channels: readonly Channel[], receiveCount: number) => {
    const heard: string[] = [];
    const posts: DeliverWith['posts'] = async ({ name }, message) => [
      {
        key: message.id,
        send: async () => {
          if (message.kind === 'notification')
            heard.push(...message.notification.notified.map(({ id }) => `${name} ${id}`));
        },
      },
    ];
    const delivered = await deliver(queued({ text, receiveCount }), { ...world.use(channels), posts });
    return { heard, againInSeconds: delivered.againInSeconds };
  };
  const [record] = findingsOnVolumes(1).map((finding) => aRecord(finding)) as [FindingRecord];
  const muted: FindingNow = { ...record, muted: { by: 'Ann', untilEpochSeconds: noon + 7 * 86_400 } };
  const over: FindingNow = { ...record, level: null };

  test('a finding that is muted waits until it is not, in a bus too; the others are said', async () => {
    const world = new World();
    world.findings.set('finding-0', muted);
    const channels = [channel('dba'), channel('web', { kind: 'eventbridge' })];
    expect(await said(world, channels, 1)).toEqual({
      heard: ['dba finding-1', 'web finding-1'],
      againInSeconds: 7 * 86_400,
    });
    world.now += 7 * 86_400;
    expect(await said(world, channels, 2)).toEqual({
      heard: ['dba finding-0', 'web finding-0'],
      againInSeconds: null,
    });
  });

  test('a finding that is over waits: its end may be notified, or it comes again; a bus gets the event', async () => {
    const world = new World();
    world.findings.set('finding-0', over);
    const channels = [channel('dba'), channel('web', { kind: 'eventbridge' })];
    expect(await said(world, channels, 3)).toEqual({
      heard: ['dba finding-1', 'web finding-0', 'web finding-1'],
      againInSeconds: 120,
    });
    expect([...world.waiting]).toEqual(['dba finding-0']);
    world.findings.set('finding-0', record);
    expect(await said(world, [channel('dba')], 4)).toEqual({
      heard: ['dba finding-0'],
      againInSeconds: null,
    });
  });

  test.each([
    ['as it is now, where people are to know no more', { by: two.id, notifyFromEpochSeconds: null }, true],
    ['not, where another message told it since', { by: 'later', notifyFromEpochSeconds: null }, false],
    ['not, where its change is to come', { by: two.id, notifyFromEpochSeconds: noon }, false],
  ])('a finding that ended and came again is said %s', async (_, { by, notifyFromEpochSeconds }, isSaid) => {
    const world = new World();
    const openedEpochSeconds = record.openedEpochSeconds + 60;
    const finding = { ...record.finding, lastSeen: '2026-11-20T11:00:00Z' };
    const notified = { epochSeconds: noon, level: 'warning', messageId: by } as const;
    const now = { ...record, claim: null, notified, notifyFromEpochSeconds, openedEpochSeconds, finding };
    world.findings.set('finding-0', now);
    const ends: (string | null)[] = [];
    const posts: DeliverWith['posts'] = async (_channel, message) => {
      if (message.kind === 'notification')
        ends.push(...message.notification.notified.map(({ lastSeen }) => lastSeen));
      return [];
    };
    await deliver(queued({ text }), { ...world.use([channel('dba')]), posts });
    expect(ends.includes('2026-11-20T11:00:00Z')).toBe(isSaid);
    expect(ends).toHaveLength(isSaid ? 2 : 1);
  });
});

describe('a message of which the topic carried a part', () => {
  const whole = aNotification(findingsOnVolumes(3));
  const part = { ...whole, notified: whole.notified.slice(0, 1), notShown: 2, wholeKey: 'messages/1.json' };
  const said = async (world: World) => {
    const heard: number[][] = [];
    const posts: DeliverWith['posts'] = async (_, message) => {
      if (message.kind === 'notification')
        heard.push([message.notification.notified.length, message.notification.notShown]);
      return [];
    };
    const use = { ...world.use([channel('dba')]), posts };
    return { heard, delivered: await deliver(queued({ text: JSON.stringify(part) }), use) };
  };

  test('is read whole, so that every route sees every finding', async () => {
    const world = new World();
    world.wholes.set('messages/1.json', whole);
    expect((await said(world)).heard).toEqual([[3, 0]]);
  });

  test('waits for all channels where it cannot be read', async () => {
    const world = new World();
    world.fails = () => new Unavailable('s3:GetObject failed');
    const { heard, delivered } = await said(world);
    expect([heard, delivered.againInSeconds, world.troubles]).toEqual([[], 30, ['*: s3:GetObject failed']]);
  });
});

describe('quiet hours', () => {
  const quiet = { from: '11:00', to: '14:00', timeZone: 'UTC', allowCritical: true };
  const own = channel('dba', { quietHours: quiet });

  test('what can wait waits until they end, and others are notified now', async () => {
    const world = new World();
    const { againInSeconds } = await deliver(queued(), world.use([own, channel('web')]));
    expect([againInSeconds, ...world.posted]).toEqual([2 * 3_600, 'web notification 0']);
    world.now += 2 * 3_600;
    expect(await deliver(queued({ receiveCount: 2 }), world.use([own]))).toMatchObject({
      againInSeconds: null,
    });
    expect(world.posted).toHaveLength(2);
  });

  test.each([
    ['opened', true, 1],
    ['worse', true, 1],
    ['resolved', true, 0],
    ['opened', false, 0],
  ] as const)('critical and %s, critical excepted: %s', async (change, allowCritical, posts) => {
    const world = new World();
    const text = JSON.stringify(aNotification([aFinding({ severity: 'critical' })], change));
    await deliver(queued({ text }), world.use([channel('dba', { quietHours: { ...quiet, allowCritical } })]));
    expect(world.posted).toHaveLength(posts);
  });

  test.each([
    ['a proposal waits', 'proposed', null, 0],
    [
      'an undo that was not made does not: the volume has what hurts it',
      'ended',
      { code: 'undo-not-made', reason: 'too-late' },
      1,
    ],
  ] as const)('of changes %s', async (_, step, end, posts) => {
    const world = new World();
    const text = JSON.stringify(changeMessageOf(aChange({ end }), step, 1));
    await deliver(queued({ text }), world.use([own]));
    expect(world.posted).toHaveLength(posts);
  });
});

test('a change goes once to each channel whose routes are for its account', async () => {
  const world = new World();
  const text = JSON.stringify(changeMessageOf(aChange(), 'made', 1));
  const others = { ...everything, to: ['web'], accounts: ['444455556666'] };
  const use = () => world.use([channel('dba'), channel('web')], [{ ...everything, to: ['dba'] }, others]);
  await deliver(queued({ text }), use());
  await deliver(queued({ text, messageId: 'message-2' }), use());
  expect(world.posted).toEqual(['dba c-1#made 0']);
});

test('more than the most of an hour waits for the next one', async () => {
  const world = new World();
  world.now += 600;
  const own = [channel('dba', { maxMessagesPerHour: 2 })];
  const alarms = [1, 2, 3].map((one) => queued({ messageId: `alarm-${one}`, text: alarmText }));
  const results = [];
  for (const alarm of alarms) results.push(await deliver(alarm, world.use(own)));
  expect(results.map(({ againInSeconds }) => againInSeconds)).toEqual([null, null, 3_000]); // 3,600 - 600
  world.now += 3_000;
  await deliver(alarms[2] as QueuedMessage, world.use(own));
  expect(world.posted).toEqual(['dba alarm-1 0', 'dba alarm-2 0', 'dba alarm-3 0']);
});

test.each([
  ['is out for a while', () => new Unavailable('Slack answered 503')],
  ['refuses it', () => new Undeliverable('Slack answered: invalid_blocks')],
])('a channel that %s uses up nothing of the hour: counted is what it took', async (_, error) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 4 }), async (tries, most) => {
      const world = new World();
      const own = [channel('dba', { maxMessagesPerHour: most })];
      const alarm = (id: string, receiveCount = 1) =>
        queued({ messageId: id, text: alarmText, receiveCount });
      world.fails = error;
      for (let receiveCount = 1; receiveCount <= tries; receiveCount++)
        await deliver(alarm('alarm-0', receiveCount), world.use(own));
      world.fails = () => null;
      // Within the same hour.
      for (let one = 1; one <= most; one++) await deliver(alarm(`alarm-${one}`), world.use(own));
      expect(world.posted).toHaveLength(most);
      expect([...world.taken.values()]).toEqual([most]);
    }),
    { numRuns: 20 },
  );
});

test('where what was taken cannot be given back, the failure is that of the channel all the same', async () => {
  const world = new World();
  world.fails = () => new Unavailable('Slack answered 503');
  const giveBackOfHour = () => Promise.reject(new Unavailable('dynamodb:UpdateItem failed'));
  const use = { ...world.use([channel('dba')]), giveBackOfHour };
  expect(await deliver(queued(), use)).toMatchObject({ againInSeconds: 30 });
  expect(world.troubles).toEqual(['dba: dynamodb:UpdateItem failed', 'dba: Slack answered 503']);
});

test('what is no message of its own, such as a picture, does not count', async () => {
  const world = new World();
  const use = world.use([channel('dba', { maxMessagesPerHour: 1 })]);
  const posts: DeliverWith['posts'] = async (...of) => {
    const [post] = (await use.posts(...of)) ?? [];
    return post === undefined ? [] : [post, { ...post, key: `${post.key}:picture`, isExtra: true }];
  };
  expect(await deliver(queued(), { ...use, posts })).toMatchObject({ posted: 2, againInSeconds: null });
});

test('delivered as often as you like, failing wherever it may: each post is made once, and none is lost', async () => {
  const failing = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), failing, async (copies, fails) => {
      const world = new World();
      world.parts = () => 2;
      let call = 0;
      world.fails = () => (fails[call++] ? new Unavailable('no') : null);
      const use = world.use(both);
      for (let copy = 0; copy < copies; copy++) {
        for (let receiveCount = 1, isOver = false; !isOver; receiveCount++)
          isOver = (await deliver(queued({ receiveCount }), use)).againInSeconds === null;
      }
      expect([...world.posted].sort()).toEqual([
        ...['dba notification 0', 'dba notification 1', 'web notification 0', 'web notification 1'],
      ]);
    }),
    { numRuns: 8 },
  );
}, 120_000);
