/** What monitoring told against what was the case, of one volume and of all. */
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../../core/units.ts';
import type { Notified } from './monitoring-run.ts';
import type { Exhaustion, Throttling, Truth } from './monitoring-truth.ts';

export interface VolumeScore {
  exhaustions: number;
  couldBeWarned: number;
  warned: number;
  missed: number;
  /** Seconds from the warning until it was empty. */
  leads: number[];
  /** Seconds from the end of the first minute, of those that were not reported before. */
  exhaustedDelays: number[];
  warnings: number;
  falseWarnings: number;
  criticals: number;
  falseCriticals: number;
  /** Seconds from the end of the first throttled minute to the first notification, of volumes that were near their limit. */
  delays: number[];
  /** The same where the minutes that make it a finding were not in a row; and from the end of the one that made it one. */
  delaysOfScattered: number[];
  delaysOfEnough: number[];
  /** The same as `delays` of volumes that were not near. */
  delaysBelow: number[];
  unnotified: number;
  /** Told by rates a minute or more before it was enough in truth. */
  notifiedAlready: number;
}

export const emptyScore = (): VolumeScore => ({
  ...{ exhaustions: 0, couldBeWarned: 0, warned: 0, missed: 0, leads: [], exhaustedDelays: [] },
  ...{ warnings: 0, falseWarnings: 0, criticals: 0, falseCriticals: 0 },
  ...{
    delays: [],
    delaysOfScattered: [],
    delaysOfEnough: [],
    delaysBelow: [],
    unnotified: 0,
    notifiedAlready: 0,
  },
});

/** After so long without a word of it, a warning is a new one. */
const apartSeconds = secondsPerHour;
/** A bucket that was told to run dry within two hours should have, some time later. */
const warningHoldsSeconds = defaultThresholds.willExhaustSeconds + secondsPerHour;
const criticalHoldsSeconds = 2 * defaultThresholds.willExhaustCriticalSeconds;
const notifiedWithinSeconds = 300;
/** A warning goes back so far at most, before a bucket that is empty later than it said. */
const warnedBeforeSeconds = warningHoldsSeconds;

const endOf = (minute: number): number => (minute + 1) * secondsPerMinute;
const isThere = ({ severity }: Notified): boolean => severity !== null;

function scoreExhaustion(score: VolumeScore, exhaustion: Exhaustion, notified: readonly Notified[]): void {
  const { firstMinute, lastMinute, emptyMinute, couldWarnAtSeconds } = exhaustion;
  const [emptyAt, since] = [endOf(emptyMinute), endOf(firstMinute)];
  const warning = notified.find(
    ({ at, kind, severity }) =>
      kind === 'credits-will-exhaust' &&
      severity !== null &&
      at <= emptyAt &&
      at >= emptyAt - warnedBeforeSeconds,
  );
  const until = Math.max(endOf(lastMinute), since + notifiedWithinSeconds);
  // Told before, and never taken back: it is reported still.
  const before = notified.findLast(
    ({ at, kind }) => kind === 'credits-exhausted' && at < endOf(firstMinute - 1),
  );
  const isStillReported = before?.severity !== undefined && before.severity !== null;
  const saying = notified.find(
    (one) =>
      one.kind === 'credits-exhausted' &&
      isThere(one) &&
      one.at >= since - secondsPerMinute &&
      one.at <= until,
  );
  score.exhaustions++;
  if (couldWarnAtSeconds !== null) {
    score.couldBeWarned++;
    if (warning !== undefined) score.warned++;
  }
  if (warning !== undefined) score.leads.push(emptyAt - warning.at);
  if (saying !== undefined && !isStillReported) score.exhaustedDelays.push(saying.at - since);
  if (warning === undefined && saying === undefined && !isStillReported) score.missed++;
}

/** Each time that it is reported anew, did the bucket run dry? */
function scoreWarnings(score: VolumeScore, notified: readonly Notified[], balance: Float32Array): void {
  const isEmptyWithin = (at: number, seconds: number): boolean => {
    const from = Math.floor(at / secondsPerMinute) - 5;
    const to = Math.min(balance.length - 1, Math.ceil((at + seconds) / secondsPerMinute));
    for (let i = Math.max(0, from); i <= to; i++)
      if ((balance[i] as number) <= defaultThresholds.emptyBalancePercent) return true;
    return false;
  };
  const last = { warning: Number.NEGATIVE_INFINITY, critical: Number.NEGATIVE_INFINITY };
  for (const { at, kind, severity } of notified) {
    if (kind !== 'credits-will-exhaust' || severity === null) continue;
    if (at - last.warning > apartSeconds) {
      score.warnings++;
      if (!isEmptyWithin(at, warningHoldsSeconds)) score.falseWarnings++;
    }
    last.warning = at;
    if (severity !== 'critical') continue;
    if (at - last.critical > apartSeconds) {
      score.criticals++;
      if (!isEmptyWithin(at, criticalHoldsSeconds)) score.falseCriticals++;
    }
    last.critical = at;
  }
}

/** Half an hour after it was over nobody tells it as new. */
const tellableSeconds = 1_800;

function scoreThrottling(score: VolumeScore, throttling: Throttling, notified: readonly Notified[]): void {
  const { firstMinute, notifyingMinute, lastMinute, wasNear, isFirst } = throttling;
  if (!isFirst) return;
  const isOfLimit = ({ kind }: Notified): boolean => kind.startsWith('throttled');
  const enough = endOf(notifyingMinute);
  const before = notified.findLast(
    (one) => isOfLimit(one) && one.at < enough && one.at > enough - secondsPerDay,
  );
  if (before !== undefined && isThere(before)) {
    score.notifiedAlready++;
    return;
  }
  const first = notified.find(
    (one) =>
      isOfLimit(one) && isThere(one) && one.at >= enough && one.at <= endOf(lastMinute) + tellableSeconds,
  );
  if (first === undefined) {
    score.unnotified++;
    return;
  }
  const delay = first.at - endOf(firstMinute);
  const isInARow = notifyingMinute === firstMinute || notifyingMinute - firstMinute === 2;
  if (!wasNear) score.delaysBelow.push(delay);
  else if (isInARow) score.delays.push(delay);
  else {
    score.delaysOfScattered.push(delay);
    score.delaysOfEnough.push(first.at - enough);
  }
}

export function scoreOf(
  truth: Truth,
  notified: readonly Notified[],
  balance: Float32Array | null,
): VolumeScore {
  const score = emptyScore();
  for (const exhaustion of truth.exhaustions) scoreExhaustion(score, exhaustion, notified);
  for (const throttling of truth.throttlings) scoreThrottling(score, throttling, notified);
  if (balance !== null) scoreWarnings(score, notified, balance);
  return score;
}

export function sumOf(scores: readonly VolumeScore[]): VolumeScore {
  const sum = emptyScore();
  for (const score of scores) {
    for (const [name, value] of Object.entries(score) as [keyof VolumeScore, number | number[]][]) {
      if (typeof value === 'number') (sum[name] as number) += value;
      else (sum[name] as number[]).push(...value);
    }
  }
  return sum;
}
