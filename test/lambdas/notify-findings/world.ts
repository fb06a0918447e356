/**
 * What functions share: records and messages that keep the conditions of DynamoDB, a topic, and two channels that listen to
 * it. A function works in it step by step, and may die or fail at any of them.
 */
import { changeRecords } from '../../../core/lifecycle/change-records.ts';
import type { FindingRecord, LifecycleRules, Observation } from '../../../core/lifecycle/finding-record.ts';
import { afterObservation } from '../../../core/lifecycle/lifecycle.ts';
import { type StoredMessage, wholeMessageKey } from '../../../core/lifecycle/stored-message.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import type { Notification } from '../../../core/schemas/notification.ts';
import { isoFromEpochSeconds } from '../../../core/units.ts';
import {
  type Notified,
  type NotifyWith,
  notifyDue,
  notifyRun,
} from '../../../lambdas/notify-findings/notify-findings.ts';
import { aResult, runEndEpochSeconds, someRules } from '../../fixtures/findings.ts';

export type Trouble = 'dies before' | 'dies after' | 'fails before' | 'fails after';

export interface ProcessSettings {
  /** At which of its steps, counted from 0, and how. */
  trouble?: { step: number; how: Trouble } | null;
  /** A step that fails whenever it is tried. */
  refuses?: string;
  /** When a step may be made; at once without it. */
  turn?: (step: string) => Promise<unknown>;
}

/** One call of a function. Who died makes no further step, whatever the code would do about an error. */
export class Process {
  readonly steps: string[] = [];
  isDead = false;
  private readonly settings: ProcessSettings;

  constructor(settings: ProcessSettings = {}) {
    this.settings = settings;
  }

  private mayDie(step: number, when: 'before' | 'after'): void {
    const { trouble } = this.settings;
    if (trouble?.step === step && trouble.how.endsWith(when)) {
      this.isDead = trouble.how.startsWith('dies');
      throw new Error(`${trouble.how} step ${step}: ${this.steps[step]}`);
    }
  }

  async step<T>(name: string, effect: () => T): Promise<T> {
    if (this.isDead) throw new Error('dead');
    const step = this.steps.push(name) - 1;
    this.mayDie(step, 'before');
    if (name === this.settings.refuses) throw new Error(`refused: ${name}`);
    await this.settings.turn?.(name);
    // It may have died in another step meanwhile.
    if (this.isDead) throw new Error('dead');
    const value = effect();
    this.mayDie(step, 'after');
    return value;
  }
}

const ofOneAccount: Partial<AuditResult> = { wholeRegions: ['us-east-1'] };

export class World {
  readonly rules: LifecycleRules = someRules;
  readonly records = new Map<string, FindingRecord>();
  readonly messages = new Map<string, StoredMessage>();
  /** Of which a topic carries a part, by key. */
  readonly wholes = new Map<string, Notification>();
  /** By Region: when the newest audit ended. */
  readonly audits = new Map<string, number>();
  /** What the topic was given, in order: a plain webhook hears all of it. */
  readonly published: Notification[] = [];
  readonly troubles: string[] = [];
  nowEpochSeconds = runEndEpochSeconds;
  isAnybodyListening = true;
  /** Ids of records and messages whose form is not known: another version wrote them. */
  readonly unreadable = new Set<string>();
  private made = 0;

