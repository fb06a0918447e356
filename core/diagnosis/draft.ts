/** A finding in the making: what a rule says before its resource gives it an identity. */
import { median } from 'simple-statistics';
import { type Demand, highestDemand } from '../demand/demand.ts';
import { sha256Hex } from '../hash.ts';
import { isInstanceId, isRegionName, isVolumeId, partitionOf } from '../ids.ts';
import type { Instance, Volume } from '../inventory.ts';
import { sharedKubernetes } from '../kubernetes.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { summaryOf } from '../load/load-summary.ts';
import { entriesAt, maximum, topOf } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { Evidence } from '../schemas/evidence.ts';
import {
  type ByKind,
  type FindingDemand,
  type FindingFields,
  type FindingKind,
  type FindingResource,
  instanceIdOf,
  type Limit,
  type RateUnit,
  type Severity,
} from '../schemas/finding.ts';
import type { Stripe } from '../stripes/stripes.ts';
import type { Attribution } from './attribute.ts';
import {
  type Cause,
  type Confidence,
  causeCode,
  causes as causeNames,
  confidenceCode,
  type Proof,
  proofs,
} from './causes.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';
import { countEvidence, countThrottled, evidenceOver, type Throttled, whenSeen } from './throttled.ts';

// What a finding is on, and its identity over time: what it is about, never when, nor what else is known about it.

/** First 16 hex digits of SHA-256 over kind, Region and resource id (which no two accounts share). */
export function findingId(kind: FindingKind, { region, id }: Pick<FindingResource, 'region' | 'id'>): string {
  return sha256Hex(JSON.stringify([kind, region, id])).slice(0, 16);
}

interface Place {
  region: string;
  account: string | null;
}

/** Null where the account or the Region is not known, or the id is none. */
function arnOf(kind: 'volume' | 'instance', id: string, { region, account }: Place): string | null {
  const isId = kind === 'volume' ? isVolumeId(id) : isInstanceId(id);
  if (!isId || account === null || !/^\d{12}$/.test(account) || !isRegionName(region)) return null;
  return `arn:${partitionOf(region)}:ec2:${region}:${account}:${kind}/${id}`;
}

export const volumeResource = ({
  volumeId: id,
  name,
  region,
  account,
  kubernetes,
}: Pick<Volume, 'volumeId' | 'name' | 'region' | 'account' | 'kubernetes'>): FindingResource => ({
  ...{ type: 'volume', id, arn: arnOf('volume', id, { region, account }) },
  ...{ name, region, account },
  ...(kubernetes === undefined ? {} : { kubernetes }),
});

export const instanceResource = ({
  instanceId: id,
  name,
  region,
  account,
}: Pick<Instance, 'instanceId' | 'name' | 'region' | 'account'>): FindingResource => ({
  ...{ type: 'instance', id, arn: arnOf('instance', id, { region, account }) },
  ...{ name, region, account },
});

/** A stripe is called as its name says, and where it has none, as its first volume is. AWS knows no stripes. */
export function stripeResource({ stripeId, name, volumes, region, account }: Stripe): FindingResource {
  const kubernetes = sharedKubernetes(volumes);
  return {
    ...{ type: 'stripe', id: stripeId, arn: null },
    ...{ name: name ?? volumes[0]?.name ?? null, region, account },
    ...(kubernetes === null ? {} : { kubernetes }),
  };
}

/** For a channel that groups by them: made anew, since what a message says is no ARN until its parts are what they should be. */
export function resourceArns({
  type,
  id,
  region,
  account,
}: Pick<FindingResource, 'type' | 'id' | 'region' | 'account'>): string[] {
  const instanceId = instanceIdOf({ type, id });
  const arn =
    instanceId === null
      ? arnOf('volume', id, { region, account })
      : arnOf('instance', instanceId, { region, account });
  return arn === null ? [] : [arn];
}

type DraftFields = Omit<FindingFields, 'id' | 'resource' | 'recommendations'>;
/** Of one of some kinds; of any where none are named. */
export type Draft<Kind extends FindingKind = FindingKind> = ByKind<DraftFields, Evidence, Kind>;

