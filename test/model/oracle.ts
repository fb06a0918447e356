/**
 * What each channel must have heard, said by somebody who knows the configuration, what was seen of each finding, and what each
 * channel was given; and nothing of how that comes about. What is wrong is collected by the property that it breaks.
 */
import type { ChannelConfig } from '../../core/config/config.ts';
import type { Severity } from '../../core/schemas/finding.ts';
import type { Heard, Named } from './heard.ts';
import { type ChannelName, letters, type Setup, teamOf } from './story.ts';

export type Property =
  | 'nothing is lost'
  | 'nothing of a large batch is lost'
  | 'nothing is lost beside what nobody can read'
  | 'nothing is lost while channels are set up'
  | 'nothing is lost by a mute'
  | 'ends where it opened'
  | 'in order'
  | 'not twice'
  | 'nothing of what is muted'
  | 'nothing opens after its end'
  | 'as it is'
  | 'where it belongs'
  | 'a count is of its route'
  | 'a count has a link'
  | 'in time'
  | 'once a day'
  | 'at most so many an hour'
  | 'quiet hours are kept'
  | 'digests say what is open';

export interface Violation {
  property: Property;
  what: string;
}

const [minute, hour, day] = [60, 3_600, 86_400];
/** Clocks may differ by a minute, to either side. */
const clocksApart = 2 * minute;
/** Who begins to notify and dies is taken for dead after a quarter of an hour. */
const passingSeconds = hour;
/** What is only slow: the way to the queue, a tick each five minutes. After a trouble a pause may be as long as that was. */
const slowSeconds = 10 * minute;
const maxTimes = { withoutFault: 1, withFaults: 5 };

const ranks: Record<Severity, number> = { critical: 0, warning: 1, info: 2 };
/** 22:00 to 07:00 UTC. */
const isQuietAt = (now: number): boolean => now % day >= 22 * hour || now % day < 7 * hour;
const rank = (level: Severity | null): number => (level === null ? 3 : ranks[level]);

interface State {
  level: Severity;
  fromEpochSeconds: number;
  overEpochSeconds: number | null;
}

interface Lifecycle {
  lastObservationEpochSeconds: number;
  states: [State, ...State[]];
  mutes: { from: number; until: number }[];
  isAcknowledged: boolean;
}

interface Ear {
  name: ChannelName;
  config: ChannelConfig;
  /** By finding id: what was heard last. A state and its end are two steps. */
  known: Map<string, { step: number; level: Severity | null; times: number }>;
  calls: number[];
  counted: number;
  /** Of what was counted before all was well the last time: findings that were muted then. */
  countedMuted: number;
  /** Digests that it heard since all was well. */
  digests: number[];
  /** When it did not work, or a person had to put something right. */
  troubles: { from: number; until: number }[];
}

const currentOf = ({ states }: Lifecycle): State => states[states.length - 1] as State;
const levelOf = (lifecycle: Lifecycle): Severity | null => {
  const { level, overEpochSeconds } = currentOf(lifecycle);
  return overEpochSeconds === null ? level : null;
};
const stepOf = ({ version, isOver }: Pick<Named, 'version' | 'isOver'>): number =>
  2 * version + Number(isOver);
const lastStepOf = (lifecycle: Lifecycle): number =>
  stepOf({ version: lifecycle.states.length - 1, isOver: levelOf(lifecycle) === null });

export class Oracle {
  readonly violations: Violation[] = [];
  private readonly setup: Setup;
  private readonly lives = new Map<string, Lifecycle>();
  private readonly ears: Ear[];
  private readonly published: { at: number; findingId: string; step: number; level: Severity | null }[] = [];
  private isFaulty = false;
  private beside: Property | null = null;
  private newestEndEpochSeconds = 0;
  private settledEpochSeconds = 0;
  /** How many findings were open at each digest since all was well. */
  private digests: { open: number; isAnySetUp: boolean }[] = [];

  constructor(setup: Setup) {
    this.setup = setup;
    this.ears = Object.entries(setup.channels).map(([name, config]) => ({
      ...{
        name: name as ChannelName,
        config,
        known: new Map(),
        calls: [],
        counted: 0,
        countedMuted: 0,
        digests: [],
        troubles: [],
      },
    }));
    if (setup.isSetUpLater) this.beside = 'nothing is lost while channels are set up';
  }

