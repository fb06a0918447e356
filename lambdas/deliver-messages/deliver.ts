/**
 * One message, to every channel whose routes let something of it through. Each post of a channel is made once, under a key of
 * its own: what failed is tried again and what was posted is not.
 */
import { createHash } from 'node:crypto';
import { needsPerson } from '../../core/changes/message.ts';
import type { ChannelConfig, Route } from '../../core/config/config.ts';
import {
  type DeliveryLog,
  type FindingNow,
  noteAllSaid,
  pendingDelivery,
} from '../../core/delivery/pending-delivery.ts';
import { quietUntil } from '../../core/delivery/quiet-hours.ts';
import { maxReceives } from '../../core/delivery/receives.ts';
import { digestFor, getsAlarms, getsChange, notificationFor } from '../../core/delivery/routes.ts';
import { Undeliverable } from '../../core/errors.ts';
import { jsonOrNull } from '../../core/json.ts';
import { withFindings } from '../../core/lifecycle/notification.ts';
import { type Alarm, isEnd, isFirstOk } from '../../core/schemas/alarm.ts';
import { isResolvedOrBetter } from '../../core/schemas/changes.ts';
import type { Notification } from '../../core/schemas/notification.ts';
import { secondsPerHour } from '../../core/units.ts';
import { type RefusedMessage, refusedSchema, type TopicMessage, topicMessageOf } from './topic-message.ts';

type NotificationMessage = Extract<TopicMessage, { kind: 'notification' }>;

export interface Channel {
  name: string;
  config: ChannelConfig;
}

/** One call of a channel that can fail by itself. */
export interface Post {
  /** The same whenever the same is posted. */
  key: string;
  /** Not a message of its own, such as a picture to one: it counts for nothing in the hour. */
  isExtra?: true;
  /** @param isRepeated true: a try before this one may have posted it, and died. */
  send(isRepeated: boolean): Promise<void>;
}

export interface QueuedMessage {
  messageId: string;
  text: string;
  /** 1 for the first time. */
  receiveCount: number;
}

export interface DeliverWith extends DeliveryLog {
  channels: readonly Channel[];
  routes: readonly Route[];
  nowEpochSeconds(): number;
  /** Of a clock that never goes back. */
  monotonicMs(): number;
  /** All of a message of which the topic carried a part. */
  readWhole(key: string): Promise<Notification>;
  /** By id; without those that nobody remembers. */
  findingsNow(findingIds: readonly string[]): Promise<ReadonlyMap<string, FindingNow>>;
  /** What the channel makes of a message; null where nobody gave it what it needs. */
  posts(channel: Channel, message: TopicMessage): Promise<Post[] | null>;
  /** Does it unless it was done under this key. */
  once(key: string, act: () => Promise<void>): Promise<void>;
  /** One of the messages of the hour; false where all were taken. */
  takeOfHour(channel: string, hourEpochSeconds: number, most: number): Promise<boolean>;
  /** What was taken and not posted. */
  giveBackOfHour(channel: string, hourEpochSeconds: number): Promise<void>;
  /** False where a later change of the alarm is known: it ended since, or came back. */
  isNewestOfAlarm(arn: string, changedAtMs: number): Promise<boolean>;
  /** Into the queue as a new message: its retention and its receives begin anew. */
  waitAnew(waiting: RefusedMessage): Promise<void>;
  /** Kept for a person. */
  keepRefused(refused: RefusedMessage): Promise<void>;
  onTrouble(channel: string, error: Error): void;
  pause(milliseconds: number): Promise<void>;
}

export interface Delivered {
  posted: number;
  /** Channels that nobody set up yet: it waits for them. */
  notConfigured: string[];
  refused: string[];
  /** When to try again what waits or failed; null: all is done. */
  againInSeconds: number | null;
}

/** It is for later, and no failure. */
class NotBefore extends Error {
  override readonly name = 'NotBefore';
  readonly epochSeconds: number;
  constructor(epochSeconds: number) {
    super('it waits');
    this.epochSeconds = epochSeconds;
  }
}

const firstPauseSeconds = 30;
const maxPauseSeconds = secondsPerHour;
/** Of a message that is not understood. */
const everyChannel = '*';

/** Twice as long each time. */
const pauseAfter = (receiveCount: number): number =>
  Math.min(maxPauseSeconds, firstPauseSeconds * 2 ** (receiveCount - 1));

/** From the start of one post to that of the next: Slack takes about one message a second for a channel; the others more. */
const betweenPostsMs = 1_100;

function routed(message: TopicMessage, channel: string, routes: readonly Route[]): TopicMessage | null {
  if (message.kind === 'digest') {
    const digest = digestFor(channel, message.digest, routes);
    return digest && { ...message, digest };
  }
  if (message.kind === 'alarm') return getsAlarms(channel, routes) ? message : null;
  if (message.kind === 'change') return getsChange(channel, message.message, routes) ? message : null;
  const notification = notificationFor(channel, message.notification, routes);
  return notification === null ? null : { ...message, notification };
}