/** A volume's load with what throttled it, period by period. */
export interface EvaluatedLoad {
  limits: VolumeLimits;
  load: VolumeLoad;
  attribution: Attribution;
  demand: Demand;
  /** Where the audit ends; the load may end earlier. */
  windowEndEpochSeconds: number;
  thresholds: Thresholds;
}

/** Which periods count for a finding. */
export interface Counted {
  causes: readonly Cause[];
  /** Throttled for minutes, or for seconds of a minute: one is not the other. */
  onlyMicroBursts?: boolean;
}

/** An active-time rate that no queue confirms is a hint at a burst, and no throttled minute. */
const isOnlyHint = ({ load, attribution }: EvaluatedLoad, i: number): boolean =>
  load.queueLength === null && proofs[attribution.proof[i] as number] === 'active-time-rate';

/** A check alone, and a queue that shows that nothing waited for it: no load was throttled. */
const isUnfelt = ({ attribution }: EvaluatedLoad, i: number): boolean =>
  proofs[attribution.proof[i] as number] === 'check' &&
  (attribution.timesCalmQueue?.[i] ?? Number.NaN) < fixedThresholds.queueTimesUnthrottled;

/** Load waited in it, for all that is known, for a minute and not for seconds of it. */
const isWholePeriod = (evaluated: EvaluatedLoad, i: number): boolean =>
  evaluated.attribution.microBurst[i] === 0 && !isOnlyHint(evaluated, i) && !isUnfelt(evaluated, i);

/** The periods that count, ascending. */
export function countedPeriods(evaluated: EvaluatedLoad, { causes, onlyMicroBursts }: Counted): Int32Array {
  const { cause, throttledAt, microBurst } = evaluated.attribution;
  const counts = new Uint8Array(causeNames.length);
  for (const one of causes) counts[causeCode[one]] = 1;
  return throttledAt.filter((i) => {
    if (counts[cause[i] as number] === 0) return false;
    return onlyMicroBursts ? microBurst[i] === 1 : isWholePeriod(evaluated, i);
  });
}

/** What the throttled minutes of some periods come to. */
export function throttledMinutesAt(evaluated: EvaluatedLoad, periods: Int32Array): Throttled {
  const { load, attribution, windowEndEpochSeconds } = evaluated;
  const axis = {
    periodSeconds: load.periodSeconds,
    epochSeconds: entriesAt(load.epochSeconds, periods),
  };
  return countThrottled(axis, entriesAt(attribution.throttledMinutes, periods), windowEndEpochSeconds);
}

export const throttledMinutesBy = (evaluated: EvaluatedLoad, counted: Counted): Throttled =>
  throttledMinutesAt(evaluated, countedPeriods(evaluated, counted));

/** Counted periods by what proved them. */
function periodsByProof({ attribution }: EvaluatedLoad, at: Int32Array): Record<Proof, number> {
  const periods: Record<Proof, number> = { check: 0, rate: 0, 'active-time-rate': 0, balance: 0 };
  for (const i of at) {
    const proof = proofs[attribution.proof[i] as number];
    if (proof !== undefined) periods[proof]++;
  }
  return periods;
}

/** What most of the periods rest on: sure by two kinds of evidence or a published balance, by one, or by a rate nothing confirms. */
function confidenceOf({ load, attribution }: EvaluatedLoad, at: Int32Array): Confidence {
  const { confidence, proof } = attribution;
  let [sure, likely] = [0, 0];
  for (const i of at) {
    if (confidence[i] === confidenceCode.high) sure++;
    // A burst that the queue shows too.
    const isSeen = proofs[proof[i] as number] === 'active-time-rate' && load.queueLength !== null;
    if (isSeen || confidence[i] !== confidenceCode.low) likely++;
  }
  if (sure >= at.length / 2) return 'high';
  return likely >= at.length / 2 ? 'medium' : 'low';
}