  private broken(property: Property, what: string): void {
    this.violations.push({ property, what });
  }

  /**
   * An audit is handed in. One that ended before another that was handed in changes nothing.
   * @returns the version of the finding that this observation saw.
   */
  observed(findingId: string, endEpochSeconds: number, level: Severity | null, now: number): number {
    const lifecycle = this.lives.get(findingId);
    if (endEpochSeconds < this.newestEndEpochSeconds) return (lifecycle?.states.length ?? 1) - 1;
    this.newestEndEpochSeconds = endEpochSeconds;
    const state = { level: level as Severity, fromEpochSeconds: now, overEpochSeconds: null };
    if (lifecycle === undefined) {
      if (level !== null)
        this.lives.set(findingId, {
          ...{
            lastObservationEpochSeconds: endEpochSeconds,
            states: [state],
            mutes: [],
            isAcknowledged: false,
          },
        });
      return 0;
    }
    if (endEpochSeconds > lifecycle.lastObservationEpochSeconds) {
      lifecycle.lastObservationEpochSeconds = endEpochSeconds;
      const before = levelOf(lifecycle);
      if (level === null && before !== null) currentOf(lifecycle).overEpochSeconds = now;
      if (level !== null && level !== before) lifecycle.states.push(state);
      if (level === null || before === null) lifecycle.isAcknowledged = false;
    }
    return lifecycle.states.length - 1;
  }

  pressed(button: 'mute' | 'acknowledge', findingId: string, now: number): void {
    const lifecycle = this.lives.get(findingId);
    if (lifecycle === undefined) return;
    if (button === 'mute') lifecycle.mutes.push({ from: now, until: now + 7 * day - clocksApart });
    else if (levelOf(lifecycle) !== null) lifecycle.isAcknowledged = true;
  }

  /** Somebody dies, or something comes twice. */
  fault(): void {
    this.isFaulty = true;
  }

  foreign(): void {
    this.beside ??= 'nothing is lost beside what nobody can read';
  }

  troubled(channel: ChannelName | null, from: number, until: number): void {
    for (const ear of this.ears)
      if (channel === null || ear.name === channel) ear.troubles.push({ from, until });
  }

  private routes({ name }: Ear, findingId: string, level: Severity | null): boolean {
    return this.setup.routes.some(
      ({ to, minSeverity, tags }) =>
        to.includes(name) &&
        rank(level) <= rank(minSeverity) &&
        (tags === undefined || tags['team'] === teamOf(findingId)),
    );
  }

  /** What is for everybody, as it is sent for the first time. */
  sent(named: readonly Named[], now: number): void {
    for (const one of named) {
      const [{ findingId }, step] = [one, stepOf(one)];
      const lifecycle = this.lives.get(findingId);
      if (
        lifecycle === undefined ||
        this.published.some((it) => it.findingId === findingId && it.step === step)
      )
        continue;
      const level = one.isOver ? null : (lifecycle.states[one.version]?.level ?? null);
      const ofDay = this.published.filter(
        (it) => it.findingId === findingId && it.at > now - day + clocksApart,
      );
      if (ofDay.some((it) => rank(it.level) <= rank(level)))
        this.broken('once a day', `${findingId} step ${step} at ${now}`);
      this.published.push({ at: now, findingId, step, level });
    }
  }

  /** A digest is due. */
  digested(isAnySetUp: boolean): void {
    const open = [...this.lives.values()].filter((lifecycle) => levelOf(lifecycle) !== null).length;
    if (open > 0) this.digests.push({ open, isAnySetUp });
  }

