/**
 * The pipeline as it is deployed, with what AWS and the channels are held in memory: who notifies, the topic, the queue, who
 * delivers, the buttons. Time passes by seconds, functions may die at any call, and what happens is told to the oracle.
 */

import { ChannelSecrets, isAnyChannelSetUp } from '../../adapters/aws/channel-secrets.ts';
import { ChannelState } from '../../adapters/aws/channel-state.ts';
import { FindingRecords } from '../../adapters/aws/finding-records.ts';
import { StoredMessages } from '../../adapters/aws/stored-messages.ts';
import { type ChannelConfig, secretFieldOf } from '../../core/config/config.ts';
import { slackSignature } from '../../core/delivery/slack-signature.ts';
import { Unavailable, Undeliverable } from '../../core/errors.ts';
import { changeRecords } from '../../core/lifecycle/change-records.ts';
import type { FindingRecord, LifecycleRules } from '../../core/lifecycle/finding-record.ts';
import { acknowledgedBy, mutedUntil } from '../../core/lifecycle/lifecycle.ts';
import { sentMessage, voidMessage, wholeMessageKey } from '../../core/lifecycle/stored-message.ts';
import { run } from '../../core/recommendations/recommendation.ts';
import { sanitizeJson } from '../../core/sanitize.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { Finding, Severity } from '../../core/schemas/finding.ts';
import { type Notification, notificationSchema } from '../../core/schemas/notification.ts';
import { isoFromEpochSeconds } from '../../core/units.ts';
import { postsOf } from '../../lambdas/deliver-messages/channel-posts.ts';
import { deliver } from '../../lambdas/deliver-messages/deliver.ts';
import { notifyDigest } from '../../lambdas/notify-digest/notify-digest.ts';
import { notifyDue, notifyRun } from '../../lambdas/notify-findings/notify-findings.ts';
import { type ActionResult, actOnButton } from '../../lambdas/slack-actions/act-on-button.ts';
import { buttons } from '../../report/slack/message.ts';
import { aFinding, aRecommendation, aRecord, aResult, onVolume, someRules } from '../fixtures/findings.ts';
import { Process, type ProcessSettings } from '../lambdas/notify-findings/world.ts';
import { heardIn, markOf, type Named } from './heard.ts';
import type { Oracle } from './oracle.ts';
import {
  type Action,
  burstIds,
  type ChannelName,
  type callers,
  findingIdOf,
  letters,
  type Setup,
  type Story,
  settleSeconds,
  teamOf,
} from './story.ts';
import { Table } from './table.ts';

/** 2026-11-20 00:00 UTC. */
const midnight = 1_795_132_800;
/** Each observation counts: how long what is better must stay so is no matter of who hears of it. */
const everyObservation = { observations: 1, seconds: 0 };
const rules: LifecycleRules = {
  ...someRules,
  minSeverity: 'info',
  settle: { audit: everyObservation, monitoring: everyObservation },
};

const tickSeconds = 300;
const digestAtSecondsOfDay = 7 * 3_600;
const settledAtSecondsOfDay = 16 * 3_600;
/** Of the queue: whoever took a message and died has it for so long. */
const invisibleSeconds = 12 * 60;
const maxInvisibleSeconds = 11.5 * 3_600;
const maxReceives = 100;
/** A function that posts is over after so long. */
const postingSeconds = 120;
/** What was read of the secret is used for so long. */
const secretAgeSeconds = 60;

const signingSecret = 'a signing secret of an app';
const alarm = JSON.stringify({
  ...{ AlarmName: 'AuditFailed', NewStateValue: 'ALARM', NewStateReason: 'it failed' },
});
const link = 'https://reports.example/';

type Caller = (typeof callers)[number];
type Outage = Extract<Action, { do: 'outage' }>['how'];

interface Queued {
  messageId: string;
  text: string;
  receiveCount: number;
  visibleEpochSeconds: number;
}

interface Audit {
  runId: string;
  endEpochSeconds: number;
  sees: Map<string, Severity>;
  /** As it was handed in for the first time. */
  result: AuditResult | null;
}

/** So long that a message cannot name all of a burst. */
const longText = 'x'.repeat(4_000);

