/** What a poll says of findings: what is new or other at once, what goes on now and then, what is gone a few times. */

import { forClaim } from '../audit/kubernetes-steps.ts';
import { findingId, volumeResource } from '../diagnosis/draft.ts';
import { configurationOf } from '../inventory.ts';
import { unknown } from '../known.ts';
import type { Observation, RememberedFinding } from '../lifecycle/finding-record.ts';
import { volumeText } from '../lifecycle/observations.ts';
import type { PriceBook } from '../prices/prices.ts';
import type { RecommendationInput } from '../recommendations/recommendation.ts';
import { topRecommendation } from '../recommendations/top-recommendation.ts';
import { isoFromEpochSeconds, secondsPerDay } from '../units.ts';
import { lastUndecided } from './checked-minutes.ts';
import type { Evaluated, Found } from './evaluate-poll.ts';
import { fastestSecondsToEmpty, isHeldNow, nearnessOf } from './next-poll.ts';
import { pace } from './pace.ts';
import type { Poll } from './queries-of-poll.ts';
import { isOfCredits, type MonitoringKind, type OpenFinding, type Watch } from './watch.ts';
import type { Watched } from './watched.ts';

// Which look comes first where not all are paid for: what may break soon before what is only learned.

const weights = { throttled: 64, credits: 32, near: 16, quiet: 2, learning: 1 } as const;

function weightOf(watch: Watch, watched: Watched, { parts }: Poll, nowEpochSeconds: number): number {
  const isHeld = isHeldNow(watch, nowEpochSeconds);
  const isDeciding = parts.includes('rates') && lastUndecided(watch.checked) !== null;
  if (watch.suspect || isDeciding || (isHeld && parts.includes('checks'))) return weights.throttled;
  const seconds = fastestSecondsToEmpty(watched, watch);
  if (parts.includes('balance') && seconds !== null && seconds < pace.latelySeconds) return weights.credits;
  if (nearnessOf(watch, nowEpochSeconds).share >= pace.nearShare) return weights.near;
  return parts.includes('queue') || parts.includes('balance') ? weights.quiet : weights.learning;
}

/** More for who has waited long for his own pace: nobody waits for ever. */
export function urgencyOf(watch: Watch, watched: Watched, poll: Poll, nowEpochSeconds: number): number {
  const waited = Math.max(0, nowEpochSeconds - watch.nextPollEpochSeconds);
  return weightOf(watch, watched, poll, nowEpochSeconds) * (1 + waited / pace.nearSeconds);
}

// What monitoring recommends: what is right without a replay. The rest is the audit's, and the record keeps what it recommended.

/** The prices of volumes by Region. */
export type PricesOf = (region: string) => PriceBook['ebs'];

/** Credits that are gone and credits that will be have one answer. */
function recommendationOn(
  { volume, thresholds }: Pick<Watched, 'volume' | 'thresholds'>,
  draft: RecommendationInput['draft'],
  advising: PricesOf,
): Pick<RememberedFinding, 'recommendations'> {
  const prices = advising(volume.region);
  const configured = configurationOf(volume);
  if (!isOfCredits(draft.kind) || !configured.known) return { recommendations: [] };
  const { recommendations } = topRecommendation(
    {
      ...{ draft: { ...draft, kind: 'credits-will-exhaust' }, siblings: [], volume, ...configured.value },
      ...{
        prices,
        usd: unknown({ code: 'no-ebs-prices' as const, region: volume.region }),
        demand: null,
        freeAttachments: null,
      },
    },
    thresholds,
  );
  return { recommendations: recommendations.map((one) => forClaim(one, volume)) };
}

/** An observation, and which finding it is about. */
export interface MonitoringObservation extends Observation {
  findingId: string;
  kind: MonitoringKind;
}

/** Said so often, and for so long, that who hears it has settled on it. */
const isSettled = ({ times, fromEpochSeconds }: OpenFinding, nowEpochSeconds: number): boolean =>
  times >= pace.saying.times && nowEpochSeconds - fromEpochSeconds >= pace.saying.seconds;

const isSame = ({ gone, severity }: OpenFinding, { found }: Evaluated): boolean =>
  found === null ? gone : !gone && severity === found.severity;

/** Is it worth a write? */
function isToSay(open: OpenFinding | undefined, evaluated: Evaluated, nowEpochSeconds: number): boolean {
  if (open === undefined) return evaluated.found !== null;
  const again = isSettled(open, nowEpochSeconds) ? pace.sayAgainSeconds : pace.saying.everySeconds;
  return !isSame(open, evaluated) || nowEpochSeconds - open.saidEpochSeconds >= again;
}