  private heardWhen(ear: Ear, now: number): void {
    const { name, config, calls } = ear;
    calls.push(now);
    const begun = now - (now % hour);
    // Not where another clock says another hour, or a channel took what it seemed to refuse.
    const isSure = (at: number): boolean => at % hour > clocksApart && at % hour < hour - clocksApart;
    const sure = calls.filter((at) => at > begun && isSure(at));
    // A message to a bus is one of the hour, however many calls it takes: those come at once.
    const ofHour = config.kind === 'eventbridge' ? [...new Set(sure)] : sure;
    if (!this.isFaulty && isSure(now) && ofHour.length > config.maxMessagesPerHour)
      this.broken('at most so many an hour', `${name} at ${now}`);
    const isQuiet = isQuietAt(now - clocksApart) && isQuietAt(now + clocksApart);
    if (config.quietHours === null || !isQuiet) return;
    const isExcepted = [...this.lives.values()].some(({ states }) =>
      states.some(({ level }) => level === 'critical'),
    );
    if (!config.quietHours.allowCritical || !isExcepted)
      this.broken('quiet hours are kept', `${name} at ${now}`);
  }

  heard(channel: ChannelName, { named, counted, hasLink, digestOf }: Heard, now: number): void {
    const ear = this.ears.find(({ name }) => name === channel) as Ear;
    this.heardWhen(ear, now);
    if (digestOf !== null) ear.digests.push(digestOf);
    ear.counted += counted;
    if (counted > 0 && !hasLink) this.broken('a count has a link', `${channel} at ${now}`);
    for (const one of named) this.heardOf(ear, one, now);
  }

  private heardOf(ear: Ear, one: Named, now: number): void {
    const { findingId, version, isOver, severity } = one;
    const lifecycle = this.lives.get(findingId);
    const state = lifecycle?.states[version];
    if (lifecycle === undefined || state === undefined) return;
    const step = stepOf(one);
    const what = `${ear.name} hears ${findingId} v${version} ${isOver ? 'resolved' : severity} at ${now}`;
    if (
      isOver
        ? state.overEpochSeconds === null && version === lifecycle.states.length - 1
        : severity !== state.level
    )
      this.broken('as it is', what);
    if (!lifecycle.states.slice(0, version + 1).some(({ level }) => this.routes(ear, findingId, level)))
      this.broken('where it belongs', what);
    if (lifecycle.mutes.some(({ from, until }) => now > from && now < until))
      this.broken('nothing of what is muted', what);
    const over = state.overEpochSeconds;
    // A bus gets every event: who reads them has the time of each.
    const isBus = this.setup.channels[ear.name]?.kind === 'eventbridge';
    if (!isOver && over !== null && now > over + passingSeconds && !isBus)
      this.broken('nothing opens after its end', what);
    const before = ear.known.get(findingId);
    if (before !== undefined && step < before.step && !isBus)
      this.broken('in order', `${what}, after step ${before.step}`);
    const times = before?.step === step ? before.times + 1 : 1;
    if (times > (this.isFaulty ? maxTimes.withFaults : maxTimes.withoutFault))
      this.broken('not twice', `${what}, ${times} times`);
    if (step >= (before?.step ?? 0))
      ear.known.set(findingId, { step, level: isOver ? null : state.level, times });
  }

  /** The property that is broken where the channel does not know what is; null where it need not. */
  private unknown(ear: Ear, findingId: string, lifecycle: Lifecycle): Property | null {
    const [is, known] = [levelOf(lifecycle), ear.known.get(findingId)?.level ?? null];
    const isLess = rank(is) > rank(known);
    if (rank(is) === rank(known)) return null;
    if (isLess ? is !== null && lifecycle.isAcknowledged : !this.routes(ear, findingId, is)) return null;
    if (isLess && this.beside !== 'nothing is lost beside what nobody can read')
      return 'ends where it opened';
    if (this.beside !== null) return this.beside;
    if (lifecycle.mutes.length > 0) return 'nothing is lost by a mute';
    return this.lives.size > letters.length ? 'nothing of a large batch is lost' : 'nothing is lost';
  }