function findingOf(findingId: string, severity: Severity, version: number): Finding {
  const mark = markOf(findingId, version);
  const isOfBurst = findingId.startsWith('d');
  return aFinding({
    ...{ id: findingId, severity },
    recommendations: [aRecommendation({ steps: isOfBurst ? [run(longText)] : [] })],
    resource: onVolume(`vol-${findingId}`, {
      ...{ name: mark, account: '111122223333', tags: { team: teamOf(findingId) } },
    }),
  });
}

export class Pipeline {
  private readonly setup: Setup;
  private readonly story: Story;
  private readonly oracle: Oracle;
  private now: number;
  private readonly findings = new Table('findingId');
  private readonly posted = new Table('id');
  private queue: Queued[] = [];
  private deadLetters: string[] = [];
  private readonly postings = new Map<string, number>();
  private readonly botPosts: { change: string; ts: string; summarized: Named[] }[] = [];
  private readonly published = new Set<string>();
  /** What S3 keeps of messages that a topic cannot carry whole. */
  private readonly wholes = new Map<string, string>();
  private isSetUp: boolean;
  private secretRead: { at: number; text: string } | null = null;
  private readonly outages: { channel: ChannelName; until: number; how: Outage }[] = [];
  private readonly crashes = new Map<Caller, NonNullable<ProcessSettings['trouble']>>();
  private readonly audits: Audit[] = [];
  private late: Audit | null = null;
  private isTwice = false;
  private nextDigestEpochSeconds: number;
  private readonly counts = { delay: 0, skew: 0, order: 0, id: 0 };

  constructor(story: Story, oracle: Oracle) {
    this.setup = story.setup;
    this.story = story;
    this.oracle = oracle;
    this.now = midnight + story.setup.startHour * 3_600;
    this.nextDigestEpochSeconds = midnight + digestAtSecondsOfDay;
    while (this.nextDigestEpochSeconds <= this.now) this.nextDigestEpochSeconds += 86_400;
    this.isSetUp = !story.setup.isSetUpLater;
    if (!this.isSetUp) oracle.troubled(null, 0, Number.POSITIVE_INFINITY);
  }

  async lived(): Promise<void> {
    await this.begun();
    for (const action of this.story.actions) {
      await this.does(action);
      await this.passes(5);
    }
    await this.settles();
    // What somebody muted may be spoken of again.
    await this.passes(9 * 86_400, 6 * 3_600);
    this.oracle.settled(this.now);
  }

  private begun(): Promise<void> {
    return this.passes(1);
  }

  private next<T>(of: readonly T[], count: keyof Pipeline['counts'], otherwise: T): T {
    const at = this.counts[count]++;
    return of.length === 0 ? otherwise : (of[at % of.length] as T);
  }

  private newId(): string {
    this.counts.id += 1;
    return `id-${this.counts.id}`;
  }

  // What happens.

  private async does(action: Action): Promise<void> {
    if (action.do === 'audit') return this.audited(action);
    if (action.do === 'again') {
      const audit = this.audits[action.audit];
      this.oracle.fault();
      return audit === undefined ? undefined : this.handedIn(audit);
    }
    if (action.do === 'wait') return this.passes(action.minutes * 60);
    if (action.do === 'press') return this.presses(action.button, findingIdOf(action.letter));
    if (action.do === 'settle') return this.settles();
    if (action.do === 'outage') {
      const { how } = action;
      const names = Object.keys(this.setup.channels) as ChannelName[];
      const channel = names[action.channel % names.length] as ChannelName;
      const until = this.now + action.minutes * 60;
      this.outages.push({ channel, until, how });
      if (how === 'loses an answer') this.oracle.fault();
      this.oracle.troubled(channel, this.now, how === 'refuses' ? Number.POSITIVE_INFINITY : until);
    } else if (action.do === 'crash') {
      this.crashes.set(action.who, { step: action.step, how: action.how });
    } else if (action.do === 'twice') this.isTwice = true;
    else if (action.do === 'set up') this.setsUp();
    else this.isForeign(action.what);
  }

