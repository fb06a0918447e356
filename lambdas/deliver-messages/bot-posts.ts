/** A message by a Slack bot: each finding in a thread of its own, with a picture of its load beside what opened it. */
import { Undeliverable } from '../../core/errors.ts';
import type { ChangeMessage } from '../../core/schemas/change-message.ts';
import type { Notification, NotifiedFinding } from '../../core/schemas/notification.ts';
import { plainIdOf } from '../../report/change.ts';
import { slackChange } from '../../report/slack/change-message.ts';
import { type SlackPost, slackThreadMessages, withChangeId } from '../../report/slack/finding-message.ts';
import type { SlackMessage } from '../../report/slack/message.ts';
import {
  alarmMessage,
  notificationMessage,
  slackDigest,
  slackSummary,
} from '../../report/slack/notification-message.ts';
import type { Post } from './deliver.ts';
import type { TopicMessage } from './topic-message.ts';

interface Slack {
  token: string;
  channel: string;
  apiUrl?: string;
}

type ThreadMessage = ReturnType<typeof slackThreadMessages>[number];

export interface Picture {
  png: Buffer;
  fileName: string;
  title: string;
  altText: string;
}

export interface BotUse {
  /** @returns the time stamp that names the message. */
  post(
    slack: Slack,
    message: SlackPost,
    where: { threadTs: string | null; broadcast: boolean },
  ): Promise<string>;
  upload(slack: Slack, threadTs: string, picture: Picture): Promise<void>;
  /** The message that carries a change already; null where there is none, or nobody can tell. */
  posted(slack: Slack, changeId: string, threadTs: string | null): Promise<string | null>;
  thread(channel: string, findingId: string): Promise<string | null>;
  keepThread(channel: string, findingId: string, ts: string): Promise<void>;
  /** Of the load of a finding; null where there is none. */
  pictureOf(notification: Notification, findingId: string): Promise<Picture | null>;
  /** A picture is a help, which nothing that is notified waits for. */
  onNoPicture(findingId: string, error: Error): void;
}

interface BotChannel {
  name: string;
  slack: Slack;
  charts: boolean;
  /** Whether somebody hears them. */
  buttons: boolean;
  /** Whether a change of a volume can be requested; absent: no. */
  hasChanges?: boolean | undefined;
}

/** What shows how it is; of what is over there is nothing to show. */
const isDrawn: readonly NotifiedFinding['change'][] = ['opened', 'worse', 'reopened'];

class FindingPosts {
  private readonly channel: BotChannel;
  private readonly use: BotUse;

  constructor(channel: BotChannel, use: BotUse) {
    this.channel = channel;
    this.use = use;
  }

  /** @param under what names the message in whose thread it goes, where it has none of its own; null: it opens one. */
  of(notification: Notification, notified: ThreadMessage, under: string | null): Post[] {
    const { findingId, changeId, change } = notified;
    const { charts } = this.channel;
    const message: Post = { key: changeId, send: (isRepeated) => this.message(notified, under, isRepeated) };
    // Pictures are drawn from the pages of a run.
    if (!charts || notification.run === null || !isDrawn.includes(change)) return [message];
    const send = () => this.picture(notification, findingId);
    return [message, { key: `${changeId}:picture`, isExtra: true, send }];
  }

  /** A change is said in the thread of the finding that it is for; where there is none it opens one. */
  ofChange({ id, step, change: { plan } }: ChangeMessage, message: SlackMessage): Post {
    const changeId = plainIdOf(id);
    const said = {
      ...{ findingId: plan.findingId, changeId, message: withChangeId(message, changeId) },
      // That it begins is for who follows the thread.
      broadcast: step !== 'made',
    };
    return { key: changeId, send: (isRepeated) => this.message(said, null, isRepeated) };
  }

