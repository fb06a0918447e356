/** A finding as it lives: looks, clicks and messages in the order in which they come, each at its second. */
import type { FindingRecord, LifeRules, Sighting } from '../../../core/advisory/finding-record.ts';
import { acknowledgedBy, afterLook, mutedUntil } from '../../../core/advisory/life.ts';
import { claimed, confirmed, tellingNow } from '../../../core/advisory/telling.ts';
import type { Source, ToldFinding } from '../../../core/schemas/advisory.ts';
import type { Severity } from '../../../core/schemas/finding.ts';
import { secondsPerHour } from '../../../core/units.ts';
import { aFinding, asRemembered } from '../../fixtures/findings.ts';

/** Of a service that runs each hour, so that a day has enough looks. */
export const hourlyRules: LifeRules = {
  ...{ leastSeverity: 'warning', rememberDays: 90 },
  settle: {
    audit: { looks: 2, seconds: secondsPerHour },
    pulse: { looks: 3, seconds: 900 },
  },
  staleSeconds: { audit: 72 * secondsPerHour, pulse: 24 * secondsPerHour },
};

export const findingId = 'finding-1';

export const look = (atEpochSeconds: number, level: Severity | null, source: Source = 'audit'): Sighting => ({
  ...{ source, by: `${source} at ${atEpochSeconds}`, atEpochSeconds },
  finding: level === null ? null : asRemembered(aFinding({ id: findingId, severity: level })),
});

export interface Message {
  epochSeconds: number;
  change: ToldFinding['change'];
  level: Severity | null;
}

export class Life {
  readonly rules: LifeRules;
  record: FindingRecord | null = null;
  readonly messages: Message[] = [];

  constructor(rules: LifeRules = hourlyRules) {
    this.rules = rules;
  }

  see(sighting: Sighting): void {
    this.record = afterLook(findingId, this.record, sighting, this.rules, sighting.atEpochSeconds);
  }

  /** Looks, and tells at once what may be told. */
  lookAndTell(atEpochSeconds: number, level: Severity | null, source: Source = 'audit'): void {
    this.see(look(atEpochSeconds, level, source));
    this.tell(atEpochSeconds);
  }

  mute(nowEpochSeconds: number, untilEpochSeconds: number): void {
    this.record = mutedUntil(this.there, untilEpochSeconds, { by: 'Ann', nowEpochSeconds }, this.rules);
  }

  acknowledge(nowEpochSeconds: number): void {
    this.record = acknowledgedBy(this.there, { by: 'Ann', nowEpochSeconds }, this.rules);
  }

  /** A message goes out, if there is something to tell. */
  tell(nowEpochSeconds: number, provedEpochSeconds: number | null = null): void {
    if (this.record === null) return;
    const telling = tellingNow(this.record, nowEpochSeconds, this.rules, provedEpochSeconds);
    if (telling === null) return;
    const messageId = `message-${nowEpochSeconds}`;
    const inMessage = claimed(this.record, telling, { by: 'me', messageId, nowEpochSeconds }, this.rules);
    this.record = confirmed(inMessage, { messageId, nowEpochSeconds }, this.rules);
    this.messages.push({ epochSeconds: nowEpochSeconds, change: telling.change, level: telling.level });
  }

  get there(): FindingRecord {
    if (this.record === null) throw new Error('nothing was ever seen');
    return this.record;
  }

  /** What was told, in words: "worse critical". */
  get said(): string[] {
    return this.messages.map(({ change, level }) => `${change} ${level ?? '-'}`);
  }
}