/** Half of what the queue allows: a try that dies counts too. */
const maxReceivesOfOne = maxReceives / 2;

/** Alarms of the service itself too: who is on duty hears them in the channels that have no quiet hours, and by e-mail. */
function isCritical(message: TopicMessage): boolean {
  if (message.kind === 'change') return needsPerson(message.message.change);
  return (
    message.kind === 'notification' &&
    message.notification.notified.some(
      (finding) => finding.severity === 'critical' && !isResolvedOrBetter(finding),
    )
  );
}

function notBefore({ config }: Channel, message: TopicMessage, nowEpochSeconds: number): number | null {
  const { quietHours } = config;
  if (quietHours === null || (quietHours.allowCritical && isCritical(message))) return null;
  return quietUntil(quietHours, nowEpochSeconds);
}

/** One of the messages of the hour, where the channel takes it: what fails is none, and an outage uses up nothing. */
async function sendOfHour({ name, config }: Channel, post: Post, isRepeated: boolean, use: DeliverWith) {
  const hour = Math.floor(use.nowEpochSeconds() / secondsPerHour) * secondsPerHour;
  if (!(await use.takeOfHour(name, hour, config.maxMessagesPerHour)))
    throw new NotBefore(hour + secondsPerHour);
  try {
    await post.send(isRepeated);
  } catch (error) {
    await use.giveBackOfHour(name, hour).catch((trouble: Error) => use.onTrouble(name, trouble));
    throw error;
  }
}

interface DeliveredTo {
  /** Now or in an earlier try that was not all; null where the channel is not set up. */
  posted: number | null;
  mutedUntilEpochSeconds: number | null;
  isAnyWaiting: boolean;
}

/** Posts of fewer findings, or of later ones, are others: what was posted of all of them must not stand for these. */
function withThese(message: NotificationMessage, notified: Notification['notified']): NotificationMessage {
  const { notified: all } = message.notification;
  if (notified.length === all.length && notified.every((one, index) => one === all[index])) return message;
  const ids = notified.map(({ id, openedAt }) => `${id} ${openedAt}`).join();
  const id = `${message.id}#${createHash('sha256').update(ids).digest('hex').slice(0, 16)}`;
  return { ...message, id, wholeId: message.id, notification: withFindings(message.notification, notified) };
}

/** @returns how many posts were made, now or in an earlier try; null where the channel is not set up. */
async function postTo(
  channel: Channel,
  message: TopicMessage,
  isRepeated: boolean,
  use: DeliverWith,
): Promise<number | null> {
  const posts = await use.posts(channel, message);
  if (posts === null) return null;
  let nextAtMs = Number.NEGATIVE_INFINITY;
  for (const post of posts) {
    await use.once(`${post.key}#${channel.name}`, async () => {
      const waitMs = nextAtMs - use.monotonicMs();
      if (waitMs > 0 && channel.config.kind !== 'eventbridge') await use.pause(waitMs);
      nextAtMs = use.monotonicMs() + betweenPostsMs;
      await (post.isExtra ? post.send(isRepeated) : sendOfHour(channel, post, isRepeated, use));
    });
  }
  return posts.length;
}

async function deliverTo(
  channel: Channel,
  message: TopicMessage,
  { isRepeated, findings }: { isRepeated: boolean; findings: ReadonlyMap<string, FindingNow> },
  use: DeliverWith,
): Promise<DeliveredTo> {
  const nowEpochSeconds = use.nowEpochSeconds();
  const quiet = notBefore(channel, message, nowEpochSeconds);
  if (quiet !== null) throw new NotBefore(quiet);
  if (message.kind !== 'notification')
    return {
      posted: await postTo(channel, message, isRepeated, use),
      ...{ mutedUntilEpochSeconds: null, isAnyWaiting: false },
    };
  const { notified, ...waiting } = await pendingDelivery(
    channel,
    message.notification.notified,
    { messageId: message.notification.id, findings, nowEpochSeconds },
    use,
  );
  if (notified.length === 0) return { ...waiting, posted: 0 };
  const posted = await postTo(channel, withThese(message, notified), isRepeated, use);
  if (posted !== null) await noteAllSaid(channel, notified, use);
  return { ...waiting, posted };
}

/** What was refused goes to its channel alone. */
function addressed(
  { messageId, text }: QueuedMessage,
  channels: readonly Channel[],
): { id: string; text: string; to: readonly Channel[] } {
  const refused = refusedSchema.safeParse(jsonOrNull(text));
  if (!refused.success) return { id: messageId, text, to: channels };
  const { id, message, channel } = refused.data;
  return {
    id,
    text: message,
    to: channels.filter(({ name }) => name === channel || channel === everyChannel),
  };
}