  /** As a function is wired to it. */
  wired(process: Process): NotifyWith {
    const put = <T extends { revision: number }>(
      items: Map<string, T>,
      [key, item]: [string, T],
      before: number,
    ) => {
      if ((items.get(key)?.revision ?? 0) !== before) return false;
      items.set(key, structuredClone(item));
      return true;
    };
    const readAll = (ids: readonly string[], skip: (findingId: string) => void = () => {}) =>
      new Map(
        ids.flatMap((id) => {
          const record = this.records.get(id);
          if (record !== undefined && this.unreadable.has(id)) {
            skip(id);
            return [];
          }
          return record === undefined ? [] : [[id, structuredClone(record)] as const];
        }),
      );
    return {
      records: {
        read: (ids, skip) => process.step('read records', () => readAll(ids, skip)),
        write: (record, before) =>
          process.step('write a record', () => put(this.records, [record.findingId, record], before)),
        open: (regions) =>
          process.step('query what is open', () =>
            [...this.records.values()]
              .filter(({ level, finding }) => level !== null && regions.includes(finding.resource.region))
              .filter(({ findingId }) => !this.unreadable.has(findingId))
              .map((record) => structuredClone(record)),
          ),
        due: (now) =>
          process.step('query what is due', () =>
            [...this.records.values()]
              .filter(({ notifyFromEpochSeconds: from }) => from !== null && from <= now)
              .map(({ findingId }) => findingId),
          ),
        isNewestAudit: (region, endEpochSeconds) =>
          process.step('note an audit', () => {
            if (endEpochSeconds < (this.audits.get(region) ?? 0)) return false;
            this.audits.set(region, endEpochSeconds);
            return true;
          }),
      },
      messages: {
        read: (id) =>
          process.step('read a message', () => {
            if (this.unreadable.has(id)) throw new Error(`another form: ${id}`);
            return structuredClone(this.messages.get(id) ?? null);
          }),
        write: (message, before) =>
          process.step('write a message', () => put(this.messages, [message.messageId, message], before)),
      },
      newMessageId: () => {
        this.made += 1;
        return `message-${this.made}`;
      },
      isAnybodyListening: () => process.step('ask who listens', () => this.isAnybodyListening),
      publish: (notification) =>
        process.step('publish', () => {
          this.published.push(structuredClone(notification));
        }),
      keepWhole: (notification) =>
        process.step('keep the whole', () => {
          const key = wholeMessageKey(notification.id);
          this.wholes.set(key, structuredClone(notification));
          return key;
        }),
      linksToReport: async () => null,
      listValidations: async () => [],
      readValidation: () => Promise.reject(new Error('there is none')),
      onUnread: () => {},
      onTrouble: (reason) => this.troubles.push(reason),
    };
  }

  private by(name: string) {
    return { by: name, nowEpochSeconds: this.nowEpochSeconds, rules: this.rules };
  }

  /** An audit that saw these, of all that there is; its window ends now unless it is an older one. */
  run(
    runId: string,
    findings: readonly Finding[],
    { process = new Process(), endEpochSeconds = this.nowEpochSeconds, places = ofOneAccount } = {},
  ): Promise<Notified> {
    const window = { start: '2026-11-01T00:00:00Z', end: isoFromEpochSeconds(endEpochSeconds) };
    const result = aResult(findings, { runId, window, ...places });
    const run = { result, location: `s3://bucket/runs/${runId}/` };
    return notifyRun(run, this.by(runId), this.wired(process));
  }

  /** What the schedule calls. */
  tick(process = new Process()): Promise<Notified> {
    this.made += 1;
    return notifyDue(this.by(`due ${this.made}`), this.wired(process));
  }

  /** The schedule, every five minutes for so long. */
  async ticks(seconds: number): Promise<void> {
    for (const end = this.nowEpochSeconds + seconds; this.nowEpochSeconds < end; ) {
      this.nowEpochSeconds += 300;
      await this.tick();
    }
  }

  /** Monitoring polls, between two audits. */
  async monitoring(
    findingId: string,
    finding: Observation['finding'],
    process = new Process(),
  ): Promise<void> {
    const at = this.nowEpochSeconds;
    const observation: Observation = {
      source: 'monitoring',
      by: `monitoring ${at}`,
      atEpochSeconds: at,
      finding,
    };
    const { records } = this.wired(process);
    await changeRecords(
      [findingId],
      (id, before) => afterObservation(id, before, observation, this.rules, observation.atEpochSeconds),
      records,
    );
  }

  /** What somebody hears who knows messages by their ids: each once. */
  get heard(): Notification[] {
    const whole = (one: Notification): Notification =>
      one.wholeKey === undefined ? one : (this.wholes.get(one.wholeKey) as Notification);
    return [...new Map([...this.published].reverse().map((one) => [one.id, whole(one)])).values()].reverse();
  }

  /** What was heard, one line a change: "a: opened warning". */
  get changes(): string[] {
    return this.heard.flatMap(({ notified }) =>
      notified.map(
        ({ id, change, severity }) => `${id}: ${change}${change === 'resolved' ? '' : ` ${severity}`}`,
      ),
    );
  }

  /** How often the plain webhook heard each message. */
  get times(): number[] {
    return this.heard.map(({ id }) => this.published.filter((one) => one.id === id).length);
  }
}