const medianOf = (values: number[]): number | null =>
  values.length === 0 ? null : Number(median(values).toFixed(3));

/** Milliseconds of an operation in the middle of the periods in which nothing throttled it; null where none is known. */
function medianWhereCalm(latencyMs: Float64Array | null, cause: Uint8Array): number | null {
  const known: number[] = [];
  for (let i = 0; latencyMs !== null && i < cause.length; i++) {
    const ms = latencyMs[i] as number;
    if (cause[i] === causeCode.none && !Number.isNaN(ms)) known.push(ms);
  }
  return medianOf(known);
}

/** What every finding of a load rests on. */
type LoadEvidence = Evidence['stalled'];

/** Null where none is known. */
const knownTop = (column: Float64Array): number | null => (topOf(column) < 0 ? null : topOf(column));

function loadEvidence(evaluated: EvaluatedLoad, at: Int32Array) {
  const { limits, load, attribution } = evaluated;
  const periods = periodsByProof(evaluated, at);
  const throttledMs = load.latencyMs === null ? [] : [...entriesAt(load.latencyMs, at)];
  return {
    limitIops: limits.burstIops,
    limitMiBps: limits.burstMiBps,
    baselineIops: limits.baselineIops,
    baselineMiBps: limits.baselineMiBps,
    topAverageIops: knownTop(load.iops),
    topAverageMiBps: knownTop(load.mibps),
    topActiveTimeIops: summaryOf(load).topActiveTimeIops,
    topQueueLength: maximum(load.queueLength),
    medianLatencyMs: medianWhereCalm(load.latencyMs, attribution.cause),
    medianLatencyMsThrottled: medianOf(throttledMs.filter((ms) => !Number.isNaN(ms))),
    periodsProvedByCheck: periods.check,
    periodsProvedByRate: periods.rate,
    periodsProvedByActiveTimeRate: periods['active-time-rate'],
    periodsProvedByBalance: periods.balance,
    ...demandEvidence(evaluated),
  };
}

/** The most that was demanded at one time, at least and at most; null where nothing tells. */
function demandEvidence({ load, demand }: EvaluatedLoad) {
  if (demand.highIops === load.iops) return {};
  const iops = highestDemand(demand, 'IOPS');
  const mibps = highestDemand(demand, 'MiB/s');
  return {
    demandIopsAtLeast: iops.atLeast,
    demandIopsAtMost: iops.atMost,
    demandMiBpsAtLeast: mibps.atLeast,
    demandMiBpsAtMost: mibps.atMost,
    demandAssumptions: [
      ...(iops.isWide || mibps.isWide ? [{ code: 'at-most-unknown' as const }] : []),
      ...demand.assumptions,
    ],
  };
}

/** The demand at its highest; the likely figure takes the replay. Null where nothing was throttled. */
function demandOf({ load, demand }: EvaluatedLoad, unit: RateUnit): FindingDemand | null {
  if (demand.highIops === load.iops) return null;
  const { atLeast, atMost } = highestDemand(demand, unit);
  return { known: atLeast !== null && atMost !== null, atLeast, likely: null, atMost, unit };
}

interface DraftInput {
  severity: Severity | null;
  counted: Counted;
  held: Throttled;
  limit: Limit | null;
}

/** A finding before it has a kind. */
interface LoadDraft extends DraftFields {
  evidence: LoadEvidence;
}

/** One where there is a severity, none where there is none. */
export function loadDrafts(evaluated: EvaluatedLoad, input: DraftInput): LoadDraft[] {
  const { severity, counted, held, limit } = input;
  if (severity === null) return [];
  const at = countedPeriods(evaluated, counted);
  return [
    {
      ...{ severity, ...whenSeen(held), limit },
      confidence: confidenceOf(evaluated, at),
      ...evidenceOver(evaluated.load, evaluated.load.knownSeconds),
      demand: limit && demandOf(evaluated, limit.unit),
      evidence: { ...countEvidence(held), ...loadEvidence(evaluated, at) },
    },
  ];
}