  private async audited({ sees, burst, isLate }: Extract<Action, { do: 'audit' }>): Promise<void> {
    this.now += 60;
    const seen = new Map<string, Severity>();
    for (const letter of letters) if (sees[letter] !== null) seen.set(findingIdOf(letter), sees[letter]);
    if (burst !== null) for (const id of burstIds) seen.set(id, burst);
    const audit = { runId: `run-${this.audits.length}`, endEpochSeconds: this.now, sees: seen, result: null };
    this.audits.push(audit);
    if (isLate && this.late === null) {
      this.late = audit;
      return;
    }
    await this.handedIn(audit);
    const { late } = this;
    this.late = null;
    if (late !== null) await this.handedIn(late);
  }

  private resultOf({ runId, endEpochSeconds, sees }: Audit): AuditResult {
    const versions = new Map<string, number>();
    for (const id of [...letters.map(findingIdOf), ...burstIds])
      versions.set(id, this.oracle.observed(id, endEpochSeconds, sees.get(id) ?? null, this.now));
    const findings = [...sees].map(([id, severity]) => findingOf(id, severity, versions.get(id) ?? 0));
    const window = { start: '2026-11-01T00:00:00Z', end: isoFromEpochSeconds(endEpochSeconds) };
    return aResult(findings, { runId, window, wholeRegions: ['us-east-1'] });
  }

  /** The workflow tries again, at once and later, until it is done. */
  private async handedIn(audit: Audit): Promise<void> {
    audit.result ??= this.resultOf(audit);
    const { result } = audit;
    const run = { result, location: `s3://bucket/${audit.runId}/` };
    for (const pauseSeconds of [10, 20 * 60, 20 * 60]) {
      const isDone = await this.calls('notify', (process, now) =>
        notifyRun(run, { by: audit.runId, nowEpochSeconds: now, rules }, this.notifier(process)),
      );
      if (isDone) return;
      await this.passes(pauseSeconds);
    }
  }

  private async presses(button: 'mute' | 'acknowledge', findingId: string): Promise<void> {
    this.oracle.pressed(button, findingId, this.now);
    for (let tries = 0; tries < 2; tries++) {
      const isDone = await this.calls('press', (process, now) => this.press(button, findingId, process, now));
      if (isDone) return;
    }
  }

  private setsUp(): void {
    if (this.isSetUp) return;
    this.isSetUp = true;
    this.oracle.troubled(null, 0, this.now);
  }

  private isForeign(what: Extract<Action, { do: 'foreign' }>['what']): void {
    if (what !== 'alarm') this.oracle.foreign();
    const id = `foreign-${this.newId()}`;
    const of = aFinding({ id, resource: onVolume(id) });
    const item = { ...aRecord(of), openIn: 'us-east-1', toNotify: 'yes', notifyFromEpochSeconds: this.now };
    if (what === 'alarm') this.arrives(alarm, 0);
    else if (what === 'queued') this.arrives('{"type":"stripewise.notification","version":9}', 0);
    else if (what === 'record') {
      const finding = { ...item.finding, kind: 'a-kind-of-a-later-version' };
      this.findings.items.set(id, { ...item, finding });
    } else {
      const claim = {
        messageId: id,
        by: 'one who died',
        claimedEpochSeconds: 0,
        change: 'opened',
        level: 'info',
      };
      // It can be read, and nobody saw it: over by now, so that no digest counts it.
      this.findings.items.set(id, { ...item, claim, expiresEpochSeconds: this.now });
      this.findings.items.set(`message#${id}`, { findingId: `message#${id}`, form: 'of a later version' });
    }
  }

  private async settles(): Promise<void> {
    this.crashes.clear();
    this.isTwice = false;
    this.setsUp();
    for (const outage of this.outages) outage.until = Math.min(outage.until, this.now);
    await this.passes(1);
    // A person puts it right and sends it again.
    const again = this.deadLetters.splice(0);
    for (const text of again) this.arrives(text, 0);
    if (this.late !== null) await this.handedIn(this.late);
    this.late = null;
    // Until some afternoon: no message waits for the morning.
    const least = this.now + settleSeconds;
    await this.passes(
      least + ((((settledAtSecondsOfDay - least) % 86_400) + 86_400) % 86_400) - this.now,
      3_600,
    );
    this.oracle.settled(this.now);
  }