class Delivery {
  readonly result: Delivered = { posted: 0, notConfigured: [], refused: [], againInSeconds: null };
  private readonly queued: QueuedMessage;
  private readonly use: DeliverWith;
  private findings: ReadonlyMap<string, FindingNow> = new Map();

  constructor(queued: QueuedMessage, use: DeliverWith) {
    this.queued = queued;
    this.use = use;
  }

  async run(): Promise<Delivered> {
    const { id, text, to } = addressed(this.queued, this.use.channels);
    let message: TopicMessage | null;
    try {
      message = topicMessageOf(id, text);
    } catch (error) {
      await this.refused(everyChannel, error as Error, id, text);
      return this.result;
    }
    if (message === null) return this.result;
    try {
      if (message.kind === 'alarm' && !(await this.isNews(message.alarm))) return this.result;
      message = await this.whole(message);
      this.findings = await this.findingsOf(message);
    } catch (error) {
      // All of it can be said later.
      this.use.onTrouble(everyChannel, error as Error);
      this.again(pauseAfter(this.queued.receiveCount));
      return this.result;
    }
    for (const channel of to) {
      const part = routed(message, channel.name, this.use.routes);
      if (part !== null) await this.to(channel, part, text);
    }
    return this.result;
  }

  /** Of an alarm the last state alone: what was overtaken while it waited would be taken for the present. */
  private async isNews(alarm: Alarm): Promise<boolean> {
    const { AlarmArn, StateChangeTime } = alarm;
    const changedAtMs = Date.parse(StateChangeTime ?? '');
    if (AlarmArn !== undefined && !Number.isNaN(changedAtMs))
      if (!(await this.use.isNewestOfAlarm(AlarmArn, changedAtMs))) return false;
    return !isFirstOk(alarm);
  }

  private async whole(message: TopicMessage): Promise<TopicMessage> {
    if (message.kind !== 'notification' || message.notification.wholeKey === undefined) return message;
    return { ...message, notification: await this.use.readWhole(message.notification.wholeKey) };
  }

  private async findingsOf(message: TopicMessage): Promise<ReadonlyMap<string, FindingNow>> {
    if (message.kind !== 'notification') return new Map();
    return this.use.findingsNow(message.notification.notified.map(({ id }) => id));
  }

  private async to(channel: Channel, part: TopicMessage, text: string): Promise<void> {
    const { use, queued, result, findings } = this;
    try {
      const isRepeated = queued.receiveCount > 1;
      const { posted, ...waiting } = await deliverTo(channel, part, { isRepeated, findings }, use);
      if (posted === null) await this.notConfigured(channel.name, part, text);
      result.posted += posted ?? 0;
      if (waiting.isAnyWaiting) this.again(pauseAfter(queued.receiveCount));
      if (waiting.mutedUntilEpochSeconds !== null)
        this.again(waiting.mutedUntilEpochSeconds - use.nowEpochSeconds());
    } catch (error) {
      if (error instanceof NotBefore) return this.again(error.epochSeconds - use.nowEpochSeconds());
      use.onTrouble(channel.name, error as Error);
      if (error instanceof Undeliverable) await this.refused(channel.name, error, part.id, text);
      else this.again(pauseAfter(queued.receiveCount));
    }
  }

  /** What it said waits for the channel; an alarm as long as it takes, as findings do. */
  private async notConfigured(channel: string, part: TopicMessage, message: string): Promise<void> {
    const { use, queued, result } = this;
    result.notConfigured.push(channel);
    if (part.kind === 'alarm') {
      // What it ends was not sent, and is overtaken now.
      if (isEnd(part.alarm)) return;
      if (queued.receiveCount >= maxReceivesOfOne) {
        const { id } = part;
        const reason = 'nobody set the channel up yet';
        const waiting = { type: 'stripewise.refused', channel, reason, id, message } as const;
        return use.once(`${id}#waits#${channel}#${queued.messageId}`, () => use.waitAnew(waiting));
      }
    }
    this.again(pauseAfter(queued.receiveCount));
  }

  private async refused(channel: string, { message: reason }: Error, id: string, message: string) {
    const { use, queued, result } = this;
    const refused = { type: 'stripewise.refused', channel, reason, id, message } as const;
    try {
      // Another channel may make it come again. Sent once more by a person it is another message, and may be refused again.
      await use.once(`${id}#refused#${channel}#${queued.messageId}`, () => use.keepRefused(refused));
      result.refused.push(channel);
    } catch (error) {
      // The other channels do not wait for it.
      use.onTrouble(channel, error as Error);
      this.again(pauseAfter(queued.receiveCount));
    }
  }

  private again(seconds: number): void {
    const { againInSeconds } = this.result;
    this.result.againInSeconds = Math.min(againInSeconds ?? Number.POSITIVE_INFINITY, Math.max(1, seconds));
  }
}

export const deliver = (queued: QueuedMessage, use: DeliverWith): Promise<Delivered> =>
  new Delivery(queued, use).run();