/** What is remembered of it after it was said; null: nothing any more. */
function afterSaying(
  open: OpenFinding | undefined,
  evaluated: Evaluated,
  nowEpochSeconds: number,
): OpenFinding | null {
  const { found } = evaluated;
  if (open === undefined && found === null) return null;
  const before =
    open !== undefined && isSame(open, evaluated) ? open : { fromEpochSeconds: nowEpochSeconds, times: 0 };
  const { fromEpochSeconds, times } = before;
  const said = { fromEpochSeconds, times: times + 1, saidEpochSeconds: nowEpochSeconds };
  if (found !== null) {
    const earlier = open?.gone === false ? open.sinceEpochSeconds : Number.POSITIVE_INFINITY;
    const sinceEpochSeconds = Math.min(earlier, found.sinceEpochSeconds);
    return { severity: found.severity, sinceEpochSeconds, gone: false, ...said };
  }
  const after = { ...(open as OpenFinding), gone: true, ...said };
  return isSettled(after, nowEpochSeconds) ? null : after;
}

function findingOf(watched: Watched, found: Found, since: number, advising: PricesOf): RememberedFinding {
  const { volume } = watched;
  const { tags } = volume;
  const tagged = Object.keys(tags).length === 0 ? {} : { tags };
  const resource = { ...volumeResource(volume), ...tagged };
  const { sinceEpochSeconds, untilEpochSeconds, ...said } = found;
  const firstSeen = isoFromEpochSeconds(since);
  const end = isoFromEpochSeconds(untilEpochSeconds);
  const days = Number(((untilEpochSeconds - sinceEpochSeconds) / secondsPerDay).toFixed(2));
  const draft = {
    ...said,
    ...{ firstSeen, lastSeen: found.status === 'forecast' ? null : end },
    evidenceWindow: { start: isoFromEpochSeconds(sinceEpochSeconds), end, days },
    ...{ provisional: true, demand: null },
  };
  return {
    ...{ id: findingId(found.kind, resource), resource },
    ...draft,
    ...recommendationOn(watched, draft, advising),
    volumeText: volumeText(volume),
  };
}

export interface Said {
  open: Watch['open'];
  observations: MonitoringObservation[];
}

type FindingOf = (found: Found, since: number) => RememberedFinding | null;

function sayWith(
  watch: Watch,
  evaluated: readonly Evaluated[],
  nowEpochSeconds: number,
  findingOfIt: FindingOf,
): Said {
  const open = { ...watch.open };
  const observations: MonitoringObservation[] = [];
  const { volumeId, region } = watch;
  for (const one of evaluated) {
    const { kind, found } = one;
    const before = open[kind];
    if (!isToSay(before, one, nowEpochSeconds)) continue;
    // Two rounds of one tick have one time; of two observations at one time the second counts for nothing.
    const at = Math.max(nowEpochSeconds, (before?.saidEpochSeconds ?? 0) + 1);
    const after = afterSaying(before, one, at);
    if (after === null) delete open[kind];
    else open[kind] = after;
    observations.push({
      ...{ findingId: findingId(kind, { id: volumeId, region }), kind },
      ...{ source: 'monitoring', by: 'monitoring', atEpochSeconds: at },
      finding: found && findingOfIt(found, after?.sinceEpochSeconds ?? found.sinceEpochSeconds),
    });
  }
  return { open, observations };
}

/** @param evaluated the kinds that this poll polled; of others nothing is said, and nothing changes. */
export const say = (
  watch: Watch,
  watched: Watched,
  evaluated: readonly Evaluated[],
  nowEpochSeconds: number,
  advising: PricesOf,
): Said =>
  sayWith(watch, evaluated, nowEpochSeconds, (found, since) => findingOf(watched, found, since, advising));

/** Of what is open, kinds that cannot be any more: they are gone. */
export const endedOf = ({ open }: Watch, canBe: (kind: MonitoringKind) => boolean): Evaluated[] =>
  (Object.keys(open) as MonitoringKind[])
    .filter((kind) => !canBe(kind))
    .map((kind) => ({ kind, found: null }));

/** There is nothing to poll: what is open is said to be gone, as often as it takes. */
export const sayEnded = (watch: Watch, nowEpochSeconds: number): Said =>
  sayWith(
    watch,
    endedOf(watch, () => false),
    nowEpochSeconds,
    () => null,
  );

/** A volume that is not there any more has nothing. */
export const sayGone = (
  { open, volumeId, region }: Watch,
  nowEpochSeconds: number,
): MonitoringObservation[] =>
  (Object.keys(open) as MonitoringKind[]).map((kind) => ({
    ...{ findingId: findingId(kind, { id: volumeId, region }), kind },
    ...{ source: 'monitoring', by: 'monitoring', atEpochSeconds: nowEpochSeconds },
    finding: null,
  }));