  /** All was well for days: each channel knows what is, by name or by number. */
  settled(now: number): void {
    for (const ear of this.ears) {
      const unknown = [...this.lives].flatMap(([findingId, lifecycle]) => {
        const property = this.unknown(ear, findingId, lifecycle);
        const isMuted = lifecycle.mutes.some(({ until }) => now < until + 2 * clocksApart + day);
        return property === null ? [] : [{ findingId, lifecycle, property, isMuted }];
      });
      const missed = unknown.filter(({ isMuted }) => !isMuted);
      const changes = [...this.lives].flatMap(([findingId, { states }]) =>
        states.some(({ level }) => this.routes(ear, findingId, level))
          ? states.flatMap(({ fromEpochSeconds: from, overEpochSeconds: over }) => [from, over ?? 0])
          : [],
      );
      const mostCounted = changes.filter((at) => at > this.settledEpochSeconds).length;
      if (ear.counted > mostCounted * (this.isFaulty ? maxTimes.withFaults : maxTimes.withoutFault))
        this.broken('a count is of its route', `${ear.name}: ${ear.counted} counted, ${mostCounted} changed`);
      const counted = ear.counted + ear.countedMuted;
      if (missed.length > counted)
        for (const { findingId, property } of missed)
          this.broken(
            property,
            `${ear.name} knows ${findingId} as ${ear.known.get(findingId)?.level ?? null} at ${now}`,
          );
      for (const { findingId, lifecycle } of missed)
        ear.known.set(findingId, { step: lastStepOf(lifecycle), level: levelOf(lifecycle), times: 0 });
      // What is muted may have been counted before that.
      ear.countedMuted = Math.min(unknown.length - missed.length, Math.max(0, counted - missed.length));
      ear.counted = 0;
      this.settledDigests(ear);
    }
    this.digests = [];
    this.settledEpochSeconds = now;
  }

  private settledDigests(ear: Ear): void {
    const wants = this.setup.routes.some(({ to, digests }) => digests && to.includes(ear.name));
    const made = (wants ? this.digests : []).map(({ open }) => open);
    const heard = ear.digests.filter((open) => open > 0);
    // Those of before anybody could hear them may wait for whoever comes.
    const least = wants ? this.digests.filter(({ isAnySetUp }) => isAnySetUp).length : 0;
    const most = made.length * (this.isFaulty ? maxTimes.withFaults : maxTimes.withoutFault);
    if (heard.length < least || heard.length > most || heard.some((one) => !made.includes(one)))
      this.broken(
        this.beside ?? 'digests say what is open',
        `${ear.name}: ${made} were open, said were ${heard}`,
      );
    ear.digests = [];
  }

  /** When the channel began to be able to take what is sent, and how long it was not; null where it is not now. */
  private worksSince({ config, troubles }: Ear, now: number): { since: number; after: number } | null {
    const ofDay = now % day;
    if (config.quietHours !== null && isQuietAt(now)) return null;
    if (troubles.some(({ from, until }) => now >= from && now < until)) return null;
    const last = troubles.filter(({ until }) => until <= now && until > now - 9 * hour);
    const quietEnd = config.quietHours === null ? 0 : now - ofDay + 7 * hour;
    const since = Math.max(quietEnd, ...last.map(({ until }) => until));
    return {
      since,
      after: since - Math.min(since, ...last.map(({ from }) => from)),
    };
  }

  /** What was sent long enough ago is known, where the channel works and has had fewer messages than it takes. */
  onTime(now: number): void {
    if (this.isFaulty || this.beside !== null) return;
    for (const ear of this.ears) {
      const works = this.worksSince(ear, now);
      const isHourYoung = now % hour < slowSeconds;
      if (works === null || isHourYoung || now < works.since + works.after + slowSeconds) continue;
      const late = this.published.filter(({ at, findingId, step, level }) => {
        const lifecycle = this.lives.get(findingId) as Lifecycle;
        return (
          at < now - slowSeconds &&
          this.routes(ear, findingId, level) &&
          lifecycle.mutes.length === 0 &&
          step === lastStepOf(lifecycle) &&
          (ear.known.get(findingId)?.step ?? -1) < step
        );
      });
      const calls = ear.calls.filter((at) => at >= now - (now % hour) - clocksApart).length;
      if (late.length > 0 && ear.counted === 0 && calls + late.length <= ear.config.maxMessagesPerHour)
        this.broken('in time', `${ear.name} at ${now}: ${late[0]?.findingId} was sent at ${late[0]?.at}`);
    }
  }
}
