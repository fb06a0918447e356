/** Messages by a bot: a thread for each finding, each change in it once, whoever dies in between. */
import { changeMessageOf } from '../../../core/changes/message.ts';
import { Unavailable, Undeliverable } from '../../../core/errors.ts';
import type { Notification, NotifiedFinding } from '../../../core/schemas/notification.ts';
import type { NotifiedStep } from '../../../core/schemas/volume-change.ts';
import { type BotUse, botPosts, type Picture } from '../../../lambdas/deliver-messages/bot-posts.ts';
import type { TopicMessage } from '../../../lambdas/deliver-messages/topic-message.ts';
import { aDigest } from '../../fixtures/digests.ts';
import {
  aFinding,
  aNotification,
  aNotificationBetweenRuns,
  findingsOnVolumes,
} from '../../fixtures/findings.ts';
import { aChange } from '../../fixtures/volume-change.ts';
import { anAlarm } from './alarms.ts';

interface InChannel {
  ts: string;
  threadTs: string | null;
  broadcast: boolean;
  title: string;
  changeId: unknown;
}

const picture: Picture = { png: Buffer.from('png'), fileName: 'f.png', title: 'Load', altText: 'IOPS' };

/** A channel of Slack, what is remembered of it, and what fails. */
class World {
  posted: InChannel[] = [];
  pictures: string[] = [];
  threads = new Map<string, string>();
  asked: string[] = [];
  noPicture: string[] = [];
  /** What a call fails with; null: it does not. */
  fails: Partial<Record<keyof BotUse, () => Error | null>> = {};
  mayRead = true;
  private made = 0;

  private step(name: keyof BotUse): void {
    this.asked.push(name);
    const error = this.fails[name]?.() ?? null;
    if (error !== null) throw error;
  }

  use(): BotUse {
    return {
      post: async (_, { text, metadata }, { threadTs, broadcast }) => {
        if (threadTs !== null && this.posted.every(({ ts }) => ts !== threadTs)) {
          throw new Undeliverable('Slack answered: thread_not_found');
        }
        this.step('post');
        const ts = `${100 + this.made++}.0`;
        const changeId = metadata.event_payload['change_id'];
        this.posted.push({ ts, threadTs, broadcast, title: text, changeId });
        return ts;
      },
      upload: async (_, threadTs, { fileName }) => {
        this.step('upload');
        this.pictures.push(`${fileName} in ${threadTs}`);
      },
      posted: async (_, changeId, threadTs) => {
        this.step('posted');
        // What a thread began with comes with its replies.
        const isThere = (one: InChannel) => one.threadTs === threadTs || one.ts === threadTs;
        const found = this.posted.find((one) => one.changeId === changeId && isThere(one));
        return this.mayRead ? (found?.ts ?? null) : null;
      },
      thread: async (channel, findingId) => {
        this.step('thread');
        return this.threads.get(`${channel} ${findingId}`) ?? null;
      },
      keepThread: async (channel, findingId, ts) => {
        this.step('keepThread');
        this.threads.set(`${channel} ${findingId}`, ts);
      },
      pictureOf: async () => {
        this.step('pictureOf');
        return picture;
      },
      onNoPicture: (findingId, { message }) => {
        this.noPicture.push(`${findingId}: ${message}`);
      },
    };
  }

  posts(message: TopicMessage, charts = true) {
    const slack = { token: 'xoxb-1', channel: 'C1' };
    return botPosts({ name: 'dba', slack, charts, buttons: true }, message, this.use());
  }

  async send(message: TopicMessage, { isRepeated = false, charts = true } = {}): Promise<void> {
    for (const post of this.posts(message, charts)) await post.send(isRepeated);
  }
}