  /** With what a schedule and a queue do meanwhile. */
  private async passes(seconds: number, everySeconds = tickSeconds): Promise<void> {
    const end = this.now + seconds;
    let tick = (Math.floor(this.now / everySeconds) + 1) * everySeconds;
    for (;;) {
      await this.drains();
      const soonest = Math.min(...this.queue.map(({ visibleEpochSeconds }) => visibleEpochSeconds));
      this.now = Math.min(end, tick, Math.max(soonest, this.now + 1));
      if (this.now === tick) {
        tick += everySeconds;
        const by = { by: `due ${this.newId()}`, rules };
        await this.calls('notify', (process, now) =>
          notifyDue({ ...by, nowEpochSeconds: now }, this.notifier(process)),
        );
        await this.digests();
        await this.drains();
        this.oracle.onTime(this.now);
      }
      if (this.now >= end) return;
    }
  }

  private async digests(): Promise<void> {
    if (!this.setup.hasDigest || this.now < this.nextDigestEpochSeconds) return;
    this.nextDigestEpochSeconds += 86_400;
    this.oracle.digested(this.isSetUp);
    for (let tries = 0; tries < 2; tries++) {
      const isDone = await this.calls('notify', (process, now) => this.digest(process, now));
      if (isDone) return;
    }
  }

  private digest(process: Process, nowEpochSeconds: number): Promise<unknown> {
    const table = this.findings.client((name, effect) => process.step(name, effect));
    const records = new FindingRecords(table, 'findings', () => {});
    const messages = new StoredMessages(table, 'findings');
    return notifyDigest(
      { every: 'daily', atSecondsOfDay: digestAtSecondsOfDay, nowEpochSeconds },
      {
        allRecords: () => records.all(),
        wasSent: async (id) => (await messages.read(id)) !== null,
        publish: (digest) => this.publishes(sanitizeJson(digest), process),
        markSent: async (id) => {
          await messages.write(sentMessage(voidMessage(id, nowEpochSeconds)), 0);
        },
      },
    );
  }

  // What is called.

  /** @returns whether it came to its end. */
  private async calls(
    who: Caller,
    act: (process: Process, nowEpochSeconds: number) => Promise<unknown>,
  ): Promise<boolean> {
    const trouble = this.crashes.get(who) ?? null;
    this.crashes.delete(who);
    if (trouble !== null) this.oracle.fault();
    try {
      await act(new Process({ trouble }), this.now + this.next(this.story.skews, 'skew', 0));
      return true;
    } catch {
      return false;
    }
  }

  private get secret(): string {
    const of = (name: string) => ({
      webhookUrl: `https://hooks.example/${name}`,
      botToken: `xoxb-of-${name}`,
    });
    const names = this.isSetUp ? Object.keys(this.setup.channels) : [];
    return JSON.stringify(Object.fromEntries(names.map((name) => [name, of(name)])));
  }

  private notifier(process: Process): Parameters<typeof notifyRun>[2] {
    const table = this.findings.client((name, effect) => process.step(name, effect));
    const records = new FindingRecords(table, 'findings', () => {});
    const messages = new StoredMessages(table, 'findings');
    const needs = Object.entries(this.setup.channels).map(([name, { kind }]) => [name, secretFieldOf[kind]]);
    return {
      records,
      messages,
      newMessageId: () => this.newId(),
      isAnybodyListening: () =>
        isAnyChannelSetUp(Object.fromEntries(needs), () =>
          process.step('read the secret', () => new ChannelSecrets(this.secret)),
        ),
      publish: (notification) => this.publishes(sanitizeJson(notification), process),
      keepWhole: (notification) =>
        process.step('keep the whole', () => {
          const key = wholeMessageKey(notification.id);
          this.wholes.set(key, sanitizeJson(notification));
          return key;
        }),
      linksToReport: async () => (findingId) => `${link}#${findingId}`,
      listValidations: async () => [],
      readValidation: () => Promise.reject(new Error('there is none')),
      onUnread: () => {},
      onTrouble: () => {},
    };
  }

  private publishes(json: string, process: Process): Promise<void> {
    return process.step('publish', () => {
      const { wholeKey } = JSON.parse(json);
      const whole = wholeKey === undefined ? JSON.parse(json) : this.whole(wholeKey);
      if (!this.published.has(json)) this.oracle.sent(heardIn('sns', whole).named, this.now);
      this.published.add(json);
      this.arrives(json, this.next(this.story.delays, 'delay', 0));
      if (!this.isTwice) return;
      this.isTwice = false;
      this.oracle.fault();
      this.arrives(json, this.next(this.story.delays, 'delay', 0));
    });
  }

