/** A finding as it lives: looks, clicks and messages in the order in which they come, each at its second. */
import type { FindingRecord, LifecycleRules, Observation } from '../../../core/lifecycle/finding-record.ts';
import { acknowledgedBy, afterObservation, mutedUntil } from '../../../core/lifecycle/lifecycle.ts';
import { claimed, confirmed, notifyingNow } from '../../../core/lifecycle/notifying.ts';
import type { Severity } from '../../../core/schemas/finding.ts';
import type { NotifiedFinding, Source } from '../../../core/schemas/notification.ts';
import { secondsPerHour } from '../../../core/units.ts';
import { aFinding, asRemembered } from '../../fixtures/findings.ts';

/** Of a service that runs each hour, so that a day has enough looks. */
export const hourlyRules: LifecycleRules = {
  ...{ minSeverity: 'warning', retentionDays: 90 },
  settle: {
    audit: { observations: 2, seconds: secondsPerHour },
    monitoring: { observations: 3, seconds: 900 },
  },
  staleSeconds: { audit: 72 * secondsPerHour, monitoring: 24 * secondsPerHour },
};

export const findingId = 'finding-1';

export const observed = (
  atEpochSeconds: number,
  level: Severity | null,
  source: Source = 'audit',
): Observation => ({
  ...{ source, by: `${source} at ${atEpochSeconds}`, atEpochSeconds },
  finding: level === null ? null : asRemembered(aFinding({ id: findingId, severity: level })),
});

export interface Message {
  epochSeconds: number;
  change: NotifiedFinding['change'];
  level: Severity | null;
}

export class Lifecycle {
  readonly rules: LifecycleRules;
  record: FindingRecord | null = null;
  readonly messages: Message[] = [];

  constructor(rules: LifecycleRules = hourlyRules) {
    this.rules = rules;
  }

  see(observation: Observation): void {
    this.record = afterObservation(
      findingId,
      this.record,
      observation,
      this.rules,
      observation.atEpochSeconds,
    );
  }

  /** Looks, and tells at once what may be notified. */
  observeAndNotify(atEpochSeconds: number, level: Severity | null, source: Source = 'audit'): void {
    this.see(observed(atEpochSeconds, level, source));
    this.notify(atEpochSeconds);
  }

  mute(nowEpochSeconds: number, untilEpochSeconds: number): void {
    this.record = mutedUntil(this.there, untilEpochSeconds, { by: 'Ann', nowEpochSeconds }, this.rules);
  }

  acknowledge(nowEpochSeconds: number): void {
    this.record = acknowledgedBy(this.there, { by: 'Ann', nowEpochSeconds }, this.rules);
  }

  /** A message goes out, if there is something to tell. */
  notify(nowEpochSeconds: number, validatedEpochSeconds: number | null = null): void {
    if (this.record === null) return;
    const notifying = notifyingNow(this.record, nowEpochSeconds, this.rules, validatedEpochSeconds);
    if (notifying === null) return;
    const messageId = `message-${nowEpochSeconds}`;
    const inMessage = claimed(this.record, notifying, { by: 'me', messageId, nowEpochSeconds }, this.rules);
    this.record = confirmed(inMessage, { messageId, nowEpochSeconds }, this.rules);
    this.messages.push({ epochSeconds: nowEpochSeconds, change: notifying.change, level: notifying.level });
  }

  get there(): FindingRecord {
    if (this.record === null) throw new Error('nothing was ever seen');
    return this.record;
  }

  /** What was notified, in words: "worse critical". */
  get said(): string[] {
    return this.messages.map(({ change, level }) => `${change} ${level ?? '-'}`);
  }
}