  private async message(
    { findingId, changeId, message, broadcast }: Omit<ThreadMessage, 'change'>,
    under: string | null,
    isRepeated: boolean,
  ): Promise<void> {
    const { name, slack } = this.channel;
    const { thread, keepThread, post, posted } = this.use;
    const own = await thread(name, findingId);
    const threadTs = own ?? (under === null ? null : await thread(name, under));
    const before = isRepeated ? await posted(slack, changeId, threadTs) : null;
    if (before !== null) {
      if (own === null) await keepThread(name, findingId, threadTs ?? before);
      return;
    }
    // What is below a summary is in the channel already.
    const where = threadTs && { threadTs, broadcast: broadcast && own !== null };
    if (where && (await this.replied(message, where))) {
      if (own === null) await keepThread(name, findingId, where.threadTs);
      return;
    }
    await keepThread(name, findingId, await post(slack, message, { threadTs: null, broadcast: false }));
  }

  /** @returns false where the thread takes no reply any more: somebody locked it, or deleted what it began with. */
  private async replied(
    message: SlackPost,
    where: { threadTs: string; broadcast: boolean },
  ): Promise<boolean> {
    try {
      await this.use.post(this.channel.slack, message, where);
      return true;
    } catch (error) {
      // Where it is the message or the channel, opening a thread is refused too.
      if (error instanceof Undeliverable) return false;
      throw error;
    }
  }

  private async picture(notification: Notification, findingId: string): Promise<void> {
    const { name, slack } = this.channel;
    const { thread, upload, pictureOf, onNoPicture } = this.use;
    try {
      const threadTs = await thread(name, findingId);
      const picture = threadTs === null ? null : await pictureOf(notification, findingId);
      if (picture !== null && threadTs !== null) await upload(slack, threadTs, picture);
    } catch (error) {
      onNoPicture(findingId, error as Error);
    }
  }
}

export function botPosts(channel: BotChannel, message: TopicMessage, use: BotUse): Post[] {
  const { slack, buttons, hasChanges } = channel;
  /** @returns the time stamp that names the message. */
  const posted = async (key: string, body: SlackMessage, isRepeated: boolean): Promise<string> => {
    const changeId = plainIdOf(key);
    const before = isRepeated ? await use.posted(slack, changeId, null) : null;
    return before ?? use.post(slack, withChangeId(body, changeId), { threadTs: null, broadcast: false });
  };
  const whole = (body: SlackMessage): Post => {
    const key = `${message.id}:whole`;
    return { key, send: async (isRepeated) => void (await posted(key, body, isRepeated)) };
  };
  if (message.kind === 'digest') return [whole(slackDigest(message.digest))];
  if (message.kind === 'alarm') return [whole(alarmMessage(message.alarm))];
  const findings = new FindingPosts(channel, use);
  if (message.kind === 'change')
    return [findings.ofChange(message.message, slackChange(message.message, buttons))];
  const { notification } = message;
  // Threads are for the most urgent of an observation: what goes on is listed.
  const threads = notification.isContinued ? [] : slackThreadMessages(notification, buttons, hasChanges);
  const postsOf = (under: string | null): Post[] =>
    threads.flatMap((notified) => findings.of(notification, notified, under));
  // One summary, also when some of its findings are muted or resolved before all of its thread is sent.
  const key = `${message.wholeId ?? message.id}:summary`;
  const summaryId = plainIdOf(key);
  if (notification.isFirst) {
    const summary: Post = {
      key,
      send: async (isRepeated) =>
        use.keepThread(
          channel.name,
          summaryId,
          await posted(key, notificationMessage(notification), isRepeated),
        ),
    };
    // The most urgent are in its thread, each with its buttons.
    return [summary, ...postsOf(summaryId)];
  }
  const rest = slackSummary(notification, threads.length, buttons);
  // What is left of a summary goes into its thread.
  const under = message.wholeId === undefined ? null : summaryId;
  return [...postsOf(under), ...(rest === null ? [] : [whole(rest)])];
}