  private whole(key: string): Notification {
    return notificationSchema.parse(JSON.parse(this.wholes.get(key) ?? ''));
  }

  private arrives(text: string, delaySeconds: number): void {
    const queued = { messageId: this.newId(), text, receiveCount: 0 };
    this.queue.push({ ...queued, visibleEpochSeconds: this.now + delaySeconds });
  }

  /** What can be taken from the queue now is taken, one after the other. */
  private async drains(): Promise<void> {
    for (;;) {
      const visible = this.queue.filter(({ visibleEpochSeconds }) => visibleEpochSeconds <= this.now);
      const one = visible.at(this.next(this.story.order, 'order', true) ? 0 : -1);
      if (one === undefined) return;
      one.receiveCount += 1;
      one.visibleEpochSeconds = this.now + invisibleSeconds;
      if (one.receiveCount > maxReceives) {
        this.deadLetters.push(one.text);
        this.queue = this.queue.filter((other) => other !== one);
        continue;
      }
      await this.calls('deliver', async (process, now) => {
        const { againInSeconds } = await deliver(one, this.deliverer(process, now));
        if (againInSeconds === null) this.queue = this.queue.filter((other) => other !== one);
        else one.visibleEpochSeconds = this.now + Math.min(maxInvisibleSeconds, Math.ceil(againInSeconds));
      });
    }
  }

  private deliverer(process: Process, now: number): Parameters<typeof deliver>[1] {
    const memory = new ChannelState(
      this.posted.client((name, effect) => process.step(name, effect)),
      'posted',
    );
    return {
      channels: Object.entries(this.setup.channels).map(([name, config]) => ({ name, config })),
      routes: this.setup.routes,
      nowEpochSeconds: () => now,
      posts: (channel, message) => postsOf(channel, message, this.channelUse(process, memory, now)),
      once: (key, act) => this.once(key, act, process),
      takeOfHour: (...of) => memory.takeOfHour(...of),
      giveBackOfHour: (...of) => memory.giveBackOfHour(...of),
      beginSaying: (name, saying) => memory.beginSaying(name, saying, now),
      noteSaid: (name, saying) => memory.noteSaid(name, saying, now),
      noteWaiting: (name, saying) => memory.noteWaiting(name, saying, now),
      readWhole: (key) => process.step('read the whole', () => this.whole(key)),
      findingsNow: (findingIds) =>
        new FindingRecords(
          this.findings.client((name, effect) => process.step(name, effect)),
          'findings',
          () => {},
        ).read(findingIds),
      // The model says no alarms.
      isNewestOfAlarm: async () => true,
      waitAnew: async () => {},
      keepRefused: (refused) =>
        process.step('keep what was refused', () => {
          this.deadLetters.push(JSON.stringify(refused));
        }),
      onTrouble: () => {},
      pause: async () => {},
      monotonicMs: () => 0,
    };
  }

  /** As the library does it that remembers what was posted. */
  private async once(key: string, act: () => Promise<void>, process: Process): Promise<void> {
    const isMine = await process.step('begin to post', () => {
      const until = this.postings.get(key) ?? 0;
      if (until > this.now && until !== Number.POSITIVE_INFINITY) throw new Unavailable('somebody is at it');
      if (until > this.now) return false;
      this.postings.set(key, this.now + postingSeconds);
      return true;
    });
    if (!isMine) return;
    try {
      await act();
    } catch (error) {
      await process.step('forget a post', () => this.postings.delete(key));
      throw error;
    }
    await process.step('note a post', () => this.postings.set(key, Number.POSITIVE_INFINITY));
  }

  /** @param told who reads this has read that beside it: it is not said twice. */
  private given(
    channel: ChannelName,
    payload: unknown,
    process: Process,
    notified: readonly Named[] = [],
  ): Promise<Named[]> {
    return process.step('post', () => {
      const outage = this.outages.find((one) => one.channel === channel && this.now < one.until);
      if (outage?.how === 'down') throw new Unavailable('it does not answer');
      if (outage?.how === 'refuses') throw new Undeliverable('it is gone');
      const { kind } = this.setup.channels[channel] as ChannelConfig;
      const heard = heardIn(kind, payload);
      const isNotified = (one: Named): boolean =>
        notified.some((other) => JSON.stringify(other) === JSON.stringify(one));
      const named = heard.named.filter((one) => !isNotified(one));
      this.oracle.heard(channel, { ...heard, named }, this.now);
      if (outage === undefined) return heard.named;
      outage.until = this.now;
      throw new Unavailable('its answer was lost');
    });
  }