let messages = 0;
/** A message of its own, about findings that changed so. */
function notified(change: NotifiedFinding['change'], findings = [aFinding()]): TopicMessage {
  messages += 1;
  const notification: Notification = { ...aNotification(findings, change), id: `message-${messages}` };
  return { kind: 'notification', id: notification.id, notification };
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('the first audit', () => {
  const six = findingsOnVolumes(6);
  const first = (): TopicMessage => {
    const message = notified('opened', six);
    if (message.kind !== 'notification') throw new Error('it is a notification');
    return { ...message, notification: { ...message.notification, isFirst: true } };
  };

  test('is one message in the channel; the findings are in its thread, and nowhere else', async () => {
    await world.send(first(), { charts: false });
    expect(world.posted.map(({ threadTs, broadcast }) => [threadTs, broadcast])).toEqual([
      [null, false],
      ...six.map(() => ['100.0', false]),
    ]);
    expect(world.posted[0]?.title).toBe('stripewise: 6 warnings. 6 volumes, 1 Region.');
  });

  test('what changes later is said there, and in the channel', async () => {
    await world.send(first(), { charts: false });
    await world.send(notified('worse', six.slice(0, 1)), { charts: false });
    expect(world.posted.at(-1)).toMatchObject({ threadTs: '100.0', broadcast: true });
  });

  test('tried again, nothing of it is said twice', async () => {
    const message = first();
    await world.send(message, { charts: false });
    await world.send(message, { charts: false, isRepeated: true });
    expect(world.posted).toHaveLength(7);
  });
});

describe('a change', () => {
  const stepOf = (step: NotifiedStep): TopicMessage => {
    const message = changeMessageOf(aChange(), step, 1);
    return { kind: 'change', id: message.id, message };
  };

  test('is said in the thread of its finding, and in the channel where somebody may have to act', async () => {
    const findingId = aChange().plan.findingId;
    await world.send(notified('opened', [aFinding({ id: findingId })]), { charts: false });
    for (const step of ['proposed', 'made', 'undo-asked', 'ended'] as const) await world.send(stepOf(step));
    expect(world.posted.slice(1).map(({ threadTs, broadcast }) => [threadTs, broadcast])).toEqual([
      ['100.0', true],
      ['100.0', false],
      ['100.0', true],
      ['100.0', true],
    ]);
  });

  test('opens the thread where its finding has none', async () => {
    await world.send(stepOf('proposed'));
    await world.send(stepOf('made'));
    expect(world.posted.map(({ threadTs }) => threadTs)).toEqual([null, '100.0']);
  });

  test('is said once, also where who said it died before that was written', async () => {
    await world.send(stepOf('proposed'));
    await world.send(stepOf('proposed'), { isRepeated: true });
    expect(world.posted.map(({ changeId }) => changeId)).toEqual(['c-1#proposed']);
  });
});

describe('threads', () => {
  test('the first message of a finding opens its thread, the others are replies in it', async () => {
    for (const change of ['opened', 'worse', 'better', 'resolved', 'reopened'] as const)
      await world.send(notified(change), { charts: false });
    expect(
      world.posted.map(({ title, threadTs, broadcast }) => [title.split(':')[0], threadTs, broadcast]),
    ).toEqual([
      ['New', null, false],
      ['Worse', '100.0', true],
      ['Better', '100.0', false],
      ['Resolved', '100.0', false],
      ['Back', '100.0', true],
    ]);
  });

  test('each finding has its own', async () => {
    const two = findingsOnVolumes(2);
    await world.send(notified('opened', two), { charts: false });
    await world.send(notified('worse', two), { charts: false });
    expect(world.posted.map(({ threadTs }) => threadTs)).toEqual([null, null, '100.0', '101.0']);
  });

  test('whoever hears of a finding first hears all of it, whatever changed', async () => {
    await world.send(notified('resolved'), { charts: false });
    expect(world.threads).toEqual(new Map([['dba finding-1', '100.0']]));
  });

  test.each([
    ['deleted what it began with', () => world.posted.splice(0)],
    [
      'locked it',
      () => {
        let times = 0;
        world.fails.post = () =>
          times++ === 0 ? new Undeliverable('restricted_action_thread_locked') : null;
      },
    ],
  ])('where somebody %s another one is opened, and used from then on', async (_, happens) => {
    await world.send(notified('opened'), { charts: false });
    happens();
    await world.send(notified('worse'), { charts: false });
    const [opened] = world.posted.slice(-1);
    expect(opened).toMatchObject({ title: expect.stringMatching(/^Worse/), threadTs: null });
    expect(world.threads.get('dba finding-1')).toBe(opened?.ts);
  });

  test('a channel that takes nothing is Undeliverable', async () => {
    await world.send(notified('opened'), { charts: false });
    world.fails.post = () => new Undeliverable('Slack answered: is_archived');
    await expect(world.send(notified('worse'))).rejects.toThrow(Undeliverable);
    expect(world.threads.get('dba finding-1')).toBe('100.0');
  });

  test('a reply that may come through later opens no other thread', async () => {
    await world.send(notified('opened'), { charts: false });
    world.fails.post = () => new Unavailable('Slack answered: internal_error');
    await expect(world.send(notified('worse'))).rejects.toThrow(Unavailable);
    delete world.fails.post;
    expect(world.posted).toHaveLength(1);
  });
});

describe('who dies in between', () => {
  const crash = () => new Unavailable('died');

  test('after posting, before the thread is kept: the next try finds the message, and keeps its thread', async () => {
    const message = notified('opened');
    world.fails.keepThread = crash;
    await expect(world.send(message)).rejects.toThrow('died');
    delete world.fails.keepThread;
    await world.send(message, { isRepeated: true, charts: false });
    expect(world.posted).toHaveLength(1);
    await world.send(notified('worse'), { charts: false });
    expect(world.posted.map(({ threadTs }) => threadTs)).toEqual([null, '100.0']);
  });

  test('after the thread is kept: the next try finds the message at its beginning', async () => {
    const message = notified('opened');
    await world.send(message, { charts: false });
    await world.send(message, { isRepeated: true, charts: false });
    expect(world.posted).toHaveLength(1);
  });

  test('after posting a reply: the next try finds it in the thread', async () => {
    await world.send(notified('opened'), { charts: false });
    const message = notified('worse');
    await world.send(message, { charts: false });
    await world.send(message, { isRepeated: true, charts: false });
    expect(world.posted).toHaveLength(2);
    expect(world.threads.get('dba finding-1')).toBe('100.0');
  });

  test('before posting: the next try posts', async () => {
    const message = notified('opened');
    world.fails.post = crash;
    await expect(world.send(message)).rejects.toThrow('died');
    delete world.fails.post;
    await world.send(message, { isRepeated: true, charts: false });
    expect(world.posted).toHaveLength(1);
  });

  test('what is left of a notification, digests and alarms are found too', async () => {
    const all: TopicMessage[] = [
      notified('opened', findingsOnVolumes(12)),
      { kind: 'digest', id: 'digest-1', digest: aDigest() },
      { kind: 'alarm', id: 'alarm-1', alarm: anAlarm() },
    ];
    for (const message of all) await world.send(message, { charts: false });
    const before = world.posted.length;
    expect(before).toBe(10 + 1 + 1 + 1); // Ten threads, the rest, the digest, the alarm.
    expect(new Set(world.posted.map(({ changeId }) => changeId)).size).toBe(before);
    for (const message of all) await world.send(message, { charts: false, isRepeated: true });
    expect(world.posted).toHaveLength(before);
  });

  test('the first try asks nobody what was posted: it costs a call', async () => {
    await world.send(notified('opened'));
    expect(world.asked).not.toContain('posted');
  });

  test('who may not read the channel posts again: rather twice than never', async () => {
    const message = notified('opened');
    await world.send(message, { charts: false });
    world.mayRead = false;
    world.threads.clear();
    await world.send(message, { isRepeated: true, charts: false });
    expect(world.posted).toHaveLength(2);
  });

  test('where nobody knows for now whether it was posted, it waits', async () => {
    const message = notified('opened');
    world.fails.posted = () => new Unavailable('Slack answered: internal_error');
    await expect(world.send(message, { isRepeated: true })).rejects.toThrow(Unavailable);
    expect(world.posted).toEqual([]);
  });
});

describe('pictures', () => {
  test.each([
    ['opened', 1],
    ['worse', 1],
    ['reopened', 1],
    ['better', 0],
    ['resolved', 0],
    ['validated', 0],
  ] as const)('of a finding that is %s: %i', async (change, count) => {
    await world.send(notified(change));
    expect(world.pictures).toEqual(Array.from({ length: count }, () => 'f.png in 100.0'));
  });

  test('none of what no run saw: there is no page to draw from', () => {
    const notification = aNotificationBetweenRuns([aFinding()]);
    expect(world.posts({ kind: 'notification', id: notification.id, notification })).toHaveLength(1);
  });

  test('it is no message of its own', () => {
    expect(world.posts(notified('opened')).map(({ isExtra }) => isExtra ?? false)).toEqual([false, true]);
  });

  test('none where the channel has none', async () => {
    await world.send(notified('opened'), { charts: false });
    expect(world.asked).not.toContain('pictureOf');
  });

  test.each(['thread', 'pictureOf', 'upload'] as const)(
    'one that fails in %s stops nothing, and somebody hears of it',
    async (name) => {
      const [message, drawn] = world.posts(notified('opened'));
      await message?.send(false);
      world.fails[name] = () => new Unavailable('Slack answered: internal_error');
      await drawn?.send(false);
      expect(world.pictures).toEqual([]);
      expect(world.noPicture).toEqual(['finding-1: Slack answered: internal_error']);
    },
  );

  test('without a thread there is no place for it', async () => {
    const [, drawn] = world.posts(notified('opened'));
    await drawn?.send(false);
    expect(world.asked).toEqual(['thread']);
  });
});

describe('keys', () => {
  const keys = (message: TopicMessage, charts = true) => world.posts(message, charts).map(({ key }) => key);

  test('are the same for the same message, and no two parts share one', () => {
    const message = notified('opened', findingsOnVolumes(12));
    const all = keys(message);
    expect(all).toEqual(keys(message));
    expect(all).toHaveLength(2 * 10 + 1);
    expect(new Set(all).size).toBe(all.length);
  });

  test('are others for another message about the same findings', () => {
    const [first, second] = [notified('opened'), notified('worse')].map((message) => keys(message));
    expect(first?.filter((key) => second?.includes(key))).toEqual([]);
  });

  test('the message comes before its picture, which is a post of its own', () => {
    const [message, drawn] = keys(notified('opened'));
    expect(drawn).toBe(`${message}:picture`);
  });
});