  private channelUse(process: Process, memory: ChannelState, now: number): Parameters<typeof postsOf>[2] {
    const secrets = async (isFresh = false) => {
      if (isFresh || this.secretRead === null || this.now - this.secretRead.at >= secretAgeSeconds)
        this.secretRead = { at: this.now, text: this.secret };
      return new ChannelSecrets(this.secretRead.text);
    };
    const nameOf = (address: string) => address.replace(/^.*[/-]/, '') as ChannelName;
    return {
      secretOf: async (name, isFresh = false) => (await secrets(isFresh)).of(name),
      isAnySetUp: async () => (await secrets()).names.length > 0,
      topicOf: (name) => `arn/${name}`,
      postToSlackWebhook: async (url, message) => void (await this.given(nameOf(url), message, process)),
      postCard: async (url, card) => void (await this.given(nameOf(url), card, process)),
      publish: async (topicArn, body) => void (await this.given(nameOf(topicArn), body, process)),
      putEvents: async (bus, entries) => void (await this.given(nameOf(bus), entries, process)),
      bot: {
        post: async ({ token }, message, { threadTs }) => {
          // What a summary names is said in full in its thread, once.
          const above = this.botPosts.find((one) => one.ts === threadTs);
          const named = await this.given(nameOf(token), message, process, above?.summarized);
          if (above !== undefined)
            above.summarized = above.summarized.filter(
              (one) => !named.some(({ findingId }) => findingId === one.findingId),
            );
          const ts = this.newId();
          this.botPosts.push({
            change: `${nameOf(token)} ${JSON.stringify(message.metadata.event_payload)}`,
            ts,
            summarized: named.length > 1 ? named : [],
          });
          return ts;
        },
        upload: async () => {},
        posted: async ({ token }, changeId) => {
          const change = `${nameOf(token)} ${JSON.stringify({ change_id: changeId })}`;
          return this.botPosts.find((one) => one.change === change)?.ts ?? null;
        },
        thread: (name, findingId) => memory.thread(name, findingId, now),
        keepThread: (name, findingId, ts) => memory.keepThread(name, findingId, ts, now),
        pictureOf: async () => null,
        onNoPicture: () => {},
      },
    };
  }

  private async press(
    button: 'mute' | 'acknowledge',
    findingId: string,
    process: Process,
    now: number,
  ): Promise<void> {
    const table = this.findings.client((name, effect) => process.step(name, effect));
    const memory = new ChannelState(
      this.posted.client((name, effect) => process.step(name, effect)),
      'posted',
    );
    const records = new FindingRecords(table, 'findings', () => {});
    const by = { by: 'Ann', nowEpochSeconds: now };
    const change = async (how: (record: FindingRecord) => FindingRecord): Promise<ActionResult> => {
      const after = await changeRecords([findingId], (_, before) => before && how(before), records);
      return after.has(findingId) ? 'done' : 'gone';
    };
    const payload = {
      ...{ type: 'block_actions', user: { id: 'U123', team_id: 'T123' } },
      response_url: 'https://hooks.slack.com/actions/1',
      ...{ message: { ts: '1' }, actions: [{ action_id: buttons[button], value: findingId }] },
    };
    const body = new URLSearchParams({ payload: JSON.stringify(payload), press: this.newId() }).toString();
    const signature = slackSignature(signingSecret, `${now}`, body);
    const answer = await actOnButton({ method: 'POST', body, timestamp: `${now}`, signature }, now, {
      readApps: async () => [{ signingSecret, teamIds: ['T123'] }],
      isFirst: (...of) => memory.isFirst(...of),
      mute: (_, until) => change((record) => mutedUntil(record, until, by, rules)),
      acknowledge: () => change((record) => acknowledgedBy(record, by, rules)),
      changes: null,
      say: () => process.step('say', () => {}),
      onTrouble: () => {},
    });
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
  }
}
